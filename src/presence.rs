//! Whether the data directory is still the one of the start.

use std::{
    convert::Infallible,
    fs,
    io::{self, ErrorKind},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use storage::IsThere;
use tokio::time::interval;

/// How often a running server looks whether the directory is still there.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Tells whether the data directory of a running server is still the one that it was started with.
///
/// A deleted directory is noticed by its lock, which this process holds open: the path names no file any
/// more, or another one. The second happens when another server has made a new directory there, whose
/// database must be left alone.
#[derive(Clone)]
pub struct Presence {
    file: PathBuf,
    identity: (u64, u64),
}

impl Presence {
    /// That of the directory of a lock.
    pub(crate) fn of(file: PathBuf) -> io::Result<Self> {
        Ok(Self { identity: identity(&fs::metadata(&file)?), file })
    }

    /// The path of the directory.
    pub fn directory(&self) -> &Path {
        self.file.parent().unwrap_or(&self.file)
    }

    /// Whether it is there. A disk that does not answer is not a deleted directory.
    pub fn is_there(&self) -> bool {
        match fs::metadata(&self.file) {
            Ok(found) => identity(&found) == self.identity,
            Err(error) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
        }
    }

    /// The question whether it is there, for those who find things below its path.
    pub fn asked(&self) -> IsThere {
        let presence = self.clone();
        Arc::new(move || presence.is_there())
    }

    /// Looks again and again, and says once when it is gone, and once when it is back.
    pub async fn watch(&self) -> Infallible {
        let directory = self.directory().display().to_string();
        let mut was_there = true;
        let mut poll = interval(LOOK_AGAIN);
        loop {
            poll.tick().await;
            let is_there = self.is_there();
            match (was_there, is_there) {
                (true, false) => tracing::error!(
                    "the data directory {directory} was deleted while the server runs, and what was in it is lost when the server ends: stop the \
                     server, put the directory back from a backup (or leave it out to begin anew), and start again"
                ),
                (false, true) => tracing::info!("the data directory {directory} is back"),
                _ => {}
            }
            was_there = is_there;
        }
    }
}

/// What a file is, whatever its name.
fn identity(meta: &fs::Metadata) -> (u64, u64) {
    (meta.dev(), meta.ino())
}
