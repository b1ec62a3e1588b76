//! Asking: as often as is worth it, and no longer for one story than that story is worth.

use crate::runtime::Runtime;
use egress::vendor::{Error, Vendor, retry};
use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU32, Ordering::Relaxed},
    },
};

/// So many stories in a row that cannot be had are not the stories' fault.
const REFUSED: u32 = 10;
/// After so many failures of one story another one is asked for, to see whose fault it is.
const FEW: u32 = 4;

/// Asks, as often as is worth it.
#[derive(Clone)]
pub(super) struct Ask {
    pub(super) vendor: Vendor,
    runtime: Runtime,
    /// The last two stories that could be had.
    good: Arc<[AtomicI64; 2]>,
}

/// How many in a row could not be had: one that cannot is no reason to leave the others; if none can be, it is the source.
#[derive(Default)]
pub(super) struct Luck(AtomicU32);

impl Luck {
    pub(super) fn good(&self) {
        self.0.store(0, Relaxed);
    }

    /// Whether the others may still be asked for, behind one that failed like this.
    pub(super) fn bears(&self, error: Error) -> bool {
        let is_its_own = matches!(
            error,
            Error::Forbidden
                | Error::NotFound
                | Error::Refused(_)
                | Error::TooLarge
                | Error::Server(_)
                | Error::Unreadable
                | Error::Timeout
                | Error::Interrupted
        );
        is_its_own && self.0.fetch_add(1, Relaxed) + 1 < REFUSED
    }
}

impl Ask {
    /// Of this source.
    pub(super) fn new(vendor: Vendor, runtime: Runtime) -> Self {
        Self { vendor, runtime, good: Arc::default() }
    }

    pub(super) async fn patiently<T, F: Future<Output = Result<T, Error>>>(&self, mut ask: impl FnMut() -> F) -> Result<T, Error> {
        let mut failures = 0;
        loop {
            let error = match ask().await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            failures += 1;
            let Some(wait) = retry::wait(failures, error, self.runtime.jitter_seed()) else { return Err(error) };
            tracing::debug!(code = error.code(), failures, wait.ms = wait.as_millis(), "the source of an import is asked again");
            tokio::time::sleep(wait).await;
        }
    }

    /// The same for what belongs to one story. When it has failed a few times, it is asked for another story's: if that one comes, the fault is this
    /// story's alone, and nobody waits for it any longer.
    pub(super) async fn for_story<T, F: Future<Output = Result<T, Error>>>(
        &self,
        id: i64,
        ask: impl Fn(i64) -> F,
    ) -> Result<T, Error> {
        let mut failures = 0;
        loop {
            let error = match ask(id).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            failures += 1;
            let Some(wait) = retry::wait(failures, error, self.runtime.jitter_seed()) else { return Err(error) };
            let is_busy = matches!(error, Error::Throttled { .. });
            if failures == FEW
                && !is_busy
                && let Some(other) = self.another(id)
                && ask(other).await.is_ok()
            {
                return Err(error);
            }
            tracing::debug!(
                story = id,
                code = error.code(),
                failures,
                wait.ms = wait.as_millis(),
                "a story of a source is asked for again"
            );
            tokio::time::sleep(wait).await;
        }
    }

    /// A story that could be had, other than this one.
    fn another(&self, id: i64) -> Option<i64> {
        self.good.iter().map(|g| g.load(Relaxed)).find(|g| *g != 0 && *g != id)
    }

    /// Remembers a story that could be had.
    pub(super) fn had(&self, id: i64) {
        let [last, before] = &*self.good;
        let was = last.swap(id, Relaxed);
        if was != id {
            before.store(was, Relaxed);
        }
    }
}
