//! The mails that are under way in this process, from the claim to the row of the outcome. It outlives the
//! actor: a worker that ends while the actor is being restarted leaves its report here, and the next actor
//! goes on where the last one was.
//!
//! ```text
//! Sending --worker ends--> Reported --actor decides--> Decided --row is written--> gone
//! ```

use crate::runtime::WakeSender;
use egress::mail::{Failure, MailConnection};
use futures_util::future::{AbortHandle, AbortRegistration};
use services::identity::mail_outcome::MailOutcome;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use storage::{identity::mails::Mail, queue::Fence};
use tokio::{sync::Notify, time::Instant};

/// A claimed mail.
pub(super) struct Claimed {
    pub(super) fence: Fence,
    /// How often it was tried, with this attempt.
    pub(super) attempts: u32,
    pub(super) mail: Mail,
}

/// How sending a mail ended.
pub(super) enum Sent {
    /// The server has accepted it.
    Accepted,
    /// It has not, or it is not known whether it has.
    Failed(Failure),
    /// The mail cannot be opened.
    Unreadable,
    /// Its worker was told to end.
    Stopped,
    /// Its worker panicked.
    Panicked,
}

/// What a worker reports.
pub(super) struct Report {
    pub(super) sent: Sent,
    /// The connection, if another mail can be sent over it.
    pub(super) connection: Option<Box<dyn MailConnection>>,
    /// Whether the worker has opened one.
    pub(super) has_connected: bool,
}

enum Stage {
    Sending { since: Instant, abort: AbortHandle },
    Reported(Report),
    Decided(Arc<MailOutcome>),
}

struct Entry {
    claimed: Arc<Claimed>,
    extended_at: Instant,
    stage: Stage,
}

/// By the number of the attempt in this process.
#[derive(Default)]
struct Entries {
    next: u64,
    all: BTreeMap<u64, Entry>,
}

/// See the module.
pub(super) struct InFlight {
    entries: Mutex<Entries>,
    actor: WakeSender,
    reported: Notify,
}

impl InFlight {
    /// Nothing yet. Reports wake the actor.
    pub(super) fn new(actor: WakeSender) -> Self {
        Self { entries: Mutex::default(), actor, reported: Notify::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn insert(&self, claimed: Arc<Claimed>, stage: Stage) -> u64 {
        let mut entries = self.lock();
        let number = entries.next;
        entries.next += 1;
        entries.all.insert(number, Entry { claimed, extended_at: Instant::now(), stage });
        number
    }

    /// A worker takes a mail: where it leaves its report, and what ends it.
    pub(super) fn start(self: &Arc<Self>, claimed: Arc<Claimed>) -> (Reporter, AbortRegistration) {
        let (abort, registration) = AbortHandle::new_pair();
        let number = self.insert(claimed, Stage::Sending { since: Instant::now(), abort });
        let report = Report { sent: Sent::Panicked, connection: None, has_connected: false };
        (Reporter { in_flight: Arc::clone(self), number, report: Some(report) }, registration)
    }

    /// A mail that is not sent at all.
    pub(super) fn decide(&self, claimed: Claimed, outcome: MailOutcome) {
        self.insert(Arc::new(claimed), Stage::Decided(Arc::new(outcome)));
    }

    /// Has each report decided. The connections are taken out of them. A report stays should `decide` panic,
    /// and the next actor decides it.
    pub(super) fn decide_reported(&self, mut decide: impl FnMut(&Claimed, &mut Report) -> MailOutcome) {
        for entry in self.lock().all.values_mut() {
            if let Stage::Reported(report) = &mut entry.stage {
                let outcome = decide(&entry.claimed, report);
                entry.stage = Stage::Decided(Arc::new(outcome));
            }
        }
    }

    /// What is to be written, in the order of the claims.
    pub(super) fn decided(&self) -> Vec<(u64, Arc<Claimed>, Arc<MailOutcome>)> {
        let entries = self.lock();
        let decided = entries.all.iter().filter_map(|(number, entry)| match &entry.stage {
            Stage::Decided(outcome) => Some((*number, Arc::clone(&entry.claimed), Arc::clone(outcome))),
            _ => None,
        });
        decided.collect()
    }

    /// The row is written, or belongs to another process.
    pub(super) fn remove(&self, number: u64) {
        self.lock().all.remove(&number);
    }

    /// The leases that were not extended for this long.
    pub(super) fn leases_older_than(&self, age: Duration) -> Vec<(u64, Fence)> {
        let entries = self.lock();
        let old = entries.all.iter().filter(|(_, entry)| entry.extended_at.elapsed() >= age);
        old.map(|(number, entry)| (*number, entry.claimed.fence)).collect()
    }

    /// A lease was extended.
    pub(super) fn extended(&self, number: u64) {
        if let Some(entry) = self.lock().all.get_mut(&number) {
            entry.extended_at = Instant::now();
        }
    }

    /// A lease has passed to another process: the worker ends, and its report is of no interest.
    pub(super) fn abandon(&self, number: u64) {
        if let Some(Entry { stage: Stage::Sending { abort, .. }, .. }) = self.lock().all.remove(&number) {
            abort.abort();
        }
    }

    /// Ends all workers. Each one still reports.
    pub(super) fn stop_all(&self) {
        for entry in self.lock().all.values() {
            if let Stage::Sending { abort, .. } = &entry.stage {
                abort.abort();
            }
        }
    }

    /// How many mails are under way.
    pub(super) fn len(&self) -> usize {
        self.lock().all.len()
    }

    /// For how long each worker has been sending.
    pub(super) fn sending(&self) -> Vec<Duration> {
        let entries = self.lock();
        let since = entries.all.values().filter_map(|entry| match entry.stage {
            Stage::Sending { since, .. } => Some(since.elapsed()),
            _ => None,
        });
        since.collect()
    }

    /// Resolves at the next report.
    pub(super) async fn reported(&self) {
        self.reported.notified().await;
    }
}

/// Leaves the report of a worker, whatever happens to it.
pub(super) struct Reporter {
    in_flight: Arc<InFlight>,
    number: u64,
    report: Option<Report>,
}

impl Reporter {
    pub(super) fn report(mut self, report: Report) {
        self.report = Some(report);
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        let Some(report) = self.report.take() else { return };
        if let Some(entry) = self.in_flight.lock().all.get_mut(&self.number) {
            entry.stage = Stage::Reported(report);
        }
        self.in_flight.reported.notify_one();
        self.in_flight.actor.wake();
    }
}
