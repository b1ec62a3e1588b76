//! `docs/configuration.md`, written from the catalogue.

use super::catalogue::{CATALOGUE, Unset};
use std::fmt::Write;

const HEAD: &str = "\
# Configuration

<!-- Written by `lectern config-docs` from the catalogue in src/config/catalogue.rs; a test compares. -->

Lectern is configured by environment variables. All of them are optional: with none set it listens on
`127.0.0.1:8080`, starts a private PostgreSQL, and keeps everything in the data directory.

A bad value stops the start with one line that names the variable. A variable that begins with `APP_` and is not
listed here gets a warning with the nearest known name; `lectern check-config` fails on both. An empty value
counts as not set. A variable marked *secret* can be read from a file instead: set the same name with `_FILE`
added to the file's path.

";

/// The whole page.
pub fn page() -> String {
    let mut page = HEAD.to_owned();
    for row in CATALOGUE {
        let default = match row.default {
            Unset::Text("") => "nothing".to_owned(),
            Unset::Text(text) => format!("`{text}`"),
            Unset::Depends(words) => words.to_owned(),
        };
        let secret = if row.secret { " (secret)" } else { "" };
        let example = if row.example.contains('`') { row.example.to_owned() } else { format!("`{}`", row.example) };
        // Writing to a string does not fail.
        let _ = writeln!(
            page,
            "## `{}`{secret}\n\n{}\n\n- Value: {}\n- Default: {default}\n- Example: {example}\n",
            row.name, row.about, row.form
        );
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}
