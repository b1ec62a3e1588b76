//! A process that crashes with a lease, and one that crashes while it claims.

use super::{LONG, QUEUE, add, claim, ids};
use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};
use storage::{
    connect::{self, DatabaseTarget},
    queue,
};
use support::prelude::*;

/// The variable that tells a second run of this binary the database: that run holds a lease until it is
/// killed.
const HOLDER: &str = "LECTERN_TEST_LEASE_HOLDER";
/// Runs `what_the_holder_does` in another process, and waits until that process has the lease.
fn start_holder(target: &DatabaseTarget) -> Child {
    let this = std::env::current_exe().unwrap();
    let mut holder = Command::new(this)
        .args(["queue::crash::what_the_holder_does", "--exact", "--nocapture"])
        .env(HOLDER, target.url.expose_secret())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(holder.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("holding")), "the holder got no lease");
    holder
}

#[tokio::test]
#[expect(
    clippy::disallowed_methods,
    reason = "the parent names the database in the environment; without it there is nothing to do"
)]
async fn what_the_holder_does() {
    let Ok(url) = std::env::var(HOLDER) else { return };
    let (store, _) = connect::open(&DatabaseTarget::new(url, 1)).await.unwrap();
    let connection = store.connection("test").await.unwrap();
    let leases = queue::claim(&connection, QUEUE, 1, LONG).await.unwrap();
    assert_eq!(leases.len(), 1);
    println!("holding");
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn the_job_of_a_killed_process_comes_back_when_its_lease_has_run_out() {
    let database = support::database().await;
    let id = add(&database, "key").await;
    let mut holder = start_holder(&database.target);
    assert!(claim(&database, 1, LONG).await.is_empty(), "the other process has it");
    holder.kill().unwrap();
    holder.wait().unwrap();

    // The clock of the database decides about leases.
    database.sql("update jobs set lease_until = clock_timestamp()").await;
    let lease = claim(&database, 1, LONG).await.pop().unwrap();
    assert_eq!((lease.job().id, lease.job().attempt), (id, 2));
}

#[tokio::test]
async fn a_claim_that_never_commits_blocks_no_other_and_leaves_nothing() {
    let database = support::database().await;
    let (first, second) = (add(&database, "a").await, add(&database, "b").await);
    let (mut client, driver) = connect::single(&database.target, "").await.unwrap();
    let tx = client.transaction().await.unwrap();
    tx.execute("update jobs set attempt = 1, lease_token = gen_random_uuid(), lease_until = 'infinity' where id = $1", &[&first.0])
        .await
        .unwrap();
    assert_eq!(ids(&claim(&database, 10, LONG).await), [second], "the row being taken is skipped");
    driver.abort();
    let _ = driver.await;
    drop(tx);
    // The server notices the cut connection by itself; the row lock waits for that.
    database.row("select id from jobs where id = $1 for update", &[&first.0]).await;
    let lease = claim(&database, 10, LONG).await.pop().unwrap();
    assert_eq!((lease.job().id, lease.job().attempt), (first, 1));
}
