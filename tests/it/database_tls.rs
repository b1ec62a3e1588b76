//! TLS to a configured database: encrypted where the URL asks for it, and only with a certificate of a known authority.

use crate::support::{
    Scratch, scratch,
    server::{Server, refusal},
};
use nix::sys::signal::Signal;
use std::{net::TcpListener, process::Stdio, time::Duration};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
    time::timeout,
};
use tokio_postgres::NoTls;

/// Creates a certificate authority, a certificate for localhost and a cluster, and becomes its PostgreSQL.
const POSTGRES: &str = r#"
set -eu
cd "$1"
bin=$(pg_config --bindir 2>/dev/null || true)
[ -x "$bin/initdb" ] || bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem
openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout server.key -out server.csr
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -copy_extensions copy -out server.pem
"$bin/initdb" -D cluster -U lectern --auth=trust --no-locale -E UTF8 --no-sync
exec "$bin/postgres" -D cluster -k "$1" -c port="$2" -c listen_addresses=127.0.0.1 -c fsync=off \
    -c ssl=on -c ssl_cert_file="$1/server.pem" -c ssl_key_file="$1/server.key"
"#;

struct Postgres {
    _process: Child,
    port: u16,
    directory: Scratch,
}

async fn postgres() -> Postgres {
    let directory = scratch();
    let path = directory.path().to_str().unwrap().to_owned();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut command = Command::new("sh");
    if nix::unistd::Uid::effective().is_root() {
        // PostgreSQL refuses to be root.
        let owned = std::process::Command::new("chown").args(["postgres", &path]).status().unwrap();
        assert!(owned.success());
        command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=KILL", "sh"]);
    }
    command.args(["-c", POSTGRES, "sh", &path, &port.to_string()]).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
    let mut process = command.spawn().unwrap();
    let mut said = BufReader::new(process.stderr.take().unwrap()).lines();
    let mut all = String::new();
    loop {
        let line = timeout(Duration::from_mins(1), said.next_line()).await.expect("it starts").unwrap();
        let line = line.unwrap_or_else(|| panic!("it ended: {all}"));
        if line.contains("ready to accept connections") {
            break;
        }
        all.push_str(&line);
        all.push('\n');
    }
    // Read on, so that PostgreSQL never waits for its log to be read.
    tokio::task::spawn_local(async move { while let Ok(Some(_)) = said.next_line().await {} });
    Postgres { _process: process, port, directory }
}

impl Postgres {
    fn url(&self, mode: &str) -> String {
        format!("postgres://lectern@localhost:{}/postgres?sslmode={mode}", self.port)
    }

    /// For each connection of the server, whether it is encrypted.
    async fn encrypted(&self) -> Vec<bool> {
        let (client, connection) = tokio_postgres::connect(&self.url("disable"), NoTls).await.unwrap();
        let sql = "select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name like 'lectern%'";
        tokio::select! {
            rows = client.query(sql, &[]) => rows.unwrap().iter().map(|row| row.get("ssl")).collect(),
            ended = connection => panic!("the connection ended: {ended:?}"),
        }
    }
}

#[tokio::test]
async fn connections_are_encrypted_on_request_and_only_with_a_known_certificate() {
    let tasks = tokio::task::LocalSet::new();
    tasks
        .run_until(async {
            let postgres = postgres().await;
            let authority = postgres.directory.path().join("ca.pem");
            let data = scratch();
            for (mode, expected) in [("require", true), ("verify-full", true), ("disable", false)] {
                let variables = [("APP_DATABASE_URL", postgres.url(mode)), ("SSL_CERT_FILE", authority.display().to_string())];
                let variables = variables.each_ref().map(|(name, value)| (*name, value.as_str()));
                let server = Server::start(data.path(), &variables).await;
                assert_eq!(server.get("/api/ready").await, 200, "so at least one connection is in use");
                let encrypted = postgres.encrypted().await;
                assert!(!encrypted.is_empty() && encrypted.iter().all(|e| *e == expected), "{mode}: {encrypted:?}");
                server.signal(Signal::SIGTERM);
                assert!(server.end().await.0.success());
            }
            let url = postgres.url("require");
            let said = refusal(&[("APP_DATABASE_URL", &url), ("APP_DATA_DIR", data.path().to_str().unwrap())]).await;
            assert!(said.contains("certificate"), "{said}");
        })
        .await;
}
