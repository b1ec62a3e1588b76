//! The directory of the socket: the whole path must fit into 107 bytes.

use super::{account, account::Account, private_directory};
use anyhow::{Context, Result, ensure};
use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
};

/// The size of `sun_path` without its final zero byte.
const LONGEST: usize = 107;
/// The file name of PostgreSQL's socket.
const NAME: &str = ".s.PGSQL.5432";

/// The directory, created if it is missing. Only the user of PostgreSQL may enter it.
pub(super) fn directory(data: &Path, account: Option<&Account>) -> Result<PathBuf> {
    let directory = place(data, &env::temp_dir());
    match fs::symlink_metadata(&directory) {
        Err(_) => private_directory(&directory, account)?,
        // Below the temporary directory another user could have created it.
        Ok(found) => ensure!(
            found.is_dir() && found.mode() & 0o777 == 0o700 && account::owns(account, found.uid()),
            "{} is not a private directory of the user PostgreSQL runs as: remove it",
            directory.display()
        ),
    }
    fs::canonicalize(&directory).with_context(|| format!("the directory {}", directory.display()))
}

/// A path inside the data directory if it is short enough and needs no quoting, else one below the temporary
/// directory.
pub(super) fn place(data: &Path, temporary: &Path) -> PathBuf {
    let inside = data.join("run");
    let plain = inside.as_os_str().as_bytes().iter().all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(byte));
    if plain && inside.join(NAME).as_os_str().len() <= LONGEST {
        return inside;
    }
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    temporary.join(format!("lectern-{:016x}", hasher.finish()))
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, NAME, place};
    use std::path::{Path, PathBuf};

    #[test]
    fn a_long_or_odd_path_gets_a_short_one_of_its_own() {
        let temporary = Path::new("/tmp");
        assert_eq!(place(Path::new("/srv/data"), temporary), PathBuf::from("/srv/data/run"));
        let long = |letter: &str| place(Path::new(&format!("/{}", letter.repeat(100))), temporary);
        for path in [long("a"), place(Path::new("/srv/it's"), temporary)] {
            assert!(path.starts_with(temporary) && path.join(NAME).as_os_str().len() <= LONGEST, "{path:?}");
        }
        assert_ne!(long("a"), long("b"));
    }
}
