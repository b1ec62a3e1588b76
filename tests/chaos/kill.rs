//! kill -9 again and again over a backlog, with unreachable receivers among the others.

use crate::checker::check;
use support::{
    free_address::FreeAddress,
    prelude::*,
    world::{World, is_full, receivers},
};

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_or_turned_round_when_the_server_is_killed_over_a_backlog() {
    let (good, dead, events, stories, rounds) = if is_full() { (15, 5, 500, 20, 100) } else { (4, 1, 60, 30, 2) };
    let mut world = World::new().await;
    let all = receivers(&world, good).await;
    let closed: Vec<FreeAddress> = (0..dead).map(|_| FreeAddress::new()).collect();
    for nobody in &closed {
        world.webhook(&format!("http://{}/", nobody.address)).await;
    }
    // One of them fails now and then, so that later deliveries of a story wait for it.
    all[0].will((0..events).map(|number| Reaction::Status(if number % 3 == 0 { 500 } else { 200 })));
    let mut kills = 0;
    world.happen(events / 2, stories).await;
    for round in 0..rounds {
        let server = world.serve().await;
        if round == rounds / 2 {
            world.happen(events / 2, stories).await;
        }
        // By the clock and not by what arrives, so that a kill comes at any moment of the work.
        tokio::time::sleep(Duration::from_millis(if is_full() { 3000 } else { 700 })).await;
        server.kill().await;
        kills += 1;
        if world.open().await == 0 && round > rounds / 2 {
            break;
        }
    }
    let server = world.serve().await;
    world.settled(120).await;
    server.stop().await;
    check(&world, &all, kills).await;
}

/// Two processes share a backlog, one of them is killed, another one takes its place.
#[tokio::test(flavor = "multi_thread")]
async fn two_processes_share_a_backlog_and_one_may_die() {
    let mut world = World::new().await;
    let all = receivers(&world, 5).await;
    world.happen(if is_full() { 1000 } else { 100 }, 20).await;
    let (one, other) = tokio::join!(world.serve(), world.serve());
    all[0].got(1).await;
    one.kill().await;
    let third = world.serve().await;
    world.settled(120).await;
    other.stop().await;
    third.stop().await;
    check(&world, &all, 1).await;
}
