//! Finds the installed PostgreSQL.

use anyhow::{Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Where Debian and its derivatives install each major version.
const DEBIAN: &str = "/usr/lib/postgresql";

/// A directory with `initdb` and `postgres`, or the search path.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Binaries {
    /// `None`: found on the search path.
    directory: Option<PathBuf>,
}

impl Binaries {
    /// Searches Debian's directories (the cluster's own version first, then the newest), the directory that
    /// `pg_config` prints, and the search path.
    pub(super) fn find(major: Option<&str>) -> Result<Self> {
        let candidates = installed(Path::new(DEBIAN), major).into_iter().chain(configured());
        for directory in candidates {
            if ["initdb", "postgres"].iter().all(|name| directory.join(name).is_file()) {
                return Ok(Self { directory: Some(directory) });
            }
        }
        let found = Self { directory: None };
        if ["initdb", "postgres"].iter().all(|name| succeeds(found.command(name).arg("--version"))) {
            return Ok(found);
        }
        bail!(
            "no PostgreSQL is installed here (looked for initdb and postgres): apt-get install postgresql, or set APP_DATABASE_URL"
        )
    }

    /// A command that runs one of the programs.
    pub(super) fn command(&self, program: &str) -> Command {
        Command::new(self.path(program))
    }

    /// A command that the kernel interrupts when the thread that started it ends, where `setpriv` of
    /// util-linux is installed (the system call would need `unsafe`). Elsewhere [`super::stale_postmaster`]
    /// stops the process at the next start.
    pub(super) fn bound_command(&self, program: &str) -> Command {
        let bound = ["--pdeathsig", "INT", "--"];
        if !succeeds(Command::new("setpriv").args(bound).arg("true")) {
            return self.command(program);
        }
        let mut command = Command::new("setpriv");
        command.args(bound).arg(self.path(program));
        command
    }

    fn path(&self, program: &str) -> PathBuf {
        self.directory.as_ref().map_or_else(|| PathBuf::from(program), |directory| directory.join(program))
    }
}

/// The directories of the installed versions, the wanted major version first, then from new to old.
fn installed(root: &Path, major: Option<&str>) -> Vec<PathBuf> {
    let mut versions: Vec<String> =
        fs::read_dir(root).into_iter().flatten().flatten().filter_map(|r| r.file_name().into_string().ok()).collect();
    versions.sort_by_key(|name| (Some(name.as_str()) != major, std::cmp::Reverse(name.parse::<u32>().unwrap_or(0))));
    versions.iter().map(|name| root.join(name).join("bin")).collect()
}

fn configured() -> Option<PathBuf> {
    let output = Command::new("pg_config").arg("--bindir").stderr(Stdio::null()).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| PathBuf::from(path.trim()))
}

fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
}

#[cfg(test)]
mod tests {
    use super::installed;
    use std::{fs, path::Path};

    #[test]
    fn the_clusters_own_version_comes_first_then_the_newest() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tmp/installed");
        for version in ["9", "15", "17"] {
            fs::create_dir_all(root.join(version).join("bin")).unwrap();
        }
        let order = |major| {
            let found = installed(&root, major);
            found.iter().map(|f| f.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(order(None), ["17", "15", "9"]);
        assert_eq!(order(Some("15")), ["15", "17", "9"]);
        assert_eq!(order(Some("16")), ["17", "15", "9"]);
    }
}
