//! Following links.

use crate::{
    Result, Tx, TxOperation,
    identity::{
        Outcome, Source,
        accounts::{self, WithPassword},
        attempts, audit, known_devices,
        one_time::{self, Hash},
        passwords,
    },
};
use domain::{identity::one_time::Kind, shared::UserId};
use jiff::SignedDuration;

/// How long a verification link that was used leads to the same answer: some mail programs follow a link before its reader does.
const REPEATED: SignedDuration = SignedDuration::from_hours(24);

/// Follows a verification link.
pub struct VerifyEmail {
    /// The link's.
    pub hash: Hash,
    /// Where it came from.
    pub source: Source,
}

/// What a verification link did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verified {
    /// The address is proved now.
    Now,
    /// The same link has proved it not long ago.
    Before,
    /// Nothing: there is no such link, or it is over.
    Not,
}

impl TxOperation for VerifyEmail {
    type Output = Verified;

    const NAME: &'static str = "account.verify_email";

    async fn run(&self, tx: &Tx<'_>) -> Result<Verified> {
        let at = self.source.at;
        let Some(locked) = lock_owner(tx, Kind::Verification, &self.hash).await? else { return Ok(Verified::Not) };
        let user = locked.account.id;
        if one_time::consume(tx, Kind::Verification, &self.hash, at).await?.is_none() {
            let seen = one_time::find(tx, Kind::Verification, &self.hash).await?;
            let used_at = seen.and_then(|seen| seen.used_at);
            let is_repeated = locked.account.email_verified && used_at.is_some_and(|used_at| at.duration_since(used_at) < REPEATED);
            return Ok(if is_repeated { Verified::Before } else { Verified::Not });
        }
        one_time::expire_all(tx, Kind::Verification, user, at).await?;
        if accounts::set_verified(tx, user).await? {
            audit::record(tx, "auth.email.verified", Outcome::Success, self.source.attempt(Some(user))).await?;
        }
        Ok(Verified::Now)
    }
}

/// Sets a new password by a reset link. Who could read the mail is the owner of the address; but nobody is signed in by it.
pub struct ResetPassword {
    /// The link's.
    pub hash: Hash,
    /// A PHC string.
    pub new_hash: String,
    /// Where guesses at the password are counted: a lock would outlive what it was for.
    pub guesses: attempts::Key,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for ResetPassword {
    /// Whether the link could be used.
    type Output = bool;

    const NAME: &'static str = "account.reset_password";

    /// 403 `accountSuspended`, and the link is not used up.
    async fn run(&self, tx: &Tx<'_>) -> Result<bool> {
        let at = self.source.at;
        let Some(locked) = lock_owner(tx, Kind::PasswordReset, &self.hash).await? else { return Ok(false) };
        let user = locked.account.id;
        if one_time::consume(tx, Kind::PasswordReset, &self.hash, at).await?.is_none() {
            return Ok(false);
        }
        locked.account.check_not_suspended()?;
        passwords::replace(tx, &locked, &self.new_hash, at).await?;
        one_time::expire_all(tx, Kind::Verification, user, at).await?;
        accounts::set_verified(tx, user).await?;
        accounts::raise_token_version(tx, user).await?;
        known_devices::forget_others(tx, user, None).await?;
        attempts::remove(tx, &self.guesses).await?;
        audit::record(tx, "auth.password.reset", Outcome::Success, self.source.attempt(Some(user))).await?;
        Ok(true)
    }
}

/// Finds a link and locks its account.
pub async fn lock_owner(tx: &Tx<'_>, kind: Kind, hash: &Hash) -> Result<Option<WithPassword>> {
    let seen = one_time::find(tx, kind, hash).await?;
    let owner: Option<UserId> = seen.and_then(|seen| seen.token.user);
    match owner {
        Some(user) => accounts::lock(tx, user).await,
        None => Ok(None),
    }
}
