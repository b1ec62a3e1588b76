//! The endpoints of the content service: the Delivery API, the Management API, and the files of assets.

mod assets;
mod datasource;
pub mod delivery;
mod external_options;
mod file_endpoint;
mod files;
mod images;
pub mod management;

pub use assets::Assets;
pub use external_options::ExternalOptions;
pub use images::{ImageService, ImageSettings};

use crate::{dispatch::Dispatch, ops::Metrics, web::session::Sessions};
use actors::{
    content::{RemoteFiles, SpaceRouter},
    deliveries::ReceiverGuard,
};
use crypto::{keys::Keys, preview::DeliveryKeys, seal::Seal, token::Hasher};
use delivery::DeliveryCache;
use domain::shared::{Fault, SharedClock, SharedEntropy};
use management::access::Manager;
use services::{
    content::{SpaceCommand, limits::ContentLimits},
    shared::SpaceMails,
};
use std::sync::Arc;
use storage::Store;
use tokio::sync::watch;

/// What the content endpoints work with. Cheap to clone.
#[derive(Clone)]
pub struct Content {
    /// The database, for plain reads.
    pub store: Store,
    /// Executes the commands of spaces, each in its space's order.
    pub spaces: SpaceRouter,
    /// Checks the URLs of webhooks and encrypts their secrets.
    pub deliveries: ReceiverGuard,
    /// The cache of the Delivery API.
    pub delivery_cache: DeliveryCache,
    /// Finds out who is signed in: spaces are created by people, and their owners need no token.
    pub sessions: Sessions,
    pub clock: SharedClock,
    /// Randomness for new secrets.
    pub entropy: SharedEntropy,
    /// Tells owners of spaces by mail.
    pub mails: Arc<dyn SpaceMails>,
    /// The keys that tokens are hashed with.
    pub token_keys: Arc<TokenKeys>,
    /// The files of assets, their URLs and signatures.
    pub assets: Arc<Assets>,
    /// Downloads files of other servers.
    pub remote_files: RemoteFiles,
    /// Options of fields that other servers have.
    pub external_options: ExternalOptions,
    /// How often a caller may make this server look at another one.
    pub limits: Arc<ContentLimits>,
    /// Makes images of the files of assets.
    pub images: ImageService,
    /// Encrypts the tokens that imports read their sources with.
    pub import_seal: Seal,
    /// Whether the server is stopping; event streams end then.
    pub stopping: watch::Receiver<bool>,
    /// The most relations, or linked stories, that one response of the Delivery API resolves
    /// (`APP_RESOLVE_LIMIT`).
    pub resolve_limit: usize,
}

impl Content {
    /// Executes a command of the caller's space; see [`SpaceRouter::execute`].
    async fn execute<C: SpaceCommand>(&self, caller: &Manager, command: C) -> Result<C::Output, Fault> {
        self.spaces.execute(caller.authorized.clone(), command).await
    }

    /// Adds the endpoints of the content service.
    pub fn add_endpoints(&self, dispatch: Dispatch, metrics: &Metrics) -> Dispatch {
        let dispatch = dispatch.with(delivery::endpoints(self, metrics)).with(file_endpoint::endpoints(self, metrics));
        let dispatch = dispatch.with(delivery::drafts::endpoints(self));
        management::add_to(dispatch, self)
    }
}

impl AsRef<Sessions> for Content {
    fn as_ref(&self) -> &Sessions {
        &self.sessions
    }
}

/// The hashes that tokens are stored as, each kind of token under a key of its own.
pub struct TokenKeys {
    /// Hashes delivery tokens (`sbpub_`, `sbprev_`, `sbpriv_`), and seals those that previews are signed
    /// with.
    pub delivery: DeliveryKeys,
    /// Hashes management tokens (`sbmgmt_`, `sbmcp_`).
    pub management: Hasher,
}

impl TokenKeys {
    /// Derives the key of each kind.
    pub fn new(keys: &Keys) -> Self {
        Self { delivery: DeliveryKeys::new(keys), management: Hasher::new(&keys.derive("management-token/1")) }
    }
}
