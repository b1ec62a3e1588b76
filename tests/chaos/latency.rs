//! The time from the commit of an event to its first attempt, on an idle server.

use crate::{
    is_full,
    world::{World, receivers},
};
use std::time::{Duration, Instant};

#[tokio::test(flavor = "multi_thread")]
async fn an_event_is_on_its_way_at_once_when_nothing_else_is_to_be_done() {
    let mut world = World::new().await;
    let receiver = receivers(&world, 1).await.remove(0);
    let server = world.serve().await;
    world.happen(1, 1000).await;
    receiver.got(1).await;
    let rounds = if is_full() { 500 } else { 50 };
    let mut took = Vec::new();
    for round in 0..rounds {
        let began = Instant::now();
        world.happen(1, 1000).await;
        receiver.got(round + 2).await;
        took.push(began.elapsed());
    }
    took.sort();
    let (median, late) = (took[took.len() / 2], took[took.len() * 99 / 100]);
    println!("event to first attempt: p50 {median:?}, p99 {late:?}");
    // While the machine does other things as well, only the order of magnitude can be measured, and not of the latest.
    let is_quick = if is_full() { late < Duration::from_millis(100) } else { median < Duration::from_secs(1) };
    assert!(is_quick, "p50 {median:?}, p99 {late:?}");
    server.stop().await;
}
