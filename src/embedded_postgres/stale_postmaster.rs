//! A PostgreSQL that outlived its server, and the `postmaster.pid` that it left behind.

use anyhow::{Context, Result, bail};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use std::{fs, path::Path, time::Duration};
use tokio::time::{Instant, interval};

/// How long it may take to end after each signal.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// The content of `postmaster.pid` (its format is in `src/include/utils/pidfile.h` of PostgreSQL).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Postmaster {
    pub(super) pid: u32,
    /// Whether it accepts connections.
    pub(super) ready: bool,
}

impl Postmaster {
    /// Reads the file of a cluster; `None` when there is no file, or an incomplete one.
    pub(super) fn read(directory: &Path) -> Option<Self> {
        Self::parse(&fs::read_to_string(directory.join("postmaster.pid")).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let pid = lines.next()?.trim().parse().ok()?;
        Some(Self { pid, ready: lines.nth(6).is_some_and(|status| status.trim() == "ready") })
    }

    /// Whether that process is still a PostgreSQL on this cluster: its working directory is the cluster's.
    /// Another process may have the same id by coincidence, above all in containers, where ids are small.
    fn is_alive(&self, directory: &Path) -> bool {
        fs::read_link(format!("/proc/{}/cwd", self.pid)).is_ok_and(|link| link == directory)
    }
}

/// Stops a PostgreSQL that still runs on the cluster, and removes a stale `postmaster.pid`. The caller holds
/// the lock of the data directory, so the process belongs to a server that was killed.
pub(super) async fn stop(directory: &Path, say: &(dyn Fn(&str) + Sync)) -> Result<()> {
    let Some(left) = Postmaster::read(directory) else { return Ok(()) };
    if left.is_alive(directory) {
        say("waiting for the PostgreSQL of a killed server to end");
        for signal in [Signal::SIGINT, Signal::SIGQUIT] {
            kill(Pid::from_raw(i32::try_from(left.pid)?), signal).context("stopping the PostgreSQL of a killed server")?;
            if has_ended(&left, directory).await {
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

async fn has_ended(left: &Postmaster, directory: &Path) -> bool {
    let began = Instant::now();
    let mut poll = interval(Duration::from_millis(10));
    while began.elapsed() < STOP_TIMEOUT {
        poll.tick().await;
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
    fn the_eighth_line_says_whether_connections_are_accepted() {
        let file = |status: &str| format!("4711\n/data/postgres\n1795000000\n5432\n/run\n\n 12345  1\n{status}\n");
        assert_eq!(Postmaster::parse(&file("ready   ")), Some(Postmaster { pid: 4711, ready: true }));
        assert_eq!(Postmaster::parse(&file("starting")), Some(Postmaster { pid: 4711, ready: false }));
        assert_eq!(Postmaster::parse("4711\n/data/postgres\n"), Some(Postmaster { pid: 4711, ready: false }));
        assert_eq!(Postmaster::parse(""), None);
    }
}
