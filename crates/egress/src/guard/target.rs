//! Checked URLs.

use std::{fmt, net::IpAddr};
use url::{Position, Url};

/// The protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    Http,
    Https,
}

/// The host.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Host {
    /// A name in lower-case ASCII, without a final dot.
    Name(String),
    Address(IpAddr),
}

impl Host {
    /// The host of a URL.
    pub(super) fn of(url: &Url) -> Option<Self> {
        Some(match url.host()? {
            url::Host::Domain(name) => Self::Name(name.strip_suffix('.').unwrap_or(name).to_owned()),
            url::Host::Ipv4(address) => Self::Address(address.into()),
            url::Host::Ipv6(address) => Self::Address(address.into()),
        })
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(IpAddr::V4(address)) => address.fmt(f),
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
        }
    }
}

/// A URL that passed the checks that need no DNS. Only the guard constructs one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboundTarget {
    pub(super) scheme: Scheme,
    pub(super) host: Host,
    pub(super) port: u16,
    pub(super) url: Url,
}

impl OutboundTarget {
    /// The protocol.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The host.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The port, also when the URL has none.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The whole URL in its canonical spelling, for storing.
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// Path and query, as in the request line.
    pub(crate) fn path(&self) -> &str {
        &self.url[Position::BeforePath..Position::AfterQuery]
    }

    /// The value of the header `Host`: the host, and the port where it is not the default.
    pub(crate) fn authority(&self) -> String {
        match self.url.port() {
            Some(port) => format!("{}:{port}", self.host),
            None => self.host.to_string(),
        }
    }

    /// Resolves the location of a redirect against this URL. An absolute location stays as it is written, so
    /// that its spelling is checked.
    pub(super) fn joined(&self, location: &str) -> String {
        let location = location.split('#').next().unwrap_or_default();
        match Url::parse(location) {
            Err(url::ParseError::RelativeUrlWithoutBase) => {
                self.url.join(location).map_or_else(|_| location.to_owned(), String::from)
            }
            _ => location.to_owned(),
        }
    }
}
