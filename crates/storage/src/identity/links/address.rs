//! Another mail address for an account: asked for by its owner, and confirmed by a link that goes to it.

use super::follow::lock_owner;
use crate::{
    Error, Executor, Result, Tx, TxOperation,
    identity::{
        NewMail, Outcome, Source,
        accounts::{self, WithPassword},
        audit, known_devices, mails,
        one_time::{self, Hash, NewOneTime},
        passkeys::{PasskeyUse, RecordedUse},
        sessions::{self, KeepSession, SessionTimes},
    },
    shared::sessions::Claimed,
};
use domain::{
    identity::{AddressChange, Email, address_change, one_time::Kind},
    shared::{Fault, UserId},
};

/// The index that refuses a second account with the same address.
const UNIQUE: &str = "users_email";

/// Keeps another address until it is confirmed, for an owner who is signed in and was proved again. It takes the place of one that was asked for
/// before.
pub struct AskForAddress {
    /// Who is signed in.
    pub owner: Claimed,
    /// The passkey that proved it, if one did.
    pub passkey: Option<PasskeyUse>,
    /// The link, with an [`AddressChange`].
    pub link: NewOneTime,
    /// The link's mail to the new address, and the notice to the old one.
    pub letters: Vec<NewMail>,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for AskForAddress {
    type Output = RecordedUse<()>;

    const NAME: &'static str = "account.ask_for_address";

    /// 401 when the session ended since the owner was proved.
    async fn run(&self, tx: &Tx<'_>) -> Result<Self::Output> {
        let (user, at) = (self.owner.user, self.source.at);
        sessions::lock_signed_in(tx, self.owner, at).await?;
        let attempt = self.source.attempt(Some(user));
        if let Some(passkey) = &self.passkey
            && let Err(stale) = passkey.record(tx, attempt).await?
        {
            return Ok(Err(stale));
        }
        one_time::expire_all(tx, Kind::AddressChange, user, at).await?;
        one_time::add(tx, &self.link).await?;
        for letter in &self.letters {
            mails::add(tx, letter).await?;
        }
        audit::record(tx, "auth.email.change_requested", Outcome::Success, attempt).await.map(Ok)
    }
}

/// Puts another address in the place of the account's at once, for an owner who is signed in and was proved again: as long as no mail is sent, nothing
/// could confirm it.
pub struct SetAddress {
    /// Who is signed in.
    pub owner: Claimed,
    /// The passkey that proved it, if one did.
    pub passkey: Option<PasskeyUse>,
    /// The address.
    pub email: Email,
    /// What lives on; every other session ends.
    pub spared: KeepSession,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for SetAddress {
    /// For the new cookie.
    type Output = RecordedUse<SessionTimes>;

    const NAME: &'static str = "account.set_address";

    /// 401 when the session ended since the owner was proved; 409 `emailTaken`.
    async fn run(&self, tx: &Tx<'_>) -> Result<Self::Output> {
        let locked = sessions::lock_signed_in(tx, self.owner, self.source.at).await?;
        if let Some(passkey) = &self.passkey
            && let Err(stale) = passkey.record(tx, self.source.attempt(Some(self.owner.user))).await?
        {
            return Ok(Err(stale));
        }
        let kept = change(tx, &locked, &self.email, Some(self.spared), &self.source).await?;
        kept.map(Ok).ok_or_else(|| Fault::unauthorized().into())
    }
}

/// Puts the address in the place of the account's that a link was mailed to.
pub struct ConfirmAddress {
    /// The link's.
    pub hash: Hash,
    /// Who is signed in where it was followed, and what of theirs lives on.
    pub spared: Option<(UserId, KeepSession)>,
    /// Where it came from.
    pub source: Source,
}

/// What a link to confirm an address did.
#[derive(Debug, Clone, Copy)]
pub enum Confirmed {
    /// The account has the new address. The session of the account where the link was followed lives on, with a new cookie.
    Now(Option<SessionTimes>),
    /// Nothing: there is no such link, or it is over.
    Not,
}

impl TxOperation for ConfirmAddress {
    type Output = Confirmed;

    const NAME: &'static str = "account.confirm_address";

    /// 403 `accountSuspended` and 409 `emailTaken`, and the link is not used up.
    async fn run(&self, tx: &Tx<'_>) -> Result<Confirmed> {
        let Some(locked) = lock_owner(tx, Kind::AddressChange, &self.hash).await? else { return Ok(Confirmed::Not) };
        let taken = one_time::consume(tx, Kind::AddressChange, &self.hash, self.source.at).await?;
        let Some(taken) = taken else { return Ok(Confirmed::Not) };
        let asked = AddressChange::from_json(taken.payload)?;
        if asked.token_version != locked.account.token_version {
            return Ok(Confirmed::Not);
        }
        locked.account.check_not_suspended()?;
        let spared = self.spared.filter(|(user, _)| *user == locked.account.id).map(|(_, spared)| spared);
        Ok(Confirmed::Now(change(tx, &locked, &asked.email, spared, &self.source).await?))
    }
}

/// Changes the address of a locked account. What was mailed to the old one is void, and every session ends but for what is spared: the answer is
/// for its new cookie.
async fn change(
    tx: &Tx<'_>,
    locked: &WithPassword,
    email: &Email,
    spared: Option<KeepSession>,
    source: &Source,
) -> Result<Option<SessionTimes>> {
    let (user, at) = (locked.account.id, source.at);
    tx.execute_one(
        "users.set_email",
        "update users set email = $2, email_verified = true where id = $1",
        &[/* id */ &user.0, /* email */ &email.as_str()],
    )
    .await
    .map_err(|error| match error.constraint() {
        Some(UNIQUE) => Error::from(address_change::email_taken()),
        _ => error,
    })?;
    for kind in [Kind::Verification, Kind::PasswordReset, Kind::AddressChange] {
        one_time::expire_all(tx, kind, user, at).await?;
    }
    let kept = if let Some(spared) = spared {
        sessions::end_others(tx, user, spared).await?
    } else {
        accounts::raise_token_version(tx, user).await?;
        known_devices::forget_others(tx, user, None).await?;
        None
    };
    audit::record(tx, "auth.email.changed", Outcome::Success, source.attempt(Some(user))).await?;
    Ok(kept)
}
