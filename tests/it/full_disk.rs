//! The disk of the data directory is full, really: the private PostgreSQL ends, and the server does not.

use storage::connect::{self, DatabaseTarget};
use support::{prelude::*, small_disk::SmallDisk};

/// Writes to the log of PostgreSQL until that has no room for it any more, and again whenever PostgreSQL is
/// back.
async fn write_ahead(socket: &Path) {
    let target = DatabaseTarget::new(format!("host={} user=lectern dbname=postgres", socket.display()), 1);
    loop {
        if let Ok((client, _driver)) = connect::single(&target, "").await {
            let message = "select pg_logical_emit_message(false, 'test', repeat('x', 1000000))";
            while client.batch_execute(message).await.is_ok() {}
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_full_disk_ends_postgresql_and_not_the_server_and_nothing_has_to_be_done_when_there_is_room_again() {
    let scratch = support::scratch();
    let disk = SmallDisk::at(scratch.path());
    let mut server = Server::start_on(&disk, &[("APP_METRICS_TOKEN", "0123456789abcdef")]).await;
    let space = server.person("ann@example.org").await.space().await;
    space.publish("before").await.expect(201);
    assert_eq!(server.get(&space.read("before")).await, 200);

    let pid = server.pid();
    let socket = disk.seen_from_here(pid, "data/run");
    disk.fill(pid);
    tokio::select! {
        () = server.says("PostgreSQL ended and is started again") => {}
        () = write_ahead(&socket) => {}
    }

    assert_eq!(server.get("/api/health").await, 200);
    let browser = support::browser();
    let ready = browser.get(server.url("/api/ready")).send().await.unwrap();
    assert_eq!(ready.status(), 503);
    assert_eq!(ready.json::<Value>().await.unwrap()["diskFull"], true);
    let metrics = browser.get(server.url("/metrics")).bearer_auth("0123456789abcdef").send().await.unwrap().text().await.unwrap();
    assert!(metrics.contains("\nsvc_disk_full 1\n"), "{metrics}");
    let refused = space.publish("meanwhile").await;
    assert!(refused.status == 503 && refused.headers.contains_key("retry-after"), "{refused:?}");
    assert_eq!(server.get(&space.read("before")).await, 200, "what was read before is in memory, and nothing can change it");
    assert_eq!(server.get(&space.read("other")).await, 503);
    for _ in 0..50 {
        space.publish("meanwhile").await.expect(503);
    }

    disk.free(pid);
    server.says("PostgreSQL runs again").await;
    assert_eq!(server.get("/api/ready").await, 200);
    space.publish("after").await.expect(201);
    for (slug, status) in [("before", 200), ("after", 200), ("meanwhile", 404)] {
        assert_eq!(server.get(&space.read(slug)).await, status, "what was refused was not done, and all else was: {slug}");
    }
    let log = fs::read_to_string(disk.seen_from_here(pid, "data/postgres.log")).unwrap();
    assert!(log.contains("PANIC:  could not write to file"), "{log}");

    let warnings = server.output_so_far().lines().filter(|line| line.contains("WARN"));
    let (of_the_end, others): (Vec<_>, Vec<_>) = warnings.partition(|line| line.contains("PostgreSQL ended"));
    // It is tried again while there is no room still, as often as the growing wait allows until then.
    assert!(of_the_end[0].contains("No space left on device") && of_the_end.len() <= 6, "{of_the_end:#?}");
    // Connections are refused in several ways while PostgreSQL ends and starts, and each is a cause of its
    // own.
    assert!(others.len() <= 12, "{others:#?}");
}
