//! The guard against server-side request forgery: where a URL that somebody gave us may lead.
//!
//! Two halves. [`Guard::check`] reads the text alone: it needs no network and takes the same time whatever is behind the name.
//! [`Guard::resolve`] asks DNS and refuses the whole name if any of its addresses is denied; what it answers are the only addresses
//! that may be dialled. Nobody else can make a [`Target`] or a [`Checked`].

mod address;
mod exception;
mod metrics;
mod name;
mod policy;
mod port;
mod target;
mod written;

use crate::dns::{Resolver, Unresolved};
use std::net::{IpAddr, SocketAddr};

pub use exception::Exception;
pub use metrics::Metrics;
pub use policy::Policy;
pub use target::{Host, Scheme, Target};

/// What callers are told of every refusal: not which rule, which address, or what is there.
pub const BLOCKED: &str = "blocked_target";

/// Why a URL is refused: for our metrics and logs, not for who gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Empty, too long, or with a space, a backslash or a control character.
    #[error("the text is no plain URL")]
    Text,
    /// No absolute URL with an authority.
    #[error("it is no absolute URL")]
    Form,
    /// Neither http nor https.
    #[error("its scheme is neither http nor https")]
    Scheme,
    /// A user name, a password or a fragment.
    #[error("it has a part that no target has")]
    Parts,
    /// The host is written in another way than it is read.
    #[error("its host is not written as it is read")]
    Spelling,
    /// The address is not public.
    #[error("its address is not public")]
    Address,
    /// The name is reserved, or no public host can have it.
    #[error("its name is not public")]
    Name,
    /// The port belongs to other protocols.
    #[error("its port is not for this")]
    Port,
    /// It is this server.
    #[error("it is this server")]
    Own,
    /// The name leads to an address that is not public.
    #[error("its name leads to an address that is not public")]
    Resolved,
    /// A redirect from https to http.
    #[error("it leads from https to http")]
    Downgrade,
}

impl Refusal {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Text,
        Self::Form,
        Self::Scheme,
        Self::Parts,
        Self::Spelling,
        Self::Address,
        Self::Name,
        Self::Port,
        Self::Own,
        Self::Resolved,
        Self::Downgrade,
    ];

    /// Its label.
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

/// The addresses of a target, all of which may be dialled.
#[derive(Debug)]
pub struct Checked(Vec<SocketAddr>);

impl Checked {
    /// In the order in which they are tried.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.0
    }
}

/// Why a target cannot be dialled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undialled {
    /// It must not.
    Refused(Refusal),
    /// Its name leads nowhere.
    Unresolved(Unresolved),
}

impl Guard {
    /// A guard with rules, a resolver and counters.
    pub fn new(policy: Policy, resolver: Resolver, metrics: Metrics) -> Self {
        Self { policy, resolver, metrics }
    }

    /// Whether a text may be called at all. Nothing is resolved.
    pub fn check(&self, text: &str) -> Result<Target, Refusal> {
        self.counted(target::read(text, &self.policy))
    }

    /// Where a redirect leads: from here to there.
    pub fn follow(&self, from: &Target, location: &str) -> Result<Target, Refusal> {
        let target = self.check(&from.joined(location))?;
        let is_downgrade = from.scheme() == Scheme::Https && target.scheme() == Scheme::Http;
        self.counted(if is_downgrade { Err(Refusal::Downgrade) } else { Ok(target) })
    }

    /// The addresses behind a target. One that is denied denies them all: whoever mixes them wants us to slip.
    pub async fn resolve(&self, target: &Target) -> Result<Checked, Undialled> {
        let addresses = match target.host() {
            Host::Address(address) => vec![*address],
            Host::Name(name) => self.resolver.addresses(name).await.map_err(Undialled::Unresolved)?,
        };
        let is_allowed = |address: &IpAddr| self.policy.allows(*address, target.port());
        let checked = if addresses.iter().all(is_allowed) { Ok(()) } else { Err(Refusal::Resolved) };
        self.counted(checked).map_err(Undialled::Refused)?;
        Ok(Checked(addresses.into_iter().map(|address| SocketAddr::new(address, target.port())).collect()))
    }

    fn counted<T>(&self, outcome: Result<T, Refusal>) -> Result<T, Refusal> {
        outcome.inspect_err(|refusal| self.metrics.count(*refusal))
    }
}
