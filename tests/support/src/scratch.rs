//! Directories of a test's own.

use crate::cluster;
use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};

/// A directory that is removed when it is dropped.
pub struct Scratch(PathBuf);

/// Creates an empty one that an unprivileged user can reach.
pub fn scratch() -> Scratch {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = cluster::above().join(format!("lectern-it-{}-{number}", std::process::id()));
    std::fs::create_dir(&path).unwrap();
    Scratch(path)
}

/// A data directory for servers of tests that are not about the first start. In `make test` it is a copy of
/// one that a server has used (scripts/test.py), with its secret; by hand it is empty, and the server makes
/// what it needs, which takes most of a first start.
#[expect(clippy::disallowed_methods, reason = "tests have no configuration but this")]
pub fn data_directory() -> Scratch {
    let directory = scratch();
    if let Some(first_start) = std::env::var_os("LECTERN_FIRST_START") {
        // With the owner that PostgreSQL runs as.
        let copied = Command::new("cp").arg("-aT").arg(first_start).arg(directory.path()).status().unwrap();
        assert!(copied.success(), "{copied}");
    }
    directory
}

impl Scratch {
    /// The path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
