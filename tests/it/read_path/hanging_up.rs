//! Clients that ask and hang up.

use super::publish;
use support::{NEVER_IDLE, Wire, prelude::*, waiting_for};

async fn send(app: &TestApp, path: String) -> Wire {
    let mut wire = app.connect().await;
    wire.send(format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n")).await;
    wire
}

/// Their statements are cancelled. Without that, each round would leave as many behind as can be rendered at
/// a time.
#[tokio::test]
async fn a_client_that_hangs_up_leaves_no_statement_behind() {
    let variables = &[("APP_DELIVERY_AT_ONCE", "8"), ("APP_DELIVERY_STATEMENT_TIMEOUT", "30")];
    let fixture = SpaceFixture::with(Setup { variables, pool: Some(8), ..Setup::default() }).await;
    let app = &fixture.app;
    publish(&fixture, "s", "").await;
    let mut session = app.connection().await;
    let lock = session.begin();
    lock.execute(NEVER_IDLE, &[]).await.unwrap();
    lock.execute("lock table editions in access exclusive mode", &[]).await.unwrap();
    // Half of the eight permits are those of one space.
    let (mut round, mut seen) = (0, 0);
    while seen < 10 {
        round += 1;
        assert!(round < 30, "the machine is too busy to see anything");
        let began = Instant::now();
        let path = |number: i32| format!("/api/v2/cdn/stories/r{round}n{number}?token={}", fixture.public);
        let wires = join_all((0..12).map(|number| send(app, path(number)))).await;
        let waits = async {
            while waiting_for(&lock).await < 4 {
                tokio::task::yield_now().await;
            }
        };
        timeout(PATIENCE, waits).await.expect("the statements wait for the lock");
        drop(wires);
        let ended = async {
            while waiting_for(&lock).await > 0 {
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(30), ended).await.expect("the statements end when their clients hang up");
        // They would wait for the lock for five seconds.
        if began.elapsed() < Duration::from_secs(4) {
            seen += 1;
        }
    }
    drop(lock);
    drop(session);
    assert_eq!(super::read(app, &fixture.public, "stories/s").await.status(), 200);
}
