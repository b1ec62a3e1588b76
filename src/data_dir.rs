//! The data directory: made if missing, for one server at a time.

use crate::embedded_postgres;
use anyhow::{Context, Result, anyhow, bail};
use crypto::keys::Keys;
use domain::shared::Entropy;
use nix::{
    errno::Errno,
    fcntl::{Flock, FlockArg},
};
use secrecy::{ExposeSecret, SecretString};
use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{ErrorKind, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

/// Where it is unless it is said otherwise.
const USUAL: &str = "data";
/// Where it is when root starts the server in a place that the user of PostgreSQL cannot reach, such as `/root`.
const REACHABLE: &str = "/var/lib/lectern";

/// The directory, locked as long as this lives.
pub struct DataDir {
    path: PathBuf,
    _lock: Flock<File>,
}

impl DataDir {
    /// Opens it. `embedded` means that a private PostgreSQL has to get inside, which may run as another user than we do.
    pub fn open(configured: Option<&Path>, embedded: bool) -> Result<Self> {
        let path = configured.unwrap_or(Path::new(USUAL));
        let account = if embedded { embedded_postgres::unprivileged()? } else { None };
        let shared = account.is_some();
        let opened = Self::open_at(path, shared)?;
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
        // Only if it is still as empty as we made it: it may be of use to somebody.
        let _ = fs::remove_file(path.join("lock")).and_then(|()| fs::remove_dir(path));
        Self::open_at(Path::new(REACHABLE), shared)
    }

    fn open_at(path: &Path, shared: bool) -> Result<Self> {
        let unusable = || format!("the data directory {} cannot be used (set APP_DATA_DIR to another)", path.display());
        let mode = if shared { 0o711 } else { 0o700 };
        DirBuilder::new().recursive(true).mode(mode).create(path).with_context(unusable)?;
        let path = fs::canonicalize(path).with_context(unusable)?;
        let lock = lock(&path.join("lock")).with_context(unusable)?;
        Ok(Self { path, _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The root keys: from the configured secret, or from one that is made once and kept here.
    pub fn keys(&self, configured: Option<&SecretString>, entropy: &dyn Entropy) -> Result<Keys> {
        let root = match configured {
            Some(secret) => secret.expose_secret().as_bytes().to_vec(),
            None => kept_secret(&self.path.join("secret"), entropy)?,
        };
        Ok(Keys::new(root.into()))
    }
}

/// Takes the lock, which the system gives back when the process ends, however it ends.
fn lock(path: &Path) -> Result<Flock<File>> {
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    let mut holder = String::new();
    file.read_to_string(&mut holder)?;
    match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
        Ok(mut lock) => {
            lock.set_len(0)?;
            std::io::Seek::rewind(&mut *lock)?;
            writeln!(lock, "{}", std::process::id())?;
            Ok(lock)
        }
        Err((_, Errno::EWOULDBLOCK)) => Err(anyhow!("another server is running on it (process {})", holder.trim())),
        Err((_, error)) => Err(error.into()),
    }
}

fn kept_secret(path: &Path, entropy: &dyn Entropy) -> Result<Vec<u8>> {
    let trouble = || format!("the secret in {}", path.display());
    match fs::read_to_string(path) {
        Ok(text) if text.trim().len() >= Keys::MIN_LENGTH => return Ok(text.trim().as_bytes().to_vec()),
        Ok(_) => {
            bail!("the secret in {} is shorter than {} bytes: restore it, or set APP_SECRET", path.display(), Keys::MIN_LENGTH)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(trouble),
    }
    let mut bytes = [0; 32];
    entropy.fill(&mut bytes);
    let text = hex::encode(bytes);
    // Written beside and renamed: a power cut must not leave half a secret.
    let unfinished = path.with_extension("new");
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished).with_context(trouble)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).with_context(trouble)?;
    fs::rename(&unfinished, path).with_context(trouble)?;
    Ok(text.into_bytes())
}
