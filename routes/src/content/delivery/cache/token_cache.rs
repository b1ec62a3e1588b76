//! The token cache: the rights of a token, as the database had them after the last event of its space.

use super::{
    invalidation::{Epoch, Invalidation},
    single_flight::SingleFlight,
};
use actors::{content::SpaceEvent, notifications::Notifications};
use domain::shared::Fault;
use quick_cache::sync::Cache;
use std::sync::Arc;
use storage::{
    Store,
    content::delivery::read_access::{self, ReadAccess},
};

/// How many tokens are kept.
const MAX_TOKENS: usize = 20_000;

/// The tokens of a process.
pub(super) struct TokenCache {
    notifications: Notifications,
    invalidation: Invalidation,
    tokens: Cache<[u8; 32], CachedToken>,
    lookups: Arc<Lookups>,
}

/// Only lookups of the same epoch share a result: no caller gets one from before an event that it may know
/// of.
type Lookups = SingleFlight<([u8; 32], Epoch), Result<Arc<ReadAccess>, Fault>>;

#[derive(Clone)]
struct CachedToken {
    access: Arc<ReadAccess>,
    /// When the database was asked.
    epoch: Epoch,
}

impl TokenCache {
    /// An empty cache.
    pub(super) fn new(notifications: Notifications) -> Self {
        Self { notifications, invalidation: Invalidation::new(), tokens: Cache::new(MAX_TOKENS), lookups: Arc::default() }
    }

    /// Takes note of an event.
    pub(super) fn handle(&self, event: SpaceEvent) {
        self.invalidation.handle(event);
        if event == SpaceEvent::Resync {
            self.tokens.clear();
        }
    }

    /// Whether the token was used before, so that it is most likely valid.
    pub(super) fn contains(&self, token: &[u8; 32]) -> bool {
        self.tokens.peek(token).is_some()
    }

    /// The rights of a token, if nothing has happened in its space since the database was asked. None hold
    /// while this process is not connected to the NOTIFY channel, because it does not learn of the commits of
    /// other processes then; but all of them while the database does not run, because there are no commits
    /// then.
    pub(super) fn get(&self, token: &[u8; 32]) -> Option<Arc<ReadAccess>> {
        let cached = self.notifications.is_complete().then(|| self.tokens.get(token)).flatten()?;
        self.invalidation.unchanged_since(cached.epoch, cached.access.space).then_some(cached.access)
    }

    /// The rights of a token, from the database unless they are in the cache; 401 for an unknown token.
    pub(super) async fn get_or_find(self: &Arc<Self>, store: &Store, token: [u8; 32]) -> Result<Arc<ReadAccess>, Fault> {
        if let Some(access) = self.get(&token) {
            return Ok(access);
        }
        let epoch = self.invalidation.now();
        let lookup = find(self.clone(), store.clone(), token, epoch);
        if !self.notifications.is_up() {
            // A lookup that another caller has started may be older than what this caller knows.
            return lookup.await;
        }
        self.lookups.run((token, epoch), move || Box::pin(lookup)).await
    }
}

async fn find(cache: Arc<TokenCache>, store: Store, token: [u8; 32], epoch: Epoch) -> Result<Arc<ReadAccess>, Fault> {
    let connection = store.connection("delivery.reader").await?;
    let Some(access) = read_access::find(&connection, &token).await? else {
        cache.tokens.remove(&token);
        return Err(Fault::unauthorized());
    };
    let access = Arc::new(access);
    cache.tokens.insert(token, CachedToken { access: access.clone(), epoch });
    Ok(access)
}
