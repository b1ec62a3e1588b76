//! Replicas of the database (streaming replication) that reads of the Delivery API may be made on.
//!
//! A replica is behind the primary, by milliseconds or by minutes. So who reads says how far its space must
//! have come (see [`Reader`](super::Reader)), and what is behind that is read on the primary. A replica that
//! is away is left alone, but for one read a second that tries it.

use crate::{
    Error, Result,
    connect::{Connector, Object, Pool, Session, check_session},
};
use futures_util::future::BoxFuture;
use futures_util::future::join_all;
use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{
            AtomicBool, AtomicU64, AtomicUsize,
            Ordering::{AcqRel, Relaxed},
        },
    },
    time::Duration,
};
use tokio::{
    sync::OnceCell,
    time::{Instant, timeout},
};

/// How often a replica that could not be reached is tried, by one read at a time: the others do not wait for
/// it.
const AWAY: Duration = Duration::from_secs(1);
/// How long a read may wait for a connection to a replica.
const CONNECTION: Duration = Duration::from_secs(1);
/// How long the first look at a replica may take.
const FIRST_LOOK: Duration = Duration::from_secs(5);
/// For how long a space is read on the primary after a replica was behind it. A replica that keeps up is
/// there after a few milliseconds.
const BEHIND: Duration = Duration::from_millis(50);
/// How many stripes the spaces share for that.
const STRIPES: usize = 256;

/// The replicas of a database.
pub struct Replicas {
    all: Vec<Arc<Replica>>,
    next: AtomicUsize,
    opened_at: Instant,
    /// For each stripe of spaces, until how many milliseconds after `opened_at` they are read on the primary.
    behind: Vec<AtomicU64>,
    counts: Counts,
}

/// One replica.
pub(super) struct Replica {
    name: String,
    pool: Pool,
    connector: Arc<Connector>,
    /// Set when a connection was found to be one session.
    is_checked: OnceCell<()>,
    /// Whether `tried_next` says when it is tried.
    is_away: AtomicBool,
    tried_next: Mutex<Instant>,
}

#[derive(Default)]
struct Counts {
    replica: AtomicU64,
    behind: AtomicU64,
    away: AtomicU64,
}

/// Where the reads of the Delivery API were made since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadCounts {
    pub replica: u64,
    /// On the primary, because the replica had not come far enough.
    pub behind: u64,
    /// On the primary, because no replica answered, or the one that did failed.
    pub away: u64,
}

impl Replicas {
    pub(crate) fn new(all: impl IntoIterator<Item = (Pool, Arc<Connector>)>) -> Self {
        let replica = |(pool, connector): (Pool, Arc<Connector>)| {
            Arc::new(Replica {
                name: connector.name(),
                pool,
                connector,
                is_checked: OnceCell::new(),
                is_away: AtomicBool::new(false),
                tried_next: Mutex::new(Instant::now()),
            })
        };
        Self {
            all: all.into_iter().map(replica).collect(),
            next: AtomicUsize::default(),
            opened_at: Instant::now(),
            behind: std::iter::repeat_with(AtomicU64::default).take(STRIPES).collect(),
            counts: Counts::default(),
        }
    }

    /// Tries all of them, so that reads know from the beginning which are there.
    pub(crate) async fn reach(&self) {
        let reached = self.all.iter().map(|replica| async {
            if let Err(error) = timeout(FIRST_LOOK, replica.connection()).await.unwrap_or(Err(Error::TimedOut)) {
                replica.leave(&error);
            }
        });
        join_all(reached).await;
    }

    /// A connection to one of the replicas, each in its turn; `None` when the space is to be read on the
    /// primary, or when no replica answers.
    pub(super) async fn get(&self, space: i64) -> Option<(Object, Arc<Replica>)> {
        if self.is_behind(space) {
            self.counts.behind.fetch_add(1, Relaxed);
            return None;
        }
        let first = self.next.fetch_add(1, Relaxed);
        for nth in 0..self.all.len() {
            let Some(replica) = self.all.get(first.wrapping_add(nth) % self.all.len()).filter(|replica| replica.may_be_tried())
            else {
                continue;
            };
            match timeout(CONNECTION, replica.connection()).await.unwrap_or(Err(Error::TimedOut)) {
                Ok(client) => return Some((client, replica.clone())),
                // Also one whose connections are all in use: it has enough to do.
                Err(error) => replica.leave(&error),
            }
        }
        self.counts.away.fetch_add(1, Relaxed);
        None
    }

    /// Counts a read as `behind` because no replica can be trusted with it.
    pub(super) fn pass_over(&self) {
        self.counts.behind.fetch_add(1, Relaxed);
    }

