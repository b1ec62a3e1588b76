//! Mails that tell the owner of an account what happens to it.

use super::{IdentityContext, MailQueue, RequestContext};
use crate::shared::{NewTokenNotice, OwnerNotices, TokenMaker, owner_notices::NoticeContext};
use domain::{
    identity::{
        Account, Email, MailContent, Recipient, device,
        mail::{ABOUT, NoticeKind},
    },
    shared::{Fault, TokenKind, UserId},
};
use futures_util::{FutureExt, future::BoxFuture};
use storage::{
    Result as StoreResult, Tx,
    identity::{NewMail, accounts, mails},
    shared::people,
};

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

/// Tells owners of spaces by mail.
#[derive(Clone)]
pub struct OwnerMails(pub MailQueue);

impl std::fmt::Debug for OwnerMails {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("OwnerMails").finish_non_exhaustive()
    }
}

impl OwnerNotices for OwnerMails {
    fn token_made<'a>(
        &'a self,
        tx: &'a Tx<'_>,
        notice: &'a NewTokenNotice,
        occasion: NoticeContext<'a>,
    ) -> BoxFuture<'a, StoreResult<()>> {
        token_made(&self.0, tx, notice, occasion).boxed()
    }
}

async fn token_made(mail_queue: &MailQueue, tx: &Tx<'_>, made: &NewTokenNotice, occasion: NoticeContext<'_>) -> StoreResult<()> {
    if !mail_queue.is_on() {
        return Ok(());
    }
    let Some(owner) = people::find_owner(tx, occasion.space).await? else { return Ok(()) };
    let Some(email) = Email::parse(&owner.email) else { return Ok(()) };
    let by = match &made.maker {
        TokenMaker::Person(user_agent) => device::browser(user_agent.as_deref()).to_string(),
        TokenMaker::Token(name) => name.clone(),
    };
    let content = MailContent::NewLogin {
        notice: match made.kind {
            TokenKind::Management => NoticeKind::ManagementTokenMade,
            TokenKind::Delivery => NoticeKind::DraftTokenMade,
        },
        at: occasion.at,
        ip: Some(made.ip),
        // Which token it is, and in which space, in the same words in both languages.
        device: format!("{by}{ABOUT}{} / {}", occasion.space_name, made.name),
        sessions_link: mail_queue.url("/account/sessions"),
        reset_link: mail_queue.url("/forgot-password"),
    };
    let to = Recipient { user: owner.id, email, name: owner.friendly_name(), locale: owner.locale };
    mails::add_if(tx, mail_queue.compose(&to, content)?.as_ref()).await
}
