//! Mailing another code for the same login. The code before it is void; the attempts stay as few.

use super::{Unfinished, new_code, pending};
use crate::identity::{IdentityContext, RequestContext};
use domain::{
    identity::{
        Recipient,
        one_time::Kind as OneTime,
        second_factor::{Method, RESEND_AFTER},
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

/// Mails another code, and starts the time of the pending login anew. Answers how long to wait before another one can be mailed; `None` when the login cannot be
/// finished any more. 429 when that is too soon or once too often.
pub async fn resend(ctx: &IdentityContext, request: &RequestContext, login_token: &str) -> Result<Option<Duration>, Fault> {
    let login = match pending::find(ctx, request, login_token, Method::Email).await {
        Ok(login) => login,
        Err(Unfinished::Over) => return Ok(None),
        Err(Unfinished::Fault(fault)) => return Err(fault),
    };
    let (login, at) = (&login, request.at());
    let (hash, content) = new_code(ctx, login.row.id);
    let pending = login.pending.resent(hash, at)?;
    ctx.limits.login_code_to(&ctx.store, login.user, request.known_browser(login.recognition)).await?;
    let connection = ctx.store.connection("account.find").await?;
    let Some(account) = accounts::find(&connection, login.user).await? else { return Ok(None) };
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
    Ok(Some(RESEND_AFTER))
}
