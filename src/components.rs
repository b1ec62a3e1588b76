//! The running parts of the server, opened in the order in which they need each other. The server and the
//! tests open them by the same function.

use crate::config::Config;
use actors::{
    ActorSystem, Handles,
    actor_system::{self, Provider},
    content::importer,
    deliveries::{DeliverySettings, HttpTransport, SECRET_PURPOSE},
    identity::mail_sender,
};
use anyhow::{Context, Result, anyhow};
use crypto::{
    keys::Keys,
    oidc::{SigningPool, SigningSettings},
    passwords::Passwords,
    seal::Seal,
};
use domain::shared::{Fault, SharedClock, SharedEntropy};
use egress::{
    client::GuardedClient,
    clients::{self, EgressClients},
    fetch::Fetcher,
    mail::SmtpTransport,
};
use routes::{ops::Metrics, studio::Bundle, web::ResponseMemory};
use services::identity::oidc::{
    KeyRing, LogoutTokens,
    client_receivers::{self, ReceiverSeal},
    keys::KeyRingParams,
};
use std::{ops::Deref, path::PathBuf, sync::Arc, time::Duration};
use storage::{IsThere, Store, blobs::Blobs};
use tokio::sync::watch;

/// What there is before anything runs.
pub struct Foundation {
    /// The URL of the server, see [`Config::base_url`].
    pub base_url: String,
    pub store: Store,
    /// The time within which the database has to answer, or the server is not ready.
    pub database_timeout: Duration,
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
    /// The studio; `None` when the server was built without it.
    pub studio: Option<Bundle>,
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
        let Foundation { base_url, store, clock, entropy, keys, metrics, data, data_is_there, .. } = &foundation;
        let clients = egress_clients(config, base_url, metrics.registry())?;
        let fetcher = clients.fetcher.clone();
        let blobs = Blobs::open(config.assets.below(data, data_is_there.clone())).await.context("the directory of assets")?;
        let mail = mail(config, keys, &clients, base_url)?;
        let deliveries = webhook_delivery_settings(config, keys, clients.client.clone());
        let import_env = imports(config, keys, clients, blobs.clone(), base_url);
        let mut params = actor_system::Params {
            blobs: Some(blobs.clone()),
            retention: config.retention,
            imports: importer::Settings { env: config.services.content.then_some(import_env), ..importer::Settings::default() },
            mail: mail.clone(),
            ..actor_system::Params::new(store.clone(), clock.clone(), entropy.clone(), deliveries)
        };
        adjust(&mut params);
        params.provider = provider(config, keys, base_url, &params).await.map_err(|what| anyhow!(what))?;
        let provider = params.provider.clone();
        let actors = ActorSystem::start(params, metrics.registry()).await?;
        let components = Self { blobs, actors: actors.handles().clone(), provider, mail, fetcher, foundation };
        Ok((components, actors))
    }
}

/// The clients of other servers.
pub fn egress_clients(config: &Config, base_url: &str, registry: &prometheus::Registry) -> Result<EgressClients, Fault> {
    let settings = clients::ClientSettings {
        dns_servers: config.egress.dns_servers.clone(),
        allowed_private_targets: config.egress.allowed_private_targets.clone(),
        base_url: base_url.to_owned(),
    };
    EgressClients::open(settings, registry)
}

/// The environment of imports.
pub fn imports(config: &Config, keys: &Keys, clients: EgressClients, blobs: Blobs, base_url: &str) -> importer::ImportEnv {
    importer::ImportEnv {
        clients,
        origins: (config.egress.vendor_mapi_url.clone(), config.egress.vendor_cdn_url.clone()),
        seal: Seal::new(keys.derive(services::content::import::source_token::SEAL)),
        blobs,
        base_url: base_url.to_owned(),
        memory: config.import_memory,
    }
}

/// The settings of webhook deliveries.
pub fn webhook_delivery_settings(config: &Config, keys: &Keys, client: GuardedClient) -> DeliverySettings {
    DeliverySettings::new(Arc::new(HttpTransport::new(client)), keys, config.webhook_backoff, config.webhook_max_age)
}

/// The settings of the mail sender; `None` without a mail server, and without the identity service, which
/// sends the mails.
pub fn mail(
    config: &Config,
    keys: &Keys,
    clients: &EgressClients,
    base_url: &str,
) -> Result<Option<mail_sender::MailSenderSettings>, Fault> {
    let Some(smtp) = config.mail.smtp.as_ref().filter(|_| config.services.identity) else { return Ok(None) };
    let transport = SmtpTransport::new(smtp.server.clone(), base_url, clients.resolver.clone()).map_err(Fault::internal)?;
    let templates = config.mail.templates.clone();
    Ok(Some(mail_sender::MailSenderSettings::new(Arc::new(transport), templates, smtp.from.clone(), base_url, keys)))
}

/// Opens the keys of the OpenID provider, and makes the receivers of what clients are told follow the
/// configuration. `None` without the identity service. The error is a sentence for the operator.
pub async fn provider(
    config: &Config,
    keys: &Keys,
    base_url: &str,
    actors: &actor_system::Params,
) -> Result<Option<Provider>, String> {
    let actor_system::Params { store, clock, entropy, deliveries, .. } = actors;
    if !config.services.identity {
        return Ok(None);
    }
    let pool = SigningPool::start(SigningSettings::default())?;
    let key_ring = KeyRing::open(KeyRingParams { store: store.clone(), keys, entropy: entropy.clone(), pool }).await?;
    let clients = Arc::clone(&config.identity.settings.clients);
    let secrets = config.identity.oidc.client_secrets(keys);
    let seal = ReceiverSeal { seal: deliveries.seal.clone(), purpose: SECRET_PURPOSE, entropy: entropy.clone() };
    client_receivers::synchronise(store, &clients, |client| secrets.webhook_secret(client), seal, clock.now())
        .await
        .map_err(|fault| fault.cause.map_or_else(|| fault.message.into_owned(), String::from))?;
    let issuer = issuer(base_url).into();
    let logout_tokens = LogoutTokens { keys: key_ring.clone(), clients, issuer, entropy: entropy.clone() };
    Ok(Some(Provider { key_ring, logout_tokens }))
}

/// The issuer of every token.
pub(crate) fn issuer(base_url: &str) -> &str {
    base_url.trim_end_matches('/')
}
