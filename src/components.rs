//! The running parts of the server, opened in the order in which they need each other. The server and the
//! tests open them by the same function.

use crate::{config::Config, wiring};
use actors::{
    ActorSystem, Handles,
    actor_system::{self, Provider},
    content::importer,
    identity::mail_sender,
};
use anyhow::{Context, Result, anyhow};
use crypto::{keys::Keys, passwords::Passwords};
use domain::shared::{SharedClock, SharedEntropy};
use egress::fetch::Fetcher;
use routes::{
    ops::{IsThere, Metrics},
    web::ResponseMemory,
};
use std::{ops::Deref, path::PathBuf};
use storage::{Store, blobs::Blobs};
use tokio::sync::watch;

/// What there is before anything runs.
pub struct Foundation {
    /// The URL of the server, see [`Config::base_url`].
    pub base_url: String,
    pub store: Store,
    /// The source of the time.
    pub clock: SharedClock,
    /// The source of randomness.
    pub entropy: SharedEntropy,
    /// Derives every key from the root secret.
    pub keys: Keys,
    /// The threads that hash passwords.
    pub passwords: Passwords,
    pub metrics: Metrics,
    /// The bytes of all responses.
    pub memory: ResponseMemory,
    /// Whether the server is stopping.
    pub draining: watch::Receiver<bool>,
    pub data: PathBuf,
    /// Whether the data directory is still there.
    pub data_is_there: IsThere,
}

/// The running parts of the server.
pub struct Components {
    foundation: Foundation,
    /// The files of assets.
    pub blobs: Blobs,
    /// The handles of the actors.
    pub actors: Handles,
    /// The OpenID provider; `None` without the identity service.
    pub provider: Option<Provider>,
    /// The settings of the mail sender; `None` while mail is off.
    pub mail: Option<mail_sender::MailSenderSettings>,
    /// Downloads files from URLs of users, through the guard.
    pub fetcher: Fetcher,
}

impl Deref for Components {
    type Target = Foundation;

    fn deref(&self) -> &Foundation {
        &self.foundation
    }
}

impl Components {
    /// Opens all of them and starts the actors, whose parameters `adjust` may change.
    pub async fn open(
        config: &Config,
        foundation: Foundation,
        adjust: impl FnOnce(&mut actor_system::Params),
    ) -> Result<(Self, ActorSystem)> {
        let Foundation { base_url, store, clock, entropy, keys, metrics, data, .. } = &foundation;
        let clients = wiring::egress_clients(config, base_url, metrics.registry())?;
        let fetcher = clients.fetcher.clone();
        let blobs = Blobs::open(config.assets.below(data)).await.context("the directory of assets")?;
        let mail = wiring::mail(config, keys, &clients, base_url)?;
        let deliveries = wiring::webhook_delivery_settings(config, keys, clients.client.clone());
        let import_env = wiring::imports(config, keys, clients, blobs.clone(), base_url);
        let mut params = actor_system::Params {
            blobs: Some(blobs.clone()),
            retention: config.retention,
            imports: importer::Settings { env: config.services.content.then_some(import_env), ..importer::Settings::default() },
            mail: mail.clone(),
            ..actor_system::Params::new(store.clone(), clock.clone(), entropy.clone(), deliveries)
        };
        adjust(&mut params);
        params.provider = wiring::provider(config, keys, base_url, &params).await.map_err(|what| anyhow!(what))?;
        let provider = params.provider.clone();
        let actors = ActorSystem::start(params, metrics.registry()).await?;
        let components = Self { blobs, actors: actors.handles().clone(), provider, mail, fetcher, foundation };
        Ok((components, actors))
    }
}
