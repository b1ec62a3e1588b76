//! Showing the secret of a client to an administrator.

use super::ActingAdministrator;
use crate::identity::oidc::OidcContext;
use domain::{
    identity::oidc::ClientAuth,
    shared::{Code, Fault},
};
use secrecy::SecretString;
use storage::{
    identity::{AuditOutcome, audit},
    transact,
};

/// The secrets of a client.
pub struct RevealedSecret {
    /// What it authenticates with.
    pub secret: SecretString,
    /// The key of its webhook signatures, if it has a webhook.
    pub webhook_secret: Option<SecretString>,
}

/// Answers the secrets of a confidential client, and records that. 400 `publicClient`, `noClientSecret` for
/// one that authenticates with a key of its own, 404, 429 when the administrator asked too often.
pub async fn reveal_client_secret(
    ctx: &OidcContext,
    by: ActingAdministrator<'_>,
    client_id: &str,
) -> Result<RevealedSecret, Fault> {
    let client = ctx.clients.find(client_id).ok_or_else(Fault::not_found)?;
    match client.auth {
        ClientAuth::Secret => {}
        ClientAuth::None => return Err(Fault::of(Code::PublicClient)),
        ClientAuth::PrivateKeyJwt(_) => {
            return Err(Fault::of(Code::NoClientSecret));
        }
    }
    ctx.identity.limits.client_secret_to(&ctx.identity.store, by.claims.user).await?;
    transact!(ctx.identity, "client.record_reveal", async |tx| {
        by.check(tx).await?;
        let attempt = by.attempt(None).client(client_id);
        audit::record(tx, audit::Event::AdminClientSecretRevealed, AuditOutcome::Success, attempt).await
    })
    .await?;
    let webhook_secret = client.webhook_url.as_ref().map(|_| ctx.secrets.webhook_secret(client));
    Ok(RevealedSecret { secret: ctx.secrets.secret(client), webhook_secret })
}
