//! Random histories of a queue, compared step by step with a small model.

use super::{AT_ONCE, LONG, OVER, QUEUE, job, noon};
use domain::shared::JobId;
use storage::queue::{self, JobOutcome, Lease, NewJob};
use support::prelude::*;

const KEYS: [&str; 3] = ["a", "b", "c"];
const STEPS: usize = 250;

/// The expected state of a job.
#[derive(Default)]
struct Expected {
    key: &'static str,
    attempt: i32,
    /// The attempt that holds the lease, and whether the lease has run out.
    leased: Option<(i32, bool)>,
    closed: bool,
    dead: bool,
}

#[derive(Default)]
struct Model {
    jobs: BTreeMap<JobId, Expected>,
}

impl Model {
    /// The oldest open job of each key, unless a job of the key is leased.
    fn claimable(&self) -> Vec<JobId> {
        let mut found = Vec::new();
        for key in KEYS {
            let mut line = self.jobs.iter().filter(|(_, job)| job.key == key && !job.closed);
            let is_out = line.clone().any(|(_, line)| matches!(line.leased, Some((_, false))));
            found.extend(line.next().filter(|_| !is_out).map(|(id, _)| *id));
        }
        found.sort();
        found
    }

    /// Changes the job if the lease still holds.
    fn write(&mut self, lease: &Lease<Value>, change: impl FnOnce(&mut Expected)) -> JobOutcome {
        let Some(expected) = self.jobs.get_mut(&lease.job().id) else { return JobOutcome::Lost };
        if expected.leased.is_none_or(|(attempt, _)| attempt != lease.job().attempt) {
            return JobOutcome::Lost;
        }
        change(expected);
        JobOutcome::Written
    }
}

fn close(expected: &mut Expected) {
    expected.leased = None;
    expected.closed = true;
}

async fn history(seed: u64) {
    println!("seed {seed}");
    let database = support::database().await;
    // All jobs are due at the same time, so that the order is that of their numbers.
    support::clock().drives(&database);
    let mut connection = database.connection().await;
    let random = support::entropy(seed);
    let roll = |below: usize| {
        let mut byte = [0];
        random.fill(&mut byte);
        usize::from(byte[0]) % below
    };
    let mut model = Model::default();
    let mut held: Vec<Lease<Value>> = Vec::new();
    for step in 0..STEPS {
        match roll(8) {
            0..=2 => {
                let key = KEYS[roll(3)];
                let tx = connection.begin();
                let id = queue::add(&tx, &NewJob { ..job(key) }).await.unwrap();
                tx.commit().await.unwrap();
                model.jobs.insert(id, Expected { key, ..Expected::default() });
            }
            3 | 4 => {
                let (limit, over) = (roll(3) + 1, roll(3) == 0);
                let lease_for = if over { OVER } else { LONG };
                let claimed = queue::claim(&connection, QUEUE, i64::try_from(limit).unwrap(), lease_for).await.unwrap();
                let expected: Vec<JobId> = model.claimable().into_iter().take(limit).collect();
                assert_eq!(super::ids(&claimed), expected, "step {step}");
                for lease in claimed {
                    let it = model.jobs.get_mut(&lease.job().id).unwrap();
                    it.attempt += 1;
                    it.leased = Some((it.attempt, over));
                    assert_eq!(lease.job().attempt, it.attempt, "step {step}");
                    held.push(lease);
                }
            }
            5 | 6 if !held.is_empty() => {
                let lease = held.swap_remove(roll(held.len()));
                let (expected, outcome) = match roll(4) {
                    0 => (model.write(&lease, close), lease.finish(&connection, noon()).await),
                    1 => (model.write(&lease, |model| model.leased = None), lease.reschedule(&connection, AT_ONCE, None).await),
                    2 => {
                        let mark_dead = |value: &mut Expected| {
                            close(value);
                            value.dead = true;
                        };
                        (model.write(&lease, mark_dead), lease.mark_dead(&connection, noon(), "model").await)
                    }
                    _ => {
                        let expected =
                            model.write(&lease, |model| model.leased = model.leased.map(|(attempt, _)| (attempt, false)));
                        let outcome = lease.extend(&connection, LONG).await;
                        held.push(lease);
                        (expected, outcome)
                    }
                };
                assert_eq!(outcome.unwrap(), expected, "step {step}");
            }
            7 => {
                let Some(id) = model.jobs.iter().find(|(_, job)| job.dead).map(|(id, _)| *id) else { continue };
                let tx = connection.begin();
                let redriven = queue::redrive(&tx, id).await.unwrap().unwrap();
                tx.commit().await.unwrap();
                let key = model.jobs.remove(&id).unwrap().key;
                model.jobs.insert(redriven, Expected { key, ..Expected::default() });
            }
            _ => {}
        }
    }
}

#[tokio::test]
async fn random_histories_follow_the_model() {
    for seed in 1..=4 {
        history(seed).await;
    }
}
