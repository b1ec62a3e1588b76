//! The rate control against a source that enforces a limit.

use super::{reader, sample_space};
use egress::vendor::Error;
use std::time::{Duration, Instant};
use vendor_stand_in::{Options, StandIn};

/// The client does not know the limit. The test runs in real time, because the source's limit does; on a busy machine, one of three attempts has it.
#[tokio::test]
async fn at_six_requests_a_second_at_least_95_of_100_are_used() {
    let mut used = Vec::new();
    while used.last().is_none_or(|part| *part < 0.95) {
        assert!(used.len() < 3, "{used:?}");
        used.push(used_in_eleven_seconds().await);
    }
}

async fn used_in_eleven_seconds() -> f64 {
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
    assert!(counters.limited <= counters.admitted / 4, "few are refused: {counters:?}");
    let rate = vendor.rate().unwrap();
    assert!((5.0..8.0).contains(&rate), "{rate}");
    stand_in.control.used()
}
