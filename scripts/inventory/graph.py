"""What the server's binary is made of: the crates, as cargo builds them, the packages of the studio, and what is in it beside them.

The crates come from `cargo tree`, not from the list of all packages in `cargo metadata`: that one has the features of the tests, too, and optional
dependencies that nothing asks for. Licences, authors and folders come from `cargo metadata`, checksums from Cargo.lock.
"""

import hashlib
import json
import os
import re
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = "lectern"
LINE = re.compile(r"^(?P<depth>\d+) (?P<name>\S+) v(?P<version>\S+)")


@dataclass
class Crate:
    """A crate of the binary, or one that runs while it is built."""

    name: str
    version: str
    license: str
    authors: list[str]
    repository: str | None
    folder: Path
    # That of the registry; `None` for a crate of this repository.
    checksum: str | None
    # Whether its code, or code that its macros have written, is in the binary. Otherwise it runs in a build script.
    is_linked: bool = False
    # The keys of those that it depends on.
    dependencies: set[tuple[str, str]] = field(default_factory=set)

    @property
    def key(self) -> tuple[str, str]:
        return self.name, self.version

    @property
    def is_ours(self) -> bool:
        return self.checksum is None


@dataclass
class Embedded:
    """Something in the binary that is no crate: a library in C, assembly, the standard library."""

    name: str
    version: str
    license: str
    authors: list[str]
    url: str
    # The crate that brings it.
    within: Crate | None
    texts: list[str]


@dataclass
class Package:
    """A package of the npm registry whose code is in the bundle of the studio."""

    name: str
    version: str
    license: str
    folder: Path
    # As the lock file has it: the name of the algorithm and the digest in base64.
    integrity: str


def cargo(*arguments: str) -> str:
    program = os.environ.get("CARGO", "cargo")
    # Not --offline: packages for the other targets may not be there yet.
    return subprocess.run([program, *arguments, "--locked"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def targets() -> list[str]:
    """The targets that deny.toml names."""
    return tomllib.loads((ROOT / "deny.toml").read_text())["graph"]["targets"]


def expression(text: str) -> str:
    """A licence as an SPDX expression: old crates write a slash instead of OR."""
    return re.sub(r"\s*/\s*", " OR ", text)


def crates() -> dict[tuple[str, str], Crate]:
    """Every crate that is needed to build the binary, for any of the targets."""
    platforms = [f"--filter-platform={target}" for target in targets()]
    metadata = json.loads(cargo("metadata", "--format-version", "1", *platforms))
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    checksums = {(package["name"], package["version"]): package.get("checksum") for package in locked}
    known = {}
    for package in metadata["packages"]:
        key = package["name"], package["version"]
        known[key] = Crate(
            *key,
            license=expression(package["license"]),
            authors=package["authors"],
            repository=package["repository"],
            folder=Path(package["manifest_path"]).parent,
            checksum=checksums[key],
        )
    needed = {}
    for target in targets():
        for kinds, is_linked in (("normal", True), ("normal,build", False)):
            tree = cargo("tree", "--package", BINARY, "--edges", kinds, "--target", target, "--prefix", "depth", "--format", " {p}")
            above: list[Crate] = []
            for line in filter(None, map(LINE.match, tree.splitlines())):
                crate = known[line["name"], line["version"]]
                needed[crate.key] = crate
                crate.is_linked = crate.is_linked or is_linked
                above[int(line["depth"]) :] = [crate]
                if len(above) > 1:
                    above[-2].dependencies.add(crate.key)
    return dict(sorted(needed.items()))


def text_of(path: Path, comment: str | None = None) -> str:
    """A licence text as it is kept: lines without blanks at their ends. With `comment`, the comment that the file begins with."""
    lines = path.read_text(encoding="utf-8", errors="replace").replace("\f", "").strip("\ufeff").splitlines()
    if comment:
        end = next(number for number, line in enumerate(lines) if not line.startswith(comment))
        lines = [line.strip(comment + "* ") for line in lines[:end]]
    return "\n".join(line.rstrip() for line in lines).strip("\n") + "\n"


def terms_of(path: Path) -> str:
    """The licence text of a package, without those of other packages that only its own program contains."""
    return text_of(path).split("\n# Licenses of bundled dependencies")[0].rstrip("\n") + "\n"


def embedded(all_crates: dict[tuple[str, str], Crate]) -> list[Embedded]:
    """What embedded.toml lists. A version that can be read from the sources is read there."""
    found = []
    for entry in tomllib.loads((ROOT / "scripts/inventory/embedded.toml").read_text())["embedded"]:
        within, version, texts = None, "", []
        if "within" in entry:
            (within,) = (crate for crate in all_crates.values() if crate.name == entry["within"])
            version = f"as in {within.name} {within.version}"
            texts = [text_of(within.folder / text["file"], text.get("comment")) for text in entry["texts"]]
        if "version" in entry:
            source = (within.folder / entry["version"]["file"]).read_text()
            version = ".".join(re.search(pattern, source)[1] for pattern in entry["version"]["patterns"])
        license_, authors = entry["license"], entry.get("authors", [])
        found.append(Embedded(entry["name"], version, license_, authors, entry["url"], within, texts))
    return found


def packages() -> list[Package]:
    """The packages in the bundle of the studio, as `make studio` has found them there."""
    listed = ROOT / "studio/dist/packages.txt"
    if not listed.exists():
        raise SystemExit("the studio is not built: run `make studio`")
    locked = json.loads((ROOT / "studio/package-lock.json").read_text())["packages"]
    found = []
    for name, version in (line.split(" ") for line in listed.read_text().splitlines()):
        entry = locked[f"node_modules/{name}"]
        if entry["version"] != version:
            raise SystemExit(f"the studio was built with {name} {version}, and the lock file has {entry['version']}: run `make studio`")
        found.append(Package(name, version, entry["license"], ROOT / "studio/node_modules" / name, entry["integrity"]))
    return found


def page_files() -> dict[str, str]:
    """The scripts, styles and images of the pages with their SHA-256. All are written here: there is no font and no library among them."""
    folder = ROOT / "crates/pages/files"
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}
