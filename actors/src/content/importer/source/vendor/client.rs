//! Requests to Storyblok, each tried as often as the import's [`Retries`](crate::content::importer::retries)
//! decide; and what tells failures of one story from failures of the whole source.

use crate::content::importer::retries::{Failure, RetryHandle};
use domain::content::import::{SourceId, record::Story};
use egress::vendor::{Error, Vendor};
use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU32, Ordering::Relaxed},
    },
};

/// After this many failed stories in a row, the source counts as failed.
const MAX_STREAK: u32 = 10;
/// After this many failures of one story, another story is requested to find out whether only this one fails.
const FAILURES_BEFORE_PROBE: u32 = 4;

/// A client whose requests are tried again.
#[derive(Clone)]
pub(super) struct RetryingClient {
    pub(super) vendor: Vendor,
    retries: RetryHandle,
    /// The numbers of the last two stories that were read successfully.
    recent: Arc<[AtomicI64; 2]>,
}

/// Counts failures in a row: single failed stories are tolerated, a long streak is a failure of the source.
#[derive(Default)]
pub(super) struct FailureStreak(AtomicU32);

impl FailureStreak {
    pub(super) fn reset(&self) {
        self.0.store(0, Relaxed);
    }

    /// Counts a failure. Returns whether the import may go on without this story.
    pub(super) fn tolerates(&self, error: Error) -> bool {
        let is_its_own = matches!(
            error,
            Error::Forbidden
                | Error::NotFound
                | Error::Refused(_)
                | Error::TooLarge
                | Error::RecordTooLarge
                | Error::TooDeep
                | Error::Encoded
                | Error::Server(_)
                | Error::Unreadable
                | Error::Timeout
                | Error::Interrupted
        );
        is_its_own && self.0.fetch_add(1, Relaxed) + 1 < MAX_STREAK
    }
}

impl RetryingClient {
    /// A client of a space.
    pub(super) fn new(vendor: Vendor, retries: RetryHandle) -> Self {
        Self { vendor, retries, recent: Arc::default() }
    }

    /// Makes a request until it succeeds or is given up.
    pub(super) async fn with_retries<T, F: Future<Output = Result<T, Error>>>(
        &self,
        mut request: impl FnMut() -> F,
    ) -> Result<T, Error> {
        let mut tries = self.retries.tries();
        loop {
            let error = match request().await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let Some(next) = tries.failed(Failure::Request(error)).await else { return Err(error) };
            next.due().await;
        }
    }

    /// The same for a request about one story. After a few failures, the same is requested for another story:
    /// if that succeeds, only this story fails, and it is given up.
    pub(super) async fn for_story<T, F: Future<Output = Result<T, Error>>>(
        &self,
        id: SourceId<Story>,
        request: impl Fn(SourceId<Story>) -> F,
    ) -> Result<T, Error> {
        let mut tries = self.retries.tries();
        loop {
            let error = match request(id).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let Some(next) = tries.failed(Failure::Request(error)).await else { return Err(error) };
            let is_busy = matches!(error, Error::Throttled { .. });
            if next.failures == FAILURES_BEFORE_PROBE
                && !is_busy
                && let Some(other) = self.another(id)
                && request(other).await.is_ok()
            {
                return Err(error);
            }
            next.due().await;
        }
    }

    /// A story other than this one that was read successfully.
    fn another(&self, id: SourceId<Story>) -> Option<SourceId<Story>> {
        let mut read = self.recent.iter().map(|story| SourceId::of(story.load(Relaxed)));
        read.find(|story| *story != SourceId::NONE && *story != id)
    }

    /// Remembers a story that was read successfully.
    pub(super) fn note_success(&self, id: SourceId<Story>) {
        let [last, before] = &*self.recent;
        let was = last.swap(id.number(), Relaxed);
        if was != id.number() {
            before.store(was, Relaxed);
        }
    }
}
