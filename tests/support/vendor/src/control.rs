//! The controls of the stand-in besides the API: rate limit, faults, counters.

use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, MutexGuard},
    time::Instant,
};
use tokio::sync::watch;

/// A fault that is injected into some requests.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Fault {
    /// Matches requests whose path and query contain this text.
    pub path: String,
    /// Applies to every n-th matching request.
    #[serde(default = "one")]
    pub each: u64,
    /// How often it applies; `None` for no limit.
    #[serde(default)]
    pub times: Option<u64>,
    pub what: What,
    /// How many requests have matched.
    #[serde(skip)]
    seen: u64,
}

fn one() -> u64 {
    1
}

/// The effect of a fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum What {
    /// A status instead of the response.
    Status {
        code: u16,
        /// The header `Retry-After`.
        #[serde(default)]
        retry_after: Option<u64>,
    },
    /// Half of the body with a matching length.
    CutJson,
    /// Half of the body, then the connection is closed.
    Cut,
    /// Half of the body, then the connection is reset.
    Reset,
    /// The response after a delay.
    Slow {
        millis: u64,
    },
    /// No response, with the connection open.
    Silence,
    /// The response as soon as the faults are replaced.
    Held,
    /// A wrong `Total`.
    Total {
        by: i64,
    },
    /// No `Total` header.
    NoTotal,
    /// The items of a list in a different order each time.
    Shuffle,
    /// A body of this size.
    Body {
        bytes: usize,
    },
    /// A body that is made while it is sent: its beginning, a piece that is repeated, and its end.
    Pieces {
        head: String,
        piece: String,
        /// How often it is repeated.
        times: u64,
        tail: String,
    },
    /// A page of invented records, other ones on each request.
    Made {
        /// The name of the list.
        name: String,
        /// A record; each `#` in it is replaced by its number.
        record: String,
        /// How many records a page has.
        count: u64,
        /// The header `Total`; each `#` in it is replaced by the number of records so far and of one more
        /// page.
        total: Option<String>,
    },
    /// A header beside those of the response, or instead of one.
    Header {
        name: String,
        value: String,
    },
    Type {
        value: String,
    },
    Redirect {
        location: String,
    },
}

impl Fault {
    /// A fault of every request whose path and query contain a text.
    pub fn of(path: &str, what: What) -> Self {
        Self { path: path.to_owned(), each: 1, times: None, what, seen: 0 }
    }

    /// Limits it to every n-th matching request.
    #[must_use]
    pub fn each(mut self, each: u64) -> Self {
        self.each = each;
        self
    }

    /// Limits how often it applies.
    #[must_use]
    pub fn times(mut self, times: u64) -> Self {
        self.times = Some(times);
        self
    }
}

/// Counters since the start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Requests within the rate limit, including those with faults.
    pub admitted: u64,
    /// Requests over the rate limit.
    pub limited: u64,
    /// Requests with a fault.
    pub faulted: u64,
    pub open: u64,
    /// The maximum number of concurrent requests.
    pub most_open: u64,
    /// Requests of the management API within the limit, by second since the start.
    pub seconds: BTreeMap<u64, u64>,
    /// Requests by path without the query; those of single stories and assets by the path of their list.
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
    replaced: watch::Sender<()>,
}

impl Control {
    pub(crate) fn new(rate: Option<u32>) -> Self {
        Self {
            began: Instant::now(),
            state: Mutex::new(State { rate, ..State::default() }),
            faulted: watch::Sender::new(0),
            replaced: watch::Sender::new(()),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Sets the number of requests per second and token; `None` for no limit.
    pub fn set_rate(&self, rate: Option<u32>) {
        self.state().rate = rate;
    }

    /// Sets whether a 429 has `Retry-After`; Storyblok's has none.
    pub fn set_retry_after(&self, seconds: Option<u64>) {
        self.state().retry_after = seconds;
    }

    /// Adds a fault. The first matching fault applies to a request.
    pub fn fault(&self, fault: Fault) {
        self.state().faults.push(fault);
    }

    /// Replaces the faults.
    pub fn set_faults(&self, faults: Vec<Fault>) {
        self.state().faults = faults;
        self.replaced.send_replace(());
    }

    /// Waits until the faults are replaced.
    pub(crate) fn replaced(&self) -> impl Future<Output = ()> + use<> {
        let mut replaced = self.replaced.subscribe();
        async move {
            // Fails only when the stand-in ends.
            let _ = replaced.changed().await;
        }
    }

    /// The counters.
    pub fn counters(&self) -> Counters {
        self.state().counters.clone()
    }

    /// Waits until this many requests had a fault.
    pub async fn faulted(&self, requests: u64) {
        // Fails only without a sender, which `self` holds.
        let _ = self.faulted.subscribe().wait_for(|s| *s >= requests).await;
    }

    /// The used share of the rate limit, from the second after the first request to the one before the last;
    /// 1 is all of it.
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

    /// Admits a request, or returns the `Retry-After` of the 429, if it has one.
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

    /// The fault of a request, and how many requests it has matched.
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

/// The path of the list that contains a resource.
fn list_of(path: &str) -> String {
    match path.rsplit_once('/') {
        Some((list, id)) if id.starts_with(|c: char| c.is_ascii_digit()) => format!("{list}/"),
        _ => path.to_owned(),
    }
}
