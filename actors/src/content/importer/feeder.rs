//! Reads ahead: fetches pages of one phase, with retries, and prepares what is in them while the pages before are written.

use super::{
    memory::Memory,
    source::{Page, Source, SourceError},
    take::{Item, Subject, assets},
};
use crate::content::importer::sources::Place;
use crate::runtime::{Runtime, tasks::Owned};
use domain::{
    content::import::{Phase, Record, prepare},
    shared::{SharedClock, SharedEntropy, SpaceId},
};
use futures_util::{StreamExt, TryStreamExt, stream};
use std::sync::Arc;
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

/// The pages of a phase. Reading ends when this is dropped.
pub(super) struct Feed {
    pages: mpsc::Receiver<Result<Fed, SourceError>>,
    _task: Owned,
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
}

impl Feed {
    /// Begins to read.
    pub(super) fn start(table: Table, phase: Phase, cursor: i64) -> Self {
        let (pages, fed) = mpsc::channel(AHEAD);
        let runtime = table.runtime.clone();
        let task = async move {
            let mut at = Some(cursor);
            while let Some(cursor) = at {
                let fed = match table.source.page(phase, cursor).await {
                    Ok(page) => table.prepared(page).await,
                    Err(error) => Err(error),
                };
                at = fed.as_ref().ok().and_then(|it| it.next);
                if pages.send(fed).await.is_err() {
                    return;
                }
            }
        };
        Self { pages: fed, _task: runtime.tasks().spawn_owned("import.feed", task) }
    }

    /// The next page; none after the last, or after an error.
    pub(super) async fn next(&mut self) -> Option<Result<Fed, SourceError>> {
        self.pages.recv().await
    }
}

impl Table {
    /// What is known is looked at record by record: whoever enters what came of the page before must not wait for this one.
    async fn prepared(&self, page: Page) -> Result<Fed, SourceError> {
        let items = stream::iter(page.records).map(|(record, print)| async move {
            let subject = match record {
                Record::Story(story) => {
                    let memory = self.memory.read().await;
                    Subject::Story(prepare::story(*story, &memory.maps).map(Box::new))
                }
                Record::Asset(asset) => {
                    let file = assets::fetched(self, &asset).await?;
                    Subject::Asset(asset, file)
                }
                record => Subject::Record(record),
            };
            Ok(Item { subject, print })
        });
        Ok(Fed { items: items.buffered(FILES).try_collect().await?, next: page.next })
    }
}
