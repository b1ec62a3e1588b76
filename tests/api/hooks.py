"""What schemathesis sends along: credentials, and numbers of things that exist. Without them every answer would be 401 or 404."""

import json
import os
import re
import zlib

import jsonschema_rs
import schemathesis
from world import World

WORLD = World(os.environ["LECTERN_URL"])

# The operations that end what later requests need, and what has to be made anew after one succeeded.
USES_UP_PERSON = {
    "signIn", "signOut", "deleteAccount", "endSession", "endOtherSessions", "changePassword", "removePassword", "resetPassword", "confirmTotp",
    "changeEmail", "endProviderSession", "endProviderSessionByForm", "register", "acceptInvite", "confirmEmail", "finishPasskeySignIn",
}
USES_UP_SPACE = {"deleteSpace", "updateSpace", "deleteToken", "setOwnerOfSpace"}
ENDS_SESSIONS = {"signOutEverybody"}
ENDS_THE_VICTIM = {"signOutUser", "suspendUser", "updateUser", "deleteUser", "resetTwoFactorOfUser"}


@schemathesis.hook
def filter_query(context, query):
    """An empty parameter counts as one that is not sent, so it is no mistake of a request."""
    return not query or all(value not in ("", [], {}) for value in query.values())


@schemathesis.hook
def filter_case(context, case):
    """Leaves out what the APIs of Storyblok forgive although the description is strict: options that were not set, and scalars in other types."""
    if case.body is None and not case.operation.definition.raw.get("requestBody", {}).get("required", False):
        # A body that may be left out may be null as well, on every API.
        return False
    is_forgiving = re.match(r"/api/v[12]/", case.operation.path)
    if not is_forgiving or case.meta is None or not case.meta.generation.mode.is_negative:
        return True
    return not (is_unset_somewhere(case.query) or is_cast(case))


# What counts as no parameter, as it stands in a query, and the parameters in which any mistake is no mistake of the request.
UNSET = {"", "null", "undefined", "NaN"}
NEVER_REFUSED = {"cv", "by_ids", "by_uuids", "by_uuids_ordered", "excluding_ids"}


def is_unset_somewhere(query):
    values = {name: value if isinstance(value, list) else [value] for name, value in (query or {}).items()}
    return any(name in NEVER_REFUSED or any(item is None or str(item) in UNSET for item in items) for name, items in values.items())


def is_cast(case):
    """Whether the body is a right one as soon as its scalars have the types that are wanted."""
    raw = case.operation.definition.raw.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if raw is None or not isinstance(case.body, dict):
        return False
    root = case.operation.schema.raw_schema
    body = cast(case.body, raw, root)
    schema = {**raw, "components": root.get("components", {})}
    # As texts, because Python's `False` equals 0.
    return json.dumps(body) != json.dumps(case.body) and jsonschema_rs.validator_for(schema).is_valid(body)


def cast(value, schema, root):
    while "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        schema = target
    types = schema.get("type", [])
    types = {types} if isinstance(types, str) else set(types)
    if isinstance(value, dict):
        return {name: cast(member, schema.get("properties", {}).get(name, {}), root) for name, member in value.items()}
    if isinstance(value, list):
        return [cast(item, schema.get("items", {}), root) for item in value]
    if value == "" and "null" in types and "string" not in types:
        return None
    if "boolean" in types and not isinstance(value, bool) and value in (1, "1", "true", 0, "0", "false", ""):
        return value in (1, "1", "true")
    if "integer" in types and isinstance(value, (str, float)) and re.fullmatch(r"\s*-?\d+(\.0+)?\s*", str(value)):
        return int(float(value))
    if "string" in types and isinstance(value, (bool, int, float)):
        return json.dumps(value)
    return value


@schemathesis.hook
def before_call(context, case, kwargs):
    """Gives a request its credentials, and in three cases of four a path that leads somewhere."""
    operation = case.operation
    alternatives = operation.definition.raw.get("security") or []
    if alternatives:
        # The last alternative is the token: sessions have their own operations.
        case.headers.update(WORLD.headers_for(list(alternatives[-1]), operation.path))
        if "deliveryToken" in alternatives[-1] and isinstance(case.query, dict):
            case.query["token"] = WORLD.space.delivery
    parameters = case.path_parameters
    if not parameters:
        return
    if "space" in parameters and not is_negative(case):
        parameters["space"] = WORLD.space.id
    if operation.path.startswith("/api/admin/users/{id}") and leads_somewhere(parameters["id"]) and not is_negative(case):
        parameters["id"] = WORLD.victim
    resource = re.match(r"/api/v1/spaces/\{space\}/(\w+)/\{(\w+)\}", operation.path)
    if resource and resource[1] in WORLD.space.ids and resource[2] in parameters and leads_somewhere(parameters[resource[2]]) and not is_negative(case):
        known = WORLD.space.ids[resource[1]]
        # Where a slug may stand as well, a number that is no text would count as a mistake.
        parameters[resource[2]] = str(known) if isinstance(parameters[resource[2]], str) else known


def is_negative(case):
    """Whether the path is what has to be refused. A request whose every part is valid for itself counts as well."""
    from schemathesis.core.parameters import ParameterLocation

    meta = case.meta
    if meta is None or not meta.generation.mode.is_negative:
        return False
    return meta.is_negative_at(ParameterLocation.PATH) or not any(
        meta.is_negative_at(location) for location in (ParameterLocation.QUERY, ParameterLocation.BODY)
    )


def leads_somewhere(value):
    """Whether a number that was made up is replaced by one that exists: three in four. The same in every run, as the seed of the requests is."""
    return zlib.crc32(str(value).encode()) % 4 != 0


@schemathesis.hook
def after_call(context, case, response):
    """Makes anew what a request has used up."""
    name = case.operation.definition.raw.get("operationId")
    if response.status_code >= 400:
        return
    if name in USES_UP_PERSON or name in ENDS_THE_VICTIM:
        WORLD.renew_person()
    elif name in USES_UP_SPACE or case.method == "DELETE" and "/api/v1/" in case.operation.path:
        WORLD.renew_space()
    elif name in ENDS_SESSIONS:
        WORLD.sign_everybody_in()
