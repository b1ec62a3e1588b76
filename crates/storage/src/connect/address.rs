//! The hosts that a database URL names, and the addresses behind their names.

use crate::{Error, Result};
use std::{
    fmt, io,
    net::{IpAddr, SocketAddr},
    path::PathBuf,
};
use tokio_postgres::{Config, config};

/// The port of PostgreSQL when the URL names none.
const DEFAULT_PORT: u16 = 5432;

/// A host of the URL with its port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Host {
    /// The name that a certificate must have. Empty for a socket, on which there is no TLS.
    pub(super) name: String,
    place: StoryPlace,
    port: u16,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum StoryPlace {
    /// Looked up whenever a connection is made, because the address behind a name may change.
    Name(String),
    Address(IpAddr),
    /// The folder of a socket.
    Folder(PathBuf),
}

/// Where a connection can be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

impl Host {
    /// The hosts of a URL in its order. `hostaddr` goes before `host`, which then only is the name in the
    /// certificate, and one port serves all hosts (libpq, section «Connection Strings»).
    pub(super) fn of(config: &Config) -> Result<Vec<Self>> {
        let (hosts, addresses, ports) = (config.get_hosts(), config.get_hostaddrs(), config.get_ports());
        let count = hosts.len().max(addresses.len());
        let fits = |len: usize| len == count || len == 0;
        if count == 0 || !fits(hosts.len()) || !fits(addresses.len()) || !(fits(ports.len()) || ports.len() == 1) {
            return Err(Error::Internal("database URL: it must name as many hosts as ports".to_owned()));
        }
        Ok((0..count).map(|at| Self::at(at, hosts.get(at), addresses.get(at), ports)).collect())
    }

    fn at(at: usize, host: Option<&config::Host>, address: Option<&IpAddr>, ports: &[u16]) -> Self {
        let port = ports.get(at).or_else(|| ports.first()).copied().unwrap_or(DEFAULT_PORT);
        let (name, place) = match (host, address) {
            (Some(config::Host::Unix(folder)), _) => (String::new(), StoryPlace::Folder(folder.clone())),
            (Some(config::Host::Tcp(name)), Some(address)) => (name.clone(), StoryPlace::Address(*address)),
            (Some(config::Host::Tcp(name)), None) => (name.clone(), StoryPlace::Name(name.clone())),
            (None, address) => (String::new(), StoryPlace::Address(address.copied().unwrap_or(IpAddr::from([127, 0, 0, 1])))),
        };
        Self { name, place, port }
    }

    /// The addresses behind the name, in the order of the resolver.
    pub(super) async fn addresses(&self) -> io::Result<Vec<Address>> {
        Ok(match &self.place {
            StoryPlace::Name(name) => tokio::net::lookup_host((name.as_str(), self.port)).await?.map(Address::Tcp).collect(),
            StoryPlace::Address(ip) => vec![Address::Tcp(SocketAddr::new(*ip, self.port))],
            StoryPlace::Folder(folder) => vec![Address::Unix(folder.join(format!(".s.PGSQL.{}", self.port)))],
        })
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            StoryPlace::Name(name) => write!(f, "{name}:{}", self.port),
            StoryPlace::Address(ip) => SocketAddr::new(*ip, self.port).fmt(f),
            StoryPlace::Folder(folder) => write!(f, "{}:{}", folder.display(), self.port),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, Host};
    use tokio_postgres::Config;

    fn hosts(url: &str) -> Result<Vec<String>, String> {
        let hosts = Host::of(&url.parse::<Config>().unwrap()).map_err(|error| error.to_string())?;
        Ok(hosts.iter().map(|host| format!("{host} {}", host.name)).collect())
    }

    #[test]
    fn each_host_has_its_port_and_its_name() {
        assert_eq!(hosts("postgres://a,b:6000/x").unwrap(), ["a:5432 a", "b:6000 b"]);
        assert_eq!(hosts("host=a,b port=7000").unwrap(), ["a:7000 a", "b:7000 b"]);
        assert_eq!(hosts("host=db.example hostaddr=192.0.2.1").unwrap(), ["192.0.2.1:5432 db.example"]);
        assert_eq!(hosts("hostaddr=2001:db8::1 port=1").unwrap(), ["[2001:db8::1]:1 "]);
        assert_eq!(hosts("host=/run/postgresql").unwrap(), ["/run/postgresql:5432 "]);
    }

    #[test]
    fn hosts_and_ports_must_be_as_many() {
        for url in ["user=x", "host=a,b hostaddr=192.0.2.1", "host=a,b,c port=1,2"] {
            assert!(hosts(url).unwrap_err().contains("as many"), "{url}");
        }
    }

    #[tokio::test]
    async fn a_socket_is_a_file_named_after_its_port() {
        let host = Host::of(&"host=/run/postgresql port=5433".parse().unwrap()).unwrap().remove(0);
        assert_eq!(host.addresses().await.unwrap(), [Address::Unix("/run/postgresql/.s.PGSQL.5433".into())]);
    }
}
