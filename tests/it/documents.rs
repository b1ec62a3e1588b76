//! README.md and docs/*.md: the pages that the server has of them.

mod pages;

use crate::support::tools;

/// Every document, by its path in the repository: README.md first.
fn documents() -> Vec<String> {
    let entries = std::fs::read_dir(tools::repository("docs")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut found: Vec<String> = names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")).collect();
    found.sort();
    found.insert(0, "README.md".to_owned());
    found
}
