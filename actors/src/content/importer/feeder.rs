//! Reads ahead: fetches pages of one phase, with retries, and prepares what is in them while the pages before are written.

use super::{
    gear::Gear,
    memory::Memory,
    source::{Page, Source, SourceError},
    take::{Item, Subject, assets},
};
use crate::content::importer::sources::Place;
use crate::runtime::{Runtime, task_tracker::AbortOnDrop};
use domain::{
    content::import::{Phase, Record, prepare},
    shared::{SharedClock, SharedEntropy, SpaceId},
};
use futures_util::{StreamExt, TryStreamExt, stream};
use std::{future::Future, sync::Arc};
use tokio::sync::{RwLock, mpsc};

/// How many pages wait to be written.
const AHEAD: usize = 2;
/// How many files are fetched at the same time.
const FILES: usize = 4;

/// A page that is ready to be written.
pub(super) struct Fed {
    pub(super) items: Vec<Item>,
    /// Where the next one begins; none after the phase's last.
    pub(super) next: Option<i64>,
}

/// Why there is no next page.
#[derive(Debug)]
pub(super) enum Broken {
    /// The source does not give it.
    Source(SourceError),
    /// The task that reads ended in the middle: it panicked, which its log says.
    Died,
}

/// The pages of a phase. Reading ends when this is dropped.
pub(super) struct Feed {
    pages: mpsc::Receiver<Result<Fed, SourceError>>,
    _task: AbortOnDrop,
}

/// What pages are prepared with.
pub(super) struct Table {
    pub(super) runtime: Runtime,
    pub(super) clock: SharedClock,
    pub(super) entropy: SharedEntropy,
    pub(super) space: SpaceId,
    pub(super) source: Arc<dyn Source>,
    pub(super) memory: Arc<RwLock<Memory>>,
    /// Where files go.
    pub(super) place: Place,
    /// Whether they are only looked at.
    pub(super) is_dry: bool,
    /// How large they are.
    pub(super) gear: Arc<Gear>,
}

impl Feed {
    /// Begins to read a phase at a cursor.
    pub(super) fn start(table: Table, phase: Phase, cursor: i64) -> Self {
        let (runtime, table) = (table.runtime.clone(), Arc::new(table));
        Self::of(&runtime, cursor, move |cursor| {
            let table = table.clone();
            async move { table.prepared(table.source.page(phase, cursor, table.gear.most()).await?).await }
        })
    }

    /// Asks for page after page, each where the one before said that the next one begins.
    fn of<F>(runtime: &Runtime, cursor: i64, mut page: impl FnMut(i64) -> F + Send + 'static) -> Self
    where
        F: Future<Output = Result<Fed, SourceError>> + Send + 'static,
    {
        let (pages, fed) = mpsc::channel(AHEAD);
        let task = async move {
            let mut at = Some(cursor);
            while let Some(cursor) = at {
                let fed = page(cursor).await;
                at = fed.as_ref().ok().and_then(|fed| fed.next);
                if pages.send(fed).await.is_err() {
                    return;
                }
            }
        };
        Self { pages: fed, _task: runtime.tasks().spawn_owned("import.feed", task) }
    }

    /// The next page. Nobody asks for one after the last, or after an error.
    pub(super) async fn next(&mut self) -> Result<Fed, Broken> {
        match self.pages.recv().await {
            Some(fed) => fed.map_err(Broken::Source),
            None => Err(Broken::Died),
        }
    }
}

impl Table {
    /// What is known is looked at record by record: whoever enters what came of the page before must not wait for this one.
    async fn prepared(&self, page: Page) -> Result<Fed, SourceError> {
        let items = stream::iter(page.records).map(|(record, print)| async move {
            let subject = match record {
                Record::Story(story) => {
                    let _turn = self.gear.turn().await;
                    let memory = self.memory.read().await;
                    Subject::Story(prepare::story(*story, &memory.maps).map(Box::new))
                }
                Record::Asset(asset) => {
                    let file = assets::fetched(self, &asset).await?;
                    Subject::Asset(asset, file)
                }
                record => Subject::Record(record),
            };
            // Readers are not to wait for a whole page to be prepared.
            tokio::task::yield_now().await;
            Ok(Item { subject, print })
        });
        Ok(Fed { items: items.buffered(FILES).try_collect().await?, next: page.next })
    }
}

#[cfg(test)]
mod tests {
    use super::{Broken, Fed, Feed};
    use crate::runtime::Runtime;
    use domain::shared::Entropy;
    use std::sync::Arc;

    struct Nothing;

    impl Entropy for Nothing {
        fn fill(&self, _: &mut [u8]) {}
    }

    #[tokio::test]
    async fn a_reading_that_dies_is_no_end_of_the_phase() {
        let runtime = Runtime::new(Arc::new(Nothing), &prometheus::Registry::new()).unwrap();
        let mut feed = Feed::of(&runtime, 0, |cursor| async move {
            assert!(cursor == 0, "wanted by the test");
            Ok(Fed { items: Vec::new(), next: Some(1) })
        });
        assert_eq!(feed.next().await.unwrap().next, Some(1));
        assert!(matches!(feed.next().await, Err(Broken::Died)));
    }
}
