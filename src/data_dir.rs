//! The data directory: created if it is missing, and locked for one server at a time.

use crate::{embedded_postgres, presence::Presence};
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
    io::{self, ErrorKind, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::Arc,
};

/// The directory. It is unlocked when this is dropped.
pub struct DataDir {
    /// `None` while another process has it.
    lock: Option<Flock<File>>,
    presence: Presence,
}

/// What happens when another process has the lock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Locked {
    Refuse,
    Share,
}

impl DataDir {
    /// Opens the directory for a server. With `embedded` a private PostgreSQL uses it, which may run as
    /// another user than this process.
    pub fn open(path: &Path, embedded: bool) -> Result<Self> {
        Self::open_or(Locked::Refuse, path, embedded)
    }

    /// The same for a command, which can also run beside a server.
    pub fn open_for_command(path: &Path, embedded: bool) -> Result<Self> {
        Self::open_or(Locked::Share, path, embedded)
    }

    fn open_or(locked: Locked, path: &Path, embedded: bool) -> Result<Self> {
        let shared = embedded && embedded_postgres::unprivileged()?.is_some();
        let unusable = || format!("the data directory {} cannot be used (set APP_DATA_DIR to another)", path.display());
        let mode = if shared { 0o711 } else { 0o700 };
        DirBuilder::new().recursive(true).mode(mode).create(path).with_context(unusable)?;
        let path = fs::canonicalize(path).with_context(unusable)?;
        let file = path.join("lock");
        let lock = lock(&file, locked).with_context(unusable)?;
        let presence = Presence::of(file).with_context(unusable)?;
        Ok(Self { lock, presence })
    }

    /// The process that runs a server on it, as far as one does. Nothing is made.
    pub fn holder(path: &Path) -> Option<String> {
        let file = File::open(path.join("lock")).ok()?;
        let holder = io::read_to_string(&file).ok()?;
        let is_held = matches!(Flock::lock(file, FlockArg::LockSharedNonblock), Err((_, Errno::EWOULDBLOCK)));
        is_held.then(|| holder.trim().to_owned())
    }

    /// Tells later whether the directory is still there.
    pub fn presence(&self) -> &Presence {
        &self.presence
    }

    /// Whether another process has it.
    pub fn is_shared(&self) -> bool {
        self.lock.is_none()
    }

    /// The path.
    pub fn path(&self) -> &Path {
        self.presence.directory()
    }

    /// The keys, derived from the configured secret, or from a random one that is created once and stored in
    /// the directory.
    pub fn keys(&self, configured: Option<&SecretString>, entropy: &dyn Entropy) -> Result<Keys> {
        let root = match configured {
            Some(secret) => secret.expose_secret().as_bytes().to_vec(),
            None => stored_secret(&self.path().join("secret"), entropy)?,
        };
        Ok(Keys::new(root.into()))
    }
}

/// Asks how many bytes an unprivileged user can still write on the disk of a directory, such as the user of
/// the private PostgreSQL.
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
