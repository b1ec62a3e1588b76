//! When to try again: what the hosted service's own clients do.

use super::Error;
use domain::shared::Backoff;
use std::time::Duration;

/// How often one request is made at most.
pub const TRIES: u32 = 12;
/// How long to wait in between.
pub const BACKOFF: Backoff = Backoff { first: Duration::from_millis(500), cap: Duration::from_secs(20), jitter: 25 };
/// The longest that a source may make us wait by saying so.
const LONGEST: Duration = Duration::from_mins(5);

/// How long to wait after so many failures in a row of one request, the last one being this; none when it is over. The roll decides
/// where in the spread the wait falls.
pub fn wait(failures: u32, error: Error, roll: u32) -> Option<Duration> {
    if failures >= TRIES || !error.is_passing() {
        return None;
    }
    let wait = BACKOFF.after(failures, roll);
    Some(match error {
        // What the source says is the least; the spread keeps many from coming back at one moment.
        Error::Throttled { retry_after: Some(said) } => said.min(LONGEST) + wait.min(BACKOFF.first),
        _ => wait,
    })
}

#[cfg(test)]
mod tests {
    use super::{TRIES, wait};
    use crate::vendor::Error;
    use std::time::Duration;

    const MIDDLE: u32 = u32::MAX / 2;
    const THROTTLED: Error = Error::Throttled { retry_after: None };

    #[test]
    fn what_passes_is_tried_again_for_a_while_and_the_rest_is_not() {
        for passing in [THROTTLED, Error::Server(502), Error::Cut, Error::Timeout, Error::Unreachable, Error::Unreadable] {
            assert!(wait(1, passing, MIDDLE).is_some() && wait(TRIES - 1, passing, MIDDLE).is_some(), "{passing}");
            assert_eq!(wait(TRIES, passing, MIDDLE), None, "{passing}");
        }
        for lasting in [Error::Unauthorized, Error::Forbidden, Error::NotFound, Error::Refused(422), Error::TooLarge] {
            assert_eq!(wait(1, lasting, MIDDLE), None, "{lasting}");
        }
    }

    #[test]
    fn waits_grow_to_20_seconds_and_heed_what_the_source_says() {
        let millis = |failures| wait(failures, THROTTLED, MIDDLE).unwrap().as_millis().div_ceil(100) * 100;
        assert_eq!([1, 2, 3, 6, 7, 11].map(millis), [500, 1000, 2000, 16_000, 20_000, 20_000]);
        let said = |seconds| wait(1, Error::Throttled { retry_after: Some(Duration::from_secs(seconds)) }, 0).unwrap();
        assert!(said(30) >= Duration::from_secs(30) && said(30) < Duration::from_secs(31));
        assert!(said(u64::MAX) < Duration::from_secs(301));
    }
}
