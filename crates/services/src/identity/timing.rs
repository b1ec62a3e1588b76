//! Hides small differences in the time that an answer takes.

use std::{future::Future, time::Duration};
use tokio::time::Instant;

/// Longer than the statements of such an answer take on a machine that is not overloaded, and too short for a
/// person to notice.
const TIMING_STEP: Duration = Duration::from_millis(50);
/// How late the timers of tokio may end.
const IMPRECISION: Duration = Duration::from_millis(2);

/// Completes at the next multiple of [`TIMING_STEP`] after a time, so that a caller cannot tell from small
/// differences in time which branch was taken. The branches must still do the same amount of work: where it
/// takes longer than a step, the number of steps would tell.
///
/// The time that hashing took is not to be counted: it may come close to a step, and then a small difference
/// would decide whether another one follows. A caller that hashed moves the time by as much.
pub(super) async fn pad_timing<T>(since: Instant, work: impl Future<Output = T>) -> T {
    let output = work.await;
    next_step(since).await;
    output
}

/// The same when the work fails. A success is not delayed, because it tells more than its duration could.
pub(super) async fn pad_failure<T, E>(since: Instant, work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    let outcome = work.await;
    if outcome.is_err() {
        next_step(since).await;
    }
    outcome
}

/// A timer of tokio ends up to two milliseconds late, and by how much depends on what else the process did
/// while it waited, which is not the same for each branch: one of them has a mail sent. So the end is waited
/// for with a timer that counts nanoseconds, on a thread that does nothing else.
async fn next_step(since: Instant) {
    let steps = since.elapsed().div_duration_f64(TIMING_STEP).ceil();
    let end = since + TIMING_STEP.mul_f64(steps);
    tokio::time::sleep_until(end - IMPRECISION).await;
    async_io::Timer::after(end.saturating_duration_since(Instant::now())).await;
}

#[cfg(test)]
mod tests {
    use super::{pad_failure, pad_timing};
    use std::time::Duration;
    use tokio::time::{Instant, sleep};

    #[tokio::test]
    async fn no_step_ends_early() {
        for _ in 0..4 {
            let began = Instant::now();
            pad_timing(began, async {}).await;
            assert!(began.elapsed().as_millis() >= 50, "{:?}", began.elapsed());
        }
    }

    // The clock of the next tests stands still while the precise timer runs: they see what tokio's waits.

    #[tokio::test(start_paused = true)]
    async fn durations_are_rounded_up_to_steps() {
        for (millis, padded) in [(1, 48), (3, 48), (47, 48), (49, 49), (61, 98)] {
            let began = Instant::now();
            let output: Result<(), ()> = pad_timing(began, async {
                sleep(Duration::from_millis(millis)).await;
                Err(())
            })
            .await;
            assert_eq!((output, began.elapsed().as_millis()), (Err(()), padded), "{millis} ms");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_time_of_a_hash_is_added_and_not_rounded() {
        let began = Instant::now();
        let hashing = Duration::from_millis(48);
        sleep(hashing).await;
        pad_timing(began + hashing, sleep(Duration::from_millis(3))).await;
        assert_eq!(began.elapsed().as_millis(), 96);
    }

    #[tokio::test(start_paused = true)]
    async fn only_failures_are_delayed_where_a_success_tells_anyway() {
        for (outcome, millis) in [(Ok(()), 7), (Err(()), 48)] {
            let began = Instant::now();
            let work = async {
                sleep(Duration::from_millis(7)).await;
                outcome
            };
            assert_eq!((pad_failure(began, work).await, began.elapsed().as_millis()), (outcome, millis));
        }
    }
}
