//! Resolves host names with hickory: absolute names only, without search domains, hosts file or cache.
//!
//! The guard checks addresses and the client connects to those; a second look-up in between could return
//! others.

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

/// The file with the resolvers of the system.
const RESOLV_CONF: &str = "/etc/resolv.conf";
/// The port of DNS.
pub const PORT: u16 = 53;
/// How long one server may take, and how often it is asked.
const QUERY_TIMEOUT: Duration = Duration::from_secs(2);
const ATTEMPTS: usize = 2;
/// How many queries may be open on one connection: more than all callers together have.
const MAX_OPEN_QUERIES: usize = 1024;

/// Why a name has no addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DnsError {
    /// There is no such name, or it has no address.
    #[error("there is no such host")]
    NotFound,
    /// The servers did not respond, or with an error.
    #[error("the name could not be looked up")]
    Failed,
}

/// A DNS resolver. Cheap to clone.
#[derive(Clone)]
pub struct Resolver {
    inner: TokioResolver,
}

impl Resolver {
    /// A resolver that asks these servers, or without any those of the system. The error is a sentence.
    pub fn new(servers: &[SocketAddr]) -> Result<Self, String> {
        let servers = if servers.is_empty() { system() } else { servers.to_vec() };
        let servers = servers.into_iter().map(server).collect();
        let mut options = ResolverOpts::default();
        options.ndots = 0;
        options.timeout = QUERY_TIMEOUT;
        options.attempts = ATTEMPTS;
        options.cache_size = 0;
        options.max_active_requests = MAX_OPEN_QUERIES;
        options.use_hosts_file = ResolveHosts::Never;
        options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
        let config = ResolverConfig::from_name_servers(servers);
        let builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default()).with_options(options);
        builder.build().map(|inner| Self { inner }).map_err(|error| format!("the resolver cannot be made: {error}"))
    }

    /// All addresses of a name, those of IPv4 first, so that a host without IPv6 loses no time.
    pub async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, DnsError> {
        let mut name = Name::from_ascii(name).map_err(|_| DnsError::NotFound)?;
        name.set_fqdn(true);
        let (v4, v6) = tokio::join!(self.ask(name.clone(), RecordType::A), self.ask(name, RecordType::AAAA));
        match (v4, v6) {
            (Err(_), Err(DnsError::Failed)) | (Err(DnsError::Failed), Err(_)) => Err(DnsError::Failed),
            (v4, v6) => {
                let addresses: Vec<_> = v4.into_iter().chain(v6).flatten().collect();
                if addresses.is_empty() { Err(DnsError::NotFound) } else { Ok(addresses) }
            }
        }
    }

    async fn ask(&self, name: Name, kind: RecordType) -> Result<Vec<IpAddr>, DnsError> {
        let address = |data: &RData| match data {
            RData::A(v4) => Some(IpAddr::V4(v4.0)),
            RData::AAAA(v6) => Some(IpAddr::V6(v6.0)),
            _ => None,
        };
        match self.inner.lookup(name, kind).await {
            Ok(found) => Ok(found.answers().iter().filter_map(|record| address(&record.data)).collect()),
            Err(error) if error.is_no_records_found() || error.is_nx_domain() => Err(DnsError::NotFound),
            Err(_) => Err(DnsError::Failed),
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

/// The resolvers of the system; the local machine when it names none, as in the C library.
fn system() -> Vec<SocketAddr> {
    let servers = read(&fs::read_to_string(RESOLV_CONF).unwrap_or_default());
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
