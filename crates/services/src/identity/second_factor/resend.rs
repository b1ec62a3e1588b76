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
use jiff::Timestamp;
use serde_json::Value;
use std::time::Duration;
use storage::{
    Result as StoreResult, Tx, TxOperation,
    identity::{
        NewMail, accounts, mails,
        one_time::{self, OneTimeToken},
    },
};

/// Mails another code, and starts the time of the pending login anew. Answers how long to wait before another one can be mailed; 429 when that is too soon
/// or once too often, 401 when the login cannot be finished any more.
pub async fn resend(ctx: &IdentityContext, request: &RequestContext, login_token: &str) -> Result<Duration, Fault> {
    let login = pending::find(ctx, request, login_token, Method::Email).await?;
    let at = request.at();
    let (hash, content) = new_code(ctx, login.row.id);
    let pending = login.pending.resent(hash, at)?;
    ctx.limits.login_code_to(&ctx.store, login.user, request.known_browser(login.recognition)).await?;
    let connection = ctx.store.connection("account.find").await?;
    let account = accounts::find(&connection, login.user).await?.ok_or_else(challenge_expired)?;
    drop(connection);
    let mail = ctx.mail_queue.compose(&Recipient::from(&account), content)?;
    let operation = ResendCode { pending: login.row, payload: pending::payload(&pending)?, mail, at };
    if !ctx.store.transact(&operation).await? {
        return Err(Fault::too_many(RESEND_AFTER));
    }
    Ok(RESEND_AFTER)
}

/// Puts another code in the place of the one that was mailed.
struct ResendCode {
    /// The pending login as it was read.
    pending: OneTimeToken,
    /// The same with the new code.
    payload: Value,
    mail: Option<NewMail>,
    at: Timestamp,
}

impl TxOperation for ResendCode {
    /// `false` when another code was mailed in between, or the pending login is over.
    type Output = bool;

    const NAME: &'static str = "second_factor.resend";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<bool> {
        // The new code is to live as long as the first one did.
        if !one_time::renew(tx, OneTime::PendingLogin, &self.pending, &self.payload, self.at).await? {
            return Ok(false);
        }
        mails::add_if(tx, self.mail.as_ref()).await?;
        Ok(true)
    }
}
