"""What schemathesis sends along: credentials, and numbers of things that exist. Without them every answer would be 401 or 404."""

import os
import re
import zlib

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
