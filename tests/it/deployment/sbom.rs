//! The bill of materials: `make sbom`.

use support::prelude::*;

/// The script checks what it writes against the published schema.
#[test]
fn it_has_every_crate_with_version_licence_and_address_and_what_is_beside_them() {
    let folder = scratch();
    let file = folder.path().join("lectern.cdx.json");
    let script = tools::repository("scripts/inventory/sbom.py");
    let write = || {
        tools::printed(tools::run(&tools::of_python("python"), [script.as_os_str(), file.as_os_str()]));
        fs::read_to_string(&file).unwrap()
    };
    let text = write();
    assert_eq!(text, write(), "the same sources make the same file");
    let bill: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&bill["bomFormat"], &bill["specVersion"]), (&"CycloneDX".into(), &"1.6".into()));
    assert_eq!(bill["metadata"]["component"]["name"], "lectern");
    let components = bill["components"].as_array().unwrap();
    let text_of = |component: &Value, member: &str| component[member].as_str().unwrap_or_default().to_owned();
    let license = |component: &Value| component["licenses"][0]["expression"].as_str().map(str::len);
    assert!(components.iter().all(|component| license(component).is_some_and(|length| length > 0)));

    // What the page says is linked is what the bill says is required.
    let listed: Value = serde_json::from_str(&tools::text_of("crates/licenses/components.json")).unwrap();
    let listed = listed.as_array().unwrap().iter().filter(|one| text_of(one, "url").starts_with("https://crates.io/"));
    let listed: BTreeSet<_> = listed.map(|one| format!("pkg:cargo/{}@{}", text_of(one, "name"), text_of(one, "version"))).collect();
    let (mut linked, mut building) = (BTreeSet::new(), 0);
    for component in components.iter().filter(|component| text_of(component, "purl").starts_with("pkg:cargo/")) {
        let hash = &component["hashes"][0];
        assert_eq!((&hash["alg"], text_of(hash, "content").len()), (&"SHA-256".into(), 64));
        // A version such as `1.0.0+2` is written with its plus as %2B.
        let purl = text_of(component, "purl").replace("%2B", "+");
        match text_of(component, "scope").as_str() {
            "required" => _ = linked.insert(purl),
            _ => building += 1,
        }
    }
    assert_eq!(linked, listed);
    assert!(building > 10, "{building}");

    let names: BTreeSet<String> = components.iter().map(|component| text_of(component, "name")).collect();
    for name in ["AWS-LC", "libwebp", "MozJPEG", "Rust standard library", "lectern-storage"] {
        assert!(names.contains(name), "{name}");
    }
    // The packages of the studio, with the digests of the lock file.
    let package = components.iter().find(|component| text_of(component, "purl").starts_with("pkg:npm/svelte@")).unwrap();
    assert_eq!((&package["scope"], &package["hashes"][0]["alg"]), (&"required".into(), &"SHA-512".into()));
    let files = fs::read_dir(tools::repository("crates/pages/files")).unwrap().map(|file| file.unwrap().file_name());
    for file in files {
        assert!(names.contains(&format!("crates/pages/files/{}", file.to_str().unwrap())), "{file:?}");
    }
    let depends = bill["dependencies"].as_array().unwrap().iter().find(|one| text_of(one, "ref").starts_with("cargo:libwebp-sys@"));
    assert!(depends.unwrap()["dependsOn"].as_array().unwrap().contains(&"embedded:libwebp".into()));
}
