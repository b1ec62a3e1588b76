#!/usr/bin/env python3
"""Runs all tests, part by part, and says at the end how long each part took and which ten tests took longest.

`make test` calls it after it has built the server. The parts run one after the other, because each of them keeps the machine busy by itself, but for those
that wait much of their time: they run one after the other beside the next ones, and what they say is shown when they are over. The first part that fails ends
the run. With names as arguments only those parts are run: `scripts/test.py unit integration`.
"""

import collections
import contextlib
import json
import os
import queue
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared/spaces"
STATEMENTS = ROOT / "target/statements"
# libtest reports how long a test took with unstable options only, which this variable allows to the binary of the tests; no compiler sees it.
RUNNER = ["--config", "target.'cfg(all())'.runner = ['env', 'RUSTC_BOOTSTRAP=1']"]
TIMES = ["-Z", "unstable-options", "--report-time"]
CARGO = ["cargo", "test", "--release", "--locked"]
# Tests wait for PostgreSQL, for time limits and for one another much of their time, so more of them run at once than there are cores.
THREADS = ["--test-threads", str(4 * (os.cpu_count() or 1))]
PYTHON = [str(ROOT / ".tools/python/bin/python")]


def rust(*selection, options=()):
    return CARGO + RUNNER + list(selection) + ["--", *TIMES, *options]


def integration(*options):
    return rust("-p", "lectern-tests", "--test", "it", options=[*THREADS, *options])


# Not `npm ci`: it wants the optional packages of every platform in the lock file, and fails where the registry has only some of them.
FRONTENDS = ["sh", "-c", "cd tests/frontends && npm install --no-save --no-audit --no-fund --silent && npm test"]


def libraries():
    """The packages of this repository that have one, and with it unit tests."""
    listed = subprocess.run(["cargo", "metadata", "--no-deps", "--format-version", "1"], cwd=ROOT, stdout=subprocess.PIPE, check=True)
    packages = json.loads(listed.stdout)["packages"]
    return [package["name"] for package in packages if any("lib" in target["kind"] for target in package["targets"])]


def unit(package):
    """The unit tests of a library, with those that need ../shared where that is there. It is compiled for them without optimisation, and linked with the other
    crates as `make run` has compiled them: not all at once, because then they would need each other without optimisation too. The package of the integration
    tests has no library; named beside the one that is tested, it has the dependencies compiled with the features that they have in the server."""
    optimisation = f"profile.release.package.{package}.opt-level=0"
    return rust("-p", "lectern-tests", "-p", package, "--lib", "--config", optimisation, options=["--include-ignored"] if SHARED.is_dir() else [])


