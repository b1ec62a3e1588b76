//! Imports of spaces: they are started, their end is held back or waited for, and what they have written is
//! compared.

mod dump;
pub mod held;
pub mod waiting;

pub use self::dump::{assert_same, dump};
use self::waiting::once;
pub use crate::spaces::{example_spaces, sample_space};
use crate::{Database, PATIENCE, space_fixture::SpaceFixture};
use domain::{
    content::import::{Import, SourceRef},
    shared::{Fault, SpaceId},
};
use services::content::{Authorized, import::jobs::StartImport};
use std::path::{Path, PathBuf};

/// The repository's own space, for tests that every clone runs.
pub fn own_spaces() -> Vec<(String, PathBuf)> {
    vec![("sample_space".to_owned(), sample_space())]
}

/// Starts an import from a folder.
pub async fn start(fixture: &SpaceFixture, space: i64, path: &Path, dry_run: bool) -> Result<Import, Fault> {
    let source = SourceRef::Directory { path: path.to_str().unwrap().to_owned() };
    let write = StartImport { source, dry_run, webhooks: false, sealed_token: None };
    fixture.actors.handles().spaces.execute(Authorized::for_command_line(SpaceId(space)), write).await
}

/// Waits for the end of an import, which writes an audit entry.
pub async fn finished(database: &Database, import: &Import) -> Import {
    once(&database.store, import, PATIENCE * 5, |value| value.status.is_over()).await
}

/// Imports a folder into a space and waits for the end.
pub async fn import(fixture: &SpaceFixture, space: i64, path: &Path, dry_run: bool) -> Import {
    let started = start(fixture, space, path, dry_run).await.unwrap();
    finished(&fixture.database, &started).await
}

/// Imports a folder into the space of the fixture, first without writing and then for good.
pub async fn dry_and_done(fixture: &SpaceFixture, path: &Path) -> (Import, Import) {
    (import(fixture, fixture.space, path, true).await, import(fixture, fixture.space, path, false).await)
}
