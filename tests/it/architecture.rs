//! The layout of the code, kept by tests: which crate may depend on which, which library is used where, which
//! service knows which.
//!
//! [`rules`] are functions from facts to violations; the tests here give them the facts of this workspace.

mod builds;
mod circles;
mod docs;
mod rules;
mod unrun;

use rules::Crate;
use std::process::Command;
use support::{prelude::*, tools::root};

/// The packages of the workspace with their normal dependencies; what only their tests need is left out.
fn crates() -> Vec<Crate> {
    let cargo =
        Command::new(env!("CARGO")).args(["metadata", "--no-deps", "--format-version=1", "--offline"]).current_dir(root()).output();
    let metadata: Value = serde_json::from_slice(&cargo.unwrap().stdout).unwrap();
    metadata["packages"].as_array().unwrap().iter().map(package).collect()
}

fn package(package: &Value) -> Crate {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    // A dependency under another name is known by that name in the code.
    let name = |dependency: &Value| text(if dependency["rename"].is_null() { &dependency["name"] } else { &dependency["rename"] });
    let dependencies = package["dependencies"].as_array().unwrap().iter().filter(|dependency| dependency["kind"].is_null());
    let manifest = PathBuf::from(text(&package["manifest_path"]));
    // The package of the tests has nothing but tests.
    let folder = manifest.parent().unwrap().join("src");
    let sources = if folder.exists() { sources(&folder) } else { Vec::new() };
    Crate {
        name: text(&package["name"]),
        dependencies: dependencies.map(name).collect(),
        sources: sources.into_iter().map(|(_, source)| source).collect(),
    }
}

/// Every file below a folder that people write: its path below the root, and its text.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = entry.file_name().into_string().unwrap();
        if path.is_dir() {
            if !["target", "node_modules", "data"].contains(&name.as_str()) && !name.starts_with('.') {
                found.extend(sources(&path));
            }
        } else if ["rs", "mjs", "js", "sql", "sh"].iter().any(|known| path.extension().is_some_and(|extension| extension == *known))
        {
            found.push((path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

#[track_caller]
fn assert_none(violations: Vec<String>) {
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

#[test]
fn crates_depend_only_on_the_crates_below_them() {
    assert_none(crates().iter().flat_map(rules::edges).collect());
}

#[test]
fn each_library_is_used_in_its_home_only() {
    assert_none(crates().iter().flat_map(rules::homes).collect());
}

#[test]
fn every_chosen_library_is_in_use() {
    assert_none(rules::unchosen(&crates()));
}

#[test]
fn no_crate_names_a_dependency_that_it_does_not_use() {
    assert_none(crates().iter().flat_map(rules::unused).collect());
}

#[test]
fn sql_is_written_in_storage_only() {
    assert_none(sources(root()).iter().flat_map(|(path, text)| rules::sql(path, text)).collect());
}

#[test]
fn neither_service_knows_the_other_and_shared_code_knows_neither() {
    let sources = sources(root());
    assert_none(sources.iter().flat_map(|(path, text)| rules::services(path, text)).collect());
    let paths: Vec<&str> = sources.iter().map(|(path, _)| path.as_str()).collect();
    assert_none(rules::stale_exceptions(&paths));
}

#[test]
fn faults_are_not_recognised_by_their_codes() {
    assert_none(sources(root()).iter().flat_map(|(path, text)| rules::codes(path, text)).collect());
}

#[test]
fn routes_open_no_transaction() {
    assert_none(sources(root()).iter().flat_map(|(path, text)| rules::transactions(path, text)).collect());
}

#[test]
fn public_items_of_the_inner_crates_are_documented() {
    assert_none(sources(root()).iter().flat_map(|(path, text)| rules::undocumented(path, text)).collect());
}

#[test]
fn no_files_use_each_other_but_those_of_one_folder() {
    assert_none(circles::circles(&sources(root())));
}

#[test]
fn files_are_short_and_modules_have_names() {
    let files = sources(root());
    assert!(files.len() > 100, "the files are found at all");
    assert_none(files.iter().flat_map(|(path, text)| rules::files(path, text)).collect());
}

#[test]
fn comments_are_wrapped() {
    let sources = sources(root());
    let rust = sources.iter().filter(|(path, _)| rules::is_rust(path));
    assert_none(rust.flat_map(|(path, text)| rules::comments(path, text)).collect());
}
