//! Links that are mailed: issuing one, and answering a request for one without revealing whether the address
//! has an account.

use super::{IdentityContext, RequestContext, timing::pad_timing};
use domain::{
    identity::{Account, Email, MailContent, Recipient, one_time::Kind},
    shared::{Fault, UserId},
};
use futures_util::future;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use storage::{
    Tx,
    identity::{
        AuditOutcome, NewMail, accounts, audit, mails,
        one_time::{self, NewOneTime},
    },
    queue, transact,
};
use tokio::time::Instant;

/// The purpose of a mailed link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// Proves the address of an account.
    Verification,
    /// Sets a new password.
    PasswordReset,
    /// Confirms a new address.
    AddressChange,
    /// Sets the first password of an account that an administrator made.
    Invite,
}

impl LinkKind {
    fn token_kind(self) -> Kind {
        match self {
            Self::Verification => Kind::Verification,
            Self::PasswordReset => Kind::PasswordReset,
            Self::AddressChange => Kind::AddressChange,
            Self::Invite => Kind::Invite,
        }
    }

    /// The link with its token. Each leads to a page, which asks for a password or a click, because some
    /// programs open a link before its reader does.
    fn url(self, ctx: &IdentityContext, token: &str) -> String {
        let path = match self {
            Self::Verification => "/verify-email",
            Self::PasswordReset => "/reset-password",
            Self::AddressChange => "/confirm-email",
            Self::Invite => "/accept-invite",
        };
        ctx.mail_queue.url(&format!("{path}?token={token}"))
    }

    /// The mail with the link.
    fn content(self, link: String) -> MailContent {
        match self {
            Self::Verification | Self::AddressChange => MailContent::Verification { link },
            Self::PasswordReset => MailContent::PasswordReset { link },
            Self::Invite => MailContent::Invite { link },
        }
    }
}

/// A new link and the mail with it.
#[derive(Debug, Clone)]
pub struct MailedLink {
    /// The token to be stored.
    pub token: NewOneTime,
    /// The mail; `None` while mail is off.
    pub mail: Option<NewMail>,
}

impl MailedLink {
    /// Makes a link for an account, and composes its mail.
    pub fn new(ctx: &IdentityContext, kind: LinkKind, to: &Recipient) -> Result<Self, Fault> {
        Ok(Self::with_url(ctx, kind, to)?.0)
    }

    /// The same with the link itself, for a caller who may pass it on.
    pub fn with_url(ctx: &IdentityContext, kind: LinkKind, to: &Recipient) -> Result<(Self, SecretString), Fault> {
        let (token, hash) = crypto::opaque_token::generate(ctx.entropy.as_ref());
        let url = kind.url(ctx, token.expose_secret());
        let mail = ctx.mail_queue.compose(to, kind.content(url.clone()))?;
        let token = NewOneTime::of(kind.token_kind(), to.user, hash, ctx.entropy.uuid(), ctx.clock.now());
        Ok((Self { token, mail }, url.into()))
    }

    /// The same link with something for the time of its use.
    #[must_use]
    pub fn with_payload(self, payload: Value) -> Self {
        Self { token: NewOneTime { payload, ..self.token }, ..self }
    }

    /// Stores the token and queues the mail.
    pub async fn store(&self, tx: &Tx<'_>) -> storage::Result<()> {
        one_time::add(tx, &self.token).await?;
        mails::add_if(tx, self.mail.as_ref()).await
    }
}

/// A request for a link by a caller who need not be the owner of the address.
pub(super) struct LinkRequest<'a> {
    /// The address that the caller named.
    pub email: &'a Email,
    pub kind: LinkKind,
    /// The account that gets the link; `None` when the address has none, or its account may get none.
    pub account: Option<&'a Account>,
    /// The event for the audit trail.
    pub event: audit::Event,
    /// The outcome for the audit trail when a link is sent.
    pub outcome: AuditOutcome,
}

/// Sends a link to an account. Without an account the same work is done for nothing, so that the time of the
/// answer does not reveal whether there is one.
pub(super) async fn send_or_pretend(ctx: &IdentityContext, request: &RequestContext, link: LinkRequest<'_>) -> Result<(), Fault> {
    let LinkRequest { email, kind, account, event, outcome } = link;
    let source = &request.source;
    if let Some(account) = account {
        let link = &MailedLink::new(ctx, kind, &Recipient::from(account))?;
        return transact!(ctx, "account.send_link", async |tx| {
            // Of two concurrent requests the second one waits here, and then expires the link of the first.
            if !accounts::lock_row(tx, account.id).await? {
                // The account was deleted since it was read.
                return Ok(());
            }
            if link.token.kind == Kind::Verification {
                // Only the newest verification link works. Of reset links all work until one of them is used.
                // The new one is still for the browser of the registration, whichever request asked for it.
                let replaced = one_time::replace_all(tx, Kind::Verification, account.id, source.at).await?;
                let payload = replaced.unwrap_or_else(|| link.token.payload.clone());
                link.clone().with_payload(payload).store(tx).await?;
            } else {
                link.store(tx).await?;
            }
            audit::record(tx, event, outcome, source.attempt(Some(account.id))).await
        })
        .await;
    }
    let user = UserId(ctx.entropy.uuid());
    let token = if ctx.mail_queue.is_on() {
        let locale = ctx.settings.locales.choose(None).unwrap_or_default().to_owned();
        // The mail is composed and sealed like a real one, and then dropped.
        MailedLink::new(ctx, kind, &Recipient { user, email: email.clone(), name: email.as_str().to_owned(), locale })?.token
    } else {
        let (_, hash) = crypto::opaque_token::generate(ctx.entropy.as_ref());
        NewOneTime::of(kind.token_kind(), user, hash, ctx.entropy.uuid(), ctx.clock.now())
    };
    let token = &token;
    transact!(ctx, "account.send_nothing", async |tx| {
        let nobody = UserId(token.id);
        accounts::lock_row(tx, nobody).await?;
        if token.kind == Kind::Verification {
            one_time::replace_all(tx, Kind::Verification, nobody, source.at).await?;
        }
        let token = NewOneTime { user: None, ..token.clone() };
        one_time::add(tx, &token).await?;
        // These three stand for the rows of the mail and its job, and for the wake-up of the mail sender.
        one_time::consume(tx, token.kind, &token.hash, source.at).await?;
        one_time::remove(tx, token.id).await?;
        queue::notify(tx, queue::MAIL).await?;
        audit::record(tx, event, AuditOutcome::Failure("notSent"), source.attempt(None)).await
    })
    .await
}

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

/// Sends a link if the address has an account that fulfils a condition, and has not been sent too many mails;
/// otherwise it pretends to.
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
        let link = LinkRequest { email, kind, account, event, outcome: AuditOutcome::Success };
        send_or_pretend(ctx, request, link).await
    };
    pad_timing(Instant::now(), sent).await
}