PARTS = [
    # Beside the compiler, which keeps one core busy for much of its time, and keeps other parts in Rust waiting.
    ("clients", ["npm", "--prefix", "tests", "run", "--silent", "clients"]),
    ("frontends", FRONTENDS),
    # All of this package at once: the compiler reads each of its programs on one core.
    ("compile", CARGO + RUNNER + ["-p", "lectern-tests", "--no-run"]),
    ("chaos", rust("-p", "lectern-tests", "--test", "chaos", options=THREADS)),
    # Programs have no unit tests, and comments no examples: tests/it/architecture/unrun.rs.
    *(("unit", unit(package)) for package in libraries()),
    ("integration", integration()),
    # Those that the servers of the integration tests have executed.
    ("statements", integration("--ignored", "distribution::statements")),
    ("relying-party", PYTHON + ["-W", "error::ResourceWarning", "-m", "unittest", "discover", "-s", "tests/relying-party"]),
    ("api", PYTHON + ["-m", "unittest", "discover", "-s", "tests/api"]),
    ("fuzz-api", ["scripts/fuzz_api.sh", "3"]),
]
# The longest one, beside which most of the others run.
BROWSER = [("browser", ["npm", "--prefix", "tests", "run", "--silent", "browser"])]
# They wait for one request after the other, for what they have killed, or for the compiler's one core, and leave a core or more to others.
BESIDE_OTHERS = {"clients", "chaos", "unit", "statements", "frontends", "relying-party", "api", "fuzz-api"}
BESIDE_OTHERS |= {"shared", "shared-clients", "shared-frontends", "shared-studio"}
# About how long something takes: by itself, when everything else is over.
ALONE = {"time", "shared-time", "browser-time"}
TIME = rust("-p", "lectern-tests", "--test", "time", options=["--test-threads", "1"])
TIME_PARTS = [
    ("time", TIME),
    ("browser-time", ["npm", "--prefix", "tests", "run", "--silent", "browser:time"]),
]
SHARED_PARTS = [
    ("shared", integration("--ignored", "--skip", "drills::", "--skip", "distribution::statements")),
    ("shared-clients", ["npm", "--prefix", "tests", "run", "--silent", "clients:shared"]),
    ("shared-frontends", FRONTENDS),
    ("shared-browser", ["npm", "--prefix", "tests", "run", "--silent", "browser:shared"]),
    ("shared-studio", ["npm", "--prefix", "studio", "run", "--silent", "test:shared"]),
]
SHARED_TIME_PARTS = [("shared-time", TIME + ["--ignored"])]
# Where servers of tests keep their data, if there is room for it: what they wait for else is a disk, which no test is about.
MEMORY = Path("/dev/shm")
ROOM = 4 << 30
# How libtest reports a test that has ended, with its seconds.
RUST_TEST = re.compile(r"^test (\S+)(?: - should panic)? \.\.\. \w+ <([\d.]+)s>")
# How Node.js does (TAP 14): the name, and below it the milliseconds.
NODE_TEST = re.compile(r"^\s*(?:not )?ok \d+ - (.+)")
NODE_TIME = re.compile(r"^\s*duration_ms: ([\d.]+)")


class Durations:
    """How long each test took, read from the lines of the runners."""

    def __init__(self):
        self.found = []
        self.node_tests = {}

    def read(self, part, line):
        if found := RUST_TEST.match(line):
            self.found.append((float(found[2]), f"{part}: {found[1]}"))
        elif found := NODE_TEST.match(line):
            self.node_tests[part] = found[1]
        elif part in self.node_tests and (found := NODE_TIME.match(line)):
            self.found.append((float(found[1]) / 1000, f"{part}: {self.node_tests.pop(part)}"))

    def slowest(self):
        return sorted(self.found, reverse=True)[:10]


class Run:
    """A whole run: what it has started, how long each part took, and which one failed."""

    def __init__(self, environment):
        self.environment = environment
        self.durations = Durations()
        self.times = {}
        self.failed = None
        # What runs beside others: the parts that wait, the thread, and its output.
        self.waiting = queue.SimpleQueue()
        self.beside = None
        self.said = []

    def run(self, parts):
        """Runs parts until one fails."""
        beside = BESIDE_OTHERS if any(name not in BESIDE_OTHERS for name, _ in parts) else set()
        for name, command in parts:
            if name in ALONE:
                self.join()
            if self.failed:
                break
            if name in beside:
                self.begin(name, command)
            else:
                self.part(name, command)
        self.join()

    def part(self, name, command):
        """Runs a part with its output as it comes."""
        print(f"\n=== {name} ===", flush=True)
        self.execute(name, command, lambda line: print(line, end="", flush=True))

    def execute(self, name, command, show):
        began = time.monotonic()
        # The others show that they pass without it, with small spaces of their own.
        environment = {**self.environment, "LECTERN_SHARED": str(SHARED)} if (name, command) in SHARED_PARTS else self.environment
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        for line in process.stdout:
            show(line)
            self.durations.read(name, line)
        if process.wait() != 0:
            self.failed = self.failed or name
        self.times[name] = self.times.get(name, 0) + time.monotonic() - began

    def begin(self, name, command):
        """Has a part run beside others, behind those that were begun before."""
        self.waiting.put((name, command))
        if not self.beside:
            # Ctrl-C must not wait for it.
            self.beside = threading.Thread(target=self.run_waiting, daemon=True)
            self.beside.start()

    def run_waiting(self):
        while (part := self.waiting.get()) and not self.failed:
            name, command = part
            self.said.append(f"\n=== {name} ===\n")
            self.execute(name, command, self.said.append)

    def join(self):
        """Waits for what runs beside others, and shows what it has said."""
        if self.beside:
            self.waiting.put(None)
            self.beside.join()
            self.beside = None
            print("".join(self.said), flush=True)
            self.said.clear()


