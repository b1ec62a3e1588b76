//! docs/administration.md: the repair of the search, in a database whose user could not make the extension.

use super::{Desk, blocks};

/// How the migration defines the index.
const DEFINITION: &str =
    "psql -h \"$PWD/data/run\" -U lectern postgres -Atc \"select indexdef from pg_indexes where indexname = 'users_search'\"";

#[tokio::test]
async fn the_search_is_repaired_as_the_document_says() {
    let mut desk = Desk::of("docs/administration.md", &[]).await;
    let repairs: Vec<_> = blocks::of("docs/administration.md").into_iter().filter(|block| block.language == "sql").collect();
    let [repair] = repairs.as_slice() else { panic!("{repairs:?}") };
    let psql = "psql -h \"$PWD/data/run\" -U lectern postgres --set ON_ERROR_STOP=1 --quiet";
    let defined = desk.shell.run(DEFINITION).await;
    assert!(defined.contains("gin_trgm_ops"), "{defined}");
    desk.shell.run(&format!("{psql} -c 'drop extension pg_trgm cascade'")).await;
    assert_eq!(desk.shell.run(DEFINITION).await.trim(), "");
    desk.shell.run(&format!("{psql} <<'SQL'\n{}SQL", repair.text)).await;
    assert_eq!(desk.shell.run(DEFINITION).await, defined);
    desk.end().await;
}
