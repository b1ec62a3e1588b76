//! Requests for a mail that anyone may make for any address. The answer is the same, after the same time, whether the address has an account or not.

use super::{
    IdentityContext, RequestContext,
    links::{self, LinkKind, LinkRequest},
    timing::pad_timing,
};
use domain::{
    identity::{Account, Email},
    shared::Fault,
};
use futures_util::future;
use storage::identity::{Outcome, accounts, audit};
use tokio::time::Instant;

/// Requests a link to set a new password.
pub async fn request_password_reset(ctx: &IdentityContext, request: &RequestContext, email: &Email) -> Result<(), Fault> {
    ctx.limits.mail_from(&ctx.store, request.ip).await?;
    let kind = LinkKind::PasswordReset;
    send_if(ctx, request, email, kind, audit::Event::AuthPasswordResetRequested, |account| account.suspended_at.is_none()).await
}

/// Requests another link to verify the address; the earlier ones expire. While mail is off, nothing happens.
pub async fn request_verification(ctx: &IdentityContext, request: &RequestContext, email: &Email) -> Result<(), Fault> {
    ctx.limits.mail_from(&ctx.store, request.ip).await?;
    if !ctx.mail_queue.is_on() {
        return Ok(());
    }
    let may_get_one = |account: &Account| !account.email_verified && account.suspended_at.is_none();
    send_if(ctx, request, email, LinkKind::Verification, audit::Event::AuthEmailVerificationRequested, may_get_one).await
}

/// Sends a link if the address has an account that fulfils a condition, and has not been sent too many mails; otherwise it pretends to.
async fn send_if(
    ctx: &IdentityContext,
    request: &RequestContext,
    email: &Email,
    kind: LinkKind,
    event: audit::Event,
    condition: impl Fn(&Account) -> bool,
) -> Result<(), Fault> {
    let sent = async {
        let connection = ctx.store.connection("account.find").await?;
        let found = async { Ok(accounts::find_by_email(&connection, email).await?) };
        // The refusal is not reported: it would reveal that mails went to this address.
        let (is_within_limit, found) = future::try_join(ctx.limits.may_mail_to(&connection, email), found).await?;
        drop(connection);
        let found = found.map(|found| found.account);
        let account = found.as_ref().filter(|account| is_within_limit && condition(account));
        let link = LinkRequest { email, kind, account, event, outcome: Outcome::Success };
        links::send_or_pretend(ctx, request, link).await
    };
    pad_timing(Instant::now(), sent).await
}
