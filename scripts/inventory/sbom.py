"""Writes the bill of materials of the server's binary as CycloneDX 1.6 (`make sbom`): target/sbom/lectern.cdx.json, or the file that is named.

It has the crates that the binary is linked from, those that only run while it is built (scope `excluded`), the packages of the studio, what else is in it, and
who depends on whom. It is checked against the schema before it is written, and the same sources give the same file.
"""

import base64
import json
import subprocess
import sys
import uuid
from datetime import datetime, timezone
from importlib import resources
from pathlib import Path

import graph
import jsonschema_rs
from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.contact import OrganizationalContact
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

# Its own schema, and those that it refers to.
SCHEMAS = ["bom-1.6.SNAPSHOT", "spdx.SNAPSHOT", "jsf-0.82.SNAPSHOT"]
REGISTRY = "https://crates.io/api/v1/crates"


def output_of(*command: str) -> str:
    done = subprocess.run(command, cwd=graph.ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def reference(kind: ExternalReferenceType, url: str) -> ExternalReference:
    return ExternalReference(type=kind, url=XsUri(url))


def of_crate(crate: graph.Crate) -> Component:
    """A crate. One of this repository has no address in a registry: a program of the same name there would be somebody else's."""
    references = []
    if not crate.is_ours:
        references.append(reference(ExternalReferenceType.DISTRIBUTION, f"{REGISTRY}/{crate.name}/{crate.version}/download"))
    if crate.repository:
        references.append(reference(ExternalReferenceType.VCS, crate.repository))
    kind = "generic" if crate.is_ours else "cargo"
    return Component(
        type=ComponentType.APPLICATION if crate.name == graph.BINARY else ComponentType.LIBRARY,
        bom_ref=f"{kind}:{crate.name}@{crate.version}",
        name=crate.name,
        version=crate.version,
        purl=PackageURL(kind, None, crate.name, crate.version),
        scope=ComponentScope.REQUIRED if crate.is_linked else ComponentScope.EXCLUDED,
        licenses=[LicenseExpression(crate.license)],
        authors=[OrganizationalContact(name=author.split(" <")[0]) for author in crate.authors],
        hashes=[] if crate.is_ours else [HashType(alg=HashAlgorithm.SHA_256, content=crate.checksum)],
        external_references=references,
    )


def of_embedded(one: graph.Embedded) -> Component:
    """A library in another language, or the standard library, which has the version of the compiler."""
    version = one.version or output_of("rustc", "--version").split(" ")[1]
    return Component(
        type=ComponentType.LIBRARY,
        bom_ref=f"embedded:{one.name}",
        name=one.name,
        version=version,
        purl=None if " " in version else PackageURL("generic", None, one.name.replace(" ", "-").lower(), version),
        scope=ComponentScope.REQUIRED,
        licenses=[LicenseExpression(one.license)],
        external_references=[reference(ExternalReferenceType.WEBSITE, one.url)],
    )


def of_package(package: graph.Package) -> Component:
    """A package of the npm registry in the bundle of the studio."""
    algorithm, digest = package.integrity.split("-", 1)
    namespace, _, name = package.name.rpartition("/")
    return Component(
        type=ComponentType.LIBRARY,
        bom_ref=f"npm:{package.name}@{package.version}",
        name=package.name,
        version=package.version,
        purl=PackageURL("npm", namespace or None, name, package.version),
        scope=ComponentScope.REQUIRED,
        licenses=[LicenseExpression(package.license)],
        hashes=[HashType(alg=HashAlgorithm[algorithm.upper().replace("SHA", "SHA_")], content=base64.b64decode(digest).hex())],
        external_references=[reference(ExternalReferenceType.DISTRIBUTION, f"https://registry.npmjs.org/{package.name}")],
    )


def of_file(name: str, digest: str, license: str) -> Component:
    """A script, style or image of the pages."""
    return Component(
        type=ComponentType.FILE,
        bom_ref=f"file:{name}",
        name=f"crates/pages/files/{name}",
        scope=ComponentScope.REQUIRED,
        licenses=[LicenseExpression(license)],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
    )


def bill() -> Bom:
    crates = graph.crates()
    components = {key: of_crate(crate) for key, crate in crates.items()}
    (binary,) = (component for component in components.values() if component.type == ComponentType.APPLICATION)
    bom = Bom()
    bom.metadata.component = binary
    depends = {key: [components[other] for other in sorted(crate.dependencies)] for key, crate in crates.items()}
    ours = next(crate for crate in crates.values() if crate.name == graph.BINARY)
    for one in graph.embedded(crates):
        component = of_embedded(one)
        bom.components.add(component)
        depends[one.within.key if one.within else ours.key].append(component)
    pages = next(crate for crate in crates.values() if crate.name == "lectern-pages")
    for name, digest in graph.page_files().items():
        component = of_file(name, digest, pages.license)
        bom.components.add(component)
        depends[pages.key].append(component)
    studio = next(crate for crate in crates.values() if crate.name == "lectern-studio")
    for package in graph.packages():
        component = of_package(package)
        bom.components.add(component)
        depends[studio.key].append(component)
    bom.components.update(component for component in components.values() if component is not binary)
    for key, others in depends.items():
        bom.register_dependency(components[key], others)
    # The time of the commit, and a number that follows from the content.
    committed = int(output_of("git", "log", "-1", "--format=%ct") or 0)
    bom.metadata.timestamp = datetime.fromtimestamp(committed, timezone.utc)
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, repr(sorted(str(one.bom_ref) for one in bom.components)) + str(committed))
    return bom


def problems(document: str) -> list[str]:
    """What of a document is not as the published schema says."""
    published = resources.files("cyclonedx.schema") / "_res"
    schema = {name: json.loads((published / f"{name}.schema.json").read_text()) for name in SCHEMAS}
    registry = jsonschema_rs.Registry([(f"http://cyclonedx.org/schema/{name}.schema.json", schema[name]) for name in SCHEMAS])
    validator = jsonschema_rs.validator_for(schema[SCHEMAS[0]], registry=registry, validate_formats=True)
    return [f"{'/'.join(map(str, error.instance_path))}: {error.message}" for error in validator.iter_errors(json.loads(document))]


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else graph.ROOT / "target/sbom/lectern.cdx.json"
    bom = bill()
    text = JsonV1Dot6(bom).output_as_string(indent=2)
    if found := problems(text):
        sys.exit("\n".join(["this is no CycloneDX 1.6:", *found]))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n")
    print(f"{path}: {len(bom.components)} components")


main()
