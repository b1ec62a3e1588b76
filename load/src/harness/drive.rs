//! The run of users through a ramp and a steady phase.
//!
//! In the ramp, users of a closed loop join one after the other, and the rate of an open loop grows from
//! nothing to its value. Turns that began before the end of the steady phase are finished, and counted in it.

use super::{
    probe::Probe,
    progress::Progress,
    recorder::{Recorder, Sample},
    result::count,
    user::{Group, Pace, TimedClient, User},
};
use crate::client::Target;
use anyhow::Result;
use std::{
    future::Future,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{
    task::JoinSet,
    time::{Instant, Interval, MissedTickBehavior, interval_at, sleep, sleep_until},
};

/// The pause of a user whose request got no answer.
const AFTER_FAILURE: Duration = Duration::from_millis(10);

/// Phases, and their bounds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Phases {
    /// The name and the length of the ramp; none when it is zero.
    pub(crate) ramp: (&'static str, Duration),
    /// The name and the length of the phase that is measured.
    pub(crate) steady: (&'static str, Duration),
    /// The largest number of turns of all users together.
    pub(crate) turns: u64,
}

/// What the phases go through: who records, who is asked, who is shown.
pub(crate) struct Stage {
    pub(crate) target: Target,
    pub(crate) recorder: Arc<Recorder>,
    pub(crate) probe: Probe,
    pub(crate) progress: Progress,
    /// The operation that whole turns are recorded as, instead of their requests.
    pub(crate) turns: Option<&'static str>,
}

impl Stage {
    /// A stage that shows nothing.
    pub(crate) fn unseen(target: Target) -> Self {
        let probe = Probe::new(target.clone(), None);
        Self { target, recorder: Arc::new(Recorder::new()), probe, progress: Progress::new(true), turns: None }
    }

    /// Waits for something, and records the seconds meanwhile.
    pub(crate) async fn recording<T>(&mut self, waiting: impl Future<Output = T>) -> T {
        let mut second = seconds(Instant::now());
        let mut waiting = pin!(waiting);
        loop {
            tokio::select! {
                found = &mut waiting => return found,
                _ = second.tick() => {
                    self.recorder.close_second(self.probe.sample().await);
                }
            }
        }
    }
}

/// Ticks at the end of each second.
fn seconds(began: Instant) -> Interval {
    let mut second = interval_at(began + Duration::from_secs(1), Duration::from_secs(1));
    second.set_missed_tick_behavior(MissedTickBehavior::Delay);
    second
}

/// The clock of the users.
struct Schedule {
    began: Instant,
    until: Instant,
    turns_left: AtomicU64,
}

impl Schedule {
    fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    /// Takes one of the turns that are left.
    fn take_turn(&self) -> bool {
        let is_left = |left: u64| left.checked_sub(1);
        self.turns_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_left).is_ok()
    }
}

/// The intended times of a group's turns.
struct Arrivals {
    per_second: f64,
    ramp: f64,
    next: AtomicU64,
    begun: AtomicU64,
}

impl Arrivals {
    /// When the turn with this number is due, after the beginning. In the ramp the rate grows evenly, so that
    /// the number of turns grows with the square of the time.
    fn due(&self, number: u64) -> Duration {
        let (number, in_ramp) = (count(number), self.per_second * self.ramp / 2.0);
        let seconds = if number < in_ramp {
            (2.0 * number * self.ramp / self.per_second).sqrt()
        } else {
            self.ramp + (number - in_ramp) / self.per_second
        };
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }

    /// How many are due before this time.
    fn due_before(&self, end: Duration) -> u64 {
        // The times grow with the number: the first one that is not before the end is found by halving.
        let (mut low, mut high) = (0, 1 << 40);
        while low < high {
            let middle = u64::midpoint(low, high);
            if self.due(middle) < end { low = middle + 1 } else { high = middle }
        }
        low
    }
}

/// Sends the load of these groups. Returns how many turns of open loops were due and never began, because all
/// users were busy.
pub(crate) async fn drive(stage: &mut Stage, groups: Vec<Group>, phases: &Phases) -> Result<u64> {
    let (ramp, steady) = (phases.ramp.1, phases.steady.1);
    // Before the users begin, so that no answer is counted in the phase before.
    stage.recorder.enter(if ramp.is_zero() { phases.steady.0 } else { phases.ramp.0 });
    stage.progress.begin(phases.steady.0, ramp + steady);
    let began = Instant::now();
    let schedule = Arc::new(Schedule { began, until: began + ramp + steady, turns_left: AtomicU64::new(phases.turns) });
    let mut users = JoinSet::new();
    let mut open_loops = Vec::new();
    for group in groups {
        let size = u32::try_from(group.users.len())?.max(1);
        let arrivals = match group.pace {
            Pace::Closed(_) => None,
            Pace::Open(per_second) => {
                let arrivals = Arrivals { per_second, ramp: ramp.as_secs_f64(), next: AtomicU64::new(0), begun: AtomicU64::new(0) };
                Some(Arc::new(arrivals))
            }
        };
        open_loops.extend(arrivals.clone());
        for (number, user) in (0..).zip(group.users) {
            let client = TimedClient::new(stage.target.clone(), stage.recorder.clone(), stage.turns);
            let schedule = schedule.clone();
            match (group.pace, arrivals.clone()) {
                (Pace::Closed(pause), _) => users.spawn(closed_loop(schedule, ramp * number / size, pause, user, client)),
                (_, Some(arrivals)) => users.spawn(open_loop(schedule, arrivals, user, client)),
                (Pace::Open(_), None) => continue,
            };
        }
    }
    let mut in_ramp = !ramp.is_zero();
    let mut second = seconds(began);
    loop {
        tokio::select! {
            biased;
            () = sleep_until(began + ramp), if in_ramp => {
                in_ramp = false;
                stage.recorder.enter(phases.steady.0);
                second.reset();
            }
            ended = users.join_next() => match ended {
                Some(ended) => ended??,
                None => break,
            },
            _ = second.tick() => {
                // A server that is slow to tell must not make the ramp longer.
                let sample = tokio::select! {
                    sample = stage.probe.sample() => sample,
                    () = sleep_until(began + ramp), if in_ramp => Sample::default(),
                };
                if let Some(point) = stage.recorder.close_second(sample) {
                    stage.progress.show(began.elapsed(), &point);
                }
            }
        }
    }
    stage.recorder.close_second(stage.probe.sample().await);
    let was_bounded = schedule.turns_left.load(Ordering::Relaxed) == 0;
    let unsent =
        |arrivals: &Arc<Arrivals>| arrivals.due_before(ramp + steady).saturating_sub(arrivals.begun.load(Ordering::Relaxed));
    Ok(if was_bounded { 0 } else { open_loops.iter().map(unsent).sum() })
}

async fn closed_loop(
    schedule: Arc<Schedule>,
    join_after: Duration,
    pause: Duration,
    mut user: Box<dyn User>,
    mut client: TimedClient,
) -> Result<()> {
    sleep_until(schedule.began + join_after).await;
    while !schedule.is_over() && schedule.take_turn() {
        client.take(&mut *user).await?;
        let pause = if client.is_cut_off() { pause.max(AFTER_FAILURE) } else { pause };
        if !pause.is_zero() {
            sleep_until((Instant::now() + pause).min(schedule.until)).await;
        }
    }
    Ok(())
}

async fn open_loop(
    schedule: Arc<Schedule>,
    arrivals: Arc<Arrivals>,
    mut user: Box<dyn User>,
    mut client: TimedClient,
) -> Result<()> {
    loop {
        let due = schedule.began + arrivals.due(arrivals.next.fetch_add(1, Ordering::Relaxed));
        if due >= schedule.until {
            return Ok(());
        }
        // A user that is late does not wait: its latency counts from the intended time.
        let is_late = Instant::now() > due;
        sleep_until(due).await;
        if (is_late && schedule.is_over()) || !schedule.take_turn() {
            return Ok(());
        }
        arrivals.begun.fetch_add(1, Ordering::Relaxed);
        client.intend(due);
        client.take(&mut *user).await?;
        if client.is_cut_off() {
            sleep(AFTER_FAILURE).await;
        }
    }
}

#[cfg(test)]
mod tests;
