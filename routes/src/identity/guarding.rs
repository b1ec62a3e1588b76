//! Whether anybody may look at one more guess.

use super::{Identity, browser::Browser};
use crate::web::ApiRequest;
use domain::{
    identity::device::Recognition,
    shared::{Fault, UserId},
};
use services::identity::secrets::Target;
use std::future::Future;
use storage::{
    Connection,
    identity::{
        guesses::{self, Admission, Key},
        one_time::Hash,
    },
};

/// A guess at what an account is proved by that may be looked at.
pub(super) struct Admitted {
    /// What is forgiven when it is right; nothing when nobody is counted.
    pub(super) key: Option<Key>,
    /// What is known of the browser.
    pub(super) seen: Recognition,
}

impl Identity {
    /// Asks for one more guess; 429 when nobody may try for a while. It counts as a failure from now on, until its key is forgiven: that is
    /// what is answered, and nothing when nobody is counted.
    pub(super) async fn admit(
        &self,
        session: &Connection,
        target: Target<'_>,
        known_browser: Option<&Hash>,
    ) -> Result<Option<Key>, Fault> {
        let rules = match target {
            Target::Password(_) | Target::Reauth(_) => &self.ctx.limits.passwords,
            Target::Code(_) => &self.ctx.limits.codes,
            Target::MailedCode(_) => &self.ctx.limits.mailed_codes,
        };
        let Some(rules) = rules else { return Ok(None) };
        let key = self.ctx.secrets.lockout_key(target, known_browser);
        match guesses::admit(session, &key, rules, self.ctx.clock.now()).await? {
            Admission::Admitted => Ok(Some(key)),
            Admission::Locked(wait) => {
                self.ctx.limits.locked.inc();
                Err(Fault::too_many(wait))
            }
        }
    }

    /// The same for a guess at an account's second factor.
    pub(super) async fn admit_code(&self, request: &ApiRequest, user: UserId) -> Result<Admitted, Fault> {
        self.admit_at(request, user, Target::Code(user)).await
    }

    /// The same for a guess at a code that was mailed.
    pub(super) async fn admit_mailed_code(&self, request: &ApiRequest, user: UserId) -> Result<Admitted, Fault> {
        self.admit_at(request, user, Target::MailedCode(user)).await
    }

    /// The same for a guess at the password of who is signed in.
    pub(super) async fn admit_again(&self, request: &ApiRequest, user: UserId) -> Result<Option<Key>, Fault> {
        Ok(self.admit_at(request, user, Target::Reauth(user)).await?.key)
    }

    /// Does what comes after a guess was admitted. A failure is none of the guess: it may have been right.
    pub(super) async fn or_take_back<T>(&self, key: Option<Key>, work: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
        let outcome = work.await;
        if let (Err(_), Some(key)) = (&outcome, key) {
            let taken_back = async { guesses::take_back(&self.ctx.store.connection("guesses.take_back").await?, &key).await };
            if let Err(error) = taken_back.await {
                tracing::warn!(%error, "a guess that nobody looked at stays counted");
            }
        }
        outcome
    }

    async fn admit_at(&self, request: &ApiRequest, user: UserId, target: Target<'_>) -> Result<Admitted, Fault> {
        let browser = Browser::of(self, request);
        let seen = browser.recognised_by(self, user).await?;
        let connection = self.ctx.store.connection("guesses.admit").await?;
        Ok(Admitted { key: self.admit(&connection, target, browser.hash_if(seen)).await?, seen })
    }
}
