//! A database that moves to another host: nothing acknowledged is lost, and nothing but 503 is answered
//! meanwhile.

use super::{local, refused, serve, settled, space, url_of};
use std::{
    pin::pin,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use support::{
    free_address::FreeAddress,
    network::Network,
    postgres_server::{PostgresServer, value_at},
    prelude::*,
    silence::Silence,
};
use tokio::{net::TcpStream, sync::watch};

/// Clients that write at the same time.
pub(super) const WRITERS: usize = 8;
/// An address that no connection comes about with and that does not refuse one either, as if all packets were
/// lost: the queue of its listener is full.
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

/// A story whose write was acknowledged.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Acknowledged {
    slug: String,
    pub(super) at: Instant,
}

/// Clients that write stories, and read lists, until they are told to end. Each answer has to be a success,
/// or 503 with a time after which to try again.
pub(super) struct Writing {
    end: Arc<AtomicBool>,
    acknowledged: Arc<watch::Sender<Vec<Acknowledged>>>,
    writers: JoinSet<()>,
}

impl Writing {
    pub(super) fn start(space: Arc<OwnedSpace>) -> Self {
        let mut writing = Self { end: Arc::default(), acknowledged: Arc::default(), writers: JoinSet::new() };
        for writer in 0..WRITERS {
            writing.writers.spawn(write(space.clone(), writer, writing.end.clone(), writing.acknowledged.clone()));
        }
        writing
    }

    /// How many writes were acknowledged.
    pub(super) fn count(&self) -> usize {
        self.acknowledged.borrow().len()
    }

    /// Waits until so many were.
    pub(super) async fn until(&self, count: usize) {
        let mut seen = self.acknowledged.subscribe();
        let reached = timeout(Duration::from_mins(2), seen.wait_for(|stories| stories.len() >= count)).await.is_ok();
        assert!(reached, "{} of {count}", self.count());
    }

    /// Ends them. Returns what was acknowledged.
    pub(super) async fn end(mut self) -> Vec<Acknowledged> {
        self.end.store(true, Relaxed);
        while let Some(ended) = self.writers.join_next().await {
            ended.unwrap();
        }
        self.acknowledged.borrow().clone()
    }
}

async fn write(space: Arc<OwnedSpace>, writer: usize, end: Arc<AtomicBool>, acknowledged: Arc<watch::Sender<Vec<Acknowledged>>>) {
    let mut next = 0;
    while !end.load(Relaxed) {
        let slug = format!("story-{writer}-{next}");
        next += 1;
        let answer = space.publish(&slug).await;
        match answer.status {
            201 => acknowledged.send_modify(|stories| stories.push(Acknowledged { slug, at: Instant::now() })),
            _ => expect_unavailable(&answer),
        }
        // Another one each time, so that no memory has it.
        let list = format!("/api/v2/cdn/stories?token={}&per_page=1&filter_query[field][in]={next}", space.public);
        for answer in [space.get(&list).await, space.managed("/stories?per_page=1").await] {
            if answer.status != 200 {
                expect_unavailable(&answer);
            }
        }
    }
}

fn expect_unavailable(answer: &Response) {
    assert!(answer.status == 503 && answer.headers.contains_key("retry-after"), "{answer:?}");
}

/// Which of the acknowledged stories a database does not have. Its audit log has to be without a gap in any
/// case.
pub(super) async fn lost(database: SocketAddr, mut acknowledged: Vec<Acknowledged>) -> Vec<Acknowledged> {
    let url = format!("postgres://lectern@{database}/postgres");
    let kept = value_at(&url, "select string_agg(slug, ' ') from stories").await;
    let kept: HashSet<&str> = kept.split(' ').collect();
    acknowledged.retain(|story| !kept.contains(story.slug.as_str()));
    let gaps = "select count(*) from (select seq - lag(seq) over (partition by space_id order by seq) as step from audit_log) as entry where step <> 1";
    assert_eq!(value_at(&url, gaps).await, "0", "the audit log has no gap");
    acknowledged
}

/// How the primary is lost.
#[derive(Debug, Clone, Copy)]
pub(super) enum Loss {
    Crash,
    /// Its processes stand still: connections stay open and are silent.
    Hang,
    /// Its packets are lost from one moment to the next.
    Dark,
}

