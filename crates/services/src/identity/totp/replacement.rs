//! What allows a second authenticator app in the place of the first: without it, a stranger at an open
//! browser could put an app of their own there.

use crate::identity::{
    IdentityContext, RequestContext,
    password::find_own,
    reauth::{self, Credential},
    second_factor::RightCode,
};
use domain::shared::{Code, Detail, Fault};
use secrecy::SecretString;
use serde_json::Value;
use storage::{
    identity::{audit, passkeys::PasskeyUse},
    shared::sessions::SessionClaims,
};

/// The audit event of a proof that is refused.
pub(super) const ENABLED: audit::Event = audit::Event::AuthTotpEnabled;

/// What a person shows to replace the app that is in use.
#[derive(Debug)]
pub enum ReplacementProof {
    /// A code of that app.
    Code(String),
    /// A passkey, see [`Credential::Passkey`].
    Passkey {
        /// The challenge, if it is named beside the answer.
        challenge: Option<String>,
        /// The answer of the browser, as JSON.
        credential: Value,
    },
    /// The password of the account and a backup code, for a person who has lost the app.
    PasswordAndBackupCode { password: SecretString, code: String },
}

/// A proof that is right, as it is consumed.
#[derive(Debug, Clone)]
pub(super) enum AcceptedProof {
    /// A code of the app, or a backup code.
    Code(RightCode),
    Passkey(PasskeyUse),
}

/// Checks a proof. `None` for a wrong code; a wrong password or passkey is 403. Whether a backup code is one
/// at all shows when it is consumed.
pub(super) async fn check(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: SessionClaims,
    in_use: &[u8],
    proof: ReplacementProof,
) -> Result<Option<AcceptedProof>, Fault> {
    let user = owner.user;
    let (credential, code) = match proof {
        ReplacementProof::Code(code) => {
            let matched = ctx.match_code(user, Some(in_use), &code)?;
            return Ok(matched.filter(|code| matches!(code, RightCode::Totp { .. })).map(AcceptedProof::Code));
        }
        ReplacementProof::Passkey { challenge, credential } => (Credential::Passkey { challenge, credential }, None),
        ReplacementProof::PasswordAndBackupCode { password, code } => (Credential::Password(password), Some(code)),
    };
    let stored = find_own(ctx, user).await?;
    let passkey = reauth::reauthenticate(ctx, request, owner, &stored, credential, ENABLED).await?;
    let Some(code) = code else { return Ok(passkey.map(AcceptedProof::Passkey)) };
    let matched = ctx.match_code(user, None, &code)?;
    Ok(matched.map(AcceptedProof::Code))
}

/// 400 `currentCodeRequired`: an app is in use.
pub(super) fn proof_required() -> Fault {
    let message = "An authenticator app is in use; send a code of it, or a passkey, or the password and a backup code";
    Fault::new(Code::CurrentCodeRequired, message).about(vec![Detail::required("currentCode")])
}
