//! How many connections one address may have.

use super::{HEALTH, Limits, app, gate, misbehaving, trickle};
use support::{Wire, prelude::*};

/// A connection from an address of this machine.
async fn connect(app: &TestApp, last: u8) -> Wire {
    Wire::open_from([127, 0, 0, last].into(), app.address).await
}

/// A connection whose request was answered.
async fn idle(app: &TestApp, last: u8) -> Wire {
    let mut wire = connect(app, last).await;
    assert_eq!(wire.send(HEALTH).await.answer().await.unwrap().status, 200);
    wire
}

/// A connection whose request is being answered.
async fn busy(app: &TestApp, last: u8) -> Wire {
    let mut wire = connect(app, last).await;
    wire.send(trickle(app)).await.until("some").await.unwrap();
    wire
}

async fn is_served(wire: &mut Wire) -> bool {
    wire.send(HEALTH).await.answer().await.is_some_and(|answer| answer.status == 200)
}

#[tokio::test]
async fn an_address_has_no_more_connections_than_its_share() {
    let app = app(Limits { connections_per_address: 2, ..Limits::default() }).await;
    let mut first = idle(&app, 1).await;
    let second = idle(&app, 1).await;
    connect(&app, 1).await.closed().await;
    assert!(is_served(&mut first).await);
    idle(&app, 2).await;
    drop(second);
    // The server learns of the end of a connection in its own time.
    while !is_served(&mut connect(&app, 1).await).await {}
}

#[tokio::test]
async fn connections_of_a_trusted_proxy_are_not_counted() {
    let limits = Limits { connections_per_address: 1, ..Limits::default() };
    let variables = [("APP_TRUSTED_PROXIES", "127.0.0.1")];
    let app = TestApp::with(Setup { limits: Some(limits), variables: &variables, ..Setup::default() }).await;
    let mut all = join_all((0..4).map(|_| idle(&app, 1))).await;
    assert!(is_served(&mut all[0]).await);
    let _other = idle(&app, 2).await;
    connect(&app, 2).await.closed().await;
}

#[tokio::test]
async fn when_all_places_are_taken_the_address_with_the_most_gives_up_an_idle_one() {
    let app = app(Limits { connections: 4, ..Limits::default() }).await;
    let mut running = busy(&app, 1).await;
    let mut oldest = idle(&app, 1).await;
    let mut newest = idle(&app, 1).await;
    let mut other = idle(&app, 2).await;
    let mut newcomer = idle(&app, 3).await;
    oldest.closed().await;
    assert!(is_served(&mut newest).await && is_served(&mut other).await && is_served(&mut newcomer).await);
    gate(&app).add_permits(1);
    running.until("more").await.unwrap();
}

/// Sixteen addresses hold every connection, and none of them sends a whole request.
#[tokio::test]
async fn a_seventeenth_address_is_answered_while_sixteen_hold_all_places() {
    let app = app(Limits { connections: 64, connections_per_address: 4, ..Limits::default() }).await;
    let held = join_all((0..64).map(async |number| {
        let mut wire = idle(&app, 2 + number / 4).await;
        wire.send("GET / HTTP/1.1\r\n").await;
        wire
    }))
    .await;
    for _ in 0..4 {
        drop(idle(&app, 100).await);
    }
    assert_eq!(held.len(), 64);
}

/// The refusal of a body that is not read is followed by up to twenty seconds in which the rest of it may
/// come, with no pause longer than five.
#[tokio::test]
async fn connections_that_were_refused_and_are_still_open_give_up_their_places() {
    let app = app(Limits { connections: 4, ..Limits::default() }).await;
    let refused = "POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n";
    let mut held = Vec::new();
    for _ in 0..4 {
        let mut wire = connect(&app, 1).await;
        assert_eq!(wire.send(refused).await.answer().await.unwrap().status, 404);
        held.push(wire);
    }
    let answered = join_all((0..2).map(|_| idle(&app, 2)));
    let _timers = StoppedTimers::now();
    timeout(Duration::from_secs(3), answered).await.expect("places at once");
}

#[tokio::test]
async fn a_trusted_proxy_gets_places_that_others_hold() {
    let limits = Limits { connections: 4, ..Limits::default() };
    let variables = [("APP_TRUSTED_PROXIES", "127.0.0.1")];
    let app = TestApp::with(Setup { limits: Some(limits), variables: &variables, ..Setup::default() }).await;
    let held = join_all((0..4).map(|number| idle(&app, 2 + number))).await;
    let proxy = join_all((0..4).map(|_| idle(&app, 1))).await;
    assert_eq!((held.len(), proxy.len()), (4, 4));
}

/// Each has a request that is being answered, so that no place is free.
#[tokio::test]
async fn an_address_with_as_many_as_any_other_gets_no_more_when_all_places_are_taken() {
    let setup = Setup { limits: Some(Limits { connections: 4, ..Limits::default() }), more: Some(misbehaving), ..Setup::default() };
    let app = TestApp::with(setup).await;
    let mut held = Vec::new();
    for last in [1, 2, 1, 2] {
        held.push(busy(&app, last).await);
    }
    connect(&app, 1).await.closed().await;
    // It has none, and the others have two each.
    idle(&app, 3).await;
}
