//! Checked URLs.

use super::{GuardRefusal, Policy, name, raw_url};
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
    scheme: Scheme,
    host: Host,
    port: u16,
    url: Url,
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

    /// Resolves the location of a redirect against this URL. An absolute location stays as it is written, so that its spelling is checked.
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

/// Checks the text, the form, the spelling, the host and the port of a URL.
pub(super) fn read(text: &str, policy: &Policy) -> Result<OutboundTarget, GuardRefusal> {
    let raw = raw_url::split(text)?;
    let mut url = Url::parse(text).map_err(|_| GuardRefusal::Form)?;
    let scheme = match url.scheme() {
        "http" => Scheme::Http,
        "https" => Scheme::Https,
        _ => return Err(GuardRefusal::Scheme),
    };
    if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
        return Err(GuardRefusal::Parts);
    }
    let (canonical, port) = url.host_str().zip(url.port_or_known_default()).ok_or(GuardRefusal::Form)?;
    let raw_port = raw.port.map(|port| port.parse().map_err(|_| GuardRefusal::Form)).transpose()?;
    if !is_same(raw.host, canonical) || raw_port.is_some_and(|raw_port: u16| raw_port != port) {
        return Err(GuardRefusal::Spelling);
    }
    let host = Host::of(&url).ok_or(GuardRefusal::Form)?;
    if let Host::Name(it) = &host {
        name::check(it)?;
        url.set_host(Some(it)).map_err(|_| GuardRefusal::Form)?;
    }
    policy.admit(&host, port)?;
    Ok(OutboundTarget { scheme, host, port, url })
}

/// Whether a host is in its canonical spelling; case may differ, and names with non-ASCII letters may have either form. This rule alone
/// refuses all decimal, octal, hexadecimal, short, circled and mapped spellings of addresses.
fn is_same(written: &str, canonical: &str) -> bool {
    let written = written.to_lowercase();
    written == canonical || (!written.is_ascii() && written == idna::domain_to_unicode(canonical).0)
}
