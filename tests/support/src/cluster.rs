//! One PostgreSQL for the whole run, started by the first test that asks for a database.

use lectern::{
    data_dir::DataDir,
    embedded_postgres::{self, Cluster, Durability},
};
use nix::sys::statvfs::statvfs;
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::LazyLock,
};
use tokio::sync::OnceCell;

/// What a run needs at most while each test drops its database when it ends.
const ROOM: u64 = 4 << 30;

/// Where folders of tests are: in memory where there is room, because making a database for each test is most
/// of what the tests wait for.
pub(crate) fn above() -> &'static Path {
    static ABOVE: LazyLock<PathBuf> = LazyLock::new(|| {
        let memory = Path::new("/dev/shm");
        let free = statvfs(memory).map_or(0, |disk| disk.blocks_available() * disk.fragment_size());
        if free >= ROOM { memory.to_owned() } else { std::env::temp_dir() }
    });
    &ABOVE
}

/// The folder of this run's PostgreSQL.
pub(crate) fn folder() -> PathBuf {
    above().join(format!("lectern-it-{}", std::process::id()))
}

/// The PostgreSQL of the run. It ends with this process, by the mechanism that the server uses too.
pub async fn cluster() -> &'static Cluster {
    static CLUSTER: OnceCell<(DataDir, Cluster)> = OnceCell::const_new();
    let (_, cluster) = CLUSTER
        .get_or_init(|| async {
            crate::statements::record();
            let data = DataDir::open(&folder(), true).unwrap();
            let cluster = embedded_postgres::start(data.presence(), Durability::None, &|_| {}).await.unwrap();
            remove_at_exit(data.path(), cluster.pid());
            (data, cluster)
        })
        .await;
    cluster
}

/// A static is never dropped, so a shell waits for the end of this process (its pipe closes) and of
/// PostgreSQL, and removes the directory.
#[expect(clippy::zombie_processes, reason = "it outlives us")]
fn remove_at_exit(data: &Path, postgres: u32) {
    let script = r#"cat > /dev/null; tail --pid="$2" -s 0.05 -f /dev/null; rm -rf "$1""#;
    let mut shell = Command::new("sh")
        .args(["-c", script, "tidy"])
        .arg(data)
        .arg(postgres.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::mem::forget(shell.stdin.take());
}
