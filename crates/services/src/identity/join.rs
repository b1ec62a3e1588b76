//! Taking an invitation to a space, on the page that its link leads to. The link is no sign-in: it is taken
//! by a person who is signed in with the account of the address that was invited.

use super::{IdentityContext, RequestContext};
use crate::shared::{JoinOutcome, Joining};
use domain::shared::{Fault, SpaceInvitation};
use storage::{
    identity::{one_time::Hash, sessions},
    shared::{sessions::SessionClaims, space_invitations},
    transact,
};

/// The invitation of a link, for the page that shows it; `None` for one that cannot be taken. 429 when the
/// caller tried too many of those.
pub async fn look_at(
    ctx: &IdentityContext,
    request: &RequestContext,
    hash: Option<Hash>,
) -> Result<Option<SpaceInvitation>, Fault> {
    let connection = ctx.store.connection("space_invitation.find").await?;
    let found = match hash {
        Some(hash) => space_invitations::find(&connection, &hash, request.at()).await?,
        None => None,
    };
    if found.is_none() {
        ctx.limits.link_from(&ctx.store, request.ip).await?;
    }
    Ok(found)
}

/// Makes a signed-in person a member by the invitation of a link. 401 when the session has ended, 429 when
/// the caller tried too many links that cannot be taken.
pub async fn join(
    ctx: &IdentityContext,
    request: &RequestContext,
    hash: Option<Hash>,
    owner: SessionClaims,
) -> Result<JoinOutcome, Fault> {
    let outcome = match hash {
        Some(hash) => {
            transact!(ctx, "member.join", async |tx| {
                let at = request.at();
                let account = sessions::lock_signed_in(tx, owner, at).await?.account;
                let joining = Joining { hash, user: account.id, email: account.email, origin: request.source.origin, at };
                ctx.spaces.join(tx, &joining).await
            })
            .await?
        }
        None => JoinOutcome::Stale,
    };
    if outcome == JoinOutcome::Stale {
        ctx.limits.link_from(&ctx.store, request.ip).await?;
    }
    Ok(outcome)
}
