//! All clients of other servers, built from the operator's settings.

use crate::{
    client::GuardedClient,
    dns::Resolver,
    fetch::Fetcher,
    guard::{Exception, Guard, Metrics, Policy},
    tls,
    vendor::HttpPool,
};
use domain::shared::Fault;
use prometheus::Registry;
use std::{net::SocketAddr, sync::Arc};

/// The operator's settings of outgoing connections.
#[derive(Debug, Clone, Default)]
pub struct ClientSettings {
    /// The DNS servers; when empty, those of the system.
    pub dns_servers: Vec<SocketAddr>,
    /// Private targets that are allowed.
    pub allowed_private_targets: Vec<Exception>,
    /// The URL of this server, which is never a target.
    pub base_url: String,
}

/// The clients. Cheap to clone.
#[derive(Clone)]
pub struct EgressClients {
    /// Sends requests to URLs of users, through the guard.
    pub client: GuardedClient,
    /// Downloads files from URLs of users, through the guard.
    pub fetcher: Fetcher,
    pub pool: HttpPool,
    /// The resolver for hosts that the operator configured; `None` for the system's.
    pub resolver: Option<Resolver>,
}

impl EgressClients {
    /// Builds the clients without connecting.
    pub fn open(settings: ClientSettings, registry: &Registry) -> Result<Self, Fault> {
        let ClientSettings { dns_servers, allowed_private_targets, base_url } = settings;
        let metrics = Metrics::register(registry).map_err(|error| Fault::internal(format!("metrics: {error}")))?;
        let resolver = Resolver::new(&dns_servers).map_err(Fault::internal)?;
        let roots = tls::system_roots();
        let named = (!dns_servers.is_empty()).then(|| resolver.clone());
        let pool = HttpPool::new(roots.clone(), named.clone()).map_err(Fault::internal)?;
        let guard = Guard::new(Policy::new(allowed_private_targets, &base_url), resolver, metrics);
        let client = GuardedClient::new(Arc::new(guard), roots).map_err(Fault::internal)?;
        Ok(Self { fetcher: Fetcher::new(client.clone()), client, pool, resolver: named })
    }
}
