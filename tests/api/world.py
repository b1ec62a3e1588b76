"""A server with something of everything on it, and the credentials of everybody who may call."""

import base64
import itertools
import json
import sys
from pathlib import Path

import requests

sys.path.insert(0, str(Path(__file__).parents[1] / "relying-party"))
from server import PASSWORD, Server, clients  # noqa: E402

SECRET = "a-secret-that-only-client-and-server-know"
PROVISIONING = "0123456789abcdef0123456789abcdef"
METRICS = "0123456789abcdef"
CALLBACK = "https://app.example/cb"

CLIENTS = clients(
    {
        "clientId": "web",
        "name": "Web",
        "clientSecret": SECRET,
        "redirectUris": [CALLBACK],
        "grantTypes": ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
        "roles": ["reader", "writer"],
    },
    {"clientId": "machine", "grantTypes": ["client_credentials"], "clientSecret": SECRET},
)

VARIABLES = {
    "APP_METRICS_TOKEN": METRICS,
    "APP_ADMIN_API_TOKENS_JSON": json.dumps([{"id": "importer", "token": PROVISIONING}]),
    "APP_OIDC_CLIENTS_JSON": CLIENTS,
}


class Person:
    """A person at a browser: cookies and the CSRF token."""

    numbers = itertools.count(1)

    def __init__(self, url):
        self.url = url
        self.email = f"person{next(self.numbers)}@example.org"
        self.session = requests.Session()
        self.call("POST", "/api/auth/register", {"email": self.email, "password": PASSWORD, "firstName": "Ada", "lastName": "Muster"})
        self.sign_in()

    def sign_in(self):
        self.session.cookies.clear()
        self.csrf = self.call("GET", "/api/csrf-token")["csrfToken"]
        self.csrf = self.call("POST", "/api/auth/login", {"email": self.email, "password": PASSWORD})["csrfToken"]

    def call(self, method, path, body=None):
        headers = {}
        if method != "GET":
            headers["X-CSRF-Token"] = self.session.get(f"{self.url}/api/csrf-token", timeout=10).json()["csrfToken"]
        answer = self.session.request(method, self.url + path, json=body, headers=headers, timeout=30)
        if answer.status_code == 401 and not path.startswith("/api/auth/"):
            # An administrator of the run has signed everybody out.
            self.sign_in()
            headers = {"X-CSRF-Token": self.csrf} if headers else {}
            answer = self.session.request(method, self.url + path, json=body, headers=headers, timeout=30)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    @property
    def headers(self):
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.session.cookies)
        return {"Cookie": cookies, "X-CSRF-Token": self.csrf}


class Space:
    """A space with one of everything, whose numbers are valid parameters of paths."""

    def __init__(self, owner):
        made = owner.call("POST", "/api/v1/spaces", {"name": "Fuzzed"})
        self.url = owner.url
        self.id = made["space"]["id"]
        self.delivery = made["tokens"]["private"]
        self.management = owner.call("POST", f"/api/v1/spaces/{self.id}/tokens", {"name": "fuzz", "role": "admin"})["plaintext"]
        self.ids = {}
        self.fill()

    def post(self, path, body):
        headers = {"Authorization": self.management}
        answer = requests.post(f"{self.url}/api/v1/spaces/{self.id}{path}", json=body, headers=headers, timeout=30)
        assert answer.ok, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()

    def fill(self):
        """Makes one of each resource, and remembers its number by the segment of its path."""
        schema = {"title": {"type": "text", "pos": 0}}
        component = self.post("/components", {"component": {"name": "page", "is_root": True, "schema": schema}})["component"]
        story = {"name": "Home", "slug": "home", "content": {"component": "page", "title": "Hello", "_uid": "1"}, "tag_list": ["news"]}
        made = self.post("/stories", {"story": story, "publish": 1})["story"]
        source = self.post("/datasources", {"datasource": {"name": "Colours", "slug": "colours"}})["datasource"]
        entry = {"name": "Red", "value": "#f00", "datasource_id": source["id"]}
        self.ids = {
            "components": component["id"],
            "stories": made["id"],
            "datasources": source["id"],
            "datasource_entries": self.post("/datasource_entries", {"datasource_entry": entry})["datasource_entry"]["id"],
            "component_groups": self.post("/component_groups", {"component_group": {"name": "Blocks"}})["component_group"]["id"],
            "presets": self.post("/presets", {"preset": {"name": "First", "component_id": component["id"], "preset": {}}})["preset"]["id"],
            "internal_tags": self.post("/internal_tags", {"internal_tag": {"name": "logo", "object_type": "asset"}})["internal_tag"]["id"],
            "asset_folders": self.post("/asset_folders", {"asset_folder": {"name": "Photos"}})["asset_folder"]["id"],
            "webhook_endpoints": self.post("/webhook_endpoints", {"webhook_endpoint": {"name": "Hook", "endpoint": "https://hooks.example.org/", "actions": ["story.published"]}})["webhook_endpoint"]["id"],
            "webhooks": self.post("/webhooks", {"name": "Hook", "url": "https://hooks.example.org/", "events": ["story.published"], "secret": "a secret of many characters", "active": False})["webhook"]["id"],
            "story_schedulings": self.post("/story_schedulings", {"story_scheduling": {"story_id": made["id"], "publish_at": "2999-01-01T00:00:00.000Z"}})["story_scheduling"]["id"],
            "tags": "news",
        }
        self.uuid = made["uuid"]


class World:
    """Everybody and everything; what a request has used up is made anew."""

    def __init__(self, url):
        self.url = url
        self.administrator = Person(url)
        self.owner = Person(url)
        self.person = Person(url)
        self.space = Space(self.owner)

    @property
    def victim(self):
        """The account that administrators of the run act on; there is always one."""
        users = self.administrator.call("GET", f"/api/admin/users?search={self.person.email}")["users"]
        return users[0]["id"]

    def sign_everybody_in(self):
        for person in (self.administrator, self.owner, self.person):
            person.sign_in()

    def renew_person(self):
        self.person = Person(self.url)

    def renew_space(self):
        self.space = Space(self.owner)

    def headers_for(self, schemes, path):
        """The headers that satisfy a list of security schemes."""
        person = self.administrator if path.startswith("/api/admin") else self.owner if path.startswith("/api/v1") else self.person
        headers = {}
        for scheme in schemes:
            if scheme in ("session", "csrf"):
                names = ["Cookie"] if scheme == "session" else ["Cookie", "X-CSRF-Token"]
                headers.update({name: person.headers[name] for name in names})
            elif scheme == "managementToken":
                headers["Authorization"] = f"Bearer {self.space.management}"
            elif scheme == "clientSecret":
                headers["Authorization"] = "Basic " + base64.b64encode(f"web:{SECRET}".encode()).decode()
            elif scheme == "provisioningToken":
                headers["Authorization"] = f"Bearer {PROVISIONING}"
            elif scheme == "metricsToken":
                headers["Authorization"] = f"Bearer {METRICS}"
        return headers


__all__ = ["CALLBACK", "SECRET", "VARIABLES", "Person", "Server", "Space", "World"]
