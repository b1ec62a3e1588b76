//! The guard of URLs, the client that uses it and the fetching of files, against a DNS server and peers of
//! the test.

mod calls;
mod files;
mod names;
mod spellings;
mod vectors;

use egress::{
    client::GuardedClient,
    dns::Resolver,
    fetch::Fetcher,
    guard::{Guard, Metrics, Policy},
};
use prometheus::{Registry, TextEncoder};
use rustls::RootCertStore;
use support::{Authority, Dns, prelude::*};

/// A guard with a DNS server of its own.
struct GuardFixture {
    dns: Dns,
    guard: Arc<Guard>,
    registry: Registry,
}

impl GuardFixture {
    /// One that allows these exceptions; it stands at `https://cms.example.net`.
    async fn new(exceptions: &[&str]) -> Self {
        let dns = Dns::start().await;
        let registry = Registry::new();
        let exceptions = exceptions.iter().map(|exception| exception.parse().unwrap()).collect();
        let policy = Policy::new(exceptions, "https://cms.example.net");
        let resolver = Resolver::new(&[dns.address]).unwrap();
        let guard = Arc::new(Guard::new(policy, resolver, Metrics::register(&registry).unwrap()));
        Self { dns, guard, registry }
    }

    fn client(&self, roots: RootCertStore) -> GuardedClient {
        GuardedClient::new(self.guard.clone(), roots).unwrap()
    }

    /// A client that trusts no certificate.
    fn fetcher(&self) -> Fetcher {
        Fetcher::new(self.client(RootCertStore::empty()))
    }

    fn trusting(&self, authority: &Authority) -> GuardedClient {
        self.client(authority.roots.clone())
    }

    /// How many refusals of a reason were counted.
    fn refusals(&self, reason: &str) -> u64 {
        let text = TextEncoder::new().encode_to_string(&self.registry.gather()).unwrap();
        let name = format!("svc_guard_refusals_total{{reason=\"{reason}\"}} ");
        text.lines().find_map(|line| line.strip_prefix(&name)).unwrap().parse().unwrap()
    }
}
