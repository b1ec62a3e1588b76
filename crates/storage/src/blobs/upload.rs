//! Temporary files of objects that are being received.

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

/// The directory of the temporary files.
pub(super) struct UploadDir(PathBuf);

/// A temporary file. It is removed when it is dropped, unless it was moved away.
pub(super) struct Upload {
    path: PathBuf,
    file: File,
    is_moved: bool,
}

impl UploadDir {
    /// Makes the directory and removes the files that a killed process left in it.
    pub(super) async fn open(path: &Path) -> io::Result<Self> {
        let directory = Self::open_beside(path).await?;
        let mut left = fs::read_dir(path).await?;
        while let Some(entry) = left.next_entry().await? {
            fs::remove_file(entry.path()).await?;
        }
        Ok(directory)
    }

    /// Makes the directory. The names of the files are random, so that several processes can use it.
    pub(super) async fn open_beside(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path).await?;
        Ok(Self(path.to_owned()))
    }

    /// Creates the file of an object.
    pub(super) async fn create(&self, key: ObjectKey) -> io::Result<Upload> {
        let path = self.0.join(key.hash().to_string());
        // The task makes the upload and not only the file: when the caller has left meanwhile, the result is
        // dropped, and the file removed.
        #[expect(clippy::disallowed_methods, reason = "as tokio::fs does, with another result")]
        let created = tokio::task::spawn_blocking(move || {
            let file = std::fs::File::options().read(true).write(true).create_new(true).open(&path)?;
            Ok(Upload { path, file: File::from_std(file), is_moved: false })
        });
        created.await.map_err(io::Error::other)?
    }
}

impl Upload {
    /// Appends a chunk.
    pub(super) async fn write(&mut self, chunk: &Bytes) -> Result<()> {
        self.file.write_all(chunk).await.map_err(Error::from)
    }

    /// Waits until all chunks have been written to the file.
    pub(super) async fn flush(&mut self) -> io::Result<()> {
        self.file.flush().await
    }

    /// Makes the file durable and moves it.
    pub(super) async fn move_to(mut self, path: &Path) -> io::Result<()> {
        self.file.flush().await?;
        self.file.sync_all().await?;
        fs::rename(&self.path, path).await?;
        self.is_moved = true;
        Ok(())
    }

    /// The path of the file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if !self.is_moved {
            // A file that cannot be removed now is removed at the next start.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