    /// Counts a read that was made on a replica, which is there again if it was away.
    pub(super) fn has_read(&self, replica: &Replica) {
        self.counts.replica.fetch_add(1, Relaxed);
        replica.is_away.store(false, Relaxed);
    }

    /// Takes note of why a read has to be made on the primary.
    pub(super) fn has_failed(&self, replica: &Replica, space: i64, error: &Error) {
        if let Error::Behind = error {
            self.counts.behind.fetch_add(1, Relaxed);
            if let Some(stripe) = self.stripe(space) {
                stripe.fetch_max(self.now().saturating_add(millis(BEHIND)), AcqRel);
            }
            return;
        }
        self.counts.away.fetch_add(1, Relaxed);
        match error {
            Error::Unavailable(_) | Error::TimedOut => replica.leave(error),
            // Such as a statement that replay has cancelled, or a table that is not there yet.
            _ => tracing::info!(replica = replica.name, %error, "a read is made on the primary"),
        }
    }

    pub(super) fn counts(&self) -> ReadCounts {
        let Counts { replica, behind, away } = &self.counts;
        ReadCounts { replica: replica.load(Relaxed), behind: behind.load(Relaxed), away: away.load(Relaxed) }
    }

    pub(super) fn close(&self) {
        for replica in &self.all {
            replica.pool.close();
            replica.connector.close();
        }
    }

    fn is_behind(&self, space: i64) -> bool {
        self.stripe(space).is_some_and(|until| self.now() < until.load(Relaxed))
    }

    fn stripe(&self, space: i64) -> Option<&AtomicU64> {
        self.behind.get(usize::try_from(space.unsigned_abs()).unwrap_or(0) % STRIPES)
    }

    fn now(&self) -> u64 {
        millis(self.opened_at.elapsed())
    }
}

impl Replica {
    pub(super) fn connector(&self) -> &Arc<Connector> {
        &self.connector
    }

    /// A connection, after a look at what is at the other end: before there was one the replica is away, so
    /// that one read at a time takes that look.
    fn connection(&self) -> BoxFuture<'_, Result<Object>> {
        Box::pin(async move {
            self.is_checked.get_or_try_init(|| check_session(&self.connector, Session::ReadOnly)).await?;
            Ok(self.pool.get().await?)
        })
    }

    /// Whether a read may be made here: always, or once in a while when the replica is away.
    fn may_be_tried(&self) -> bool {
        if !self.is_away.load(Relaxed) {
            return true;
        }
        let mut tried_next = self.lock();
        let is_due = Instant::now() >= *tried_next;
        if is_due {
            *tried_next = Instant::now() + AWAY;
        }
        is_due
    }

    /// Is tried again in a while.
    fn leave(&self, error: &Error) {
        *self.lock() = Instant::now() + AWAY;
        if !self.is_away.swap(true, Relaxed) {
            tracing::warn!(replica = self.name, %error, "a replica does not answer; its reads are made on the primary");
        }
    }

    fn lock(&self) -> MutexGuard<'_, Instant> {
        self.tried_next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{AWAY, Replicas};
    use crate::{
        Error,
        connect::{DatabaseTarget, replicas_at},
    };

    fn replicas() -> Replicas {
        let target = DatabaseTarget::new("postgres://127.0.0.1:1,127.0.0.1:2/x", 1);
        replicas_at(&target, "identity").unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_replica_that_is_away_is_tried_by_one_read_at_a_time() {
        let replicas = replicas();
        let replica = &replicas.all[0];
        assert!(replica.may_be_tried() && replica.may_be_tried());
        replica.leave(&Error::TimedOut);
        assert!(!replica.may_be_tried());
        tokio::time::advance(AWAY).await;
        assert!(replica.may_be_tried() && !replica.may_be_tried(), "the first one tries it");
        tokio::time::advance(AWAY).await;
        assert!(replica.may_be_tried());
        replicas.has_read(replica);
        assert!(replica.may_be_tried() && replica.may_be_tried(), "it is there again");
        assert_eq!(replicas.counts().replica, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_space_that_a_replica_was_behind_of_is_read_on_the_primary_for_a_moment() {
        let replicas = replicas();
        replicas.has_failed(&replicas.all[0], 7, &Error::Behind);
        assert!(replicas.is_behind(7) && !replicas.is_behind(8));
        assert!(replicas.all[0].may_be_tried(), "other spaces are read there");
        tokio::time::advance(super::BEHIND).await;
        assert!(!replicas.is_behind(7));
        assert_eq!(replicas.counts().behind, 1);
    }
}
