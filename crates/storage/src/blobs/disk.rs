//! Objects on the local disk, at `f/{space}/{last two digits of the hash}/{hash}`, so that no directory grows
//! too large.

use super::{ByteStream, Error, Listing, Result, upload::Upload};
use bytes::{Bytes, BytesMut};
use domain::content::asset::ObjectKey;
use futures_util::stream;
use std::{
    io::{self, ErrorKind, SeekFrom},
    ops::Range,
    path::{Path, PathBuf},
};
use tokio::{
    fs::{self, File},
    io::{AsyncReadExt, AsyncSeekExt, Take},
};

/// How many bytes are read at a time.
const CHUNK: usize = 64 << 10;

/// The directory of the objects.
pub(super) struct Disk {
    root: PathBuf,
}

impl Disk {
    /// Makes the directory if it is not there.
    pub(super) async fn open(directory: PathBuf) -> Result<Self> {
        let root = directory.join("f");
        fs::create_dir_all(&root).await?;
        sync(&directory).await?;
        Ok(Self { root })
    }

    /// Moves an upload to its path. Once this returns, a power cut does not undo it.
    pub(super) async fn put(&self, upload: Upload, key: ObjectKey) -> Result<()> {
        let path = self.path(key);
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).await?;
        upload.move_to(&path).await?;
        // A name is durable when its directory is synced, and the directories may be new themselves.
        for directory in folder.ancestors().take_while(|ancestor| ancestor.starts_with(&self.root)) {
            sync(directory).await?;
        }
        Ok(())
    }

    /// Reads a range.
    pub(super) async fn get(&self, key: ObjectKey, range: Range<u64>) -> Result<ByteStream> {
        let mut file = match File::open(self.path(key)).await {
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(Error::Missing(key)),
            opened => opened?,
        };
        if range.start > 0 {
            file.seek(SeekFrom::Start(range.start)).await?;
        }
        let rest = file.take(range.end.saturating_sub(range.start));
        Ok(Box::pin(stream::try_unfold(rest, next)))
    }

    /// Removes a file.
    pub(super) async fn remove(&self, key: ObjectKey) -> Result<()> {
        match fs::remove_file(self.path(key)).await {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Lists the keys of one space per page.
    pub(super) async fn list(&self, from: Option<&str>) -> Result<Listing> {
        let mut spaces: Vec<i64> = names(&self.root).await?.iter().filter_map(|name| name.parse().ok()).collect();
        spaces.sort_unstable();
        let from = from.and_then(|from| from.parse().ok()).unwrap_or(i64::MIN);
        let mut rest = spaces.into_iter().skip_while(|space| *space < from);
        let Some(space) = rest.next() else { return Ok(Listing::default()) };
        let folder = self.root.join(space.to_string());
        let mut keys = Vec::new();
        for part in names(&folder).await? {
            let found = names(&folder.join(&part)).await?;
            keys.extend(found.iter().filter_map(|hash| format!("f/{space}/{hash}").parse::<ObjectKey>().ok()));
        }
        Ok(Listing { keys, next: rest.next().map(|rest| rest.to_string()) })
    }

    fn path(&self, key: ObjectKey) -> PathBuf {
        let hash = key.hash().to_string();
        let part = hash.get(hash.len().saturating_sub(2)..).unwrap_or_default();
        self.root.join(key.space.to_string()).join(part).join(&hash)
    }
}

/// The next chunk of a file. A file that ends before the end of the range is an error: half an object must
/// not look like a whole one.
async fn next(mut file: Take<File>) -> io::Result<Option<(Bytes, Take<File>)>> {
    if file.limit() == 0 {
        return Ok(None);
    }
    let mut chunk = BytesMut::with_capacity(CHUNK);
    if file.read_buf(&mut chunk).await? == 0 {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(Some((chunk.freeze(), file)))
}

/// The names in a directory; none when it is not there.
async fn names(path: &Path) -> io::Result<Vec<String>> {
    let mut entries = match fs::read_dir(path).await {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        opened => opened?,
    };
    let mut names = Vec::new();
    while let Some(entry) = entries.next_entry().await? {
        names.extend(entry.file_name().into_string().ok());
    }
    Ok(names)
}

async fn sync(directory: &Path) -> io::Result<()> {
    File::open(directory).await?.sync_all().await
}
