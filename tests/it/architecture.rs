//! The shape of the house, kept by tests: who may depend on whom, which library lives where, which wing knows which.
//!
//! [`rules`] are functions from facts to broken rules; here they get the facts of this workspace.

mod rules;

use cargo_metadata::{DependencyKind, MetadataCommand, Package};
use rules::Crate;
use std::{
    fs,
    path::{Path, PathBuf},
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The packages of the workspace with what they need to run, not what their tests need.
fn crates() -> Vec<Crate> {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap();
    let of = |package: Package| {
        let normal = package.dependencies.into_iter().filter(|dependency| dependency.kind == DependencyKind::Normal);
        let folder = PathBuf::from(package.manifest_path.parent().unwrap()).join("src");
        let source = sources(&folder).into_iter().map(|(_, text)| text).collect();
        Crate { name: package.name.to_string(), needs: normal.map(|normal| normal.rename.unwrap_or(normal.name)).collect(), source }
    };
    metadata.packages.into_iter().map(of).collect()
}

/// Every file below a folder that people write, with its path below the root.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = entry.file_name().into_string().unwrap();
        if path.is_dir() {
            if !["target", "node_modules", "data"].contains(&name.as_str()) && !name.starts_with('.') {
                found.extend(sources(&path));
            }
        } else if ["rs", "mjs", "js", "sql", "sh"].iter().any(|value| path.extension().is_some_and(|extension| extension == *value))
        {
            found.push((path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

#[track_caller]
fn none(broken: Vec<String>) {
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

#[test]
fn crates_depend_only_on_whom_they_may() {
    none(crates().iter().flat_map(rules::edges).collect());
}

#[test]
fn each_library_is_used_in_its_home_only() {
    none(crates().iter().flat_map(rules::homes).collect());
}

#[test]
fn no_crate_names_a_dependency_that_it_does_not_use() {
    none(crates().iter().flat_map(rules::unused).collect());
}

#[test]
fn sql_is_written_in_storage_only() {
    none(sources(root()).iter().flat_map(|(path, text)| rules::sql(path, text)).collect());
}

#[test]
fn no_wing_knows_the_other() {
    none(sources(root()).iter().flat_map(|(path, text)| rules::wings(path, text)).collect());
}

#[test]
fn files_are_short_and_modules_have_names() {
    let files = sources(root());
    assert!(files.len() > 100, "the files are found at all");
    none(files.iter().flat_map(|(path, text)| rules::files(path, text)).collect());
}