/// One primary with a synchronous standby is lost under load, and after some time the standby promoted.
/// Returns how long it took from then to the first acknowledged write. The server has these variables as
/// well.
pub(super) async fn fail_over(loss: Loss, after: Duration, variables: &[(&str, &str)]) -> Duration {
    let network = matches!(loss, Loss::Dark).then(Network::new);
    let primary = match &network {
        Some(network) => PostgresServer::start_in(network).await,
        None => PostgresServer::start().await,
    };
    let standby = primary.standby().await;
    primary.wait_for_standby().await;
    let url = url_of(&[primary.address, standby.address]);
    let running = serve(&[&[("APP_DATABASE_URL", url.as_str())], variables].concat()).await;
    let writing = Writing::start(Arc::new(space(&running).await));
    writing.until(200).await;

    match loss {
        Loss::Crash => primary.crash(),
        Loss::Hang => primary.signal_all(Signal::SIGSTOP),
        Loss::Dark => network.iter().for_each(Network::go_dark),
    }
    let before = writing.count();
    // This is how long a cluster manager takes to be sure.
    tokio::time::sleep(after).await;
    standby.promote().await;
    let promoted = Instant::now();
    // Those that were under way may have been acknowledged by the old one.
    writing.until(before + WRITERS + 1).await;
    let took = promoted.elapsed();
    writing.until(before + 200).await;
    assert_eq!(lost(standby.address, writing.end().await).await, [], "acknowledged and lost");
    assert_eq!(running.server.get("/api/ready").await, 200);
    // So that it ends.
    primary.crash();
    took
}

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_that_crashes_under_load_loses_nothing_and_its_standby_goes_on() {
    let took = fail_over(Loss::Crash, Duration::ZERO, &[]).await;
    assert!(took < PATIENCE, "{took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_that_hangs_under_load_is_left_for_its_standby() {
    let took = fail_over(Loss::Hang, Duration::ZERO, &[]).await;
    assert!(took < PATIENCE, "{took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_host_that_is_dark_or_hangs_or_is_a_standby_does_not_keep_a_server_from_starting() {
    let primary = PostgresServer::start().await;
    let standby = primary.standby().await;
    let (dark, silent) = (dark().await, Silence::start().await);
    let refused = FreeAddress::new();
    for (first, what) in
        [(dark.address, "dark"), (silent.address(), "hung"), (standby.address, "a standby"), (refused.address, "not there")]
    {
        let began = Instant::now();
        let running = serve(&[("APP_DATABASE_URL", &url_of(&[first, primary.address]))]).await;
        // A second for each connection that the start makes before the pool knows better.
        assert!(began.elapsed() < PATIENCE, "{what}: {:?}", began.elapsed());
        // The question is given up after a second, which is little for twenty at once on a busy machine.
        let all = async || join_all((0..20).map(|_| running.server.get("/api/ready"))).await;
        let ready = async { while all().await.iter().any(|status| *status != 200) {} };
        timeout(PATIENCE, ready).await.unwrap_or_else(|_| panic!("not ready: {what}"));
    }
}

#[tokio::test]
async fn several_hosts_without_a_word_on_which_to_take_are_refused() {
    let said = refused(&[("APP_DATABASE_URL", "postgres://lectern@127.0.0.1:1,127.0.0.1:2/postgres")]).await;
    assert!(said.contains("target_session_attrs=read-write"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_url_that_leads_to_the_wrong_kind_of_host_stops_the_start() {
    let primary = PostgresServer::start().await;
    let standby = primary.standby().await;
    let said = refused(&[("APP_DATABASE_URL", &standby.url())]).await;
    assert!(said.contains("APP_DATABASE_URL") && said.contains("it is a standby"), "{said}");
    let read_write = format!("{}?target_session_attrs=read-write", standby.url());
    let said = refused(&[("APP_DATABASE_URL", &primary.url()), ("APP_DATABASE_READ_URL", &read_write)]).await;
    assert!(said.contains("APP_DATABASE_READ_URL") && said.contains("leaves out all replicas"), "{said}");
}

/// A list is ended after two seconds: as too much for the space when the database is there, and otherwise as
/// unavailable. The server is not ready a second before that.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_falls_silent_is_not_taken_for_a_query_that_takes_too_long() {
    let primary = PostgresServer::start().await;
    let running = serve(&[("APP_DATABASE_URL", &primary.url())]).await;
    let space = space(&running).await;
    space.publish("fresh").await.expect(201);
    let list =
        async |number| space.get(&format!("/api/v2/cdn/stories?token={}&filter_query[field][not_in]={number}", space.public)).await;
    assert_eq!(list(1).await.status, 200);
    primary.signal_all(Signal::SIGSTOP);
    let mut given_up = pin!(list(2));
    tokio::select! {
        biased;
        status = running.server.get("/api/ready") => assert_eq!(status, 503),
        _ = &mut given_up => panic!("the list was given up before the server was not ready"),
    }
    expect_unavailable(&given_up.await);
    primary.signal_all(Signal::SIGCONT);
    assert_eq!(settled(|| list(2)).await.status, 200);
}
