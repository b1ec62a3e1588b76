//! The rate control against a source that enforces a limit.

use super::{reader, sample_space};
use egress::vendor::Error;
use support::prelude::*;
use vendor_stand_in::{Options, StandIn};

/// The client does not know the limit. The test runs in real time, because the source's limit does; on a busy
/// machine, one of three attempts has it.
#[tokio::test]
async fn at_six_requests_a_second_at_least_95_of_100_are_used() {
    let mut found = Vec::new();
    while !found.last().is_some_and(Pace::is_good) {
        assert!(found.len() < 3, "{found:?}");
        found.push(pace_of_eleven_seconds().await);
    }
}

#[derive(Debug)]
struct Pace {
    /// Of what the source would have admitted.
    used: f64,
    admitted: u64,
    limited: u64,
    /// What the client takes for the limit.
    rate: f64,
}

impl Pace {
    fn is_good(&self) -> bool {
        self.used >= 0.95 && self.limited <= self.admitted / 4 && (5.0..8.0).contains(&self.rate)
    }
}

async fn pace_of_eleven_seconds() -> Pace {
    let mut options = Options::of([sample_space()]);
    options.rate = Some(6);
    let stand_in = StandIn::start(options).await;
    let vendor = reader(&stand_in);
    let until = Instant::now() + Duration::from_secs(11);
    let worker = || async {
        while Instant::now() < until {
            match vendor.presets().await {
                Ok(_) | Err(Error::Throttled { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    };
    tokio::join!(worker(), worker(), worker(), worker(), worker(), worker(), worker(), worker());
    let counters = stand_in.control.counters();
    Pace { used: stand_in.control.used(), admitted: counters.admitted, limited: counters.limited, rate: vendor.rate().unwrap() }
}
