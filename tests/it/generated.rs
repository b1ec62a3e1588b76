//! Files that are written from code are up to date.

use support::prelude::*;

#[test]
fn the_configuration_page_is_generated_from_the_list_of_variables() {
    let written = tools::text_of("docs/configuration.md");
    assert!(written == lectern::config::docs::page(), "run: cargo run -q -- config-docs > docs/configuration.md");
}
