"""The real server, and the browser of a person who signs in to it."""

import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import requests

BINARY = Path(os.environ.get("LECTERN_BIN", Path(__file__).parents[2] / "target/release/lectern"))
# A data directory that a server has used, for `make test` (scripts/test.py). Without it each server makes its own, which takes most of its start.
FIRST_START = os.environ.get("LECTERN_FIRST_START")
PASSWORD = "correct horse battery staple"
ERIKA = {"email": "erika@example.org", "password": PASSWORD, "firstName": "Erika", "lastName": "Muster"}


def free_port():
    """Below those that the system hands out by itself: until the server listens it would give one of them to another program. Other tests look for a port at the
    same time: one that has the UDP port of the same number has the number. Returns both, the UDP port as an open socket."""
    while True:
        port = random.randrange(20_000, 32_000)
        claim = socket.socket(type=socket.SOCK_DGRAM)
        try:
            claim.bind(("127.0.0.1", port))
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) != 0:
                    return port, claim
        except OSError:
            pass  # Another test has it.
        claim.close()


class Server:
    """Listens on a free port, with a data directory of its own."""

    def __init__(self, **variables):
        port, self.claim = free_port()
        self.url = f"http://localhost:{port}"
        self.directory = tempfile.mkdtemp(prefix="lectern-relying-party-")
        # Started as root, the server runs PostgreSQL as another user, who has to be able to enter this directory.
        os.chmod(self.directory, 0o755)
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("APP_")}
        own = {"APP_LISTEN": f"127.0.0.1:{port}", "APP_DATA_DIR": f"{self.directory}/data", "APP_RATE_LIMITS": "off"}
        if FIRST_START:
            subprocess.run(["cp", "-a", FIRST_START, f"{self.directory}/data"], check=True)
        self.log = open(f"{self.directory}/log", "w+b")
        self.process = subprocess.Popen([BINARY], env={**inherited, **own, **variables}, stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + 180
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.log.seek(0)
                raise RuntimeError(f"the server did not start:\n{self.log.read().decode()}")
            time.sleep(0.05)

    def is_ready(self):
        try:
            return requests.get(f"{self.url}/api/ready", timeout=5).ok
        except (requests.ConnectionError, requests.Timeout):
            return False

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(90)
        self.log.close()
        self.claim.close()
        shutil.rmtree(self.directory, ignore_errors=True)
        assert code == 0, f"the server ended with {code}"


class Browser:
    """A person's browser, by the JSON endpoints of the login pages."""

    def __init__(self, server):
        self.server = server
        self.session = requests.Session()
        self.post("/api/auth/register", ERIKA)
        self.sign_in()

    def post(self, path, body):
        token = self.session.get(f"{self.server.url}/api/csrf-token", timeout=10).json()["csrfToken"]
        answer = self.session.post(f"{self.server.url}{path}", json=body, headers={"X-CSRF-Token": token}, timeout=30)
        assert answer.ok, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()

    def sign_in(self):
        self.post("/api/auth/login", {"email": ERIKA["email"], "password": PASSWORD})

    def authorize(self, url):
        """Follows an authorization request through its pages to the redirect URI."""
        for _ in range(8):
            answer = self.session.get(url, allow_redirects=False, timeout=10)
            assert answer.status_code == 303, f"{answer.status_code} {answer.text}"
            url = requests.compat.urljoin(self.server.url, answer.headers["Location"])
            page = re.match(rf"{re.escape(self.server.url)}/interaction/(.+)$", url)
            if not page:
                return url
            view = self.session.get(f"{self.server.url}/api/oidc/interaction/{page[1]}", timeout=10).json()
            if view["prompt"] == "login":
                self.sign_in()
            action = "consent" if view["prompt"] == "consent" else "continue"
            url = self.post(f"/api/oidc/interaction/{page[1]}/finish", {"action": action})["redirectTo"]
        raise AssertionError("the same pages again and again")


def clients(*all_clients):
    """The value of APP_OIDC_CLIENTS_JSON."""
    return json.dumps(all_clients)
