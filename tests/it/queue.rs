//! The lease queue, on a real database.

mod crash;
mod model;
mod order;

use domain::shared::JobId;
use storage::{
    listen::Listener,
    queue::{self, Bound, JobOutcome, Lease, NewJob, Queue},
};
use support::prelude::*;

const QUEUE: Queue<Value> = Queue::new("test");
const AT_ONCE: Duration = Duration::ZERO;
/// A lease that has run out as soon as it is claimed.
const OVER: Duration = Duration::ZERO;
const LONG: Duration = Duration::from_mins(10);

fn noon() -> Timestamp {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

fn job(key: &str) -> NewJob<Value> {
    NewJob { queue: QUEUE, key: key.to_owned(), payload: json!({ "for": key }), at: noon() }
}

async fn add(database: &Database, key: &str) -> JobId {
    let mut connection = database.connection().await;
    let tx = connection.begin();
    let id = queue::add(&tx, &job(key)).await.unwrap();
    tx.commit().await.unwrap();
    id
}

async fn claim(database: &Database, limit: i64, lease_for: Duration) -> Vec<Lease<Value>> {
    let connection = database.connection().await;
    queue::claim(&connection, QUEUE, limit, lease_for).await.unwrap()
}

fn ids(leases: &[Lease<Value>]) -> Vec<JobId> {
    leases.iter().map(|lease| lease.job().id).collect()
}

#[tokio::test]
async fn a_bound_holds_for_all_processes_that_claim_at_the_same_time() {
    let database = support::database().await;
    for number in 0..40 {
        add(&database, &format!("key {number}")).await;
    }
    let bound = Bound { queues: &[QUEUE], most: 4, limit: 3 };
    let claimer = || async {
        let mut connection = database.connection().await;
        queue::claim_within(&mut connection, (QUEUE, None), &bound, LONG).await.unwrap()
    };
    let mut leases: Vec<Lease<Value>> = join_all((0..8).map(|_| claimer())).await.into_iter().flatten().collect();
    assert_eq!(leases.len(), 4);
    let connection = database.connection().await;
    assert_eq!(leases.pop().unwrap().finish(&connection, noon()).await.unwrap(), JobOutcome::Written);
    drop(connection);
    assert_eq!(join_all((0..8).map(|_| claimer())).await.iter().map(Vec::len).sum::<usize>(), 1);
}

#[tokio::test]
async fn a_released_job_was_not_attempted() {
    let database = support::database().await;
    add(&database, "a").await;
    for _ in 0..3 {
        let lease = claim(&database, 1, LONG).await.pop().unwrap();
        assert_eq!(lease.job().attempt, 1);
        let connection = database.connection().await;
        assert_eq!(lease.release(&connection).await.unwrap(), JobOutcome::Written);
    }
}

#[tokio::test]
async fn claims_at_the_same_time_never_get_the_same_job() {
    let database = support::database().await;
    let mut added = BTreeSet::new();
    for number in 0..120 {
        added.insert(add(&database, &format!("key {number}")).await);
    }
    let claimer = || async {
        let mut mine = Vec::new();
        loop {
            let leases = claim(&database, 7, LONG).await;
            if leases.is_empty() {
                return mine;
            }
            mine.extend(ids(&leases));
        }
    };
    let all = join_all((0..6).map(|_| claimer())).await.concat();
    assert_eq!(all.len(), 120, "none twice");
    assert_eq!(all.into_iter().collect::<BTreeSet<_>>(), added, "and none forgotten");
}

#[tokio::test]
async fn the_first_holder_of_a_lease_that_ran_out_can_write_nothing() {
    let database = support::database().await;
    add(&database, "key").await;
    let connection = database.connection().await;
    let rows = || connection.row("select jobs::text as row from jobs", &[]);
    for attempt in 0..3 {
        let first = claim(&database, 1, OVER).await.pop().unwrap();
        let second = claim(&database, 1, LONG).await.pop().unwrap();
        assert_eq!((first.job().attempt, second.job().attempt), (2 * attempt + 1, 2 * attempt + 2), "both attempts count");
        let before: String = rows().await.unwrap().get("row");
        assert_eq!(first.extend(&connection, LONG).await.unwrap(), JobOutcome::Lost);
        let outcome = match attempt {
            0 => first.finish(&connection, noon()).await,
            1 => first.reschedule(&connection, AT_ONCE, Some("late")).await,
            _ => first.mark_dead(&connection, noon(), "late").await,
        };
        assert_eq!(outcome.unwrap(), JobOutcome::Lost);
        assert_eq!(rows().await.unwrap().get::<_, String>("row"), before, "nothing was written");
        assert_eq!(second.reschedule(&connection, AT_ONCE, None).await.unwrap(), JobOutcome::Written);
    }
}

#[tokio::test]
async fn a_lease_that_ran_out_unnoticed_can_still_finish() {
    let database = support::database().await;
    add(&database, "key").await;
    let connection = database.connection().await;
    let lease = claim(&database, 1, OVER).await.pop().unwrap();
    assert_eq!(lease.finish(&connection, noon()).await.unwrap(), JobOutcome::Written);
    assert!(claim(&database, 1, LONG).await.is_empty());
}

#[tokio::test]
async fn an_extended_lease_holds() {
    let database = support::database().await;
    add(&database, "key").await;
    let connection = database.connection().await;
    let lease = claim(&database, 1, OVER).await.pop().unwrap();
    assert_eq!(lease.extend(&connection, LONG).await.unwrap(), JobOutcome::Written);
    assert!(claim(&database, 1, LONG).await.is_empty());
}

#[tokio::test]
async fn a_job_is_claimed_when_it_is_due_and_not_before() {
    let (database, clock) = (support::database().await, support::clock());
    clock.drives(&database);
    add(&database, "key").await;
    let connection = database.connection().await;
    let lease = claim(&database, 1, LONG).await.pop().unwrap();
    assert_eq!(lease.job().payload, Some(json!({ "for": "key" })));
    let wait = Duration::from_secs(30);
    assert_eq!(lease.reschedule(&connection, wait, Some("refused")).await.unwrap(), JobOutcome::Written);
    clock.advance(SignedDuration::from_micros(29_999_999));
    assert!(queue::claim(&connection, QUEUE, 1, LONG).await.unwrap().is_empty());
    clock.advance(SignedDuration::from_micros(1));
    assert!(queue::claim(&connection, Queue::<Value>::new("other"), 1, LONG).await.unwrap().is_empty());
    let again = queue::claim(&connection, QUEUE, 1, LONG).await.unwrap().pop().unwrap();
    assert_eq!(again.job().attempt, 2);
}

/// The clock of the database was a day ahead, and goes back: what was written meanwhile is due a day ahead,
/// and leased for a day.
#[tokio::test]
async fn after_the_clock_went_back_no_job_waits_longer_than_its_queue_puts_jobs_off() {
    let (database, clock) = (support::database().await, support::clock());
    clock.drives(&database);
    let (day, wait) = (SignedDuration::from_hours(24), Duration::from_mins(30));
    let connection = database.connection().await;
    clock.advance(day);
    for key in ["put off", "new", "leased"] {
        add(&database, key).await;
    }
    for lease in claim(&database, 10, LONG).await {
        match lease.job().key.as_str() {
            "put off" => assert_eq!(lease.reschedule(&connection, wait, None).await.unwrap(), JobOutcome::Written),
            "new" => assert_eq!(lease.release(&connection).await.unwrap(), JobOutcome::Written),
            _ => drop(lease),
        }
    }
    connection.execute("update jobs set lease_until = lease_until + interval '24 hours' where key = 'leased'", &[]).await.unwrap();
    clock.advance(-day);
    assert!(claim(&database, 10, LONG).await.is_empty());
    assert_eq!(queue::draw_back(&connection, QUEUE, wait).await.unwrap(), 3);
    let keys: Vec<String> = claim(&database, 10, LONG).await.iter().map(|lease| lease.job().key.clone()).collect();
    assert_eq!(keys, ["put off", "new"]);
    let held = "select lease_until <= clock_timestamp() + interval '10 minutes' as short from jobs where key = 'leased'";
    assert!(connection.row(held, &[]).await.unwrap().get::<_, bool>("short"));
    // What waits as long as the queue puts jobs off is left alone, and so is a lease.
    assert_eq!(queue::draw_back(&connection, QUEUE, wait).await.unwrap(), 0);
}

#[tokio::test]
async fn a_dead_job_is_never_claimed_and_a_redriven_one_starts_anew() {
    let database = support::database().await;
    let id = add(&database, "key").await;
    let mut connection = database.connection().await;
    let lease = claim(&database, 1, LONG).await.pop().unwrap();
    assert_eq!(lease.mark_dead(&connection, noon(), "gone").await.unwrap(), JobOutcome::Written);
    assert!(claim(&database, 1, LONG).await.is_empty());

    let tx = connection.begin();
    let redriven = queue::redrive(&tx, id).await.unwrap().unwrap();
    assert_eq!(queue::redrive(&tx, id).await.unwrap(), None, "once");
    tx.commit().await.unwrap();
    let lease = claim(&database, 1, LONG).await.pop().unwrap();
    assert_eq!((lease.job().id, lease.job().attempt), (redriven, 1));
}

#[tokio::test]
async fn a_job_and_its_announcement_appear_with_the_commit_or_not_at_all() {
    let database = support::database().await;
    let mut listener = Listener::connect(&database.store, &[queue::CHANNEL]).await.unwrap();
    let mut connection = database.connection().await;
    let tx = connection.begin();
    queue::add(&tx, &job("rolled back")).await.unwrap();
    drop(tx);
    let tx = connection.begin();
    queue::add(&tx, &NewJob { queue: Queue::new("kept"), ..job("kept") }).await.unwrap();
    assert!(claim(&database, 1, LONG).await.is_empty());
    tx.commit().await.unwrap();
    assert_eq!(listener.next().await.unwrap().payload, "kept", "the first notification is about the job that exists");
}

#[tokio::test]
async fn adding_once_at_the_same_time_adds_one() {
    let database = support::database().await;
    let add_once = || async {
        let mut connection = database.connection().await;
        let tx = connection.begin();
        let added = queue::add_once(&tx, Queue::new("sweeps"), &["sweep", "other sweep"], noon()).await.unwrap();
        tx.commit().await.unwrap();
        added
    };
    let added: u64 = join_all((0..6).map(|_| add_once())).await.iter().sum();
    assert_eq!(added, 2, "one of each");
}

#[tokio::test]
async fn only_jobs_finished_before_the_time_are_removed() {
    let database = support::database().await;
    let connection = database.connection().await;
    for key in ["old", "new", "dead", "open"] {
        add(&database, key).await;
    }
    for lease in claim(&database, 10, LONG).await {
        let outcome = match lease.job().key.as_str() {
            "old" => lease.finish(&connection, noon()).await,
            "new" => lease.finish(&connection, noon() + Duration::from_secs(1)).await,
            "dead" => lease.mark_dead(&connection, noon(), "gone").await,
            _ => lease.reschedule(&connection, AT_ONCE, None).await,
        };
        assert_eq!(outcome.unwrap(), JobOutcome::Written);
    }
    assert_eq!(queue::remove_finished(&connection, noon(), 10).await.unwrap(), 1);
    let left = connection.rows("select key from jobs order by key", &[]).await.unwrap();
    assert_eq!(left.iter().map(|l| l.get::<_, String>("key")).collect::<Vec<_>>(), ["dead", "new", "open"]);
}
