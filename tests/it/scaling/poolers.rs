//! pgbouncer in front of the database: session mode works as without it, transaction mode is refused with a
//! reason.

use super::{LISTENERS, read_until, refused, replica_reads, serve, space};
use std::process::Stdio;
use storage::connect::{self, DatabaseTarget};
use support::{free_address::FreeAddress, postgres_server::PostgresServer, prelude::*};
use tokio::{
    net::TcpStream,
    process::{Child, Command},
};

struct Pooler {
    address: SocketAddr,
    _process: Child,
    _directory: Scratch,
    _reserved: FreeAddress,
}

/// Starts pgbouncer in a mode, which settings may follow, with everything else as Debian has it.
async fn pooler(database: &PostgresServer, mode: &str) -> Pooler {
    let (directory, reserved) = (scratch(), FreeAddress::new());
    let address = reserved.address;
    let path = directory.path().display();
    std::fs::write(directory.path().join("users.txt"), "\"lectern\" \"\"\n").unwrap();
    let settings = format!(
        "[databases]\npostgres = host=127.0.0.1 port={}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {}\nunix_socket_dir =\n\
         auth_type = trust\nauth_file = {path}/users.txt\ndefault_pool_size = 30\npool_mode = {mode}\n",
        database.address.port(),
        address.port()
    );
    std::fs::write(directory.path().join("pgbouncer.ini"), settings).unwrap();
    let (program, libraries) = tools::pgbouncer();
    let mut command = Command::new(program);
    if nix::unistd::Uid::effective().is_root() {
        // pgbouncer refuses to be root.
        let owned = std::process::Command::new("chown").args(["-R", "postgres", &path.to_string()]).status().unwrap();
        assert!(owned.success());
        command.args(["--user", "postgres"]);
    }
    command.arg(directory.path().join("pgbouncer.ini")).env("LD_LIBRARY_PATH", libraries);
    let mut process = command.stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true).spawn().unwrap();
    let listening = async {
        while TcpStream::connect(address).await.is_err() {
            assert!(process.try_wait().unwrap().is_none(), "it ended");
        }
    };
    timeout(Duration::from_secs(30), listening).await.expect("it listens");
    Pooler { address, _process: process, _directory: directory, _reserved: reserved }
}

fn url(pooler: &Pooler) -> String {
    format!("postgres://lectern@{}/postgres", pooler.address)
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_pooler_in_session_mode_everything_works_and_the_limits_hold() {
    let database = PostgresServer::start().await;
    let pooler = pooler(&database, "session").await;
    let running = serve(&[("APP_DATABASE_URL", &url(&pooler))]).await;
    let space = space(&running).await;
    for number in 0..60 {
        space.publish(&format!("story-{number}")).await.expect(201);
    }
    database.until(LISTENERS, "1").await;
    let (store, _) = connect::open(&DatabaseTarget::new(url(&pooler), 2)).await.unwrap();
    let connection = store.connection("test").await.unwrap();
    let limits = "select concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout'), current_setting('plan_cache_mode')) as limits";
    let found: String = connection.row(limits, &[]).await.unwrap().get("limits");
    assert_eq!(found, "30s 5s force_generic_plan");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pooler_in_transaction_mode_is_refused_with_the_reason() {
    let database = PostgresServer::start().await;
    for mode in ["transaction", "transaction\nserver_round_robin = 1\ndefault_pool_size = 2", "transaction\ndefault_pool_size = 1"]
    {
        let pooler = pooler(&database, mode).await;
        // At the second start, all that the pooler has to share has the right settings from the first one.
        for start in ["first", "second"] {
            let said = refused(&[("APP_DATABASE_URL", &url(&pooler))]).await;
            assert!(said.contains("APP_DATABASE_URL") && said.contains("set it to session mode"), "{mode}, {start} start: {said}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pooler_in_statement_mode_is_refused() {
    let database = PostgresServer::start().await;
    let pooler = pooler(&database, "statement").await;
    let said = refused(&[("APP_DATABASE_URL", &url(&pooler))]).await;
    assert!(said.contains("APP_DATABASE_URL"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pooler_in_transaction_mode_in_front_of_a_replica_is_not_read() {
    let database = PostgresServer::start().await;
    let pooler = pooler(&database, "transaction").await;
    let running = serve(&[("APP_DATABASE_URL", &database.url()), ("APP_DATABASE_READ_URL", &url(&pooler))]).await;
    let space = space(&running).await;
    space.publish("first").await.expect(201);
    read_until(&running, &space, "away").await;
    assert_eq!(replica_reads(&running, "read").await, 0);
}
