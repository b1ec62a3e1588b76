//! The guard against server-side request forgery: which targets a URL of a user may have.
//!
//! [`Guard::check`] checks the text alone, without network, in the same time whatever host it names.
//! [`Guard::resolve`] asks DNS and refuses the name if any of its addresses is denied; it returns the only
//! addresses that may be connected to. Other modules cannot construct a [`OutboundTarget`] or a
//! [`ResolvedTarget`].

mod address;
mod exception;
mod metrics;
mod name;
mod policy;
mod port;
mod raw_url;
mod target;
mod url_check;

use crate::dns::{DnsError, Resolver};
use std::net::{IpAddr, SocketAddr};
use strum::VariantArray;

pub use exception::Exception;
pub use metrics::Metrics;
pub use policy::Policy;
pub use target::{Host, OutboundTarget, Scheme};

/// Why a URL is refused, for metrics and logs. Who gave it is told only what the URL itself shows
/// ([`GuardRefusal::sentence`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, VariantArray)]
pub enum GuardRefusal {
    /// Empty, too long, or with a space, a backslash or a control character.
    #[error("the text is no plain URL")]
    Text,
    /// No absolute URL with an authority.
    #[error("it is no absolute URL")]
    Form,
    /// Neither http nor https.
    #[error("its scheme is neither http nor https")]
    Scheme,
    /// It has a user name, a password or a fragment.
    #[error("it has a part that no target has")]
    Parts,
    /// The host is not in its canonical spelling.
    #[error("its host is not written as it is read")]
    Spelling,
    /// The address is not public.
    #[error("its address is not public")]
    Address,
    /// The host name is reserved or cannot be public.
    #[error("its name is not public")]
    Name,
    /// The port is the well-known one of another protocol.
    #[error("its port is not for this")]
    Port,
    /// The target is this server.
    #[error("it is this server")]
    Own,
    /// The host name resolves to an address that is not public.
    #[error("its name leads to an address that is not public")]
    Resolved,
    /// A redirect from https to http.
    #[error("it leads from https to http")]
    Downgrade,
}

impl GuardRefusal {
    /// What is wrong with the URL, as far as its text shows it; of what a name leads to it says nothing.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Text => "must be a URL of at most 2048 characters, without spaces, backslashes and control characters",
            Self::Form => "must be an absolute URL, like https://example.org/hook",
            Self::Scheme => "must begin with https:// or http://",
            Self::Parts => "must have no user name, no password and no part behind a #",
            Self::Spelling => {
                "must name its host and port as they are read: an address in its usual form, a name without escapes, no default port in another spelling"
            }
            Self::Address => "must not name an address that is not public",
            Self::Name => {
                "must not name a host that is reserved or only known in a local network, such as localhost, .local or .internal"
            }
            Self::Port => "must name no port of another protocol: 443, 80 or one from 1024 on that no other service is known for",
            Self::Own => "must not be an address of this server",
            Self::Resolved | Self::Downgrade => "may not be called",
        }
    }

    /// The label in metrics.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Form => "form",
            Self::Scheme => "scheme",
            Self::Parts => "parts",
            Self::Spelling => "spelling",
            Self::Address => "address",
            Self::Name => "name",
            Self::Port => "port",
            Self::Own => "own",
            Self::Resolved => "resolved",
            Self::Downgrade => "downgrade",
        }
    }
}

/// The guard.
pub struct Guard {
    policy: Policy,
    resolver: Resolver,
    metrics: Metrics,
}

/// The addresses of a target, all of which are allowed.
#[derive(Debug)]
pub struct ResolvedTarget(Vec<SocketAddr>);

impl ResolvedTarget {
    /// The addresses, in the order in which they are tried.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.0
    }
}

/// Why a target has no addresses to connect to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResolveError {
    /// The guard refuses it.
    Refused(GuardRefusal),
    /// Its host name could not be resolved.
    Dns(DnsError),
}

impl Guard {
    /// A guard with these rules.
    pub fn new(policy: Policy, resolver: Resolver, metrics: Metrics) -> Self {
        Self { policy, resolver, metrics }
    }

    /// Checks the text of a URL, without DNS.
    pub fn check(&self, text: &str) -> Result<OutboundTarget, GuardRefusal> {
        self.count_refusal(url_check::read(text, &self.policy))
    }

    /// Checks the location of a redirect.
    pub fn follow(&self, from: &OutboundTarget, location: &str) -> Result<OutboundTarget, GuardRefusal> {
        let target = self.check(&from.joined(location))?;
        let is_downgrade = from.scheme() == Scheme::Https && target.scheme() == Scheme::Http;
        self.count_refusal(if is_downgrade { Err(GuardRefusal::Downgrade) } else { Ok(target) })
    }

    /// Resolves and checks the addresses of a target. A denied address denies all of them, since a mix is
    /// likely an attack.
    pub async fn resolve(&self, target: &OutboundTarget) -> Result<ResolvedTarget, ResolveError> {
        let addresses = match target.host() {
            Host::Address(address) => vec![*address],
            Host::Name(name) => self.resolver.addresses(name).await.map_err(ResolveError::Dns)?,
        };
        let is_allowed = |address: &IpAddr| self.policy.allows(*address, target.port());
        let checked = if addresses.iter().all(is_allowed) { Ok(()) } else { Err(GuardRefusal::Resolved) };
        self.count_refusal(checked).map_err(ResolveError::Refused)?;
        Ok(ResolvedTarget(addresses.into_iter().map(|address| SocketAddr::new(address, target.port())).collect()))
    }

    fn count_refusal<T>(&self, outcome: Result<T, GuardRefusal>) -> Result<T, GuardRefusal> {
        outcome.inspect_err(|refusal| self.metrics.count(*refusal))
    }
}
