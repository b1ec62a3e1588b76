//! The rate control against a source that enforces a limit.

use super::{reader, sample_space};
use egress::vendor::Error;
use std::time::{Duration, Instant};
use vendor_stand_in::{Options, StandIn};

/// The client does not know the limit. The test runs in real time, because the source's limit does.
#[tokio::test]
async fn at_six_requests_a_second_at_least_95_of_100_are_used() {
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
    assert!(stand_in.control.used() >= 0.95, "{} used: {counters:?}", stand_in.control.used());
    assert!(counters.limited <= counters.admitted / 4, "few are refused: {counters:?}");
    let rate = vendor.rate().unwrap();
    assert!((5.0..8.0).contains(&rate), "{rate}");
}
