//! Files that are being received.

use super::{Error, Result};
use bytes::Bytes;
use domain::content::asset::ObjectKey;
use std::{
    io,
    path::{Path, PathBuf},
};
use tokio::{
    fs::{self, File},
    io::AsyncWriteExt,
};

/// The directory they lie in.
pub(super) struct Spool(PathBuf);

/// One of them. It is removed when it is dropped, unless it was moved away.
pub(super) struct Spooled {
    path: PathBuf,
    file: File,
    moved: bool,
}

impl Spool {
    /// Makes the directory and removes what a killed process left in it.
    pub(super) async fn open(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path).await?;
        let mut left = fs::read_dir(path).await?;
        while let Some(entry) = left.next_entry().await? {
            fs::remove_file(entry.path()).await?;
        }
        Ok(Self(path.to_owned()))
    }

    /// A new file for an object.
    pub(super) async fn begin(&self, key: ObjectKey) -> io::Result<Spooled> {
        let path = self.0.join(key.hash().to_string());
        let file = File::options().read(true).write(true).create_new(true).open(&path).await?;
        Ok(Spooled { path, file, moved: false })
    }
}

impl Spooled {
    /// Appends a piece.
    pub(super) async fn write(&mut self, piece: &Bytes) -> Result<()> {
        self.file.write_all(piece).await.map_err(Error::from)
    }

    /// Sees to it that all of it has been written.
    pub(super) async fn complete(&mut self) -> io::Result<()> {
        self.file.flush().await
    }

    /// Makes it durable and moves it.
    pub(super) async fn move_to(mut self, path: &Path) -> io::Result<()> {
        self.file.flush().await?;
        self.file.sync_all().await?;
        fs::rename(&self.path, path).await?;
        self.moved = true;
        Ok(())
    }

    /// Where it lies.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Spooled {
    fn drop(&mut self) {
        if !self.moved {
            // What cannot be removed now is removed by the next start.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
