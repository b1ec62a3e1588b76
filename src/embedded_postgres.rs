//! A private PostgreSQL, for a start without configuration: the installed binaries run on a cluster inside
//! the data directory.
//!
//! ```text
//! <data>/postgres/       the cluster; initdb fills another directory that is renamed at the end, so a killed one leaves no half of a cluster
//! <data>/run/            the socket; when that path would be too long, a directory below the system's temporary one
//! <data>/postgres.log    the log of PostgreSQL; a long one becomes postgres.log.1 at a start
//! ```
//!
//! It listens on a Unix socket only. Every local role is trusted, so the protection is the socket's
//! directory: mode 0700, owned by the user that PostgreSQL runs as, which need not reach the data directory
//! by itself (see `handed_down`). It ends with the server, also when the server is killed (see `process`);
//! one that a killed server left behind all the same is stopped before the next start (see
//! `stale_postmaster`). When it ends by itself, on a full disk for example, it is started again (see
//! `keep_running`), and the server goes on without it meanwhile.
//!
//! While the data directory is not in its place, no connection is made and nothing is started: what is found
//! there may be the PostgreSQL of another server.

mod account;
mod binaries;
mod handed_down;
mod keep_running;
mod process;
mod server_log;
mod socket;
mod stale_postmaster;

use crate::presence::Presence;
use account::Account;
use anyhow::{Context, Result, bail, ensure};
use binaries::Binaries;
use handed_down::HandedDown;
use process::ChildProcess;
use server_log::ServerLog;
use std::{
    fs::{self, DirBuilder, File},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};
use storage::connect::DatabaseTarget;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

pub use account::unprivileged;

/// What a commit survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    Safe,
    /// Not even a crash: for clusters of tests, which are thrown away.
    None,
}

/// How long a start may take, crash recovery included.
const START_TIMEOUT: Duration = Duration::from_mins(5);
/// After this time a start prints another line of progress.
const SLOW_START: Duration = Duration::from_secs(3);
/// How long a fast shutdown may take before an immediate one is requested.
const STOP_TIMEOUT: Duration = Duration::from_secs(20);
/// The name of the superuser, the only role of the cluster.
const USER: &str = "lectern";

/// A running private PostgreSQL.
pub struct Cluster {
    launch: Launch,
    presence: Presence,
    process: ChildProcess,
}

/// How PostgreSQL is started on a cluster.
struct Launch {
    binaries: Binaries,
    account: Option<Account>,
    directory: PathBuf,
    socket: PathBuf,
    log: ServerLog,
    durability: Durability,
}

/// Creates the cluster if there is none, starts PostgreSQL on it, and returns when it accepts connections.
///
/// `presence` is that of the data directory, whose lock the caller holds. `say` gets a line before each slow
/// step.
pub async fn start(presence: &Presence, durability: Durability, say: &(dyn Fn(&str) + Sync)) -> Result<Cluster> {
    let data = presence.directory();
    let account = unprivileged()?;
    let directory = data.join("postgres");
    let binaries = Binaries::find(major_of(&directory).as_deref())?;

    if !directory.join("PG_VERSION").exists() {
        say("making a private PostgreSQL cluster (first start only)");
        initialise(&binaries, account.as_ref(), data, &directory, durability).await?;
    }
    let socket = socket::directory(data, account.as_ref())?;
    let mut launch = Launch { binaries, account, directory, socket, log: ServerLog::new(data), durability };
    let process = launch.spawn(say).await?;
    let mut cluster = Cluster { launch, presence: presence.clone(), process };
    if let Err(error) = cluster.ready(say).await {
        let (log, reason) = (cluster.launch.log.path().display().to_string(), cluster.launch.log.reason());
        cluster.stop().await;
        return Err(error.context(format!("PostgreSQL did not start; {log} says: {reason}")));
    }
    Ok(cluster)
}

/// How to connect to the PostgreSQL that another process runs in a data directory.
pub fn running(presence: &Presence, pool_size: usize) -> Result<DatabaseTarget> {
    let data = presence.directory();
    let socket = socket::place(data, &std::env::temp_dir());
    ensure!(socket.exists(), "the process that uses {} runs no PostgreSQL yet: try again", data.display());
    Ok(target(&socket, presence, "postgres", pool_size))
}

fn target(socket: &Path, presence: &Presence, database: &str, pool_size: usize) -> DatabaseTarget {
    let url = format!("host='{}' user={USER} dbname={database}", socket.display());
    DatabaseTarget { is_there: Some(presence.asked()), ..DatabaseTarget::new(url, pool_size) }
}

impl Cluster {
    /// How to connect to a database of the cluster.
    pub fn target(&self, database: &str, pool_size: usize) -> DatabaseTarget {
        target(&self.launch.socket, &self.presence, database, pool_size)
    }

