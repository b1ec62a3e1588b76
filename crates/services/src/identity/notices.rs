//! Mails that tell the owner of an account what happens to it.

use super::{IdentityContext, MailQueue, RequestContext};
use crate::shared::{InvitationMail, NewTokenNotice, SpaceMails, TokenMaker, space_mails::NoticeContext};
use domain::{
    identity::{
        Account, Email, MailContent, Recipient, device,
        mail::{ABOUT, NoticeKind},
    },
    shared::{Fault, Person, TokenKind, UserId},
};
use futures_util::{FutureExt, future::BoxFuture};
use secrecy::ExposeSecret;
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

/// The mails of spaces, by the queue.
#[derive(Clone)]
pub struct QueuedSpaceMails(pub MailQueue);

impl std::fmt::Debug for QueuedSpaceMails {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("QueuedSpaceMails").finish_non_exhaustive()
    }
}

impl SpaceMails for QueuedSpaceMails {
    fn token_made<'a>(
        &'a self,
        tx: &'a Tx<'_>,
        notice: &'a NewTokenNotice,
        occasion: NoticeContext<'a>,
    ) -> BoxFuture<'a, StoreResult<()>> {
        token_made(&self.0, tx, notice, occasion).boxed()
    }

    fn invitation_link(&self, token: &str) -> String {
        self.0.url(&format!("/join?token={token}"))
    }

    fn invite<'a>(
        &'a self,
        tx: &'a Tx<'_>,
        mail: &'a InvitationMail,
        occasion: NoticeContext<'a>,
    ) -> BoxFuture<'a, StoreResult<bool>> {
        invite(&self.0, tx, mail, occasion).boxed()
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

/// The mail says nothing of an account, and is the same whether the address has one.
async fn invite(mail_queue: &MailQueue, tx: &Tx<'_>, mail: &InvitationMail, occasion: NoticeContext<'_>) -> StoreResult<bool> {
    let inviter = match mail.inviter {
        Some(person) => people::find(tx, person).await?,
        None => None,
    };
    let locale = inviter.as_ref().map_or("en", |person| &person.locale);
    let content = MailContent::SpaceInvite {
        link: mail.link.expose_secret().to_owned(),
        space: occasion.space_name.to_owned(),
        inviter: inviter.as_ref().map_or_else(|| mail.label.clone(), Person::friendly_name),
    };
    let composed = mail_queue.compose_to_address(&mail.to, locale, content)?;
    mails::add_if(tx, composed.as_ref()).await?;
    Ok(composed.is_some())
}
