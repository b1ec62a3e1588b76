"""Writes what the page /licenses shows into crates/licenses: `components.json`, and `texts.txt` with each text once (`make licenses`).

With `--compare` nothing is written, and what differs from the files is an error. Only Python itself is needed, and the studio that `make studio` builds.
"""

import hashlib
import json
import re
import sys
from pathlib import Path

import graph

FOLDER = graph.ROOT / "crates/licenses"
# The files of a crate's folder that say under which terms it is.
NAMES = re.compile(r"(un)?licen[cs]e|copying|copyright|notice|patents", re.IGNORECASE)
# Of these, the ones that are not its terms by themselves.
BESIDES = re.compile(r"copyright|notice|patents", re.IGNORECASE)
# A shorter file only says which licences there are. The shortest licence (0BSD) has 110 words.
WORDS = 80
# Crates that a build script compiles other languages with.
COMPILERS = {"cc", "cmake", "nasm-rs"}


class Texts:
    """Every text once, by a name that follows from its words: texts that differ in blanks and lines only are the same."""

    def __init__(self) -> None:
        self.all: dict[str, str] = {}

    def add(self, text: str) -> str:
        name = hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:12]
        self.all.setdefault(name, text)
        return name

    def standard(self, expression: str) -> list[str]:
        """The standard texts of the licences of an expression, for what has no text of its own."""
        licenses = sorted(set(re.findall(r"[A-Za-z0-9.-]+", expression)) - {"AND", "OR", "WITH"})
        return [self.add(graph.text_of(FOLDER / "standard" / f"{license}.txt")) for license in licenses]


def files_of(folder: Path) -> list[Path]:
    """The licence files of a crate."""
    named = sorted(path for path in folder.iterdir() if NAMES.match(path.name))
    files = [path for path in named if path.is_file()]
    return files + [path for below in named if below.is_dir() for path in sorted(below.rglob("*")) if path.is_file()]


def component(name: str, version: str, license: str, url: str, texts: list[str], authors: list[str]) -> dict:
    return {"name": name, "version": version, "license": license, "url": url, "authors": authors, "texts": texts}


def components(texts: Texts) -> list[dict]:
    crates = graph.crates()
    embedded = graph.embedded(crates)
    bringing = {one.within.name for one in embedded if one.within}
    found = []
    for crate in crates.values():
        compiles = crate.is_linked and {name for name, _ in crate.dependencies} & COMPILERS
        if compiles and crate.name not in bringing:
            sys.exit(f"{crate.name} compiles more than Rust: say what in scripts/inventory/embedded.toml")
        if not crate.is_linked or crate.is_ours:
            continue
        files = files_of(crate.folder)
        own = [texts.add(graph.text_of(path)) for path in files]
        has_terms = any(not BESIDES.match(path.name) and len(texts.all[name].split()) > WORDS for path, name in zip(files, own))
        standard = [] if has_terms else texts.standard(crate.license)
        authors = [] if has_terms else [author.split(" <")[0] for author in crate.authors] or ["The authors of " + crate.name]
        url = f"https://crates.io/crates/{crate.name}/{crate.version}"
        found.append(component(*crate.key, crate.license, url, list(dict.fromkeys(own + standard)), authors))
    for one in embedded:
        own = [texts.add(text) for text in one.texts] or texts.standard(one.license)
        found.append(component(one.name, one.version, one.license, one.url, own, one.authors))
    for package in graph.packages():
        own = [texts.add(graph.terms_of(path)) for path in files_of(package.folder)] or texts.standard(package.license)
        url = f"https://www.npmjs.com/package/{package.name}/v/{package.version}"
        found.append(component(package.name, package.version, package.license, url, own, []))
    found.sort(key=lambda one: (one["name"].lower(), one["version"]))
    ours = crates[graph.BINARY, next(version for name, version in crates if name == graph.BINARY)]
    lectern = component("Lectern", ours.version, ours.license, "", texts.standard(ours.license), ["The authors of Lectern"])
    return [lectern, *found]


def main() -> None:
    texts = Texts()
    listed = components(texts)
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in listed)
    # A line that begins with three equals signs and a name begins a text. No text has such a line.
    body = "".join(f"=== {name}\n{text}" for name, text in sorted(texts.all.items()))
    if len(re.findall(r"^=== [0-9a-f]{12}$", body, re.MULTILINE)) != len(texts.all):
        sys.exit("a licence text looks like the beginning of another one")
    stale = []
    for name, content in (("components.json", f"[\n{lines}\n]\n"), ("texts.txt", body)):
        path = FOLDER / name
        if not path.exists() or path.read_text() != content:
            stale.append(name)
            if "--compare" not in sys.argv:
                path.write_text(content)
    if stale and "--compare" in sys.argv:
        sys.exit(f"crates/licenses/{' and '.join(stale)}: not what the crates of Cargo.lock and the packages of the studio say; run `make licenses`")
    print(f"{len(listed)} components, {len(texts.all)} texts")


main()
