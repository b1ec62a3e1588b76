//! One PostgreSQL for the whole run, started by the first test that asks for a database.

use lectern::embedded_postgres::{self, Cluster, Durability};
use std::{
    fs,
    process::{Command, Stdio},
};
use tokio::sync::OnceCell;

/// The PostgreSQL of the run. It ends with this process, by the mechanism that the server uses too.
pub async fn cluster() -> &'static Cluster {
    static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();
    CLUSTER
        .get_or_init(|| async {
            super::statements::record();
            let data = std::env::temp_dir().join(format!("lectern-it-{}", std::process::id()));
            fs::create_dir_all(&data).unwrap();
            let cluster = embedded_postgres::start(&data, Durability::None, &|_| {}).await.unwrap();
            remove_at_exit(&data, cluster.pid());
            cluster
        })
        .await
}

/// A static is never dropped, so a shell waits for the end of this process (its pipe closes) and of PostgreSQL, and removes the directory.
#[expect(clippy::zombie_processes, reason = "it outlives us")]
fn remove_at_exit(data: &std::path::Path, postgres: u32) {
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
