//! SIGTERM under load, again and again. From the signal on, no delivery is attempted any more.

use crate::checker::check;
use std::sync::atomic::{AtomicBool, Ordering};
use support::{
    free_address::FreeAddress,
    prelude::*,
    world::{World, is_full, receivers},
};

/// How long a stop may take.
const STOPPED: Duration = Duration::from_secs(30);

/// How long one request waits: after the stop another process may have the port.
const ASKED: Duration = Duration::from_secs(10);

/// Sends requests without a pause until it is told to end, or nothing listens any more. Returns the statuses
/// that are not allowed.
async fn ask(address: SocketAddr, path: &'static str, end: Arc<AtomicBool>) -> Vec<u16> {
    let client = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).timeout(ASKED).build().unwrap();
    let mut wrong = Vec::new();
    while !end.load(Ordering::Relaxed) {
        match client.get(format!("http://{address}{path}")).send().await {
            Ok(answer) if answer.status().as_u16() >= 500 && answer.status() != 503 => wrong.push(answer.status().as_u16()),
            Ok(_) => {}
            Err(_) => break,
        }
    }
    wrong
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_under_load_ends_well_and_leaves_nothing_behind() {
    let (rounds, stories): (u32, i64) = if is_full() { (100, 400) } else { (2, 40) };
    let mut world = World::new().await;
    let all = receivers(&world, 5).await;
    let closed = FreeAddress::new();
    world.webhook(&format!("http://{}/", closed.address)).await;
    let mut longest = Duration::ZERO;
    for round in 0..rounds {
        all[0].will((0..20).map(|number| Reaction::Status(if number % 4 == 0 { 500 } else { 200 })));
        let server = world.serve().await;
        let end = Arc::new(AtomicBool::new(false));
        let mut asking = JoinSet::new();
        for path in ["/api/health", "/api/ready", "/api/v2/cdn/stories?token=none", "/api/v1/spaces"] {
            asking.spawn(ask(server.address, path, end.clone()));
        }
        // Some events of each story, so that the line at a dead receiver has an end.
        world.happen(40, stories).await;
        // At another moment of the work each time.
        tokio::time::sleep(Duration::from_millis(u64::from(round * 37 % 300))).await;
        let began = Instant::now();
        server.stop().await;
        longest = longest.max(began.elapsed());
        assert!(began.elapsed() < STOPPED, "{:?}", began.elapsed());
        end.store(true, Ordering::Relaxed);
        let wrong = asking.join_all().await.concat();
        assert!(wrong.is_empty(), "round {round}: {wrong:?}");
        assert_eq!(world.leased().await, 0, "round {round}: a lease was left behind");
    }
    println!("longest of {rounds} stops under load: {longest:?}");
    let server = world.serve().await;
    world.settled(180).await;
    server.stop().await;
    // Nothing was killed, so no delivery came twice unless both attempts were recorded.
    check(&world, &all, 0).await;
}

/// A round of the dispatcher that is about to lease deliveries.
const IS_LEASING: &str = "select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%open as materialized%'";

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_attempted_after_the_signal_while_requests_are_still_taken() {
    let mut world = World::new().await;
    let receiver: Receiver = receivers(&world, 1).await.remove(0);
    let server = world.serve_with(&[("APP_STOP_DELAY", "10")]).await;
    world.happen(1, 1).await;
    receiver.got(1).await;
    world.database.until("select count(*) from delivery_attempts", 1).await;
    // The signal comes while the dispatcher is in a round, and that finds something to send.
    world.database.sql("update sending set paused_at = now()").await;
    world.happen(1, 1).await;
    world.database.until("select count(*) from delivery_queue", 1).await;
    let mut connection = world.database.connection().await;
    let round = connection.begin();
    round.execute("lock table delivery_queue in share mode", &[]).await.unwrap();
    world.database.sql("update sending set paused_at = null").await;
    world.database.until(IS_LEASING, 1).await;
    server.terminate();
    let ready = format!("http://{}/api/ready", server.address);
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    while client.get(&ready).send().await.unwrap().status() != 503 {
        tokio::task::yield_now().await;
    }
    round.commit().await.unwrap();
    world.happen(1, 1).await;
    assert_eq!(client.get(&ready).send().await.unwrap().status(), 503, "it still answers");
    server.ended().await;
    assert_eq!((receiver.so_far().len(), world.leased().await), (1, 0));
    let next = world.serve().await;
    receiver.got(3).await;
    next.stop().await;
}
