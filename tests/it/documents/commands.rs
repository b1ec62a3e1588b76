//! No command of a document is without a test.

use super::{blocks, documents, not_run};
use support::prelude::*;

/// The documents whose blocks are run, with the file and the name of the test.
const RUN: &[(&str, &str, &str)] = &[
    ("README.md", "tour.rs", "the_tour_of_the_readme_works_as_it_is_written"),
    ("docs/clients.md", "clients.rs", "a_device_signs_in_and_an_application_sets_roles"),
    ("docs/moving.md", "moving.rs", "a_space_moves_here_and_is_kept_as_a_folder"),
    ("docs/moving-users.md", "moving_users.rs", "people_move_here"),
    ("docs/operations.md", "operating.rs", "a_backup_is_taken_and_restored"),
    ("docs/webhooks.md", "webhooks.rs", "a_webhook_is_registered"),
];

#[test]
fn every_block_is_run_or_listed() {
    let mut untested = Vec::new();
    for document in documents() {
        let is_run = RUN.iter().any(|(known, ..)| *known == document);
        let run = blocks::commands(&document).into_iter().filter(|block| not_run::find(block).is_none());
        // Its test fails for a block that it does not expect.
        untested.extend(run.filter(|_| !is_run).map(|block| block.place));
    }
    assert_eq!(untested, [""; 0], "run these blocks, or list them in tests/it/documents/not_run.rs");
    for (document, file, test) in RUN {
        let source = tools::text_of(&format!("tests/it/documents/{file}"));
        assert!(source.contains(&format!("async fn {test}()")) && source.contains(&format!("\"{document}\"")), "{file}: {test}");
    }
}

#[test]
fn what_is_not_run_here_is_tested_elsewhere() {
    let all: Vec<blocks::Block> = documents().iter().flat_map(|document| blocks::commands(document)).collect();
    for listed in not_run::LIST {
        assert!(all.iter().any(|block| listed.is(block)), "no document has this block any more:\n{}", listed.text);
        assert!(listed.reason.len() > 20, "{}", listed.text);
        for (file, name) in listed.tested_by {
            assert!(tools::text_of(file).contains(name), "{file} has no {name:?}, which is to test\n{}", listed.text);
        }
    }
}

#[test]
fn every_block_has_a_language_that_is_looked_after() {
    for block in documents().iter().flat_map(|document| blocks::of(document)) {
        match block.language.as_str() {
            "json" => {
                let parsed: Result<Value, _> = serde_json::from_str(&block.text);
                parsed.unwrap_or_else(|error| panic!("{}: {error}", block.place));
            }
            // `tests/clients/documents.test.mjs` runs those in JavaScript, and fails for one that it does not
            // know.
            // The line of a page is tested with the sites of tests/browser/studio.
            "html" => assert!(block.text.contains("/f/bridge.js"), "{}", block.place),
            "sh" | "js" | "sql" | "apache" | "nft" | "text" => {}
            other => panic!("{}: a block in {other:?}", block.place),
        }
    }
}
