//! Jobs of a key run one after the other.

use super::{LONG, OVER, add, claim, ids, noon};
use storage::queue::{self, JobOutcome};
use support::{NEVER_IDLE, prelude::*};

#[tokio::test]
async fn of_a_key_only_the_oldest_unfinished_job_can_be_claimed() {
    let database = support::database().await;
    let (a1, a2, b1) = (add(&database, "a").await, add(&database, "a").await, add(&database, "b").await);
    let connection = database.connection().await;
    let mut leases = claim(&database, 10, LONG).await;
    assert_eq!(ids(&leases), [a1, b1]);
    assert!(claim(&database, 10, LONG).await.is_empty());
    assert_eq!(leases.remove(0).finish(&connection, noon()).await.unwrap(), JobOutcome::Written);
    assert_eq!(ids(&claim(&database, 10, LONG).await), [a2]);
}

#[tokio::test]
async fn a_job_that_waits_for_its_next_attempt_holds_up_its_key_and_a_dead_one_does_not() {
    let (database, clock) = (support::database().await, support::clock());
    clock.drives(&database);
    let (first, second) = (add(&database, "a").await, add(&database, "a").await);
    let connection = database.connection().await;
    let lease = claim(&database, 10, LONG).await.pop().unwrap();
    let wait = Duration::from_mins(1);
    assert_eq!(lease.reschedule(&connection, wait, Some("refused")).await.unwrap(), JobOutcome::Written);
    assert!(claim(&database, 10, LONG).await.is_empty(), "the second waits for the first");
    clock.advance(wait.try_into().unwrap());
    let lease = queue::claim(&connection, super::QUEUE, 10, LONG).await.unwrap().pop().unwrap();
    assert_eq!(lease.job().id, first);
    assert_eq!(lease.mark_dead(&connection, noon(), "gone").await.unwrap(), JobOutcome::Written);
    assert_eq!(ids(&claim(&database, 10, LONG).await), [second]);
}

#[tokio::test]
async fn a_lease_that_ran_out_does_not_let_the_next_job_pass() {
    let database = support::database().await;
    let first = add(&database, "a").await;
    add(&database, "a").await;
    assert_eq!(ids(&claim(&database, 10, OVER).await), [first]);
    assert_eq!(ids(&claim(&database, 10, LONG).await), [first]);
}

#[tokio::test]
async fn a_redriven_job_goes_behind_the_others_of_its_key() {
    let database = support::database().await;
    let (first, second) = (add(&database, "a").await, add(&database, "a").await);
    let mut connection = database.connection().await;
    let lease = claim(&database, 10, LONG).await.pop().unwrap();
    assert_eq!(lease.mark_dead(&connection, noon(), "gone").await.unwrap(), JobOutcome::Written);
    let lease = claim(&database, 10, LONG).await.pop().unwrap();
    assert_eq!(lease.job().id, second);

    let tx = connection.begin();
    let redriven = queue::redrive(&tx, first).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    assert!(claim(&database, 10, LONG).await.is_empty(), "one of a key at a time");
    assert_eq!(lease.finish(&connection, noon()).await.unwrap(), JobOutcome::Written);
    assert_eq!(ids(&claim(&database, 10, LONG).await), [redriven]);
}

#[tokio::test]
async fn a_job_that_appears_late_in_front_of_a_running_one_waits_for_it() {
    let database = support::database().await;
    let mut slow = database.connection().await;
    let tx = slow.begin();
    tx.execute(NEVER_IDLE, &[]).await.unwrap();
    let first = queue::add(&tx, &super::job("a")).await.unwrap();
    let second = add(&database, "a").await;
    let running = claim(&database, 10, LONG).await.pop().unwrap();
    assert_eq!(running.job().id, second);
    tx.commit().await.unwrap();
    assert!(claim(&database, 10, LONG).await.is_empty(), "one of a key at a time");
    let connection = database.connection().await;
    assert_eq!(running.finish(&connection, noon()).await.unwrap(), JobOutcome::Written);
    assert_eq!(ids(&claim(&database, 10, LONG).await), [first]);
}
