//! Reads ahead: fetches pages of one phase, with retries, and prepares what is in them while the pages before are written.

use super::{
    memory::Memory,
    source::{Page, Source, SourceError},
    take::{Item, Subject},
};
use crate::runtime::{Runtime, tasks::Owned};
use domain::{
    content::import::{Phase, Record, prepare},
    shared::Backoff,
};
use std::{future::Future, sync::Arc, time::Duration};
use tokio::sync::{RwLock, mpsc};

/// How many pages wait to be written.
const AHEAD: usize = 2;
/// How often something is asked of a source before it is given up. As much as the hosted service's own client does.
const TRIES: u32 = 12;
/// The wait before each further time.
const BACKOFF: Backoff = Backoff { first: Duration::from_millis(500), cap: Duration::from_secs(20), jitter: 20 };

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

impl Feed {
    /// Begins to read.
    pub(super) fn start(
        runtime: &Runtime,
        source: Arc<dyn Source>,
        memory: Arc<RwLock<Memory>>,
        phase: Phase,
        cursor: i64,
    ) -> Self {
        let (pages, fed) = mpsc::channel(AHEAD);
        let waits = runtime.clone();
        let task = async move {
            let mut at = Some(cursor);
            while let Some(cursor) = at {
                let outcome = patiently(&waits, || source.page(phase, cursor)).await;
                let fed = match outcome {
                    Ok(page) => Ok(prepared(page, &memory).await),
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

/// Asks until there is an answer, or a refusal that stays.
pub(super) async fn patiently<T, F: Future<Output = Result<T, SourceError>>>(
    runtime: &Runtime,
    mut ask: impl FnMut() -> F,
) -> Result<T, SourceError> {
    let mut failures = 0;
    loop {
        let error = match ask().await {
            Ok(answer) => return Ok(answer),
            Err(error) => error,
        };
        failures += 1;
        let Some(at_least) = error.retry.filter(|_| failures < TRIES) else { return Err(error) };
        let wait = BACKOFF.after(failures, runtime.roll()).max(at_least);
        tracing::info!(code = error.code, failures, wait.ms = wait.as_millis(), "the source of an import is asked again");
        tokio::time::sleep(wait).await;
    }
}

async fn prepared(page: Page, memory: &RwLock<Memory>) -> Fed {
    let memory = memory.read().await;
    let items = page.records.into_iter().map(|(record, print)| {
        let subject = match record {
            Record::Story(story) => Subject::Story(prepare::story(*story, &memory.maps).map(Box::new)),
            record => Subject::Record(record),
        };
        Item { subject, print }
    });
    Fed { items: items.collect(), next: page.next }
}
