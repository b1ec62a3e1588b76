//! Fetches the files of assets and stores them, before the rows of the assets are written.

use super::{
    retries::{FILE_TRIES, Failure, RetryHandle},
    source::{FileError, Source, SourceError},
};
use crate::content::importer::end_code::EndCode;
use domain::{
    content::{
        asset::{FileName, ObjectKey},
        import::record,
    },
    shared::{SharedClock, SharedEntropy, SpaceId},
};
use services::content::import::{
    apply::{
        AssetFile,
        assets::{KnownFile, known_file},
    },
    state::ImportState,
};
use std::sync::Arc;
use storage::blobs::{self, Blobs};
use tokio::sync::RwLock;

/// What files are fetched with.
pub(super) struct FileFetcher {
    pub(super) retries: RetryHandle,
    pub(super) clock: SharedClock,
    pub(super) entropy: SharedEntropy,
    pub(super) space: SpaceId,
    pub(super) source: Arc<dyn Source>,
    pub(super) state: Arc<RwLock<ImportState>>,
    pub(super) blobs: Blobs,
    /// In a dry run files are fetched and inspected, but not stored.
    pub(super) is_dry_run: bool,
}

impl FileFetcher {
    /// Fetches the file of an asset, unless it is here already. A file that the source does not return is an
    /// outcome of the asset; an error means that this server cannot store files.
    pub(super) async fn fetch(&self, asset: &record::Asset) -> Result<AssetFile, SourceError> {
        // The state changes while the file is fetched, so its lock must not be held.
        let known = known_file(&*self.state.read().await, asset);
        match known {
            KnownFile::Trashed => return Ok(AssetFile::NotWanted),
            KnownFile::Stored => return Ok(AssetFile::Kept),
            KnownFile::Unknown => {}
        }
        let mut tries = self.retries.tries();
        loop {
            let (message, is_ours) = match self.attempt(asset).await {
                Ok(file) => return Ok(file),
                Err(AttemptError::Permanent(message)) => return Ok(AssetFile::Failed(message)),
                Err(AttemptError::Transient(message)) => (message, false),
                Err(AttemptError::Storage(message)) => (message, true),
            };
            match tries.failed(Failure::File).await {
                Some(next) => next.due().await,
                None if is_ours => {
                    let message = format!("the files of assets cannot be kept: {message}");
                    return Err(SourceError::ours(EndCode::FilesAway, message));
                }
                None => return Ok(AssetFile::Failed(format!("{message}, {FILE_TRIES} times"))),
            }
        }
    }

    async fn attempt(&self, asset: &record::Asset) -> Result<AssetFile, AttemptError> {
        let fetched = self.source.file(asset).await?;
        let max_bytes = self.blobs.max_bytes();
        match fetched.length {
            Some(0) => return Err(blobs::Error::Empty.into()),
            Some(length) if length > max_bytes => return Err(blobs::Error::TooLarge { limit: max_bytes }.into()),
            _ => {}
        }
        let key = ObjectKey::new(self.space, self.clock.now(), self.entropy.as_ref());
        let name = FileName::of(asset.name());
        if self.is_dry_run {
            let inspected = blobs::inspect(key, &name, fetched.chunks, max_bytes).await?;
            return Ok(AssetFile::Inspected(Box::new(inspected)));
        }
        Ok(AssetFile::Stored(Box::new(self.blobs.put(key, &name, fetched.chunks).await?)))
    }
}

/// Why an attempt failed.
enum AttemptError {
    /// Another attempt would fail as well.
    Permanent(String),
    /// Another attempt may succeed.
    Transient(String),
    /// The blob store does not accept the file at the moment.
    Storage(String),
}

impl From<FileError> for AttemptError {
    fn from(error: FileError) -> Self {
        if error.is_transient { Self::Transient(error.message) } else { Self::Permanent(error.message) }
    }
}

impl From<blobs::Error> for AttemptError {
    fn from(error: blobs::Error) -> Self {
        match error {
            blobs::Error::Sender(fault) if fault.is_broken_body() => Self::Transient(fault.message.into_owned()),
            blobs::Error::Sender(fault) => Self::Permanent(fault.message.into_owned()),
            error @ (blobs::Error::TooLarge { .. } | blobs::Error::Empty) => Self::Permanent(format!("its file is {error}")),
            blobs::Error::Busy | blobs::Error::Missing(_) => Self::Storage("too many files are being received".to_owned()),
            blobs::Error::Unavailable(_) => Self::Storage("the place where they are kept is away".to_owned()),
        }
    }
}
