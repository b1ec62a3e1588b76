//! The user that PostgreSQL runs as. It refuses to run as root, so a server of root starts it as an
//! unprivileged user.

use anyhow::{Context, Result, bail};
use nix::unistd::{Gid, Uid, User};
use std::{
    fs,
    os::unix::{
        fs::{MetadataExt, chown},
        process::CommandExt,
    },
    path::Path,
    process::Command,
};

/// The candidates in this order: Debian's package creates the first, every system has the second.
const NAMES: [&str; 2] = ["postgres", "nobody"];

/// An unprivileged user of this machine.
#[derive(Debug, Clone)]
pub struct Account {
    name: String,
    uid: Uid,
    gid: Gid,
}

/// The user to run PostgreSQL as when this process is root; `None` otherwise, and then PostgreSQL runs as the
/// same user.
pub fn unprivileged() -> Result<Option<Account>> {
    if !Uid::effective().is_root() {
        return Ok(None);
    }
    for name in NAMES {
        if let Some(user) = User::from_name(name).context("looking up users")?.filter(|c| !c.uid.is_root()) {
            return Ok(Some(Account { name: user.name, uid: user.uid, gid: user.gid }));
        }
    }
    bail!("PostgreSQL must not run as root, and there is neither a user postgres nor nobody: make one, or set APP_DATABASE_URL")
}

impl std::fmt::Display for Account {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// Whether the user may enter a directory and every directory above it.
pub(super) fn can_reach(account: &Account, path: &Path) -> bool {
    path.ancestors().all(|step| {
        let Ok(meta) = fs::metadata(step) else { return false };
        let bit = match () {
            () if meta.uid() == account.uid.as_raw() => 0o100,
            () if meta.gid() == account.gid.as_raw() => 0o010,
            () => 0o001,
        };
        meta.mode() & bit != 0
    })
}

/// Makes a command run as the user. The standard library clears the supplementary groups.
pub(super) fn run_as(command: &mut Command, account: Option<&Account>) {
    if let Some(account) = account {
        command.uid(account.uid.as_raw()).gid(account.gid.as_raw());
    }
}

/// Makes the user the owner of a path.
pub(super) fn change_owner(path: &Path, account: Option<&Account>) -> Result<()> {
    let Some(account) = account else { return Ok(()) };
    chown(path, Some(account.uid.as_raw()), Some(account.gid.as_raw()))
        .with_context(|| format!("giving {} to {account}", path.display()))
}

/// Whether an owner's id is that of the user that PostgreSQL runs as.
pub(super) fn owns(account: Option<&Account>, owner: u32) -> bool {
    owner == account.map_or_else(Uid::effective, |account| account.uid).as_raw()
}
