//! Signing in and out, each as one transaction with its entry in the audit trail.

use super::{
    Attempt, NewMail, Outcome, Source, accounts, audit, guesses,
    known_devices::{self, Device},
    mails,
    one_time::Hash,
    sessions,
};
use crate::{Error, Result, Tx, TxOperation};
use domain::{
    identity::{Account, Proof, device::Reason},
    shared::{Fault, SessionId, UserId},
};
use futures_util::try_join;
use jiff::Timestamp;
use serde_json::json;

/// Signs an account in whose owner was proved.
pub struct SignIn {
    /// Whose.
    pub user: UserId,
    /// Its `token_version` when the owner was proved.
    pub token_version: i32,
    /// How.
    pub proof: Proof,
    /// The old and the new hash, when the costs have changed.
    pub rehashed: Option<(String, String)>,
    /// The new session's id.
    pub session: SessionId,
    /// When the session ends.
    pub expires_at: Timestamp,
    /// The browser as it will be known: the hash of the cookie that it gets or has.
    pub cookie: Hash,
    /// The browser as it came.
    pub device: Device,
    /// What there is to tell about this sign-in.
    pub told: Told,
    /// Whose failures are forgiven.
    pub forgiven: Option<guesses::Key>,
    /// Where it came from.
    pub source: Source,
}

/// What the owner and the audit trail are told besides.
#[derive(Default)]
pub struct Told {
    /// Why it is strange; nothing when it is not, or was told before.
    pub reasons: Vec<Reason>,
    /// Whether the browser is a new one.
    pub is_new_device: bool,
    /// The mail that says so.
    pub letter: Option<NewMail>,
}

impl TxOperation for SignIn {
    /// The account as it is now.
    type Output = Account;

    const NAME: &'static str = "account.sign_in";

    /// 409 `accountChanged` when it changed since the owner was proved.
    async fn run(&self, tx: &Tx<'_>) -> Result<Account> {
        let at = self.source.at;
        let rehashed = self.rehashed.as_ref().map(|(old, new)| (old.as_str(), new.as_str()));
        let passes_totp = self.proof.passes_totp();
        let noted = accounts::SignIn { user: self.user, token_version: self.token_version, rehashed, passes_totp, at };
        let session = sessions::NewSession {
            id: self.session,
            user: self.user,
            token_version: self.token_version,
            ip: self.source.origin.ip,
            user_agent: self.source.user_agent.as_deref(),
            amr: self.proof.methods(),
            at,
            expires_at: self.expires_at,
        };
        let attempt = self.source.attempt(Some(self.user));
        // All are sent at once. The lock goes first: the note sees whatever whoever held it has committed. Where that says no, the rest is rolled back. (On a
        // new connection, where the lock is prepared first, the others may overtake it. That is no harm but that two may meet, and one is run again.)
        // Together they are too large for whoever awaits them to carry.
        let writes = async {
            try_join!(
                accounts::hold(tx, self.user),
                async { accounts::note_sign_in(tx, noted).await?.ok_or_else(|| Error::from(account_changed())) },
                sessions::insert(tx, session),
                known_devices::see(tx, self.user, &self.cookie, &self.device, at),
                guesses::forgive_if(tx, self.forgiven.as_ref()),
                audit::record(tx, "auth.login.success", Outcome::Success, attempt),
            )
        };
        let (_, account, ..) = Box::pin(writes).await?;
        tell(tx, &self.told, attempt).await?;
        Ok(account)
    }
}

/// Refuses a sign-in: the account is not any more what it was when its owner was proved. Its password is another one, or its second factor, or it is
/// suspended.
fn account_changed() -> Fault {
    Fault::conflict("accountChanged", "The account was changed at this very moment; try again")
}

/// What came of a transaction with a [`SignIn`] in it that is over; `None` when the account had changed, and nothing of it stands.
pub fn unless_changed<T>(outcome: Result<T>) -> Result<Option<T>> {
    match outcome {
        Err(error) if is_account_changed(&error) => Ok(None),
        outcome => outcome.map(Some),
    }
}

/// Whether a [`SignIn`] was refused for that. What it wrote has to be rolled back.
pub(super) fn is_account_changed(error: &Error) -> bool {
    matches!(error, Error::Fault(fault) if fault.code == account_changed().code)
}

async fn tell(tx: &Tx<'_>, told: &Told, attempt: Attempt<'_>) -> Result<()> {
    if told.is_new_device {
        audit::record(tx, "auth.login.new_device", Outcome::Success, attempt).await?;
    }
    record_suspicion(tx, &told.reasons, attempt).await?;
    mails::add_if(tx, told.letter.as_ref()).await
}

/// Notes why a sign-in is strange, if it is.
pub(super) async fn record_suspicion(tx: &Tx<'_>, reasons: &[Reason], attempt: Attempt<'_>) -> Result<()> {
    if reasons.is_empty() {
        return Ok(());
    }
    let reasons: Vec<&str> = reasons.iter().map(|reason| reason.name()).collect();
    audit::record_with(tx, "auth.login.suspicious", &json!({ "reasons": reasons }), attempt).await
}

/// Notes a sign-in that was refused. An unknown account is noted as well, so that both cost the same.
pub struct RefuseSignIn {
    /// The account, if there is one of that address.
    pub user: Option<UserId>,
    /// Why, for those who read the trail.
    pub reason: &'static str,
    /// Whose failures are forgiven: the password was right, and something else was not.
    pub forgiven: Option<guesses::Key>,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for RefuseSignIn {
    type Output = ();

    const NAME: &'static str = "account.refuse_sign_in";

    async fn run(&self, tx: &Tx<'_>) -> Result<()> {
        guesses::forgive_if(tx, self.forgiven.as_ref()).await?;
        audit::record(tx, "auth.login.failure", Outcome::Failure(self.reason), self.source.attempt(self.user)).await
    }
}

/// Ends a session.
pub struct SignOut {
    /// Whose.
    pub user: UserId,
    /// Which.
    pub session: SessionId,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for SignOut {
    type Output = ();

    const NAME: &'static str = "account.sign_out";

    async fn run(&self, tx: &Tx<'_>) -> Result<()> {
        if !sessions::revoke(tx, self.session, self.source.at).await? {
            return Ok(());
        }
        audit::record(tx, "auth.logout", Outcome::Success, self.source.attempt(Some(self.user))).await
    }
}
