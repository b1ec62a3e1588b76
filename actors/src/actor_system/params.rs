//! What an actor system is made of.

use super::RESTART_BACKOFF;
use crate::{
    content::{Limits, importer},
    deliveries::DeliverySettings,
    identity::mail_sender,
    maintenance::Retention,
};
use domain::shared::{Backoff, SharedClock, SharedEntropy};
use services::identity::oidc::{KeyRing, LogoutTokens};
use storage::{Store, blobs::Blobs};

/// Which actors are started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// All: for a server.
    #[default]
    Server,
    /// Those that an import needs: for a command, beside which a server may run.
    Imports,
}

/// What an actor system is made of.
pub struct Params {
    /// Which actors are started.
    pub scope: Scope,
    pub store: Store,
    /// The files of assets; without them, none are swept.
    pub blobs: Option<Blobs>,
    pub clock: SharedClock,
    /// For new identifiers, and for jitter.
    pub entropy: SharedEntropy,
    /// The bounds of a space's actor.
    pub limits: Limits,
    /// The wait before an actor that failed is started again.
    pub restart_backoff: Backoff,
    /// How long things are kept.
    pub retention: Retention,
    /// How imports are done.
    pub imports: importer::Settings,
    /// How deliveries are sent.
    pub deliveries: DeliverySettings,
    /// How mails are sent; without it, none are.
    pub mail: Option<mail_sender::MailSenderSettings>,
    /// The OpenID provider; without it, no keys are rotated, and logout tokens are left to other processes.
    pub provider: Option<Provider>,
}

/// What the actors need of the OpenID provider.
#[derive(Clone)]
pub struct Provider {
    /// The keys that tokens are signed with.
    pub key_ring: KeyRing,
    /// Makes the tokens that tell clients of ended sessions.
    pub logout_tokens: LogoutTokens,
}

impl Params {
    /// The usual bounds.
    pub fn new(store: Store, clock: SharedClock, entropy: SharedEntropy, deliveries: DeliverySettings) -> Self {
        Self {
            scope: Scope::default(),
            store,
            blobs: None,
            clock,
            entropy,
            limits: Limits::default(),
            restart_backoff: RESTART_BACKOFF,
            retention: Retention::default(),
            imports: importer::Settings::default(),
            deliveries,
            mail: None,
            provider: None,
        }
    }
}
