//! kill -9 while the circuit of a receiver is open, and while a probe is under way.

use crate::checker::check;
use support::{TestClock, prelude::*, world::World};

/// The clock of the database goes on, and the dispatchers look at it.
async fn later(world: &World, clock: &TestClock, seconds: i64) {
    clock.advance(SignedDuration::from_secs(seconds));
    world.database.sql("select pg_notify('lectern_jobs', 'deliveries')").await;
}

/// Waits until the circuit of the only receiver is in a state, after this number of failed probes.
async fn circuit(world: &World, state: &str, failed_probes: usize) {
    world.database.until("select circuit || ' ' || failed_probes from receivers", format!("{state} {failed_probes}")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_circuit_outlives_its_process_and_so_does_what_waits_for_it() {
    let (mut world, receiver, clock) = (World::new().await, Receiver::start().await, support::clock());
    clock.drives(&world.database);
    world.webhook(&receiver.url()).await;
    receiver.answers(Reaction::Status(500));
    world.happen(40, 20).await;
    let first = world.serve().await;
    circuit(&world, "open", 0).await;
    assert_eq!(receiver.so_far().len(), 10);
    first.kill().await;

    // The next process waits for the probe as the first one would have.
    let second = world.serve().await;
    later(&world, &clock, 20).await;
    later(&world, &clock, 20).await;
    circuit(&world, "open", 1).await;
    assert_eq!(receiver.so_far().len(), 11);
    receiver.will([Reaction::Silence]);
    later(&world, &clock, 70).await;
    circuit(&world, "probing", 1).await;
    receiver.got(12).await;
    second.kill().await;

    // A probe without an outcome is no failed one. The leases of what was under way end with the time of the
    // probe.
    receiver.answers(Reaction::Status(200));
    let expired = "update delivery_queue set lease_until = clock_timestamp() where lease_token is not null";
    world.database.sql(expired).await;
    let third = world.serve().await;
    later(&world, &clock, 25).await;
    circuit(&world, "closed", 0).await;
    // Those that failed are due after their waits.
    later(&world, &clock, 3_600).await;
    world.settled(60).await;
    third.stop().await;
    check(&world, &[receiver], 2).await;
}
