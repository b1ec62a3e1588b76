//! Proving, in a session that goes on, who one is: with the password or a passkey. The session remembers
//! when, see [`domain::shared::ProofRule`]; when the person signed in (`auth_time`) stays what it is.

use super::{
    IdentityContext, RequestContext,
    password::find_own,
    reauth::{self, Credential},
};
use domain::shared::Fault;
use storage::{
    identity::{AuditOutcome, audit, sessions},
    shared::sessions::SessionClaims,
    transact,
};

/// What a person proves themselves for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// For acts that follow in the session. The audit trail has each proof.
    Session,
    /// For the act of an administrator whose form holds the proof. The audit trail has the act, and a proof
    /// that was refused.
    Act,
}

impl Purpose {
    /// The audit event.
    fn event(self) -> audit::Event {
        match self {
            Self::Session => audit::Event::AuthProof,
            Self::Act => audit::Event::AdminConfirmation,
        }
    }
}

/// Authenticates a signed-in person once more. `credential` reads what was sent; its argument is whether the
/// account has a password. 403 `invalidPassword` and `invalidAssertion`, and what [`reauth::reauthenticate`]
/// refuses beside.
pub async fn prove(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: SessionClaims,
    credential: impl FnOnce(bool) -> Result<Credential, Fault> + Send,
    purpose: Purpose,
) -> Result<(), Fault> {
    let stored = find_own(ctx, owner.user).await?;
    let credential = credential(stored.account.has_password)?;
    let passkey = &reauth::reauthenticate(ctx, request, owner, &stored, credential, purpose.event()).await?;
    let recorded = transact!(ctx, "session.record_proof", async |tx| {
        let (user, at) = (owner.user, request.source.at);
        sessions::lock_signed_in(tx, owner, at).await?;
        if let Some(passkey) = passkey
            && let Err(stale) = passkey.record(tx, request.source.attempt(Some(user))).await?
        {
            return Ok(Err(stale));
        }
        sessions::set_proved(tx, owner.session, at).await?;
        if purpose == Purpose::Session {
            audit::record(tx, purpose.event(), AuditOutcome::Success, request.source.attempt(Some(user))).await?;
        }
        Ok(Ok(()))
    })
    .await?;
    reauth::unless_stale(ctx, request, owner.user, recorded, purpose.event()).await
}
