//! Against a server whose answers the test holds back.

use super::{Arrivals, Phases, Stage, drive};
use crate::{
    client::Target,
    harness::user::{Group, Pace, TimedClient, TurnFuture, User},
};
use http::Request;
use http_body_util::Full;
use std::{
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    sync::watch,
    task::JoinSet,
    time::Instant,
};

/// A server that answers at once, except while it is stalled. It counts the connections and requests that
/// have come.
struct Server {
    target: Target,
    stalled: watch::Sender<bool>,
    seen: watch::Receiver<u64>,
    connections: watch::Receiver<u64>,
    _serving: JoinSet<()>,
}

impl Server {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let target = Target::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let (stalled, gate) = watch::channel(false);
        let (count, seen) = watch::channel(0);
        let (count_connection, connections) = watch::channel(0);
        let count = Arc::new(count);
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                count_connection.send_modify(|count| *count += 1);
                let (mut gate, count) = (gate.clone(), count.clone());
                open.spawn(async move {
                    // A request without a body comes in one piece over loopback.
                    let mut head = [0; 1024];
                    while stream.read(&mut head).await.is_ok_and(|length| length > 0) {
                        count.send_modify(|count| *count += 1);
                        gate.wait_for(|is_stalled| !is_stalled).await.unwrap();
                        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await.unwrap();
                    }
                });
            }
        });
        Self { target, stalled, seen, connections, _serving: serving }
    }

    fn stage(&self) -> Stage {
        Stage::unseen(self.target.clone())
    }
}

struct Reader;

impl User for Reader {
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            client.send("read", Request::get("/").body(Full::default())?).await;
            Ok(())
        })
    }
}

fn readers(pace: Pace, count: usize) -> Vec<Group> {
    vec![Group { pace, users: (0..count).map(|_| -> Box<dyn User> { Box::new(Reader) }).collect() }]
}

fn phases(turns: u64, seconds: u64) -> Phases {
    Phases { ramp: ("ramp", Duration::ZERO), steady: ("steady", Duration::from_secs(seconds)), turns }
}

/// The server stalls for a while that the test measures. 100 turns a second go on being due: each of them has
/// to have the rest of the stall in its latency, although only one request, that of the only user, was under
/// way.
#[tokio::test]
async fn a_stall_shows_in_every_request_that_it_delays() {
    let server = Server::start().await;
    let mut stage = server.stage();
    let mut seen = server.seen.clone();
    let stalled = server.stalled.clone();
    let stall = async {
        seen.wait_for(|count| *count >= 5).await.unwrap();
        stalled.send_replace(true);
        let began = Instant::now();
        // Until that number of turns has become due behind it.
        tokio::time::sleep_until(began + Duration::from_millis(800)).await;
        stalled.send_replace(false);
        began.elapsed()
    };
    let phases = phases(200, 30);
    let (unsent, stall) = tokio::join!(drive(&mut stage, readers(Pace::Open(100.0), 1), &phases), stall);
    assert_eq!(unsent.unwrap(), 0);
    let operations = stage.recorder.operations();
    let read = &operations[0];
    assert_eq!((read.succeeded, read.failed), (200, 0));
    let stall = stall.as_secs_f64() * 1e3;
    assert!(read.max_ms >= stall * 0.9, "the longest is the whole stall: {} of {stall}", read.max_ms);
    // 80 of the 200 were due within the stall; half of these waited for half of it and longer.
    assert!(read.p90_ms >= stall * 0.4, "p90 {} of {stall}", read.p90_ms);
}

#[tokio::test]
async fn a_closed_loop_sends_no_more_turns_than_it_may_and_its_users_share_them() {
    let server = Server::start().await;
    let mut stage = server.stage();
    drive(&mut stage, readers(Pace::Closed(Duration::ZERO), 3), &phases(50, 30)).await.unwrap();
    assert_eq!(stage.recorder.operations()[0].succeeded, 50);
    assert_eq!(*server.seen.borrow(), 50);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_user_keeps_its_connection() {
    let server = Server::start().await;
    let mut stage = server.stage();
    drive(&mut stage, readers(Pace::Closed(Duration::ZERO), 3), &phases(300, 30)).await.unwrap();
    assert_eq!(*server.seen.borrow(), 300);
    // The client gives a connection back in a task of its own, and may open another one when the next request
    // is quicker. That has to be the exception, or it is measured as well.
    assert!(*server.connections.borrow() < 100, "{}", *server.connections.borrow());
}

/// It looks for what no answer has.
struct Seeker;

impl User for Seeker {
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            let request = Request::get("/").body(Full::default())?;
            let found = client.send_for_json("seek", request, |body| body.get("nothing").cloned()).await;
            assert_eq!(found, None);
            Ok(())
        })
    }
}

#[tokio::test]
async fn an_answer_that_is_wrong_is_counted_and_ends_no_run() {
    let server = Server::start().await;
    let mut stage = server.stage();
    let group = Group { pace: Pace::Closed(Duration::ZERO), users: vec![Box::new(Seeker)] };
    drive(&mut stage, vec![group], &phases(5, 30)).await.unwrap();
    let operations = stage.recorder.operations();
    assert_eq!((operations[0].failed, operations[0].outcomes["wrong answer"]), (5, 5));
}

#[tokio::test]
async fn time_bounds_a_run_and_what_was_never_sent_is_told() {
    let server = Server::start().await;
    let mut stage = server.stage();
    server.stalled.send_replace(true);
    let stalled = server.stalled.clone();
    let mut seen = server.seen.clone();
    let release = async {
        seen.wait_for(|count| *count >= 1).await.unwrap();
        tokio::time::sleep(Duration::from_millis(1_200)).await;
        stalled.send_replace(false);
    };
    let phases = phases(u64::MAX, 1);
    let (unsent, ()) = tokio::join!(drive(&mut stage, readers(Pace::Open(50.0), 1), &phases), release);
    // Of the 50 turns of the second one began, and is counted although its answer came later.
    assert_eq!((unsent.unwrap(), stage.recorder.operations()[0].succeeded), (49, 1));
}

#[tokio::test]
async fn a_server_that_is_gone_is_a_failure_of_each_request() {
    let target = {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Target::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap()
    };
    let mut stage = Stage::unseen(target);
    drive(&mut stage, readers(Pace::Closed(Duration::ZERO), 2), &phases(20, 30)).await.unwrap();
    let operations = stage.recorder.operations();
    assert_eq!((operations[0].succeeded, operations[0].outcomes["connection"]), (0, 20));
}

#[test]
fn the_rate_grows_through_the_ramp_and_stays_then() {
    let arrivals = Arrivals { per_second: 100.0, ramp: 2.0, next: AtomicU64::new(0), begun: AtomicU64::new(0) };
    // Half of the rate in the mean of the ramp, then all of it.
    for (number, due) in [(0, 0), (25, 1_000), (100, 2_000), (200, 3_000), (300, 4_000)] {
        assert!(arrivals.due(number).as_millis().abs_diff(due) <= 1, "{number}: {:?}", arrivals.due(number));
    }
    assert_eq!((arrivals.due_before(Duration::from_secs(2)), arrivals.due_before(Duration::from_secs(4))), (100, 300));
}
