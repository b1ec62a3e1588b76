//! Signing in and out, each as one transaction with its entry in the audit trail.

use super::{Attempt, Outcome, accounts, audit, sessions};
use crate::{Result, Tx, Work};
use domain::{
    identity::{Account, Proof},
    shared::{Origin, SessionId, UserId},
};
use jiff::Timestamp;

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
    /// Where it came from.
    pub origin: Origin,
    /// The browser.
    pub user_agent: Option<String>,
    /// When.
    pub at: Timestamp,
}

impl Work for SignIn {
    /// The account as it is now; `None` when it changed since the owner was proved.
    type Done = Option<Account>;

    const NAME: &'static str = "account.sign_in";

    async fn run(&self, tx: &Tx<'_>) -> Result<Option<Account>> {
        let rehashed = self.rehashed.as_ref().map(|(old, new)| (old.as_str(), new.as_str()));
        let noted = accounts::SignIn { user: self.user, token_version: self.token_version, rehashed, at: self.at };
        let Some(account) = accounts::note_sign_in(tx, noted).await? else { return Ok(None) };
        let user_agent = self.user_agent.as_deref();
        let session = sessions::NewSession {
            id: self.session,
            user: self.user,
            token_version: self.token_version,
            ip: self.origin.ip,
            user_agent,
            amr: self.proof.methods(),
            at: self.at,
            expires_at: self.expires_at,
        };
        sessions::insert(tx, session).await?;
        let attempt = Attempt { user: Some(self.user), origin: self.origin, user_agent, at: self.at };
        audit::record(tx, "auth.login.success", Outcome::Success, attempt).await?;
        Ok(Some(account))
    }
}

/// Notes a sign-in that was refused. An unknown account is noted as well, so that both cost the same.
pub struct RefuseSignIn {
    /// The account, if there is one of that address.
    pub user: Option<UserId>,
    /// Why, for those who read the trail.
    pub reason: &'static str,
    /// Where it came from.
    pub origin: Origin,
    /// The browser.
    pub user_agent: Option<String>,
    /// When.
    pub at: Timestamp,
}

impl Work for RefuseSignIn {
    type Done = ();

    const NAME: &'static str = "account.refuse_sign_in";

    async fn run(&self, tx: &Tx<'_>) -> Result<()> {
        let user_agent = self.user_agent.as_deref();
        let attempt = Attempt { user: self.user, origin: self.origin, user_agent, at: self.at };
        audit::record(tx, "auth.login.failure", Outcome::Failure(self.reason), attempt).await
    }
}

/// Ends a session.
pub struct SignOut {
    /// Whose.
    pub user: UserId,
    /// Which.
    pub session: SessionId,
    /// Where it came from.
    pub origin: Origin,
    /// The browser.
    pub user_agent: Option<String>,
    /// When.
    pub at: Timestamp,
}

impl Work for SignOut {
    type Done = ();

    const NAME: &'static str = "account.sign_out";

    async fn run(&self, tx: &Tx<'_>) -> Result<()> {
        if !sessions::revoke(tx, self.session, self.at).await? {
            return Ok(());
        }
        let user_agent = self.user_agent.as_deref();
        let attempt = Attempt { user: Some(self.user), origin: self.origin, user_agent, at: self.at };
        audit::record(tx, "auth.logout", Outcome::Success, attempt).await
    }
}
