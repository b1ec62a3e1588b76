//! When a request is tried again: the rules of Storyblok's own clients.

use super::Error;
use domain::shared::Backoff;
use std::time::Duration;

/// How often one request is sent at most.
pub const MAX_ATTEMPTS: u32 = 12;
/// The waits in between.
pub const BACKOFF: Backoff = Backoff { first: Duration::from_millis(500), cap: Duration::from_secs(20), jitter: 25 };
/// The longest `Retry-After` that is obeyed.
const MAX_RETRY_AFTER: Duration = Duration::from_mins(5);

/// How long to wait after this many consecutive failures of one request, the last with this error; `None` to
/// give up. `jitter` chooses the point within the jitter of the wait.
pub fn wait(failures: u32, error: Error, jitter: u32) -> Option<Duration> {
    if failures >= MAX_ATTEMPTS || !error.is_transient() {
        return None;
    }
    let wait = BACKOFF.after(failures, jitter);
    Some(match error {
        // `Retry-After` is the minimum; the jitter spreads clients that wait for the same moment.
        Error::Throttled { retry_after: Some(requested) } => requested.min(MAX_RETRY_AFTER) + wait.min(BACKOFF.first),
        _ => wait,
    })
}

#[cfg(test)]
mod tests {
    use super::{MAX_ATTEMPTS, wait};
    use crate::vendor::Error;
    use std::time::Duration;

    const MIDDLE: u32 = u32::MAX / 2;
    const THROTTLED: Error = Error::Throttled { retry_after: None };

    #[test]
    fn transient_errors_are_tried_again_for_a_while_and_others_are_not() {
        for passing in [THROTTLED, Error::Server(502), Error::Interrupted, Error::Timeout, Error::Unreachable, Error::Unreadable] {
            assert!(wait(1, passing, MIDDLE).is_some() && wait(MAX_ATTEMPTS - 1, passing, MIDDLE).is_some(), "{passing}");
            assert_eq!(wait(MAX_ATTEMPTS, passing, MIDDLE), None, "{passing}");
        }
        for lasting in [Error::Unauthorized, Error::Forbidden, Error::NotFound, Error::Refused(422), Error::TooLarge] {
            assert_eq!(wait(1, lasting, MIDDLE), None, "{lasting}");
        }
    }

    #[test]
    fn waits_grow_to_20_seconds_and_obey_retry_after() {
        let millis = |failures| wait(failures, THROTTLED, MIDDLE).unwrap().as_millis().div_ceil(100) * 100;
        assert_eq!([1, 2, 3, 6, 7, 11].map(millis), [500, 1000, 2000, 16_000, 20_000, 20_000]);
        let requested = |seconds| wait(1, Error::Throttled { retry_after: Some(Duration::from_secs(seconds)) }, 0).unwrap();
        assert!(requested(30) >= Duration::from_secs(30) && requested(30) < Duration::from_secs(31));
        assert!(requested(u64::MAX) < Duration::from_secs(301));
    }
}
