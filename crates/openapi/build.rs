//! Joins the files of docs/openapi into one JSON document, which becomes part of the binary.
//!
//! `openapi.yaml` is the head of the document. Each other file has `paths` and `components` of one resource.
//! Two files that describe the same path or component fail the build.

use serde_json::{Map, Value};
use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
};

const HEAD: &str = "openapi.yaml";

#[expect(clippy::disallowed_methods, reason = "cargo tells a build script by the environment where it may write")]
fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    list(&folder, &mut files)?;
    files.sort();
    let mut document = read(&folder.join(HEAD))?;
    for file in files.iter().filter(|file| !file.ends_with(HEAD)) {
        let fragment = read(file)?;
        for (section, entries) in fragment {
            // Paths stand directly in their section, components in one for each kind.
            let depth = if section == "components" { 2 } else { 1 };
            join(&mut document, section, entries, depth)
                .map_err(|name| format!("{}: {name} is in another file, too", file.display()))?;
        }
    }
    let out = env::var_os("OUT_DIR").ok_or("no OUT_DIR")?;
    fs::write(Path::new(&out).join("openapi.json"), serde_json::to_string(&document)?)?;
    Ok(())
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
    Ok(())
}

fn read(file: &Path) -> Result<Map<String, Value>, Box<dyn Error>> {
    serde_saphyr::from_str(&fs::read_to_string(file)?).map_err(|error| format!("{}: {error}", file.display()).into())
}

/// Adds an entry, and what is in it down to `depth`. The error is the name that is there already.
fn join(target: &mut Map<String, Value>, name: String, value: Value, depth: usize) -> Result<(), String> {
    match (target.get_mut(&name), value) {
        (None, value) => {
            target.insert(name, value);
            Ok(())
        }
        (Some(Value::Object(present)), Value::Object(more)) if depth > 0 => {
            more.into_iter().try_for_each(|(name, value)| join(present, name, value, depth - 1))
        }
        (Some(_), _) => Err(name),
    }
}