    /// The process id of PostgreSQL.
    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// Waits until PostgreSQL has ended.
    pub async fn ended(&self) {
        self.process.watch().ended().await;
    }

    /// Stops PostgreSQL. Open transactions are rolled back; what was committed is on disk.
    pub async fn stop(self) {
        self.process.interrupt();
        if timeout(STOP_TIMEOUT, self.ended()).await.is_err() {
            tracing::warn!("PostgreSQL did not stop in time and is stopped at once; it will recover on the next start");
            self.process.quit();
            self.ended().await;
        }
    }

    /// Waits for the line in `postmaster.pid` by which PostgreSQL announces that it accepts connections.
    async fn ready(&mut self, say: &(dyn Fn(&str) + Sync)) -> Result<()> {
        let began = Instant::now();
        let mut is_reported = false;
        let mut poll = interval(Duration::from_millis(10));
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = self.ended() => bail!("it ended"),
                _ = poll.tick() => {}
            }
            if stale_postmaster::Postmaster::read(&self.launch.directory)
                .is_some_and(|value| value.pid == self.pid() && value.ready)
            {
                return Ok(());
            }
            if !is_reported && began.elapsed() > SLOW_START {
                say("PostgreSQL is still starting; recovery after a crash can take a while");
                is_reported = true;
            }
            ensure!(began.elapsed() < START_TIMEOUT, "it was not ready after {} seconds", START_TIMEOUT.as_secs());
        }
    }
}

/// Runs initdb in a directory beside the final one and renames that when it is complete.
async fn initialise(
    binaries: &Binaries,
    account: Option<&Account>,
    data: &Path,
    directory: &Path,
    durability: Durability,
) -> Result<()> {
    let unfinished = data.join("postgres.new");
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished).with_context(|| format!("removing {}", unfinished.display()))?;
    }
    private_directory(&unfinished, account)?;
    let mut command = binaries.command("initdb");
    command.args(["--encoding=UTF8", "--locale=C.UTF-8", "--auth-local=trust", "--auth-host=reject"]);
    let handed_down = HandedDown::new(&unfinished, account)?;
    command.arg(format!("--username={USER}")).arg("-D").arg(handed_down.path()).current_dir("/");
    if durability == Durability::None {
        command.arg("--no-sync");
    }
    account::run_as(&mut command, account);
    let output = tokio::process::Command::from(command).kill_on_drop(true).output().await.context("initdb could not be run")?;
    ensure!(output.status.success(), "initdb failed: {}", String::from_utf8_lossy(&output.stderr).trim().replace('\n', " / "));
    fs::rename(&unfinished, directory).with_context(|| format!("renaming {}", unfinished.display()))?;
    File::open(data).and_then(|o| o.sync_all()).with_context(|| format!("writing {}", data.display()))
}

impl Launch {
    /// Starts PostgreSQL. It does not accept connections yet when this returns.
    async fn spawn(&mut self, say: &(dyn Fn(&str) + Sync)) -> Result<ChildProcess> {
        stale_postmaster::stop(&self.directory, say).await?;
        let directory = HandedDown::new(&self.directory, self.account.as_ref())?;
        let socket = HandedDown::new(&self.socket, self.account.as_ref())?;
        let command = self.command(directory.path(), socket.path())?;
        ChildProcess::spawn(command).await.context("PostgreSQL could not be started")
    }

    /// The command that runs the server process.
    fn command(&mut self, directory: &Path, socket: &Path) -> Result<Command> {
        let log = self.log.open()?;
        let mut command = self.binaries.bound_command("postgres");
        command.arg("-D").arg(directory).arg("-k").arg(socket).args(["-c", "listen_addresses="]);
        let mut set = |setting: &str| {
            command.arg("-c").arg(setting);
        };
        set("unix_socket_permissions=0700");
        set("max_connections=200");
        // Terse messages leave out the values of rows, which may be personal data.
        set("log_error_verbosity=terse");
        if self.durability == Durability::None {
            // A commit still waits until it is in the log. Else a vacuum that comes before would find that
            // its rows are not visible to all, and statements would be planned and counted differently.
            for setting in ["fsync=off", "full_page_writes=off", "autovacuum=off", "wal_level=minimal", "max_wal_senders=0"] {
                set(setting);
            }
        }
        command.current_dir("/").stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        account::run_as(&mut command, self.account.as_ref());
        Ok(command)
    }
}

/// Creates a directory that only the user of PostgreSQL may enter.
fn private_directory(path: &Path, account: Option<&Account>) -> Result<()> {
    DirBuilder::new().mode(0o700).create(path).with_context(|| format!("making the directory {}", path.display()))?;
    account::change_owner(path, account)
}

/// The major version that created the cluster, if there is a cluster.
fn major_of(directory: &Path) -> Option<String> {
    fs::read_to_string(directory.join("PG_VERSION")).ok().map(|to_string| to_string.trim().to_owned())
}
