//! The data directory: created if it is missing, and locked for one server at a time.

use crate::embedded_postgres;
use anyhow::{Context, Result, anyhow, bail};
use crypto::keys::Keys;
use domain::shared::Entropy;
use nix::{
    errno::Errno,
    fcntl::{Flock, FlockArg},
    sys::statvfs::statvfs,
};
use routes::ops::FreeBytes;
use secrecy::{ExposeSecret, SecretString};
use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{ErrorKind, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::Arc,
};

/// The default path, in the working directory.
const DEFAULT: &str = "data";
/// The default path when root starts the server in a directory that the user of PostgreSQL cannot reach, such as `/root`.
const REACHABLE: &str = "/var/lib/lectern";

/// The directory. It is unlocked when this is dropped.
pub struct DataDir {
    path: PathBuf,
    /// `None` while another process has it.
    lock: Option<Flock<File>>,
}

/// What happens when another process has the lock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Locked {
    Refuse,
    Share,
}

impl DataDir {
    /// Opens the directory for a server. With `embedded` a private PostgreSQL has to reach it, which may run as another user than this process.
    pub fn open(configured: Option<&Path>, embedded: bool) -> Result<Self> {
        Self::open_or(Locked::Refuse, configured, embedded)
    }

    /// The same for a command, which can also run beside a server.
    pub fn open_for_command(configured: Option<&Path>, embedded: bool) -> Result<Self> {
        Self::open_or(Locked::Share, configured, embedded)
    }

    fn open_or(locked: Locked, configured: Option<&Path>, embedded: bool) -> Result<Self> {
        let path = configured.unwrap_or(Path::new(DEFAULT));
        let account = if embedded { embedded_postgres::unprivileged()? } else { None };
        let shared = account.is_some();
        let opened = Self::open_at(path, shared, locked)?;
        let Some(account) = account.filter(|account| !embedded_postgres::can_reach(account, &opened.path)) else {
            return Ok(opened);
        };
        if configured.is_some() {
            bail!(
                "the data directory {} cannot be reached by the user {account}, which runs the private PostgreSQL: set APP_DATA_DIR to \
                 a directory that others may enter, or set APP_DATABASE_URL",
                opened.path.display()
            );
        }
        drop(opened);
        // The directory is removed only if it is empty but for the lock.
        let _ = fs::remove_file(path.join("lock")).and_then(|()| fs::remove_dir(path));
        Self::open_at(Path::new(REACHABLE), shared, locked)
    }

    fn open_at(path: &Path, shared: bool, locked: Locked) -> Result<Self> {
        let unusable = || format!("the data directory {} cannot be used (set APP_DATA_DIR to another)", path.display());
        let mode = if shared { 0o711 } else { 0o700 };
        DirBuilder::new().recursive(true).mode(mode).create(path).with_context(unusable)?;
        let path = fs::canonicalize(path).with_context(unusable)?;
        let lock = lock(&path.join("lock"), locked).with_context(unusable)?;
        Ok(Self { path, lock })
    }

    /// Whether another process has it.
    pub fn is_shared(&self) -> bool {
        self.lock.is_none()
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The keys, derived from the configured secret, or from a random one that is created once and stored in the directory.
    pub fn keys(&self, configured: Option<&SecretString>, entropy: &dyn Entropy) -> Result<Keys> {
        let root = match configured {
            Some(secret) => secret.expose_secret().as_bytes().to_vec(),
            None => stored_secret(&self.path.join("secret"), entropy)?,
        };
        Ok(Keys::new(root.into()))
    }
}

/// Asks how many bytes an unprivileged user can still write on the disk of a directory, such as the user of the private PostgreSQL.
pub fn free_bytes(directory: PathBuf) -> FreeBytes {
    Arc::new(move || {
        let disk = statvfs(&directory).ok()?;
        Some(disk.blocks_available().saturating_mul(disk.fragment_size()))
    })
}

/// Takes the lock. The system releases it when the process ends, for whatever reason.
fn lock(path: &Path, locked: Locked) -> Result<Option<Flock<File>>> {
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    let mut holder = String::new();
    file.read_to_string(&mut holder)?;
    match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
        Ok(mut lock) => {
            lock.set_len(0)?;
            std::io::Seek::rewind(&mut *lock)?;
            writeln!(lock, "{}", std::process::id())?;
            Ok(Some(lock))
        }
        Err((_, Errno::EWOULDBLOCK)) if locked == Locked::Share => Ok(None),
        Err((_, Errno::EWOULDBLOCK)) => Err(anyhow!("another server is running on it (process {})", holder.trim())),
        Err((_, error)) => Err(error.into()),
    }
}

fn stored_secret(path: &Path, entropy: &dyn Entropy) -> Result<Vec<u8>> {
    let context = || format!("the secret in {}", path.display());
    match fs::read_to_string(path) {
        Ok(text) if text.trim().len() >= Keys::MIN_LENGTH => return Ok(text.trim().as_bytes().to_vec()),
        Ok(_) => {
            bail!("the secret in {} is shorter than {} bytes: restore it, or set APP_SECRET", path.display(), Keys::MIN_LENGTH)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(context),
    }
    let mut bytes = [0; 32];
    entropy.fill(&mut bytes);
    let text = hex::encode(bytes);
    // The file is written under another name and renamed, so that a power cut cannot leave half a secret.
    let unfinished = path.with_extension("new");
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished).with_context(context)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).with_context(context)?;
    fs::rename(&unfinished, path).with_context(context)?;
    Ok(text.into_bytes())
}
