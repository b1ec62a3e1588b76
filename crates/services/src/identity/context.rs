//! What the use cases of the identity service work with.

use super::{IdentityLimits, IdentitySettings, LoginCounters, MailQueue, Secrets};
use crate::shared::SpaceAdministration;
use crypto::{passkeys::Passkeys, passwords::Passwords};
use domain::{
    identity::second_factor::MailCodes,
    shared::{Fault, SharedClock, SharedEntropy},
};
use futures_util::future::BoxFuture;
use std::sync::Arc;
use storage::{End, Store, Tx};

/// Everything that a use case needs beside the request that causes it. Cheap to clone.
#[derive(Clone)]
pub struct IdentityContext {
    pub store: Store,
    /// Hashes passwords, on a bounded pool of threads.
    pub passwords: Passwords,
    /// Makes WebAuthn challenges and checks what authenticators sign.
    pub passkeys: Arc<Passkeys>,
    pub clock: SharedClock,
    /// The source of new ids and tokens.
    pub entropy: SharedEntropy,
    /// What the operator configured.
    pub settings: Arc<IdentitySettings>,
    /// The rate limits and the rules of the lockout.
    pub limits: Arc<IdentityLimits>,
    /// Writes mails for the transaction that causes them.
    pub mail_queue: MailQueue,
    /// The keys of codes, lockout counters and stored TOTP secrets.
    pub secrets: Arc<Secrets>,
    /// The metrics of logins.
    pub counters: LoginCounters,
    /// What administrators do with spaces.
    pub spaces: Arc<dyn SpaceAdministration>,
}

impl IdentityContext {
    /// When a login code is mailed: as it is configured (`APP_EMAIL_LOGIN_CODE`), and never while mail is
    /// off.
    pub(super) fn mail_codes(&self) -> MailCodes {
        if self.mail_queue.is_on() { self.settings.mail_codes } else { MailCodes::Off }
    }

    /// [`Store::in_transaction`], for a use case.
    pub(super) async fn in_transaction<'env, T: Send + 'env>(
        &self,
        name: &'static str,
        work: impl for<'a> Fn(&'a Tx<'env>) -> BoxFuture<'a, storage::Result<T>> + Sync,
    ) -> Result<T, Fault> {
        Ok(self.store.in_transaction(name, work).await?)
    }

    /// [`Store::in_transaction_if`], for a use case.
    pub(super) async fn in_transaction_if<'env, T: Send + 'env>(
        &self,
        name: &'static str,
        work: impl for<'a> Fn(&'a Tx<'env>) -> BoxFuture<'a, storage::Result<End<T>>> + Sync,
    ) -> Result<T, Fault> {
        Ok(self.store.in_transaction_if(name, work).await?)
    }
}