def has_room():
    if not MEMORY.is_dir():
        return False
    disk = os.statvfs(MEMORY)
    # Some tests build programs there and run them.
    return not disk.f_flag & os.ST_NOEXEC and disk.f_bavail * disk.f_frsize >= ROOM


@contextlib.contextmanager
def first_start(environment):
    """A data directory that a server has used and left in order. Servers of tests begin with a copy of it: its database is up to date and its signing keys are
    made, which is most of the work of a first start."""
    with tempfile.TemporaryDirectory(prefix="lectern-first-start-", dir=environment.get("TMPDIR")) as directory, socket.socket() as reserved:
        # Started as root, the server runs PostgreSQL as another user, who has to be able to enter this directory.
        os.chmod(directory, 0o755)
        data = f"{directory}/data"
        # No other program is given this port while it is bound. The server can listen at it all the same, because both allow that.
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{reserved.getsockname()[1]}"
        inherited = {name: value for name, value in environment.items() if not name.startswith("APP_")}
        binary = environment.get("LECTERN_BIN", ROOT / "target/release/lectern")
        server = subprocess.Popen([binary], env={**inherited, "APP_DATA_DIR": data, "APP_LISTEN": address}, stdout=subprocess.DEVNULL)
        wait_for_keys(server, address)
        server.terminate()
        if code := server.wait():
            sys.exit(f"the server whose data directory others copy ended with {code}")
        yield data


def wait_for_keys(server, address):
    """Waits until a server has a signing key of each kind, and the one that follows it."""
    while server.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"http://{address}/.well-known/jwks.json", timeout=5) as answer:
            kinds = collections.Counter(key["alg"] for key in json.load(answer)["keys"])
            if set(kinds.values()) == {2}:
                return
        time.sleep(0.05)
    sys.exit(f"the server whose data directory others copy did not start: it ended with {server.returncode}")


def main(wanted):
    parts = PARTS + BROWSER + TIME_PARTS
    if SHARED.is_dir():
        parts = PARTS + SHARED_PARTS + BROWSER + SHARED_TIME_PARTS + TIME_PARTS
    unknown = set(wanted) - {name for name, _ in parts}
    if unknown:
        sys.exit(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(name for name, _ in parts)}")
    # Node.js keeps there what it has compiled: each file of tests is a process of its own.
    environment = dict(os.environ, LECTERN_STATEMENTS=str(STATEMENTS), NODE_COMPILE_CACHE=str(ROOT / "target/node-cache"))
    if has_room():
        environment["TMPDIR"] = str(MEMORY)
    if not wanted or "integration" in wanted:
        subprocess.run(["rm", "-rf", str(STATEMENTS)], check=True)
    began = time.monotonic()
    whole = Run(environment)
    parts = [part for part in parts if not wanted or part[0] in wanted]
    with first_start(environment) as data:
        environment["LECTERN_FIRST_START"] = data
        whole.run(parts)
    print("\nThe slowest tests:")
    for seconds, name in whole.durations.slowest():
        print(f"{seconds:8.1f} s  {name}")
    print("The parts:")
    for name, seconds in whole.times.items():
        print(f"{seconds:8.0f} s  {name}")
    print(f"{time.monotonic() - began:8.0f} s  together")
    if not SHARED.is_dir():
        print("There is no ../shared beside this clone, so the tests of its example spaces and vectors were left out.")
    if whole.failed:
        sys.exit(f"{whole.failed} failed")


if __name__ == "__main__":
    main(sys.argv[1:])
