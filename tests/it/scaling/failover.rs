//! A database that moves to another host: nothing acknowledged is lost, and nothing but 503 is answered meanwhile.

use super::{local, serve, space, url_of};
use crate::support::{owner::OwnedSpace, postgres_server::PostgresServer, silence::Silence};
use nix::sys::signal::Signal;
use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};
use tokio::{net::TcpStream, sync::watch, task::JoinSet, time::timeout};

/// Clients that write at the same time.
const WRITERS: usize = 8;

/// An address that no connection comes about with and that does not refuse one either, as if all packets were lost: the queue of its listener is full.
struct Dark {
    address: SocketAddr,
    _listener: socket2::Socket,
    _queue: Vec<TcpStream>,
}

async fn dark() -> Dark {
    let listener = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    listener.bind(&local(0).into()).unwrap();
    listener.listen(0).unwrap();
    let address = listener.local_addr().unwrap().as_socket().unwrap();
    let mut queue = Vec::new();
    while let Ok(joined) = timeout(Duration::from_millis(300), TcpStream::connect(address)).await {
        queue.push(joined.unwrap());
    }
    Dark { address, _listener: listener, _queue: queue }
}

/// What was acknowledged, and how often that was refused.
#[derive(Default, Clone)]
struct Written {
    slugs: Vec<String>,
    refused: usize,
}

/// Writes until the end. Each answer has to be 201, or 503 with a time after which to try again.
async fn write(space: Arc<OwnedSpace>, writer: usize, end: Arc<AtomicBool>, written: Arc<watch::Sender<Written>>) {
    let mut next = 0;
    while !end.load(Relaxed) {
        let slug = format!("story-{writer}-{next}");
        next += 1;
        let answer = space.publish(&slug).await;
        match answer.status().as_u16() {
            201 => written.send_modify(|written| written.slugs.push(slug)),
            503 => {
                assert!(answer.headers().contains_key("retry-after"));
                written.send_modify(|written| written.refused += 1);
            }
            other => panic!("{other}: {}", answer.text().await.unwrap()),
        }
    }
}

/// How the primary is lost.
#[derive(Clone, Copy, PartialEq)]
enum Loss {
    Crash,
    /// Its processes stand still: connections stay open and are silent.
    Hang,
}

/// One primary with a synchronous standby is lost under load, and the standby promoted. Returns how long it took from then to the first acknowledged write.
async fn fail_over(loss: Loss) -> Duration {
    let primary = PostgresServer::start().await;
    let standby = primary.standby().await;
    primary.wait_for_standby().await;
    let running = serve(&[("APP_DATABASE_URL", &url_of(&[local(primary.port), local(standby.port)]))]).await;
    let space = Arc::new(space(&running).await);
    let (end, written) = (Arc::<AtomicBool>::default(), Arc::new(watch::Sender::new(Written::default())));
    let mut load = JoinSet::new();
    for writer in 0..WRITERS {
        load.spawn(write(space.clone(), writer, end.clone(), written.clone()));
    }
    let mut seen = written.subscribe();
    seen.wait_for(|written| written.slugs.len() >= 200).await.unwrap();

    match loss {
        Loss::Crash => primary.crash(),
        Loss::Hang => primary.signal_all(Signal::SIGSTOP),
    }
    let before = written.borrow().slugs.len();
    standby.promote().await;
    let promoted = Instant::now();
    let again = timeout(Duration::from_mins(1), seen.wait_for(|written| written.slugs.len() > before + WRITERS)).await;
    let took = promoted.elapsed();
    again.expect("writes go on").unwrap();
    seen.wait_for(|written| written.slugs.len() >= before + 200).await.unwrap();
    end.store(true, Relaxed);
    while let Some(ended) = load.join_next().await {
        ended.unwrap();
    }

    let written = written.borrow().clone();
    for slug in &written.slugs {
        let found = standby.value(&format!("select count(*) from stories where slug = '{slug}'")).await;
        assert_eq!(found, "1", "{slug} was acknowledged");
    }
    let gaps = "select count(*) from (select seq - lag(seq) over (partition by space_id order by seq) as step from audit_log) as entry where step <> 1";
    assert_eq!(standby.value(gaps).await, "0", "the audit log has no gap");
    assert_eq!(running.server.get("/api/ready").await, 200);
    // So that it ends.
    primary.crash();
    took
}

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_that_crashes_under_load_loses_nothing_and_its_standby_goes_on() {
    let took = fail_over(Loss::Crash).await;
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_that_hangs_under_load_is_left_for_its_standby() {
    let took = fail_over(Loss::Hang).await;
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_host_that_is_dark_or_hangs_or_is_a_standby_does_not_keep_a_server_from_starting() {
    let primary = PostgresServer::start().await;
    let standby = primary.standby().await;
    let (dark, silent) = (dark().await, Silence::start().await);
    let refused = crate::support::proxy::free_address();
    for (first, what) in
        [(dark.address, "dark"), (silent.address(), "hung"), (local(standby.port), "a standby"), (refused, "not there")]
    {
        let began = Instant::now();
        let running = serve(&[("APP_DATABASE_URL", &url_of(&[first, local(primary.port)]))]).await;
        // A second for each connection that the start makes before the pool knows better.
        assert!(began.elapsed() < Duration::from_secs(30), "{what}: {:?}", began.elapsed());
        assert_eq!(running.server.get("/api/ready").await, 200, "{what}");
        let answers = (0..20).map(|_| running.server.get("/api/ready"));
        assert!(futures_util::future::join_all(answers).await.iter().all(|status| *status == 200), "{what}");
    }
}

#[tokio::test]
async fn several_hosts_without_a_word_on_which_to_take_are_refused() {
    let said =
        crate::support::server::refusal(&[("APP_DATABASE_URL", "postgres://lectern@127.0.0.1:1,127.0.0.1:2/postgres")]).await;
    assert!(said.contains("target_session_attrs=read-write"), "{said}");
}
