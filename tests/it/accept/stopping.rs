//! Stopping: running requests finish until a deadline, and new connections are refused.

use super::{HEALTH, Limits, app, gate, slow};
use support::{Wire, prelude::*};
use tokio::net::TcpStream;

#[tokio::test]
async fn running_requests_finish_and_resting_connections_are_closed() {
    let app = app(Limits::default()).await;
    let mut resting: Wire = app.connect().await;
    assert_eq!(resting.send(HEALTH).await.answer().await.unwrap().status, 200);
    let mut running = app.connect().await;
    running.send(slow(&app)).await;
    // Once another connection was served, the loop has seen ours.
    assert_eq!(app.connect().await.send(HEALTH).await.answer().await.unwrap().status, 200);
    app.stop.send_replace(true);
    resting.closed().await;
    let address = app.address;
    gate(&app).add_permits(1);
    let answer = running.answer().await.unwrap();
    assert_eq!((answer.status, answer.body.as_str()), (200, "done"));
    assert!(app.stopped().await, "everything finished in time");
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn what_does_not_finish_in_time_is_cut_off() {
    let app = app(Limits { drain: Duration::from_millis(50), ..Limits::default() }).await;
    let mut running = app.connect().await;
    running.send("GET /hang HTTP/1.1\r\nhost: x\r\n\r\n").await;
    assert_eq!(app.connect().await.send(HEALTH).await.answer().await.unwrap().status, 200);
    assert!(!app.stopped().await);
    running.closed().await;
}
