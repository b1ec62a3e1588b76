//! The content wing on the wire.

mod assets;
mod datasource;
pub mod delivery;
mod files;
pub mod management;

pub use assets::Assets;

use crate::{dispatch::Dispatch, ops::Metrics, web::session::Sessions};
use actors::{content::SpaceRouter, deliveries::ReceiverGuard};
use crypto::{keys::Keys, seal::Seal, token::Hasher};
use delivery::Reads;
use domain::shared::{SharedClock, SharedEntropy};
use std::sync::Arc;
use storage::Store;
use tokio::sync::watch;

/// What the content endpoints work with. Cheap to clone.
#[derive(Clone)]
pub struct Content {
    /// For reads.
    pub store: Store,
    /// For writes.
    pub spaces: SpaceRouter,
    /// What webhooks are made with.
    pub deliveries: ReceiverGuard,
    /// What is remembered of reads.
    pub reads: Reads,
    /// Who is signed in: spaces are made by people.
    pub sessions: Sessions,
    /// The time.
    pub clock: SharedClock,
    /// For new secrets.
    pub entropy: SharedEntropy,
    /// What tokens are hashed with.
    pub token_keys: Arc<TokenKeys>,
    /// Objects, and where they are served.
    pub assets: Arc<Assets>,
    /// What the tokens of imports' sources are sealed with.
    pub import_seal: Seal,
    /// Whether the server is stopping: streams end.
    pub stopping: watch::Receiver<bool>,
    /// How many relations, or linked stories, one delivery answer resolves (`APP_RESOLVE_LIMIT`).
    pub resolve_limit: usize,
}

impl Content {
    /// Adds the endpoints of the content service.
    pub fn add_endpoints(&self, dispatch: Dispatch, metrics: &Metrics) -> Dispatch {
        let dispatch = dispatch.with(delivery::endpoints(self, metrics)).with(files::endpoints(self));
        management::add_to(dispatch, self)
    }
}

impl AsRef<Sessions> for Content {
    fn as_ref(&self) -> &Sessions {
        &self.sessions
    }
}

/// What tokens are stored as, each kind under a key of its own.
pub struct TokenKeys {
    /// For delivery tokens (`sbpub_`, `sbprev_`, `sbpriv_`).
    pub delivery: Hasher,
    /// For management tokens (`sbmgmt_`, `sbmcp_`).
    pub management: Hasher,
}

impl TokenKeys {
    /// Derives both.
    pub fn new(keys: &Keys) -> Self {
        let hasher = |label| Hasher::new(&keys.derive(label));
        Self { delivery: hasher("delivery-token/1"), management: hasher("management-token/1") }
    }
}
