//! Links that are mailed.

use super::Identity;
use crate::web::ApiRequest;
use domain::{
    identity::{Account, Email, MailContent, Recipient, one_time::Kind},
    shared::{Fault, UserId},
};
use secrecy::ExposeSecret;
use std::{future::Future, time::Duration};
use storage::identity::{
    Outcome,
    links::{Decoy, MailedLink, SendLink},
    one_time::NewOneTime,
};
use tokio::time::Instant;

/// Longer than writing a mail takes on any machine that is not overloaded, and too short to be waited for.
const STEP: Duration = Duration::from_millis(50);

/// A link that is mailed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// Proves an address.
    Verification,
    /// Sets a new password.
    PasswordReset,
    /// Confirms another address.
    AddressChange,
}

impl Link {
    fn kind(self) -> Kind {
        match self {
            Self::Verification => Kind::Verification,
            Self::PasswordReset => Kind::PasswordReset,
            Self::AddressChange => Kind::AddressChange,
        }
    }

    /// The letter that carries it. A verification link goes straight to the endpoint, the others to pages: one asks for the password, and the other
    /// for a click, because some mail programs follow a link before its reader does.
    fn letter(self, identity: &Identity, token: &str) -> MailContent {
        let url = |path: &str| identity.ctx.mail_queue.url(&format!("{path}?token={token}"));
        match self {
            Self::Verification => MailContent::Verification { link: url("/api/auth/verify-email") },
            Self::PasswordReset => MailContent::PasswordReset { link: url("/reset-password") },
            Self::AddressChange => MailContent::Verification { link: url("/confirm-email") },
        }
    }
}

/// A new link of an account, and the mail with it.
pub(super) fn mailed(identity: &Identity, link: Link, to: &Recipient) -> Result<MailedLink, Fault> {
    let (token, hash) = crypto::link::generate(identity.ctx.entropy.as_ref());
    let letter = link.letter(identity, token.expose_secret());
    let row = NewOneTime::of(link.kind(), to.user, hash, identity.ctx.entropy.uuid(), identity.ctx.clock.now());
    Ok(MailedLink { link: row, mail: identity.ctx.mail_queue.compose(to, letter)? })
}

/// What was asked for by somebody who may be anybody.
pub(super) struct Request<'a> {
    /// The address that was named.
    pub(super) email: &'a Email,
    /// Which link.
    pub(super) link: Link,
    /// The account that gets it, if there is one that may.
    pub(super) account: Option<&'a Account>,
    /// For the audit trail.
    pub(super) event: &'static str,
    /// What came of it, apart from the link.
    pub(super) outcome: Outcome,
}

/// Is done at the next full [`STEP`] since it began, so that small differences in the work do not show to a caller who may not learn of them. The work
/// is still to be the same for everybody: where it takes longer than a step, the number of steps would tell.
pub(super) async fn evenly<T>(work: impl Future<Output = T>) -> T {
    let began = Instant::now();
    let done = work.await;
    let steps = began.elapsed().div_duration_f64(STEP).ceil();
    tokio::time::sleep_until(began + STEP.mul_f64(steps)).await;
    done
}

/// Sends a link to an account, or does as much for nothing: the answer must not tell whether there is one.
pub(super) async fn send(identity: &Identity, request: &ApiRequest, link: Request<'_>) -> Result<(), Fault> {
    let Request { email, link, account, event, outcome } = link;
    let source = identity.source(request);
    if let Some(account) = account {
        let sent = mailed(identity, link, &Recipient::from(account))?;
        return Ok(identity.ctx.store.transact(&SendLink { user: account.id, sent, event, outcome, source }).await?);
    }
    let nobody = UserId(identity.ctx.entropy.uuid());
    let row = if identity.ctx.mail_queue.is_on() {
        let locale = identity.ctx.settings.locales.choose(None).unwrap_or_default().to_owned();
        // Written and sealed as the other one is, and then thrown away.
        mailed(identity, link, &Recipient { user: nobody, email: email.clone(), name: email.as_str().to_owned(), locale })?.link
    } else {
        let (_, hash) = crypto::link::generate(identity.ctx.entropy.as_ref());
        NewOneTime::of(link.kind(), nobody, hash, identity.ctx.entropy.uuid(), identity.ctx.clock.now())
    };
    Ok(identity.ctx.store.transact(&Decoy { link: row, event, source }).await?)
}

#[cfg(test)]
mod tests {
    use super::evenly;
    use std::time::Duration;
    use tokio::time::{Instant, sleep};

    #[tokio::test(start_paused = true)]
    async fn what_takes_a_little_longer_is_done_at_the_same_time() {
        for (millis, steps) in [(1, 1), (3, 1), (49, 1), (61, 2)] {
            let began = Instant::now();
            let done: Result<(), ()> = evenly(async {
                sleep(Duration::from_millis(millis)).await;
                Err(())
            })
            .await;
            assert_eq!((done, began.elapsed().as_millis()), (Err(()), steps * 50), "{millis} ms");
        }
    }
}
