//! Mails that tell the owner of an account what happens to it.

use super::{IdentityContext, RequestContext};
use domain::{
    identity::{Account, MailContent, Recipient, mail::NoticeKind},
    shared::{Fault, UserId},
};
use storage::identity::{NewMail, accounts};

/// The mail that tells the owner of an account of something; `None` while mail is off.
pub async fn compose_for(
    ctx: &IdentityContext,
    request: &RequestContext,
    user: UserId,
    notice: NoticeKind,
) -> Result<Option<NewMail>, Fault> {
    if !ctx.mail_queue.is_on() {
        return Ok(None);
    }
    let connection = ctx.store.connection("account.find").await?;
    let Some(account) = accounts::find(&connection, user).await? else { return Ok(None) };
    compose(ctx, request, &account, notice)
}

/// The same for an account that was read.
pub fn compose(
    ctx: &IdentityContext,
    request: &RequestContext,
    account: &Account,
    notice: NoticeKind,
) -> Result<Option<NewMail>, Fault> {
    let content = MailContent::NewLogin {
        notice,
        at: request.at(),
        ip: Some(request.ip),
        device: request.device.browser.clone(),
        sessions_link: ctx.mail_queue.url("/account/sessions"),
        reset_link: ctx.mail_queue.url("/forgot-password"),
    };
    ctx.mail_queue.compose(&Recipient::from(account), content)
}

/// The same for something that an administrator did. The owner does not learn from where.
pub fn compose_by_administrator(
    ctx: &IdentityContext,
    request: &RequestContext,
    account: &Account,
    notice: NoticeKind,
) -> Result<Option<NewMail>, Fault> {
    let content = MailContent::NewLogin {
        notice,
        at: request.at(),
        ip: None,
        // The same word in both languages.
        device: "Administration".to_owned(),
        sessions_link: ctx.mail_queue.url("/account/sessions"),
        reset_link: ctx.mail_queue.url("/forgot-password"),
    };
    ctx.mail_queue.compose(&Recipient::from(account), content)
}
