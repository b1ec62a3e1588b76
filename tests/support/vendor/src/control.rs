//! What can be asked of the stand-in beside the API: limits, faults, counters.

use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, MutexGuard},
    time::Instant,
};
use tokio::sync::watch;

/// A fault: what happens to some requests.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Fault {
    /// It happens to requests whose path and query hold this.
    pub path: String,
    /// It happens to each so-manieth of these.
    #[serde(default = "one")]
    pub each: u64,
    /// It happens so many times; none: for ever.
    #[serde(default)]
    pub times: Option<u64>,
    /// What happens.
    pub what: What,
    /// How many requests it was looked up for.
    #[serde(skip)]
    seen: u64,
}

fn one() -> u64 {
    1
}

/// What can happen to a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum What {
    /// A status instead of the answer.
    Status {
        /// Which.
        code: u16,
        /// The header `Retry-After`.
        #[serde(default)]
        retry_after: Option<u64>,
    },
    /// Half of the body as if it were all.
    CutJson,
    /// Half of the body, and then the connection is closed.
    Cut,
    /// Half of the body, and then the connection is reset.
    Reset,
    /// The answer after so many milliseconds.
    Slow {
        /// How many.
        millis: u64,
    },
    /// No answer, with the connection open.
    Silence,
    /// A `Total` that is wrong by so many.
    Total {
        /// How many.
        by: i64,
    },
    /// No `Total`.
    NoTotal,
    /// The items of a list in another order, and another one each time.
    Shuffle,
    /// A body of so many bytes.
    Body {
        /// How many.
        bytes: usize,
    },
    /// Another content type.
    Type {
        /// Which.
        value: String,
    },
    /// A redirect.
    Redirect {
        /// Where to.
        location: String,
    },
}

impl Fault {
    /// It happens to every request whose path and query hold a text, for ever.
    pub fn of(path: &str, what: What) -> Self {
        Self { path: path.to_owned(), each: 1, times: None, what, seen: 0 }
    }

    /// It happens to each so-manieth request.
    #[must_use]
    pub fn each(mut self, each: u64) -> Self {
        self.each = each;
        self
    }

    /// It happens so many times.
    #[must_use]
    pub fn times(mut self, times: u64) -> Self {
        self.times = Some(times);
        self
    }
}

/// What was counted since the start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Requests that the limit let pass, those with faults too.
    pub admitted: u64,
    /// Requests over the limit.
    pub limited: u64,
    /// Requests that a fault happened to.
    pub faulted: u64,
    /// Requests that are being answered.
    pub open: u64,
    /// The most of these at one time.
    pub most_open: u64,
    /// Requests of the management API that the limit let pass, by the second since the start.
    pub seconds: BTreeMap<u64, u64>,
    /// Requests by path, without the query; of stories and assets by the list that they are in.
    pub paths: BTreeMap<String, u64>,
}

#[derive(Default)]
struct State {
    rate: Option<u32>,
    retry_after: Option<u64>,
    faults: Vec<Fault>,
    counters: Counters,
    windows: HashMap<String, (u64, u32)>,
}

/// The controls of a stand-in.
pub struct Control {
    began: Instant,
    state: Mutex<State>,
    faulted: watch::Sender<u64>,
}

impl Control {
    pub(crate) fn new(rate: Option<u32>) -> Self {
        Self { began: Instant::now(), state: Mutex::new(State { rate, ..State::default() }), faulted: watch::Sender::new(0) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// From now on each token may make so many requests a second; none: as many as it likes.
    pub fn set_rate(&self, rate: Option<u32>) {
        self.state().rate = rate;
    }

    /// From now on a refusal by the limit says `Retry-After`, or does not, as the hosted service.
    pub fn set_retry_after(&self, seconds: Option<u64>) {
        self.state().retry_after = seconds;
    }

    /// Adds a fault. The first that holds for a request happens to it.
    pub fn fault(&self, fault: Fault) {
        self.state().faults.push(fault);
    }

    /// Takes other faults.
    pub fn set_faults(&self, faults: Vec<Fault>) {
        self.state().faults = faults;
    }

    /// What was counted.
    pub fn counters(&self) -> Counters {
        self.state().counters.clone()
    }

    /// Waits until faults have happened to so many requests.
    pub async fn faulted(&self, requests: u64) {
        // It ends only with the sender, which is here.
        let _ = self.faulted.subscribe().wait_for(|s| *s >= requests).await;
    }

    /// How much of what the limit allows was used, from the second after the first request to the one before the last: 1 is all.
    pub fn used(&self) -> f64 {
        let state = self.state();
        let seconds = &state.counters.seconds;
        let (Some((first, _)), Some((last, _))) = (seconds.first_key_value(), seconds.last_key_value()) else { return 0.0 };
        let used: u64 = seconds.range(first + 1..*last).map(|(_, count)| count).sum();
        let allowed = u64::from(state.rate.unwrap_or(0)) * (last - first).saturating_sub(1);
        #[expect(clippy::cast_precision_loss, reason = "some thousands")]
        let part = used as f64 / allowed as f64;
        part
    }

    /// Counts a request in; whether its token may make it, and otherwise how long it is to wait if that is said.
    pub(crate) fn admit(&self, token: &str, path: &str, is_management: bool) -> Result<(), Option<u64>> {
        let second = self.began.elapsed().as_secs();
        let mut state = self.state();
        let (rate, retry_after) = (state.rate, state.retry_after);
        let window = state.windows.entry(token.to_owned()).or_default();
        if window.0 != second {
            *window = (second, 0);
        }
        if rate.is_some_and(|rate| window.1 >= rate) {
            state.counters.limited += 1;
            return Err(retry_after);
        }
        window.1 += 1;
        state.counters.admitted += 1;
        if is_management {
            *state.counters.seconds.entry(second).or_default() += 1;
        }
        *state.counters.paths.entry(list_of(path)).or_default() += 1;
        Ok(())
    }

    /// The fault that happens to a request, and how many requests it has seen.
    pub(crate) fn fault_of(&self, uri: &str) -> Option<(What, u64)> {
        let mut state = self.state();
        let fault = state.faults.iter_mut().filter(|fault| uri.contains(&fault.path) && fault.times != Some(0)).find_map(|fault| {
            fault.seen += 1;
            if !fault.seen.is_multiple_of(fault.each.max(1)) {
                return None;
            }
            fault.times = fault.times.map(|time| time - 1);
            Some((fault.what.clone(), fault.seen))
        });
        state.counters.faulted += u64::from(fault.is_some());
        self.faulted.send_replace(state.counters.faulted);
        fault
    }

    pub(crate) fn opened(&self) {
        let mut state = self.state();
        state.counters.open += 1;
        state.counters.most_open = state.counters.most_open.max(state.counters.open);
    }

    pub(crate) fn closed(&self) {
        self.state().counters.open -= 1;
    }
}

/// The path of the list that something is in.
fn list_of(path: &str) -> String {
    match path.rsplit_once('/') {
        Some((list, id)) if id.starts_with(|c: char| c.is_ascii_digit()) => format!("{list}/"),
        _ => path.to_owned(),
    }
}
