//! Folders of exported spaces: those of this repository, and the example spaces beside it.
//!
//! A plain clone has no example spaces. The tests that read them are ignored, and `make shared-tests` runs
//! them.

use crate::tools;
use std::path::PathBuf;

/// A small space with every kind of record.
pub fn sample_space() -> PathBuf {
    tools::repository("tests/support/vendor/sample_space")
}

/// Components with every field type, presets and datasources with more than a page of entries, as `name.json`
/// for each list.
pub fn definitions() -> PathBuf {
    tools::repository("tests/support/definitions")
}

/// An example space.
pub fn example_space(name: &str) -> PathBuf {
    let folder = tools::repository("../shared/spaces").join(name);
    assert!(folder.exists(), "{} is missing: this test needs the example spaces", folder.display());
    folder
}

/// All example spaces with their names.
pub fn example_spaces() -> Vec<(String, PathBuf)> {
    let names = ["studies-abroad", "energy-site", "starter-articles", "component-library", "field-types"];
    names.into_iter().map(|name| (name.to_owned(), example_space(name))).collect()
}
