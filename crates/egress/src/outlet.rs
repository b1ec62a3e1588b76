//! Everything that a server calls others with, made from its settings.

use crate::{
    client::Client,
    dns::Resolver,
    fetch::Fetcher,
    guard::{Exception, Guard, Metrics, Policy},
    tls,
    vendor::Lines,
};
use domain::shared::Fault;
use prometheus::Registry;
use std::{net::SocketAddr, sync::Arc};

/// What the operator says about calls to others.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Who is asked for addresses; with none, whom the system asks.
    pub dns_servers: Vec<SocketAddr>,
    /// What may be called although it is not public.
    pub allowed_private_targets: Vec<Exception>,
    /// Where this server itself is found.
    pub base_url: String,
}

/// The ways out. Cheap to clone.
#[derive(Clone)]
pub struct Outlet {
    /// To URLs that people gave: one request each.
    pub client: Client,
    /// To URLs that people gave: files.
    pub fetcher: Fetcher,
    /// To the hosted service.
    pub lines: Lines,
    /// Who is asked for the addresses of hosts that the operator named; the system, without.
    pub resolver: Option<Resolver>,
}

impl Outlet {
    /// Opens them. Nothing is called yet.
    pub fn open(settings: Settings, registry: &Registry) -> Result<Self, Fault> {
        let Settings { dns_servers, allowed_private_targets, base_url } = settings;
        let metrics = Metrics::register(registry).map_err(|error| Fault::internal(format!("metrics: {error}")))?;
        let resolver = Resolver::new(&dns_servers).map_err(Fault::internal)?;
        let roots = tls::system_roots();
        let named = (!dns_servers.is_empty()).then(|| resolver.clone());
        let lines = Lines::new(roots.clone(), named.clone()).map_err(Fault::internal)?;
        let guard = Guard::new(Policy::new(allowed_private_targets, &base_url), resolver, metrics);
        let client = Client::new(Arc::new(guard), roots).map_err(Fault::internal)?;
        Ok(Self { fetcher: Fetcher::new(client.clone()), client, lines, resolver: named })
    }
}
