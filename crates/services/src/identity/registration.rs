//! Registering an account. It does not start a session.
//!
//! While mail is off, the account is verified at once, and a taken address is refused. While mail is on, a
//! taken address gets the same answer as a new one, after the same work and time, and the owner of the
//! address gets a mail.

use super::{
    IdentityContext, RequestContext,
    links::{self, LinkKind, LinkRequest, MailedLink},
    timing::pad_timing,
};
use domain::{
    identity::{
        Account, Email, NewAccount, Recipient, RegistrationRequest,
        verification::{BrowserHash, VerificationLink},
    },
    shared::{Code, Fault, UserId},
};
use futures_util::future;
use storage::{
    identity::{AuditOutcome, accounts, audit},
    transact,
};
use tokio::time::Instant;

/// The outcome of a registration that was not refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegistrationOutcome {
    /// The account can be used at once.
    Registered { user: UserId, email: Email },
    /// A mail was sent to the address: a link to verify it, or, if it has an account already, a link to set a
    /// new password.
    VerificationRequired,
}

/// 403 `registrationDisabled` unless the operator allows registration.
pub fn check_enabled(ctx: &IdentityContext) -> Result<(), Fault> {
    if ctx.settings.registration_enabled {
        return Ok(());
    }
    Err(Fault::of(Code::RegistrationDisabled))
}

/// Registers an account in a browser; 400 for invalid fields, and while mail is off 409 `emailTaken`.
pub async fn register(
    ctx: &IdentityContext,
    request: &RequestContext,
    browser: BrowserHash,
    registration: RegistrationRequest,
) -> Result<RegistrationOutcome, Fault> {
    let account = registration.validate(&ctx.settings.password_rules, &ctx.settings.locales)?;
    ctx.limits.peek_register_from(request.ip)?;
    let began = Instant::now();
    let connection = ctx.store.connection("account.find").await?;
    let found = accounts::find_by_email(&connection, &account.email);
    // Both are awaited: a connection with an answer that nothing waits for is not used again.
    let (counted, found) = future::join(ctx.limits.register_from(&connection, request.ip), found).await;
    counted?;
    let existing = found?.map(|found| found.account);
    drop(connection);
    // The password is hashed for a taken address as well, so that both answers take the same time.
    let hashing = Instant::now();
    let password_hash = ctx.passwords.hash(account.password.clone()).await?;
    let since = began + hashing.elapsed();
    let outcome = async {
        match existing {
            Some(existing) => address_taken(ctx, request, &account.email, Some(&existing)).await,
            None => create(ctx, request, browser, &account, &password_hash).await,
        }
    };
    pad_timing(since, outcome).await
}

async fn create(
    ctx: &IdentityContext,
    request: &RequestContext,
    browser: BrowserHash,
    account: &NewAccount,
    password_hash: &str,
) -> Result<RegistrationOutcome, Fault> {
    let user = UserId(ctx.entropy.uuid());
    let email = account.email.clone();
    let verification = if ctx.mail_queue.is_on() {
        let name = account.display_name.clone().unwrap_or_else(|| account.first_name.clone());
        let to = Recipient { user, email: email.clone(), name, locale: account.locale.clone() };
        let link = VerificationLink { registered_in: Some(browser) };
        &Some(MailedLink::new(ctx, LinkKind::Verification, &to)?.with_payload(link.to_json()?))
    } else {
        &None
    };
    let first_is_admin = ctx.settings.first_user_is_admin;
    let is_registered = transact!(ctx, "account.register", async |tx| {
        let new = accounts::NewRow {
            id: user,
            email: &account.email,
            first_name: &account.first_name,
            last_name: account.last_name.as_deref(),
            display_name: account.display_name.as_deref(),
            locale: &account.locale,
            password_hash: Some(password_hash),
            email_verified: verification.is_none(),
            is_admin: false,
            at: request.source.at,
        };
        if !accounts::insert(tx, new).await? {
            return Ok(false);
        }
        accounts::register_first(tx, user, first_is_admin).await?;
        if let Some(verification) = verification {
            verification.store(tx).await?;
        }
        audit::record(tx, audit::Event::AuthRegister, AuditOutcome::Success, request.source.attempt(Some(user))).await?;
        Ok(true)
    })
    .await?;
    if !is_registered {
        // A concurrent registration took the address, and its mail goes there.
        return address_taken(ctx, request, &email, None).await;
    }
    if ctx.mail_queue.is_on() {
        return Ok(RegistrationOutcome::VerificationRequired);
    }
    Ok(RegistrationOutcome::Registered { user, email })
}

/// The address has an account. While mail is on, its owner is told, once an hour at most, and the caller is
/// not.
async fn address_taken(
    ctx: &IdentityContext,
    request: &RequestContext,
    email: &Email,
    existing: Option<&Account>,
) -> Result<RegistrationOutcome, Fault> {
    if !ctx.mail_queue.is_on() {
        return Err(Fault::of(Code::EmailTaken));
    }
    let account = match existing.filter(|account| account.suspended_at.is_none()) {
        Some(account) if ctx.limits.tell_owner(&ctx.store, email).await? => Some(account),
        _ => None,
    };
    let outcome = AuditOutcome::Failure("emailTaken");
    let link = LinkRequest { email, kind: LinkKind::PasswordReset, account, event: audit::Event::AuthRegister, outcome };
    links::send_or_pretend(ctx, request, link).await?;
    Ok(RegistrationOutcome::VerificationRequired)
}
