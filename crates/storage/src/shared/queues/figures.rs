//! How much there is in each queue.

use super::{QueueName, StoryPlace};
use crate::{Executor, Result, row};
use jiff::Timestamp;
use std::collections::BTreeMap;
use strum::VariantArray;
use tokio::try_join;

/// What is in a queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueueFigures {
    /// What is to be done, now or at a later time.
    pub waiting: i64,
    /// What a process is doing.
    pub running: i64,
    /// What was given up.
    pub dead: i64,
    /// When the oldest work came that is neither done nor given up; what comes at a time of its own came when
    /// it was due.
    pub oldest_at: Option<Timestamp>,
}

impl QueueFigures {
    /// How old the oldest work is, in seconds; a clock that went back makes nothing younger than new.
    pub fn age_seconds(&self, now: Timestamp) -> Option<i64> {
        self.oldest_at.map(|oldest| now.duration_since(oldest).as_secs().max(0))
    }
}

/// What is in each queue at a time.
pub async fn count_all(executor: &impl Executor, now: Timestamp) -> Result<BTreeMap<QueueName, QueueFigures>> {
    let (jobs, deliveries, mails, schedules) =
        try_join!(count_jobs(executor), count_deliveries(executor), count_mails(executor), count_schedules(executor, now))?;
    let mut all = BTreeMap::new();
    for &queue in QueueName::VARIANTS {
        let figures = match queue.place() {
            StoryPlace::Mails => {
                QueueFigures { dead: mails.dead, oldest_at: mails.oldest_at, ..jobs.get("mail").copied().unwrap_or_default() }
            }
            StoryPlace::Deliveries(kind) => deliveries.get(kind).copied().unwrap_or_default(),
            StoryPlace::Jobs(queues) => {
                queues.iter().filter_map(|queue| jobs.get(*queue)).copied().fold(QueueFigures::default(), sum)
            }
            StoryPlace::Schedules => schedules,
        };
        all.insert(queue, figures);
    }
    Ok(all)
}

fn sum(one: QueueFigures, other: QueueFigures) -> QueueFigures {
    QueueFigures {
        waiting: one.waiting + other.waiting,
        running: one.running + other.running,
        dead: one.dead + other.dead,
        oldest_at: [one.oldest_at, other.oldest_at].into_iter().flatten().min(),
    }
}

/// The jobs of each queue. What repeats for ever is as old as the time at which it was due.
async fn count_jobs(executor: &impl Executor) -> Result<BTreeMap<String, QueueFigures>> {
    let rows = executor
        .rows(
            "select coalesce(open.queue, dead.queue) as queue, coalesce(open.waiting, 0) as waiting, coalesce(open.running, 0) as running,
                    coalesce(dead.dead, 0) as dead, open.oldest_at
             from (
                 select queue, count(*) filter (where coalesce(lease_until <= clock_timestamp(), true)) as waiting,
                        count(*) filter (where lease_until > clock_timestamp()) as running,
                        min(case when queue in ('janitor', 'signing_keys') then due_at else created_at end)
                            filter (where queue not in ('janitor', 'signing_keys') or due_at <= clock_timestamp()) as oldest_at
                 from jobs where finished_at is null and dead_at is null group by queue
             ) open
             full join (select queue, count(*) as dead from jobs where dead_at is not null group by queue) dead on dead.queue = open.queue",
            &[],
        )
        .await?;
    rows.iter().map(|row| Ok((row::get(row, "queue")?, figures(row)?))).collect()
}

/// The mails that are dead, and the oldest one that is not sent. A dead one has no job.
async fn count_mails(executor: &impl Executor) -> Result<QueueFigures> {
    let row = executor
        .row(
            "select (select count(*) from mails where sent_at is null and dead_at is not null) as dead,
                    (select min(created_at) from mails where sent_at is null and dead_at is null) as oldest_at",
            &[],
        )
        .await?;
    Ok(QueueFigures { dead: row::get(&row, "dead")?, oldest_at: row::get(&row, "oldest_at")?, ..QueueFigures::default() })
}

/// The deliveries to each kind of receiver. A delivery that has arrived has no row in the queue. Those of
/// deleted spaces are cancelled, which is no failure.
async fn count_deliveries(executor: &impl Executor) -> Result<BTreeMap<String, QueueFigures>> {
    let rows = executor
        .rows(
            "select kind, waiting, running, dead, (select created_at from deliveries where id = first) as oldest_at
             from (
                 select receiver.kind, sum(line.waiting)::bigint as waiting, sum(line.running)::bigint as running, sum(line.dead)::bigint as dead,
                        min(line.first) as first
                 from (
                     select receiver_id,
                            count(*) filter (where dead_at is null and coalesce(lease_until <= clock_timestamp(), true)) as waiting,
                            count(*) filter (where dead_at is null and lease_until > clock_timestamp()) as running,
                            count(*) filter (where dead_at is not null and not cancelled) as dead,
                            min(delivery_id) filter (where dead_at is null) as first
                     from delivery_queue group by receiver_id
                 ) line join receivers receiver on receiver.id = line.receiver_id
                 where receiver.closed_at is null and not receiver.silenced
                 group by receiver.kind
             ) kinds",
            &[],
        )
        .await?;
    rows.iter().map(|row| Ok((row::get(row, "kind")?, figures(row)?))).collect()
}

/// What is to happen to stories at a time. In spaces that are deleted nothing happens.
async fn count_schedules(executor: &impl Executor, now: Timestamp) -> Result<QueueFigures> {
    let row = executor
        .row(
            "select count(*) as waiting, 0::bigint as running, 0::bigint as dead, min(due.at) filter (where due.at <= $1) as oldest_at
             from (
                 select space_id, publish_at as at from story_schedulings where status = 'scheduled'
                 union all
                 select space_id, publish_at from stories where publish_at is not null and deleted_at is null
                 union all
                 select space_id, expire_at from stories where expire_at is not null and deleted_at is null
             ) due join spaces on spaces.id = due.space_id
             where spaces.deleted_at is null",
            &[/* now */ &now],
        )
        .await?;
    figures(&row)
}

fn figures(row: &tokio_postgres::Row) -> Result<QueueFigures> {
    Ok(row::read!(row => QueueFigures { waiting, running, dead, oldest_at }))
}
