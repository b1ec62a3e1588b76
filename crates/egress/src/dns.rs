//! Names to addresses, by a resolver of our own: absolute names only, no search domains, no file of hosts, nothing remembered.
//!
//! What the guard has checked is what is dialled, so nobody may resolve a name a second time in between.

use hickory_resolver::{
    TokioResolver,
    config::{LookupIpStrategy, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts},
    net::runtime::TokioRuntimeProvider,
    proto::rr::{Name, RData, RecordType},
};
use std::{
    fs,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Duration,
};

/// Where a machine says which resolvers it has.
const SYSTEM: &str = "/etc/resolv.conf";
/// Where DNS is asked.
pub const PORT: u16 = 53;
/// How long one server may take, and how often it is asked.
const PATIENCE: Duration = Duration::from_secs(2);
const ATTEMPTS: usize = 2;
/// How many questions may be open at a time on one connection: more than all callers together ask.
const OPEN: usize = 1024;

/// Why a name has no addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unresolved {
    /// There is no such name, or it has no address.
    #[error("there is no such host")]
    Nobody,
    /// The servers did not say.
    #[error("the name could not be looked up")]
    Failed,
}

/// Asks for addresses. Cheap to clone.
#[derive(Clone)]
pub struct Resolver {
    inner: TokioResolver,
}

impl Resolver {
    /// Asks these servers; with none, those of the system. The error is a sentence.
    pub fn new(servers: &[SocketAddr]) -> Result<Self, String> {
        let servers = if servers.is_empty() { system() } else { servers.to_vec() };
        let servers = servers.into_iter().map(server).collect();
        let mut options = ResolverOpts::default();
        options.ndots = 0;
        options.timeout = PATIENCE;
        options.attempts = ATTEMPTS;
        options.cache_size = 0;
        options.max_active_requests = OPEN;
        options.use_hosts_file = ResolveHosts::Never;
        options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
        let config = ResolverConfig::from_name_servers(servers);
        let builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default()).with_options(options);
        builder.build().map(|inner| Self { inner }).map_err(|error| format!("the resolver cannot be made: {error}"))
    }

    /// Every address of a name, those of IPv4 first: a host without IPv6 then loses no time.
    pub async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, Unresolved> {
        let mut name = Name::from_ascii(name).map_err(|_| Unresolved::Nobody)?;
        name.set_fqdn(true);
        let (v4, v6) = tokio::join!(self.ask(name.clone(), RecordType::A), self.ask(name, RecordType::AAAA));
        match (v4, v6) {
            (Err(_), Err(Unresolved::Failed)) | (Err(Unresolved::Failed), Err(_)) => Err(Unresolved::Failed),
            (v4, v6) => {
                let addresses: Vec<_> = v4.into_iter().chain(v6).flatten().collect();
                if addresses.is_empty() { Err(Unresolved::Nobody) } else { Ok(addresses) }
            }
        }
    }

    async fn ask(&self, name: Name, kind: RecordType) -> Result<Vec<IpAddr>, Unresolved> {
        let address = |data: &RData| match data {
            RData::A(it) => Some(IpAddr::V4(it.0)),
            RData::AAAA(it) => Some(IpAddr::V6(it.0)),
            _ => None,
        };
        match self.inner.lookup(name, kind).await {
            Ok(found) => Ok(found.answers().iter().filter_map(|record| address(&record.data)).collect()),
            Err(error) if error.is_no_records_found() || error.is_nx_domain() => Err(Unresolved::Nobody),
            Err(_) => Err(Unresolved::Failed),
        }
    }
}

fn server(address: SocketAddr) -> NameServerConfig {
    let mut server = NameServerConfig::udp_and_tcp(address.ip());
    for connection in &mut server.connections {
        connection.port = address.port();
    }
    server
}

/// The resolvers of this machine; itself when it names none, as the C library has it.
fn system() -> Vec<SocketAddr> {
    let servers = read(&fs::read_to_string(SYSTEM).unwrap_or_default());
    if servers.is_empty() { vec![SocketAddr::from((Ipv4Addr::LOCALHOST, PORT))] } else { servers }
}

/// The servers of a `resolv.conf`. Addresses that hold only on one network card are left out.
fn read(text: &str) -> Vec<SocketAddr> {
    let server = |line: &str| line.trim().strip_prefix("nameserver")?.trim().parse::<IpAddr>().ok();
    text.lines().filter_map(server).map(|address| SocketAddr::new(address, PORT)).collect()
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn the_servers_of_a_machine_are_found() {
        let text = "# made by hand\nsearch corp.example\nnameserver 10.0.0.2\n nameserver  ::1 \nnameserver fe80::1%eth0\nnameserver\noptions ndots:5\n";
        assert_eq!(read(text), ["10.0.0.2:53".parse().unwrap(), "[::1]:53".parse().unwrap()]);
        assert_eq!(read(""), []);
    }
}
