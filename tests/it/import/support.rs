//! Starting imports, waiting for their end, and looking at everything that a space holds.

pub use super::dump::{assert_same, dump};
use super::waiting::once;
use crate::support::{Database, space_fixture::SpaceFixture};
use actors::content::importer::commands::StartImport;
use domain::{
    content::import::{Import, SourceRef},
    shared::{Actor, Fault, Origin, SpaceId},
};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// A space of our own, with every kind of thing in it.
pub fn sample_space() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/vendor/sample_space")
}

/// Every space that there is: our own, and the examples, which lie beside the project. A plain clone has none of those.
#[expect(clippy::disallowed_methods, reason = "whether this runs where nothing may be left out")]
pub fn datasets() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/spaces");
    let mut all = vec![("sample_space".to_owned(), sample_space())];
    for name in ["studies-abroad", "energy-site", "starter-articles", "component-library", "field-types"] {
        let path = folder.join(name);
        assert!(path.exists() || std::env::var_os("CI").is_none(), "the example space {name} is missing");
        if path.exists() {
            all.push((name.to_owned(), path));
        }
    }
    all
}

/// Asks for an import from a folder.
pub async fn start(fixture: &SpaceFixture, space: i64, path: &Path, dry_run: bool) -> Result<Import, Fault> {
    let by = Actor { kind: "token", id: "1".into(), label: "admin".into() };
    let source = SourceRef::Directory { path: path.to_str().unwrap().to_owned() };
    let write = StartImport { source, dry_run, webhooks: false, sealed_token: None, by: by.clone() };
    fixture.app().actors.handles().spaces.execute(SpaceId(space), by, Origin::default(), write).await
}

/// Waits for the end of an import, which is an entry in the audit log.
pub async fn finished(database: &Database, import: &Import) -> Import {
    once(&database.store, &database.target, import, Duration::from_mins(2), |value| value.status.is_over()).await
}

/// Imports a folder into a space, to the end.
pub async fn import(fixture: &SpaceFixture, space: i64, path: &Path, dry_run: bool) -> Import {
    let started = start(fixture, space, path, dry_run).await.unwrap();
    finished(&fixture.app().database, &started).await
}
