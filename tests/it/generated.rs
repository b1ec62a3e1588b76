//! Files that are written from code are up to date.

use std::path::Path;

#[test]
fn the_configuration_page_is_generated_from_the_list_of_variables() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/configuration.md");
    let written = std::fs::read_to_string(file).unwrap();
    assert!(written == lectern::config::docs::page(), "run: cargo run -q -- config-docs > docs/configuration.md");
}
