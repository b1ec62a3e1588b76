//! The token cells: which reader stands behind a token, as the database said after the last news of its space.

use super::{
    flights::Flights,
    heard::{Heard, Moment},
};
use actors::{content::SpaceEvent, maintenance::Notifications};
use domain::shared::Fault;
use quick_cache::sync::Cache;
use std::sync::Arc;
use storage::{
    Store,
    content::delivery::read_access::{self, ReadAccess},
};

/// How many tokens are remembered.
const MOST: usize = 20_000;

/// All cells of the process.
pub(super) struct Cells {
    notifications: Notifications,
    heard: Heard,
    tokens: Cache<[u8; 32], Cell>,
    asking: Arc<Asking>,
}

/// Only who asks at the same moment shares an answer: nobody gets one that is older than the news it may know of.
type Asking = Flights<([u8; 32], Moment), Result<Arc<ReadAccess>, Fault>>;

#[derive(Clone)]
struct Cell {
    reader: Arc<ReadAccess>,
    asked: Moment,
}

impl Cells {
    /// Empty ones.
    pub(super) fn new(notifications: Notifications) -> Self {
        Self { notifications, heard: Heard::new(), tokens: Cache::new(MOST), asking: Arc::default() }
    }

    /// Hears news of a space.
    pub(super) fn tell(&self, news: SpaceEvent) {
        self.heard.tell(news);
        if news == SpaceEvent::Resync {
            self.tokens.clear();
        }
    }

    /// Whether somebody has read with this token since news were missed, so that it most likely opens something.
    pub(super) fn is_known(&self, token: &[u8; 32]) -> bool {
        self.tokens.peek(token).is_some()
    }

    /// The reader of a token's hash, if nothing has happened in its space since the database was asked. Nothing is remembered while
    /// the news of other processes do not reach us (safe mode).
    pub(super) fn remembered(&self, token: &[u8; 32]) -> Option<Arc<ReadAccess>> {
        let cell = self.notifications.is_up().then(|| self.tokens.get(token)).flatten()?;
        self.heard.is_silent_since(cell.asked, cell.reader.space).then_some(cell.reader)
    }

    /// The reader, from the database where it is not remembered; 401 when there is none.
    pub(super) async fn find(self: &Arc<Self>, store: &Store, token: [u8; 32]) -> Result<Arc<ReadAccess>, Fault> {
        if let Some(reader) = self.remembered(&token) {
            return Ok(reader);
        }
        let now = self.heard.now();
        let asking = ask(self.clone(), store.clone(), token, now);
        if !self.notifications.is_up() {
            // What somebody else has asked a moment ago may be older than what this caller knows.
            return asking.await;
        }
        self.asking.join((token, now), move || Box::pin(asking)).await
    }
}

async fn ask(cells: Arc<Cells>, store: Store, token: [u8; 32], now: Moment) -> Result<Arc<ReadAccess>, Fault> {
    let connection = store.connection("delivery.reader").await?;
    let Some(reader) = read_access::find(&connection, &token).await? else {
        cells.tokens.remove(&token);
        return Err(Fault::unauthorized());
    };
    let reader = Arc::new(reader);
    cells.tokens.insert(token, Cell { reader: reader.clone(), asked: now });
    Ok(reader)
}
