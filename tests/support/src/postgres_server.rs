//! A PostgreSQL server of a test's own, which it may copy, stop, kill and promote.

use crate::{PATIENCE, Scratch, database::run_at, free_address::FreeAddress, network::Network, scratch};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    process::Stdio,
};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
    task::JoinSet,
    time::timeout,
};
use tokio_postgres::NoTls;

/// Makes the cluster as it is told, and becomes its PostgreSQL. A killed one would leave segments of shared
/// memory in /dev/shm; these are files of the cluster.
const START: &str = r#"
set -eu
directory=$1 address=$2 port=$3 prepare=$4
shift 4
cd "$directory"
bin=$(pg_config --bindir 2>/dev/null || true)
[ -x "$bin/initdb" ] || bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
PATH=$bin:$PATH
eval "$prepare"
exec postgres -D cluster -k "$directory" -c port="$port" -c listen_addresses="$address" -c fsync=off -c dynamic_shared_memory_type=mmap "$@"
"#;

/// Makes an empty cluster whose superuser is `lectern`.
pub const EMPTY: &str = "initdb -D cluster -U lectern --auth=trust --no-locale -E UTF8 --no-sync";

/// Lets other hosts of its network in.
const OPEN: &str = "printf 'host all,replication all samenet trust\n' >> cluster/pg_hba.conf";

/// A running server. It is killed when it is dropped.
pub struct PostgresServer {
    process: Child,
    pub address: SocketAddr,
    /// The directory that the cluster lies in.
    pub directory: Scratch,
    _reading: JoinSet<()>,
}

impl PostgresServer {
    /// Starts an empty one.
    pub async fn start() -> Self {
        Self::prepared(scratch(), EMPTY, &[]).await
    }

    /// Starts an empty one as the host of a network.
    pub async fn start_in(network: &Network) -> Self {
        Self::launch(network.command(), network.host(), scratch(), &format!("{EMPTY}; {OPEN}"), &[]).await
    }

    /// Starts one whose cluster a piece of shell makes in the directory, as `cluster`, with settings of its
    /// own.
    pub async fn prepared(directory: Scratch, prepare: &str, settings: &[&str]) -> Self {
        Self::launch(Command::new("env"), Ipv4Addr::LOCALHOST.into(), directory, prepare, settings).await
    }

    /// Starts one by a command that runs what is added to it.
    async fn launch(mut command: Command, ip: IpAddr, directory: Scratch, prepare: &str, settings: &[&str]) -> Self {
        let path = directory.path().to_str().unwrap().to_owned();
        // A host of its own has nothing else that listens.
        let reserved = ip.is_loopback().then(FreeAddress::new);
        let address = reserved.as_ref().map_or(SocketAddr::new(ip, 5432), |reserved| reserved.address);
        if nix::unistd::Uid::effective().is_root() {
            // PostgreSQL refuses to be root.
            let owned = std::process::Command::new("chown").args(["-R", "postgres", &path]).status().unwrap();
            assert!(owned.success());
            command.args(["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=KILL"]);
        }
        command.args(["sh", "-c", START, "sh", &path, &ip.to_string(), &address.port().to_string(), prepare]);
        command.args(settings.iter().flat_map(|setting| ["-c", setting]));
        // A group of its own, so that all its processes can be stopped at once.
        command.stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true).process_group(0);
        let mut process = command.spawn().unwrap();
        let mut said = BufReader::new(process.stderr.take().unwrap()).lines();
        let mut all = String::new();
        loop {
            let line = timeout(PATIENCE, said.next_line()).await.expect("it starts").unwrap();
            let line = line.unwrap_or_else(|| panic!("it ended: {all}"));
            if line.contains("ready to accept") {
                break;
            }
            all.push_str(&line);
            all.push('\n');
        }
        drop(reserved);
        // Read on, so that PostgreSQL never waits for its log to be read.
        let mut reading = JoinSet::new();
        reading.spawn(async move { while let Ok(Some(_)) = said.next_line().await {} });
        Self { process, address, directory, _reading: reading }
    }

    /// Starts a standby of it, which replays what it writes.
    pub async fn standby(&self) -> Self {
        Self::standby_of(self.address).await
    }

    /// Starts a standby of the server that is reached at an address.
    pub async fn standby_of(primary: SocketAddr) -> Self {
        let copy = format!(
            "pg_basebackup -D cluster -h {} -p {} -U lectern --write-recovery-conf --checkpoint=fast --no-sync",
            primary.ip(),
            primary.port()
        );
        Self::prepared(scratch(), &copy, &[]).await
    }

    /// Its URL for the user `lectern`.
    pub fn url(&self) -> String {
        format!("postgres://lectern@{}/postgres", self.address)
    }

    /// Runs statements by a connection of its own.
    pub async fn run(&self, statements: &[&str]) {
        run_at(&self.url(), statements).await;
    }

    /// The first value of a query, as text; empty where there is none.
    pub async fn value(&self, sql: &str) -> String {
        value_at(&self.url(), sql).await
    }

    /// From now on a commit waits until a standby has it on its disk.
    pub async fn wait_for_standby(&self) {
        self.run(&["alter system set synchronous_standby_names = '*'", "select pg_reload_conf()"]).await;
        self.until("select count(*) from pg_stat_replication where sync_state = 'sync'", "1").await;
    }

    /// Waits until a standby has replayed what this one has written.
    pub async fn wait_for_replay(&self, standby: &Self) {
        let written = self.value("select pg_current_wal_lsn()").await;
        standby.until(&format!("select pg_last_wal_replay_lsn() >= '{written}'"), "true").await;
    }

    /// From now on it can only be read, as if its operator or its provider had locked it.
    pub async fn lock(&self) {
        self.run(&["alter system set default_transaction_read_only = on", "select pg_reload_conf()"]).await;
        self.until("select current_setting('default_transaction_read_only')", "on").await;
    }

    /// Waits until a query has this value.
    pub async fn until(&self, sql: &str, value: &str) {
        let waiting = async { while self.value(sql).await != value {} };
        timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("{sql} is not {value}"));
    }

    /// Makes a standby the primary.
    pub async fn promote(&self) {
        self.run(&["select pg_promote()"]).await;
    }

    /// Sends a signal to all its processes.
    pub fn signal_all(&self, signal: Signal) {
        let postmaster = self.process.id().unwrap();
        let send = |pid: i32, signal| {
            // One that has ended meanwhile is no matter.
            let _ = kill(Pid::from_raw(pid), signal);
        };
        // PostgreSQL's processes are sessions of their own, and the first one's children. It stands still
        // first: while it starts and buries children, their list may leave some out.
        send(postmaster.cast_signed(), Signal::SIGSTOP);
        let children = std::fs::read_to_string(format!("/proc/{postmaster}/task/{postmaster}/children")).unwrap();
        children.split_whitespace().for_each(|pid| send(pid.parse().unwrap(), signal));
        send(postmaster.cast_signed(), signal);
    }

    /// Ends it as a crash of its machine would.
    pub fn crash(&self) {
        self.signal_all(Signal::SIGKILL);
    }
}

/// The first value of a query in a database, as text; empty where there is none, such as a row that a standby
/// has not replayed yet.
pub async fn value_at(url: &str, sql: &str) -> String {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let sql = format!("select ({sql})::text");
    tokio::select! {
        rows = client.query_one(&sql, &[]) => rows.unwrap().get::<_, Option<String>>(0).unwrap_or_default(),
        ended = connection => panic!("the connection ended: {ended:?}"),
    }
}
