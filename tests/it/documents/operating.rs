//! docs/operations.md: a backup of a server with a private PostgreSQL, restored into a database elsewhere.

use super::Desk;
use support::{cluster, prelude::*};

#[tokio::test]
async fn a_backup_is_taken_and_restored() {
    let mut desk = Desk::of("docs/operations.md", &[]).await;
    let space = desk.server.person("ann@example.org").await.space().await;
    space.publish("kept").await.expect(201);
    space.upload("a.gif", crate::assets::GIF).await.expect(201);
    // The commands of the table, and the one that opens the private PostgreSQL.
    for (command, says) in [
        ("lectern check-config", "the configuration is fine"),
        ("lectern healthcheck", ""),
        ("lectern sending status", "sending is on"),
        ("lectern admin grant ann@example.org", "ann@example.org"),
        ("lectern config-docs", "# Configuration"),
        ("psql -h \"$PWD/data/run\" -U lectern postgres -Atc 'select 41 + 1'", "42"),
    ] {
        let printed = desk.shell.run(command).await;
        assert!(printed.contains(says), "{command}: {printed}");
    }
    desk.shell.next("pg_dump").await;

    // Another machine: its directory, its PostgreSQL, and the secret, which is kept apart from the backup.
    let elsewhere = scratch();
    let target = cluster().await.target("lectern", 8);
    let url = target.url.expose_secret().to_owned();
    let host = url.split('\'').nth(1).unwrap().to_owned();
    let secret = std::fs::read_to_string(desk.directory.path().join("data/secret")).unwrap();
    let variables = [("APP_DATABASE_URL", url.as_str()), ("APP_SECRET", secret.trim())];
    desk.shell.run(&format!("cp -a backup {path} && cd {path}", path = elsewhere.path().display())).await;
    desk.shell
        .run(&format!("export PGHOST='{host}' PGUSER=lectern APP_DATABASE_URL=\"{url}\" APP_SECRET='{}'", secret.trim()))
        .await;
    desk.shell.next("pg_restore").await;
    let copy = Server::start(&elsewhere.path().join("data"), &variables).await;
    assert!(copy.welcome.contains("this database is a copy of another one"), "{}", copy.welcome);
    assert_eq!(copy.get(&space.read("kept")).await, 200);
    let resumed = desk.shell.next("sending resume").await;
    assert_eq!(resumed.trim().lines().collect::<Vec<_>>(), ["sending is paused", "sending is on"]);
    copy.signal(Signal::SIGTERM);
    let (status, error) = copy.end().await;
    assert!(status.success(), "{error}");
    desk.end().await;
}
