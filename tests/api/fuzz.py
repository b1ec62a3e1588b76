"""Sends what schemathesis makes up from the description of the API to a server of its own: no 5xx, and no answer that is not described."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import requests

from world import VARIABLES, Server

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=100, help="the most requests that are made up for an operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="the operationId of the one operation to try")
    arguments = parser.parse_args()
    server = Server(**VARIABLES)
    try:
        description = ROOT / "target/openapi-served.json"
        description.write_bytes(requests.get(f"{server.url}/api/openapi.json", timeout=30).content)
        subprocess.run([ROOT / "scripts/openapi.sh", description], check=True)
        command = [
            Path(sys.executable).parent / "schemathesis",
            f"--config-file={HERE / 'schemathesis.toml'}",
            "run",
            description,
            f"--url={server.url}",
            f"--max-examples={arguments.examples}",
            f"--seed={arguments.seed}",
        ]
        if arguments.only:
            command.append(f"--include-operation-id={arguments.only}")
        environment = {**os.environ, "LECTERN_URL": server.url, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE)}
        return subprocess.run(command, env=environment, cwd=ROOT / "target").returncode
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
