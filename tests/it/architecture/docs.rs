//! The documents name paths of this repository; each of them has to exist.

use super::assert_none;
use support::{prelude::*, tools::root};

const DOCUMENTS: &[&str] = &["README.md", "docs/development.md"];
/// What a path of this repository begins with.
const FOLDERS: &[&str] =
    &["actors/", "crates/", "docs/", "load/", "migrations/", "ops/", "routes/", "scripts/", "src/", "tests/", ".ci/"];

#[test]
fn every_path_that_the_documents_name_exists() {
    let mut violations = Vec::new();
    for document in DOCUMENTS {
        let text = fs::read_to_string(root().join(document)).unwrap();
        let named: Vec<&str> = paths(&text).collect();
        assert!(!named.is_empty(), "{document} names no path at all");
        let missing = named.into_iter().filter(|path| !root().join(path).exists());
        violations.extend(missing.map(|path| format!("{document} names {path}, which does not exist")));
    }
    assert_none(violations);
}

/// The paths in code spans. Placeholders such as `tests/it/<area>.rs` or `NNNN_name.sql` are written with
/// angle brackets and skipped.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    // Line by line every second piece between backticks is a code span; what stands in a code block is left
    // alone.
    let spans = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    spans.filter(|span| FOLDERS.iter().any(|folder| span.starts_with(folder)) && !span.contains(['<', ' ', '*']))
}

#[test]
fn a_path_is_a_code_span_below_a_known_folder() {
    let text =
        "See `src/main.rs`, `crates/domain/` and `cargo test`.\n```sh\nls src/nowhere.rs\n```\n`tests/it/<area>.rs` `src/a b`";
    assert_eq!(paths(text).collect::<Vec<_>>(), ["src/main.rs", "crates/domain/"]);
}
