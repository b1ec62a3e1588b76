//! A PostgreSQL that outlived its server, and the file it left behind.

use anyhow::{Context, Result, bail};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use std::{fs, path::Path, time::Duration};
use tokio::time::{Instant, interval};

/// How long it may take to end by itself, and then after each signal.
const PATIENCE: Duration = Duration::from_secs(10);

/// What `postmaster.pid` says (its format: `src/include/utils/pidfile.h` of PostgreSQL).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Postmaster {
    pub(super) pid: u32,
    /// Whether it takes connections.
    pub(super) ready: bool,
}

impl Postmaster {
    /// Reads the file of a cluster; `None` when there is none, or it is just being written.
    pub(super) fn read(directory: &Path) -> Option<Self> {
        Self::parse(&fs::read_to_string(directory.join("postmaster.pid")).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let pid = lines.next()?.trim().parse().ok()?;
        Some(Self { pid, ready: lines.nth(6).is_some_and(|status| status.trim() == "ready") })
    }

    /// Whether that process is still a PostgreSQL on this cluster: it works inside its directory. Any other process with that number
    /// is a coincidence, frequent in containers, where numbers are small.
    fn is_alive(&self, directory: &Path) -> bool {
        fs::read_link(format!("/proc/{}/cwd", self.pid)).is_ok_and(|link| link == directory)
    }
}

/// Ends a PostgreSQL that still runs on the cluster, and removes a stale `postmaster.pid`. Our caller holds the data directory's lock, so
/// it can only belong to a server that was killed.
pub(super) async fn stop(directory: &Path, say: &(dyn Fn(&str) + Sync)) -> Result<()> {
    let Some(left) = Postmaster::read(directory) else { return Ok(()) };
    if left.is_alive(directory) {
        say("waiting for the PostgreSQL of a killed server to end");
        for signal in [Signal::SIGINT, Signal::SIGQUIT] {
            kill(Pid::from_raw(i32::try_from(left.pid)?), signal).context("stopping the PostgreSQL of a killed server")?;
            if gone(&left, directory).await {
                return Ok(());
            }
        }
        bail!("the PostgreSQL of a killed server (process {}) does not end", left.pid);
    }
    let file = directory.join("postmaster.pid");
    match fs::remove_file(&file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("removing {}", file.display()))
        }
        _ => Ok(()),
    }
}

async fn gone(left: &Postmaster, directory: &Path) -> bool {
    let began = Instant::now();
    let mut look = interval(Duration::from_millis(10));
    while began.elapsed() < PATIENCE {
        look.tick().await;
        if !left.is_alive(directory) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::Postmaster;

    #[test]
    fn the_eighth_line_tells_when_connections_are_taken() {
        let file = |status: &str| format!("4711\n/data/postgres\n1795000000\n5432\n/run\n\n 12345  1\n{status}\n");
        assert_eq!(Postmaster::parse(&file("ready   ")), Some(Postmaster { pid: 4711, ready: true }));
        assert_eq!(Postmaster::parse(&file("starting")), Some(Postmaster { pid: 4711, ready: false }));
        assert_eq!(Postmaster::parse("4711\n/data/postgres\n"), Some(Postmaster { pid: 4711, ready: false }));
        assert_eq!(Postmaster::parse(""), None);
    }
}
