//! The lockout: whether one more attempt at a password or a code may be checked.
//!
//! An attempt is registered, and counts as a failure, before it is checked. The transaction that follows on a success resets the counter; an attempt that
//! could not be checked because of an error is refunded.

use super::{IdentityContext, RequestContext, secrets::Target};
use domain::shared::{Fault, UserId};
use std::future::Future;
use storage::{
    Executor,
    identity::{
        attempts::{self, Decision, Key},
        one_time::Hash,
    },
};

impl IdentityContext {
    /// Registers an attempt at a target. 429 while the target is locked. Answers the counter that a success resets; `None` while limits are off.
    pub(super) async fn register_attempt(
        &self,
        executor: &impl Executor,
        target: Target<'_>,
        known_browser: Option<&Hash>,
    ) -> Result<Option<Key>, Fault> {
        let rules = match target {
            Target::Password(_) | Target::Reauth(_) => &self.limits.passwords,
            Target::Code(_) => &self.limits.codes,
            Target::MailedCode(_) => &self.limits.mailed_codes,
        };
        let Some(rules) = rules else { return Ok(None) };
        let key = self.secrets.lockout_key(target, known_browser);
        match attempts::register(executor, &key, rules, self.clock.now()).await? {
            Decision::Allowed => Ok(Some(key)),
            Decision::Locked(wait) => {
                self.limits.locked.inc();
                Err(Fault::too_many(wait))
            }
        }
    }

    /// Registers an attempt of a browser that the account may know: such a browser has a counter of its own.
    pub(super) async fn register_attempt_of(
        &self,
        request: &RequestContext,
        user: UserId,
        target: Target<'_>,
    ) -> Result<Option<Key>, Fault> {
        let connection = self.store.connection("attempts.register").await?;
        let recognition = request.recognised_by(&connection, user).await?;
        self.register_attempt(&connection, target, request.known_browser(recognition)).await
    }

    /// Does what follows on a registered attempt, and refunds the attempt when that ends in an error: it may have been right.
    pub(super) async fn refund_on_error<T>(
        &self,
        key: Option<Key>,
        work: impl Future<Output = Result<T, Fault>>,
    ) -> Result<T, Fault> {
        let outcome = work.await;
        if let (Err(_), Some(key)) = (&outcome, key) {
            let refunded = async { attempts::refund(&self.store.connection("attempts.refund").await?, &key).await };
            if let Err(error) = refunded.await {
                tracing::warn!(%error, "an attempt that was not checked stays counted");
            }
        }
        outcome
    }
}
