//! Mailing another code for the same login. The code before it is void; the attempts stay as few.

use super::{new_code, pending};
use crate::identity::{IdentityContext, RequestContext};
use domain::{
    identity::{
        Recipient,
        one_time::Kind as OneTime,
        second_factor::{Method, RESEND_AFTER, challenge_expired},
    },
    shared::Fault,
};
use std::time::Duration;
use storage::{
    identity::{
        accounts, mails,
        one_time::{self},
    },
    transact,
};

/// Mails another code, and starts the time of the pending login anew. Answers how long to wait before another one can be mailed; 429 when that is too soon
/// or once too often, 401 when the login cannot be finished any more.
pub async fn resend(ctx: &IdentityContext, request: &RequestContext, login_token: &str) -> Result<Duration, Fault> {
    let login = &pending::find(ctx, request, login_token, Method::Email).await?;
    let at = request.at();
    let (hash, content) = new_code(ctx, login.row.id);
    let pending = login.pending.resent(hash, at)?;
    ctx.limits.login_code_to(&ctx.store, login.user, request.known_browser(login.recognition)).await?;
    let connection = ctx.store.connection("account.find").await?;
    let account = accounts::find(&connection, login.user).await?.ok_or_else(challenge_expired)?;
    drop(connection);
    let mail = &ctx.mail_queue.compose(&Recipient::from(&account), content)?;
    let payload = &pending::payload(&pending)?;
    let is_resent = transact!(ctx, "second_factor.resend", async |tx| {
        // The new code is to live as long as the first one did.
        if !one_time::renew(tx, OneTime::PendingLogin, &login.row, payload, at).await? {
            return Ok(false);
        }
        mails::add_if(tx, mail.as_ref()).await?;
        Ok(true)
    })
    .await?;
    if !is_resent {
        return Err(Fault::too_many(RESEND_AFTER));
    }
    Ok(RESEND_AFTER)
}
