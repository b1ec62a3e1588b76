//! What a URL is once it has been checked.

use super::{Policy, Refusal, name, written};
use std::{fmt, net::IpAddr};
use url::{Position, Url};

/// How it is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// In clear text.
    Http,
    /// Over TLS.
    Https,
}

/// Who is spoken to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Host {
    /// A name, in lower case and ASCII, without a dot at its end.
    Name(String),
    /// An address.
    Address(IpAddr),
}

impl Host {
    /// That of a URL.
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

/// A URL that may be called, as far as can be said without asking DNS. Only the guard makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    scheme: Scheme,
    host: Host,
    port: u16,
    url: Url,
}

impl Target {
    /// How it is spoken to.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Who is spoken to.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// At which port, also when the URL does not say.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The whole URL in its one spelling: what is kept.
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// Path and query, as they go on the wire.
    pub(crate) fn path(&self) -> &str {
        &self.url[Position::BeforePath..Position::AfterQuery]
    }

    /// Host, and the port where it is not the usual one: the header `Host`.
    pub(crate) fn authority(&self) -> String {
        match self.url.port() {
            Some(port) => format!("{}:{port}", self.host),
            None => self.host.to_string(),
        }
    }

    /// The text of a redirect, made absolute. An absolute one stays as it is written, so that its spelling is checked too.
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

/// Steps 1 to 6: the text, its form, its spelling, its host, its port.
pub(super) fn read(text: &str, policy: &Policy) -> Result<Target, Refusal> {
    let written = written::split(text)?;
    let mut url = Url::parse(text).map_err(|_| Refusal::Form)?;
    let scheme = match url.scheme() {
        "http" => Scheme::Http,
        "https" => Scheme::Https,
        _ => return Err(Refusal::Scheme),
    };
    if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
        return Err(Refusal::Parts);
    }
    let (canonical, port) = url.host_str().zip(url.port_or_known_default()).ok_or(Refusal::Form)?;
    let written_port = written.port.map(|port| port.parse().map_err(|_| Refusal::Form)).transpose()?;
    if !is_same(written.host, canonical) || written_port.is_some_and(|written_port: u16| written_port != port) {
        return Err(Refusal::Spelling);
    }
    let host = Host::of(&url).ok_or(Refusal::Form)?;
    if let Host::Name(it) = &host {
        name::check(it)?;
        url.set_host(Some(it)).map_err(|_| Refusal::Form)?;
    }
    policy.admit(&host, port)?;
    Ok(Target { scheme, host, port, url })
}

/// Whether a host is written as it is read: in any case, and in either form where it has letters beyond ASCII. This alone ends all
/// decimal, octal, hexadecimal, short, circled and mapped spellings of addresses.
fn is_same(written: &str, canonical: &str) -> bool {
    let written = written.to_lowercase();
    written == canonical || (!written.is_ascii() && written == idna::domain_to_unicode(canonical).0)
}
