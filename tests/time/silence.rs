//! Almost all receivers are silent or unreachable; those that answer do not notice.

use support::{
    free_address::FreeAddress,
    prelude::*,
    world::{World, is_full, receivers},
};

/// The longest that a good receiver may wait because of the others. One that waits for a silent one waits for
/// ten seconds.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

#[tokio::test(flavor = "multi_thread")]
async fn a_good_receiver_is_not_held_up_by_ninety_five_per_cent_that_are_not() {
    let mut world = World::new().await;
    let (mut silent, mut closed) = (Vec::new(), Vec::new());
    for number in 0..95 {
        if number % 3 == 0 {
            let nobody = FreeAddress::new();
            world.webhook(&format!("http://{}/", nobody.address)).await;
            closed.push(nobody);
            continue;
        }
        let receiver = Receiver::start().await;
        receiver.will(std::iter::repeat_n(Reaction::Silence, 1000));
        world.webhook(&receiver.url()).await;
        silent.push(receiver);
    }
    let mut good = Vec::new();
    for _ in 0..5 {
        let receiver = Receiver::start().await;
        world.webhook(&receiver.url()).await;
        good.push(receiver);
    }
    let server = world.serve().await;
    let rounds = if is_full() { 60 } else { 6 };
    let mut longest = Duration::ZERO;
    for round in 1..=rounds {
        let began = Instant::now();
        world.happen(1, 1000).await;
        for receiver in &good {
            receiver.got(round).await;
        }
        longest = longest.max(began.elapsed());
    }
    println!("longest wait of a good receiver beside 95 bad ones: {longest:?}");
    assert!(longest < LONGEST_WAIT, "{longest:?}");
    server.kill().await;
}

/// They were healthy, so each may have several attempts under way; then they fall silent all at once, with
/// more to come.
#[tokio::test(flavor = "multi_thread")]
async fn a_good_receiver_is_not_held_up_by_ninety_five_that_were_good_until_now() {
    let mut world = World::new().await;
    let all = receivers(&world, 100).await;
    let (good, silent) = all.split_at(5);
    let server = world.serve().await;
    world.happen(1, 1000).await;
    for receiver in &all {
        receiver.got(1).await;
    }
    for receiver in silent {
        receiver.will(std::iter::repeat_n(Reaction::Silence, 1000));
    }
    let rounds = if is_full() { 30 } else { 8 };
    let mut longest = Duration::ZERO;
    for round in 1..=rounds {
        let began = Instant::now();
        world.happen(1, 1000).await;
        for receiver in good {
            receiver.got(round + 1).await;
        }
        longest = longest.max(began.elapsed());
        // By the clock: rounds are spread over the ten seconds for which a silent receiver holds an attempt.
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    println!("longest wait of a good receiver beside 95 that fell silent: {longest:?}");
    assert!(longest < LONGEST_WAIT, "{longest:?}");
    server.kill().await;
}
