//! The lockout: whether one more attempt at a password or a code may be checked.
//!
//! An attempt is registered before it is checked: until then it is under way. The transaction that follows on
//! a success resets the counter, the one that follows on a failure counts it, and an attempt that could not
//! be checked because of an error is refunded.

use super::{IdentityContext, RequestContext, secrets::AttemptTarget};
use domain::{
    identity::{Account, lockout::Admission},
    shared::{Fault, UserId},
};
use std::{future::Future, time::Duration};
use storage::{
    Executor, Result as StoreResult, Tx,
    identity::{
        known_devices,
        lockout::{self, Conclusion, PendingAttempt},
        one_time::Hash,
    },
};

/// When a caller should come back while as many attempts are under way as may fail: checking one takes less
/// than a second.
pub(super) const BUSY: Duration = Duration::from_secs(1);

impl IdentityContext {
    /// Registers an attempt at a target. 429 while the target is locked, or as many attempts at it are under
    /// way as may fail. Answers what is to be concluded; `None` while limits are off.
    pub(super) async fn register_attempt(
        &self,
        executor: &impl Executor,
        target: AttemptTarget<'_>,
        known_browser: Option<&Hash>,
    ) -> Result<Option<PendingAttempt>, Fault> {
        let rules = match target {
            AttemptTarget::Password(_) | AttemptTarget::Reauth(_) => &self.limits.passwords,
            AttemptTarget::Code(_) | AttemptTarget::DeviceCode(_) => &self.limits.codes,
            AttemptTarget::MailedCode(_) => &self.limits.mailed_codes,
        };
        let Some(rules) = rules else { return Ok(None) };
        let key = self.secrets.lockout_key(target, known_browser);
        let (admission, attempt) = lockout::register(executor, &key, rules, self.clock.now()).await?;
        let wait = match admission {
            Admission::Allowed => return Ok(Some(attempt)),
            Admission::Busy => BUSY,
            Admission::Locked(wait) => wait,
        };
        self.limits.locked.inc();
        Err(Fault::too_many(wait))
    }

    /// Registers an attempt of a browser that the account may know: such a browser has a counter of its own.
    pub(super) async fn register_attempt_of(
        &self,
        request: &RequestContext,
        user: UserId,
        target: AttemptTarget<'_>,
    ) -> Result<Option<PendingAttempt>, Fault> {
        let connection = self.store.connection("lockout.register").await?;
        let recognition = request.recognised_by(&connection, user).await?;
        self.register_attempt(&connection, target, request.known_browser(recognition)).await
    }

    /// Does what follows on a registered attempt, and refunds the attempt when that ends in an error: it may
    /// have been right.
    pub(super) async fn refund_on_error<T, E>(
        &self,
        attempt: Option<PendingAttempt>,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let outcome = work.await;
        if let (Err(_), Some(attempt)) = (&outcome, attempt) {
            let refunded = async { lockout::refund(&self.store.connection("lockout.refund").await?, &attempt).await };
            if let Err(error) = refunded.await {
                tracing::warn!(%error, "an attempt that was not checked will count as a failure");
            }
        }
        outcome
    }

    /// Concludes an attempt where nothing else is written.
    pub(super) async fn conclude(&self, conclusion: Option<Conclusion>) -> Result<(), Fault> {
        if conclusion.is_none() {
            return Ok(());
        }
        let connection = self.store.connection("lockout.conclude").await?;
        Ok(lockout::conclude(&connection, conclusion).await?)
    }

    /// Forgets every failed attempt at the password and the codes of an account, those of the day included,
    /// in each browser that it knows: an administrator helps its owner.
    pub(super) async fn forget_failures(&self, tx: &Tx<'_>, account: &Account) -> StoreResult<()> {
        let user = account.id;
        let targets = [
            AttemptTarget::Password(&account.email),
            AttemptTarget::Code(user),
            AttemptTarget::DeviceCode(user),
            AttemptTarget::MailedCode(user),
            AttemptTarget::Reauth(user),
        ];
        let known = known_devices::list_hashes(tx, user).await?;
        let browsers: Vec<Option<&Hash>> = known.iter().map(Some).chain([None]).collect();
        let keys = targets.iter().flat_map(|target| browsers.iter().map(|browser| self.secrets.lockout_key(*target, *browser)));
        lockout::remove_all(tx, &keys.collect::<Vec<_>>()).await
    }
}
