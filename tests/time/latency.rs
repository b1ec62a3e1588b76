//! The time from the commit of an event to its first attempt, on an idle server.

use support::{
    prelude::*,
    world::{World, is_full, receivers},
};

#[tokio::test(flavor = "multi_thread")]
async fn an_event_is_on_its_way_at_once_when_nothing_else_is_to_be_done() {
    let mut world = World::new().await;
    let receiver = receivers(&world, 1).await.remove(0);
    let server = world.serve().await;
    world.happen(1, 1000).await;
    receiver.got(1).await;
    let rounds = if is_full() { 500 } else { 50 };
    let plain = plain_request(&Receiver::start().await).await;
    let mut took = Vec::new();
    for round in 0..rounds {
        let began = Instant::now();
        world.happen(1, 1000).await;
        receiver.got(round + 2).await;
        took.push(began.elapsed());
    }
    took.sort();
    let (median, late) = (took[took.len() / 2], took[took.len() * 99 / 100]);
    println!("event to first attempt: p50 {median:?}, p99 {late:?}; a request without an event {plain:?}");
    // Without the notification an event would wait for the next poll, which comes after seconds.
    assert!(median < Duration::from_millis(50) + 20 * plain, "p50 {median:?}, a request without an event {plain:?}");
    assert!(!is_full() || late < Duration::from_millis(100), "p99 {late:?}");
    server.stop().await;
}

/// What the machine needs for a connection to the receiver and a request: the median of some.
async fn plain_request(receiver: &Receiver) -> Duration {
    let client = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().unwrap();
    let mut took = Vec::new();
    for _ in 0..20 {
        let began = Instant::now();
        client.get(receiver.url()).send().await.unwrap();
        took.push(began.elapsed());
    }
    took.sort();
    took[took.len() / 2]
}
