//! What goes on by itself when another host becomes the primary, and what is told apart from that.

use super::{LISTENERS, NEW_TIMELINE, Site, serve, settled, space, url_of};
use storage::{
    connect::{self, DatabaseTarget},
    listen::Listener,
};
use support::{postgres_server::PostgresServer, prelude::*};
use tokio::{
    io,
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};

async fn publish(space: &OwnedSpace, slug: &str) {
    assert_eq!(settled(async || space.publish(slug).await).await.status, 201);
}

/// Asks until the answer has a value somewhere.
async fn until(ask: impl AsyncFn() -> Response, pointer: &str, value: Value) {
    let is = async || settled(&ask).await.body.pointer(pointer) == Some(&value);
    timeout(PATIENCE, async { while !is().await {} }).await.unwrap_or_else(|_| panic!("{pointer} is not {value}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_promotion_queues_go_on_and_no_process_shows_what_is_old() {
    let primary = PostgresServer::start().await;
    let standby = primary.standby().await;
    primary.wait_for_standby().await;
    let receiver = Receiver::start().await;
    let (url, target) = (url_of(&[primary.address, standby.address]), receiver.address.to_string());
    let variables = [("APP_DATABASE_URL", url.as_str()), ("APP_ALLOWED_PRIVATE_TARGETS", &target)];
    let (one, other) = (serve(&variables).await, serve(&variables).await);
    let site = Site::new(&one.server.person("ann@example.org").await).await;
    let space = &site.space;
    let webhook = json!({ "name": "w", "url": receiver.url(), "events": ["story.published"], "secret": "a secret of the tests" });
    let webhook = space.post("/webhooks", webhook).await.body["webhook"]["id"].take();
    let planned = json!({ "story": { "name": "Planned", "slug": "planned", "content": { "component": "page" } } });
    let planned = space.post("/stories", planned).await.body["story"]["id"].take();
    let soon: Timestamp = primary.value("select to_json(now() + interval '8 s') #>> '{}'").await.parse().unwrap();
    let scheduling = json!({ "story_scheduling": { "story_id": planned, "publish_at": soon.to_string() } });
    space.post("/story_schedulings", scheduling).await.expect(201);
    // The primary is lost while this is being delivered, and before its outcome can be written.
    let gate = Arc::new(Semaphore::new(0));
    receiver.will([Reaction::Gate(gate.clone(), 200)]);
    publish(space, "delivered-meanwhile").await;
    receiver.got(1).await;
    primary.crash();
    standby.promote().await;
    gate.add_permits(1);

    // Its lease runs out, and it is sent again.
    let deliveries = format!("/webhooks/{webhook}/deliveries?status=delivered");
    until(async || space.managed(&deliveries).await, "/deliveries/1/status", json!("delivered")).await;
    until(async || space.get(&space.read("planned")).await, "/story/name", json!("Planned")).await;
    standby.until(LISTENERS, "2").await;
    let elsewhere = site.at(&other.server);
    for site in [&site, &elsewhere] {
        site.rounds(0..20).await;
    }
    // Each process hears what the other one writes, by a notification.
    for (writes, reads, name) in [(&site, &elsewhere, "by one"), (&elsewhere, &site, "by the other")] {
        writes.rename(name).await;
        until(async || reads.space.get(&reads.space.read("fresh")).await, "/story/name", json!(name)).await;
    }
}

/// The new primary waits for a standby that there is not: nothing can be written, but everything can be read,
/// and the process hears what happens.
#[tokio::test(flavor = "multi_thread")]
async fn a_primary_that_waits_for_a_standby_is_listened_to() {
    let primary = PostgresServer::start().await;
    let standby = primary.standby().await;
    let running = serve(&[("APP_DATABASE_URL", &url_of(&[primary.address, standby.address]))]).await;
    let space = space(&running).await;
    publish(&space, "fresh").await;
    primary.wait_for_replay(&standby).await;
    standby.run(&["alter system set synchronous_standby_names = '*'", "select pg_reload_conf()"]).await;
    primary.crash();
    standby.promote().await;
    standby.until(NEW_TIMELINE, "1").await;
    standby.until(LISTENERS, "1").await;
    assert_eq!(read(&space, "").await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_that_is_locked_is_read_until_another_one_can_be_written() {
    let primary = PostgresServer::start().await;
    let standby = primary.standby().await;
    let running = serve(&[("APP_DATABASE_URL", &url_of(&[primary.address, standby.address]))]).await;
    let space = space(&running).await;
    publish(&space, "fresh").await;
    primary.wait_for_replay(&standby).await;
    primary.lock().await;
    for number in 0..10 {
        space.publish(&format!("refused-{number}")).await.expect(503);
        assert_eq!(read(&space, &number.to_string()).await, 200);
    }
    standby.promote().await;
    let connected = "select count(*) from pg_stat_activity where application_name like 'lectern%' and state is not null";
    primary.until(connected, "0").await;
    publish(&space, "goes-on").await;
}

/// There are no requests.
#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_only_listens_notices_that_a_locked_primary_has_a_successor() {
    let primary = PostgresServer::start().await;
    let target = DatabaseTarget::new(url_of(&[primary.address]), 1);
    connect::open(&target).await.unwrap();
    let standby = primary.standby().await;
    let target = DatabaseTarget::new(url_of(&[primary.address, standby.address]), 1);
    let (store, _) = connect::open(&target).await.unwrap();
    // With several hosts each statement has half a second, which a busy machine may need more than once.
    let listening = async {
        loop {
            if let Ok(listener) = Listener::connect(&store, &["nothing"]).await {
                break listener;
            }
        }
    };
    let mut listener = timeout(PATIENCE, listening).await.expect("it listens");
    primary.wait_for_replay(&standby).await;
    primary.lock().await;
    standby.promote().await;
    let moving = async {
        while listener.ping().await.is_ok() {}
        while Listener::connect(&store, &["nothing"]).await.is_err() {}
    };
    timeout(PATIENCE, moving).await.expect("it moves");
    standby.until(NEW_TIMELINE, "1").await;
}

/// The status of a read that no memory has.
async fn read(space: &OwnedSpace, what: &str) -> u16 {
    let list = format!("/api/v2/cdn/stories?token={}&starts_with=fresh&filter_query[field][not_in]={what}", space.public);
    settled(async || space.get(&list).await).await.status
}

/// The address of a server that answers nothing on some of its connections, by their numbers, until they are
/// given up.
async fn slow_at(silent: &'static [usize], server: SocketAddr) -> (SocketAddr, JoinSet<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let mut accepting = JoinSet::new();
    accepting.spawn(async move {
        let mut connections = JoinSet::new();
        for number in 0.. {
            let (mut near, _) = listener.accept().await.unwrap();
            connections.spawn(async move {
                if silent.contains(&number) {
                    drop(io::copy(&mut near, &mut io::sink()).await);
                } else {
                    let mut far = TcpStream::connect(server).await.unwrap();
                    drop(io::copy_bidirectional(&mut near, &mut far).await);
                }
            });
        }
    });
    (address, accepting)
}

/// A primary that takes more than the second after which the next host is asked, as on a machine that does
/// other things as well: the next one is a standby, so the primary is asked once more.
#[tokio::test(flavor = "multi_thread")]
async fn a_start_waits_for_a_primary_that_is_only_slow() {
    let primary = PostgresServer::start().await;
    let standby = primary.standby().await;
    // A start begins with two connections side by side, and goes on with one that migrates.
    let (slow, _accepting) = slow_at(&[0, 1, 5, 7], primary.address).await;
    let target = DatabaseTarget::new(url_of(&[slow, standby.address]), 3);
    let (store, applied) = connect::open(&target).await.unwrap();
    assert!(applied > 0);
    let starting = store.starting();
    let _first = store.connection("test").await.expect("the start is not over");
    drop(starting);
    let refused = store.connection("test").await.err().expect("a server that runs asks the next host").to_string();
    assert!(refused.contains("did not answer in time") && refused.contains("standby"), "{refused}");
}
