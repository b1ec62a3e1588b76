//! `POST /api/auth/register`: makes an account; nobody is signed in by it.
//!
//! As long as no mail is sent, the account is verified at once and a taken address is told. When mail is sent, a taken address gets the same
//! answer as a new one, at the same cost, and its owner a mail (decisions 23).

use crate::{
    identity::{
        BODY_LIMIT, Identity,
        links::{self, Link},
        respond,
    },
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::{
    identity::{Account, Email, NewAccount, Recipient, RegistrationRequest},
    shared::{Fault, Kind, UserId},
};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use storage::identity::{Outcome, accounts, registration::Register};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "register")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, register(identity.clone(), request)))
        .boxed()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Body {
    email: Option<String>,
    #[serde(default, deserialize_with = "super::password")]
    password: Option<SecretString>,
    first_name: Option<String>,
    last_name: Option<String>,
    display_name: Option<String>,
    locale: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Registered {
    message: &'static str,
    email_verification_required: bool,
    /// Absent when mail is sent: a taken address has none to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<User>,
}

#[derive(Serialize)]
struct User {
    id: UserId,
    email: String,
}

async fn register(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.ctx.limits.register_from(request.meta.ip)?;
    identity.sessions.check_csrf(&request).await?;
    if !identity.ctx.settings.registration_enabled {
        return Err(Fault::new(Kind::Forbidden, "registrationDisabled", "Registration is closed; ask an administrator"));
    }
    let body: Body = request.json_fields(BODY_LIMIT).await?;
    let registration = RegistrationRequest {
        email: body.email,
        password: body.password,
        first_name: body.first_name,
        last_name: body.last_name,
        display_name: body.display_name,
        locale: body.locale,
    };
    let account = registration.validate(&identity.ctx.settings.password_rules, &identity.ctx.settings.locales)?;
    let connection = identity.ctx.store.connection("account.find").await?;
    let existing = accounts::find_by_email(&connection, &account.email).await?.map(|by_email| by_email.account);
    drop(connection);
    // Hashed for a taken address as well: it must not be answered sooner.
    let password_hash = identity.ctx.passwords.hash(account.password.clone()).await?;
    let answered = async {
        match existing {
            Some(existing) => taken(&identity, &request, &account.email, Some(&existing)).await,
            None => make(&identity, &request, account, password_hash).await,
        }
    };
    links::evenly(answered).await
}

async fn make(identity: &Identity, request: &ApiRequest, account: NewAccount, password_hash: String) -> Result<ApiResponse, Fault> {
    let id = UserId(identity.ctx.entropy.uuid());
    let email = account.email.clone();
    let verification = if identity.ctx.mail_queue.is_on() {
        let name = account.display_name.clone().unwrap_or_else(|| account.first_name.clone());
        let to = Recipient { user: id, email: email.clone(), name, locale: account.locale.clone() };
        Some(links::mailed(identity, Link::Verification, &to)?)
    } else {
        None
    };
    let first_is_admin = identity.ctx.settings.first_user_is_admin;
    let register = Register { id, account, password_hash, first_is_admin, verification, source: identity.source(request) };
    if !identity.ctx.store.transact(&register).await? {
        // Somebody else was quicker by a moment, and has the mail.
        return taken(identity, request, &email, None).await;
    }
    if identity.ctx.mail_queue.is_on() {
        return accepted(request);
    }
    ApiResponse::created(&Registered {
        message: request.meta.language.text(Message::AccountReady),
        email_verification_required: false,
        user: Some(User { id, email: email.as_str().to_owned() }),
    })
}

/// The address has an account. With mail, its owner learns of it, once an hour at most, and whoever asked does not.
async fn taken(identity: &Identity, request: &ApiRequest, email: &Email, existing: Option<&Account>) -> Result<ApiResponse, Fault> {
    if !identity.ctx.mail_queue.is_on() {
        return Err(Fault::conflict("emailTaken", "An account with this mail address exists already; sign in instead"));
    }
    let account = existing.filter(|existing| existing.suspended_at.is_none() && identity.ctx.limits.tell_owner(email));
    let outcome = Outcome::Failure("emailTaken");
    let link = links::Request { email, link: Link::PasswordReset, account, event: "auth.register", outcome };
    links::send(identity, request, link).await?;
    accepted(request)
}

fn accepted(request: &ApiRequest) -> Result<ApiResponse, Fault> {
    let message = request.meta.language.text(Message::VerificationLinkSent);
    ApiResponse::created(&Registered { message, email_verification_required: true, user: None })
}
