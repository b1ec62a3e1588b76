//! A directory that the user of PostgreSQL may use and cannot reach, because one above it is closed to
//! others, such as `/root`.
//!
//! The server may reach it: it opens the directory and hands the open directory down to its children. There
//! `/proc/self/fd/N` leads to it without a step through the directories above (proc(5)). PostgreSQL goes into
//! its directory once, at its start, and its own children inherit what it has open.

use super::{Account, account};
use anyhow::{Context, Result, ensure};
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use std::{
    fs::File,
    os::fd::AsRawFd,
    path::{Path, PathBuf},
};

/// What leads every process to the files that it has open, on Linux.
const OPEN_FILES: &str = "/proc/self/fd";

/// The path by which a child finds a directory. It must outlive the start of the child.
pub(super) struct HandedDown {
    path: PathBuf,
    /// `None` for a directory that the user reaches by itself.
    _open: Option<File>,
}

impl HandedDown {
    /// Hands the directory down if `account` does not reach it by itself.
    pub(super) fn new(directory: &Path, account: Option<&Account>) -> Result<Self> {
        let Some(stranger) = account.filter(|account| !account::can_reach(account, directory)) else {
            return Ok(Self { path: directory.to_owned(), _open: None });
        };
        ensure!(
            Path::new(OPEN_FILES).exists(),
            "{} cannot be reached by the user {stranger}, which runs the private PostgreSQL: set APP_DATA_DIR to a directory that others may enter, or set \
             APP_DATABASE_URL",
            directory.display()
        );
        let context = || format!("opening {}", directory.display());
        let open = File::open(directory).with_context(context)?;
        // The standard library closes what it opens in every child.
        fcntl(&open, FcntlArg::F_SETFD(FdFlag::empty())).with_context(context)?;
        Ok(Self { path: Path::new(OPEN_FILES).join(open.as_raw_fd().to_string()), _open: Some(open) })
    }

    /// The path for the child.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}
