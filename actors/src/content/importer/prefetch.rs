//! Reads ahead: fetches and prepares the pages of a phase while earlier pages are written.

use super::{
    asset_files::FileFetcher,
    source::{Page, Source, SourceError},
    throttle::Throttle,
};
use crate::runtime::{Runtime, task_tracker::AbortOnDrop};
use domain::content::import::{Fingerprint, Phase, Record, prepare};
use futures_util::{StreamExt, TryStreamExt, stream};
use services::content::import::{PreparedContent, PreparedRecord, state::ImportState};
use std::{future::Future, sync::Arc};
use tokio::sync::{OwnedSemaphorePermit, RwLock, Semaphore, mpsc};

/// How many prepared pages wait to be written.
const BUFFERED_PAGES: usize = 2;
/// How much memory the pages may take that are ahead of the one being written, in KiB, an estimate. A larger
/// page is alone.
const AHEAD_KIB: u32 = 64 * 1024;
/// How many files are fetched concurrently.
const CONCURRENT_FILES: usize = 4;

/// A page that is ready to be written.
pub(super) struct PreparedPage {
    pub(super) records: Vec<PreparedRecord>,
    /// The cursor of the next page; `None` after the last page of the phase.
    pub(super) next: Option<i64>,
    /// What the records take in memory, in bytes, an estimate.
    weight: usize,
    /// Its part of the memory for pages; held until the page is written.
    pub(super) room: Option<OwnedSemaphorePermit>,
}

/// Why there is no next page.
#[derive(Debug)]
pub(super) enum PrefetchError {
    Source(SourceError),
    /// The prefetching task ended without a result: it panicked, which is logged.
    Panicked,
}

/// The pages of a phase. Dropping it aborts the prefetching task.
pub(super) struct PageStream {
    pages: mpsc::Receiver<Result<PreparedPage, SourceError>>,
    _task: AbortOnDrop,
}

/// What the prefetching task works with.
pub(super) struct PrefetchDeps {
    pub(super) runtime: Runtime,
    pub(super) source: Arc<dyn Source>,
    pub(super) state: Arc<RwLock<ImportState>>,
    pub(super) files: FileFetcher,
    pub(super) throttle: Arc<Throttle>,
}

impl PageStream {
    /// Starts to read a phase at a cursor.
    pub(super) fn start(deps: PrefetchDeps, phase: Phase, cursor: i64) -> Self {
        let (runtime, deps) = (deps.runtime.clone(), Arc::new(deps));
        Self::spawn(&runtime, cursor, move |cursor| {
            let deps = deps.clone();
            async move { deps.prepare_page(deps.source.page(phase, cursor, deps.throttle.page_size()).await?).await }
        })
    }

    /// Spawns a task that reads page after page, each at the cursor that the page before it returned.
    fn spawn<F>(runtime: &Runtime, cursor: i64, mut read: impl FnMut(i64) -> F + Send + 'static) -> Self
    where
        F: Future<Output = Result<PreparedPage, SourceError>> + Send + 'static,
    {
        let (sender, pages) = mpsc::channel(BUFFERED_PAGES);
        let room = Arc::new(Semaphore::new(AHEAD_KIB as usize));
        let task = async move {
            let mut next = Some(cursor);
            while let Some(cursor) = next {
                let mut page = read(cursor).await;
                next = page.as_ref().ok().and_then(|page| page.next);
                if let Ok(page) = &mut page {
                    let kib = u32::try_from(page.weight / 1024).unwrap_or(u32::MAX).min(AHEAD_KIB);
                    page.room = room.clone().acquire_many_owned(kib).await.ok();
                }
                if sender.send(page).await.is_err() {
                    return;
                }
            }
        };
        Self { pages, _task: runtime.tasks().spawn_owned("import.prefetch", task) }
    }

    /// The next page. Must not be called after the last page or an error.
    pub(super) async fn next(&mut self) -> Result<PreparedPage, PrefetchError> {
        match self.pages.recv().await {
            Some(page) => page.map_err(PrefetchError::Source),
            None => Err(PrefetchError::Panicked),
        }
    }
}

impl PrefetchDeps {
    async fn prepare_page(&self, page: Page) -> Result<PreparedPage, SourceError> {
        let Page { records, next, weight } = page;
        let records = stream::iter(records).map(|(record, fingerprint)| self.prepare(record, fingerprint));
        Ok(PreparedPage { records: records.buffered(CONCURRENT_FILES).try_collect().await?, next, weight, room: None })
    }

    /// Prepares a record. The state is locked for one record at a time, so that merging the outcome of the
    /// page before does not wait for this page.
    async fn prepare(&self, record: Record, fingerprint: Fingerprint) -> Result<PreparedRecord, SourceError> {
        let content = match record {
            Record::Story(story) => {
                let _exclusive = self.throttle.acquire().await;
                let state = self.state.read().await;
                PreparedContent::Story(prepare::story(&story, &state.maps).map(Box::new))
            }
            Record::Asset(asset) => {
                let file = self.files.fetch(&asset).await?;
                PreparedContent::Asset(asset, file)
            }
            record => PreparedContent::Plain(record),
        };
        // Other tasks, such as reads, get their turn after each record.
        tokio::task::yield_now().await;
        Ok(PreparedRecord { content, fingerprint })
    }
}

#[cfg(test)]
mod tests {
    use super::{PageStream, PrefetchError, PreparedPage};
    use crate::runtime::Runtime;
    use domain::shared::Entropy;
    use futures_util::FutureExt;
    use std::sync::Arc;

    struct NoEntropy;

    impl Entropy for NoEntropy {
        fn fill(&self, _: &mut [u8]) {}
    }

    #[tokio::test]
    async fn a_page_that_takes_all_of_the_memory_for_pages_waits_until_the_one_before_is_written() {
        let runtime = Runtime::new(Arc::new(NoEntropy), &prometheus::Registry::new()).unwrap();
        let mut pages = PageStream::spawn(&runtime, 0, |cursor| async move {
            Ok(PreparedPage { records: Vec::new(), next: Some(cursor + 1), weight: usize::MAX, room: None })
        });
        let first = pages.next().await.unwrap();
        let mut next = Box::pin(pages.next());
        for _ in 0..100 {
            assert!((&mut next).now_or_never().is_none());
            tokio::task::yield_now().await;
        }
        drop(first);
        assert_eq!(next.await.unwrap().next, Some(2));
    }

    #[tokio::test]
    async fn a_panic_of_the_task_is_not_the_end_of_the_phase() {
        let runtime = Runtime::new(Arc::new(NoEntropy), &prometheus::Registry::new()).unwrap();
        let mut pages = PageStream::spawn(&runtime, 0, |cursor| async move {
            assert!(cursor == 0, "panics as the test wants");
            Ok(PreparedPage { records: Vec::new(), next: Some(1), weight: 0, room: None })
        });
        assert_eq!(pages.next().await.unwrap().next, Some(1));
        assert!(matches!(pages.next().await, Err(PrefetchError::Panicked)));
    }
}
