"""A client that openapi-python-client generates from the description of the API compiles, and makes calls."""

import compileall
import importlib
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import requests

from world import Person, Server, Space

BIN = Path(sys.executable).parent


class GeneratedClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        folder = tempfile.TemporaryDirectory(prefix="lectern-generated-")
        cls.addClassCleanup(folder.cleanup)
        description = Path(folder.name) / "openapi.json"
        description.write_bytes(requests.get(f"{cls.server.url}/api/openapi.json", timeout=30).content)
        cls.package = Path(folder.name) / "generated_lectern"
        command = [BIN / "openapi-python-client", "generate", "--path", description, "--output-path", cls.package, "--meta", "none"]
        # The generator formats what it has written with ruff, which it looks for on the path.
        environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
        cls.generated = subprocess.run(command, capture_output=True, text=True, env=environment)
        sys.path.insert(0, folder.name)
        cls.addClassCleanup(sys.path.remove, folder.name)

    def test_every_operation_is_generated_and_compiles(self):
        self.assertEqual(self.generated.returncode, 0, self.generated.stdout)
        self.assertNotIn("Endpoint will not be generated", self.generated.stdout)
        self.assertNotIn("Unable to process schema", self.generated.stdout)
        self.assertTrue(compileall.compile_dir(self.package, quiet=1))

    def test_it_makes_calls(self):
        space = Space(Person(self.server.url))
        client = importlib.import_module("generated_lectern").AuthenticatedClient(base_url=self.server.url, token=space.management)
        stories = importlib.import_module("generated_lectern.api.stories.list_stories").sync(space.id, client=client)
        self.assertEqual([story.slug for story in stories.stories], ["home"])
        missing = importlib.import_module("generated_lectern.api.stories.get_story").sync_detailed(space.id, 999_999, client=client)
        self.assertEqual(missing.status_code, 404)
        self.assertEqual(missing.parsed.error, json.loads(missing.content)["error"])


if __name__ == "__main__":
    unittest.main()
