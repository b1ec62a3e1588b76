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
use tokio::sync::{RwLock, mpsc};

/// How many prepared pages wait to be written.
const BUFFERED_PAGES: usize = 2;
/// How many files are fetched concurrently.
const CONCURRENT_FILES: usize = 4;

/// A page that is ready to be written.
pub(super) struct PreparedPage {
    pub(super) records: Vec<PreparedRecord>,
    /// The cursor of the next page; `None` after the last page of the phase.
    pub(super) next: Option<i64>,
}

/// Why there is no next page.
#[derive(Debug)]
pub(super) enum PrefetchError {
    /// The source failed.
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
        let task = async move {
            let mut next = Some(cursor);
            while let Some(cursor) = next {
                let page = read(cursor).await;
                next = page.as_ref().ok().and_then(|page| page.next);
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
        let records = stream::iter(page.records).map(|(record, fingerprint)| self.prepare(record, fingerprint));
        Ok(PreparedPage { records: records.buffered(CONCURRENT_FILES).try_collect().await?, next: page.next })
    }

    /// Prepares a record. The state is locked for one record at a time, so that merging the outcome of the page before does not wait for this page.
    async fn prepare(&self, record: Record, fingerprint: Fingerprint) -> Result<PreparedRecord, SourceError> {
        let content = match record {
            Record::Story(story) => {
                let _exclusive = self.throttle.acquire().await;
                let state = self.state.read().await;
                PreparedContent::Story(prepare::story(*story, &state.maps).map(Box::new))
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
    use std::sync::Arc;

    struct NoEntropy;

    impl Entropy for NoEntropy {
        fn fill(&self, _: &mut [u8]) {}
    }

    #[tokio::test]
    async fn a_panic_of_the_task_is_not_the_end_of_the_phase() {
        let runtime = Runtime::new(Arc::new(NoEntropy), &prometheus::Registry::new()).unwrap();
        let mut pages = PageStream::spawn(&runtime, 0, |cursor| async move {
            assert!(cursor == 0, "panics as the test wants");
            Ok(PreparedPage { records: Vec::new(), next: Some(1) })
        });
        assert_eq!(pages.next().await.unwrap().next, Some(1));
        assert!(matches!(pages.next().await, Err(PrefetchError::Panicked)));
    }
}
