//! `POST /api/auth/login`: a new session for who knows the password.
//!
//! Whatever is wrong, the answer is the same 401, and costs the same: an unknown account is compared with a hash of nothing. That an account is
//! suspended or unverified is told only to who knows its password.

use super::second_factor;
use crate::{
    identity::{
        BODY_LIMIT, Identity,
        browser::Browser,
        respond,
        signing_in::{self, Proved},
    },
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use crypto::passwords::Verdict;
use domain::{
    identity::{Account, Email, FieldErrors, Proof, device::Recognition, email, password, second_factor as rules},
    shared::{Detail, Fault, Kind},
};
use futures_util::future;
use secrecy::SecretString;
use serde::Deserialize;
use services::identity::{counters::LoginResult, secrets::Target};
use storage::identity::{accounts, guesses, known_devices};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "login")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, login(identity.clone(), request)))
        .boxed()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Body {
    email: Option<String>,
    #[serde(default, deserialize_with = "super::password")]
    password: Option<SecretString>,
    remember_me: Option<bool>,
}

/// An account whose password was right.
struct Right {
    account: Account,
    recognition: Recognition,
    rehashed: Option<(String, String)>,
    forgiven: Option<guesses::Key>,
    is_common: bool,
}

async fn login(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.ctx.limits.login_from(request.meta.ip)?;
    identity.sessions.check_csrf(&request).await?;
    let body: Body = request.json_fields(BODY_LIMIT).await?;
    let (email, password) = credentials(body.email.as_deref(), body.password)?;
    let remember = body.remember_me != Some(false);

    let browser = Browser::of(&identity, &request);
    let right = prove(&identity, &request, &browser, &email, password).await?;
    identity.or_take_back(right.forgiven, go_on(&identity, &request, &browser, right, remember)).await
}

/// What follows on a password that was right: a second factor, or a session.
async fn go_on(
    identity: &Identity,
    request: &ApiRequest,
    browser: &Browser,
    right: Right,
    remember: bool,
) -> Result<ApiResponse, Fault> {
    let account = &right.account;
    let reasons = right.recognition.reasons(right.is_common);
    if let Some(method) = rules::asked(account.has_totp, identity.mail_codes(), !reasons.is_empty()) {
        let known_browser = browser.hash_if(right.recognition).copied();
        let Right { rehashed, forgiven, .. } = right;
        let asked = second_factor::Asked { method, remember, reasons, rehashed, forgiven, known_browser };
        return second_factor::ask(identity, request, &right.account, asked).await?.ok_or_else(invalid_credentials);
    }
    let proved = Proved {
        remember,
        rehashed: right.rehashed,
        seen: Some((right.recognition, reasons)),
        forgiven: right.forgiven,
        ..Proved::of(account.id, account.token_version, Proof::Password)
    };
    let opened = signing_in::open(identity, request, proved).await?.ok_or_else(invalid_credentials)?;
    identity.ctx.counters.login("password", LoginResult::Success);
    opened.answer(identity)
}

/// 400 for what cannot be anybody's credentials.
fn credentials(email: Option<&str>, password: Option<SecretString>) -> Result<(Email, SecretString), Fault> {
    let mut errors = FieldErrors::default();
    let email = errors.collect(email::parse_field("email", email));
    let password = errors.collect(password.ok_or_else(|| Detail::required("password")));
    email.zip(password).ok_or_else(|| errors.into_fault("validation"))
}

async fn prove(
    identity: &Identity,
    request: &ApiRequest,
    browser: &Browser,
    email: &Email,
    password: SecretString,
) -> Result<Right, Fault> {
    // Taken before anything is written: who cannot be served is turned away for nothing.
    let place = identity.ctx.passwords.place()?;
    let connection = identity.ctx.store.connection("account.find").await?;
    let known = match &browser.device.hash {
        Some(hash) if known_devices::is_known(&connection, email, hash, identity.ctx.clock.now()).await? => Some(hash),
        _ => None,
    };
    let admitted = identity.admit(&connection, Target::Password(email), known);
    let (key, found) = future::join(admitted, accounts::find_by_email(&connection, email)).await;
    let key = key.inspect_err(|fault| count_locked(identity, fault))?;
    // Given back before the hashing, which takes longer than anything the database does.
    drop(connection);

    let compared = async {
        let found = found?;
        let stored = found.as_ref().and_then(|f| f.password_hash.as_deref());
        let comparable = stored.filter(|_| !password::is_too_long(&password));
        // What is known of the browser is asked meanwhile: it takes no time of its own, so that of an account nobody learns from it.
        let recognised = async {
            match &found {
                Some(found) => browser.recognised_by(identity, found.account.id).await,
                None => Ok(Recognition::default()),
            }
        };
        let compared = identity.ctx.passwords.verify_in(place, password.clone(), comparable);
        let (verdict, recognition) = future::try_join(compared, recognised).await?;
        Ok((verdict, recognition, found))
    };
    let (verdict, recognition, found) = identity.or_take_back(key, compared).await?;
    let user = found.as_ref().map(|f| f.account.id);
    let (Verdict::Right { outdated }, Some(found)) = (verdict, found) else {
        identity.ctx.limits.login_failed_from(request.meta.ip);
        identity.ctx.counters.login("password", LoginResult::Failure);
        identity.refuse_sign_in(request, user, "invalidCredentials", None).await?;
        return Err(invalid_credentials());
    };
    if let Err(fault) = found.account.check_may_sign_in(identity.ctx.mail_queue.is_on()) {
        identity.ctx.counters.login("password", LoginResult::Refused);
        identity.or_take_back(key, identity.refuse_sign_in(request, user, fault.code, key)).await?;
        return Err(fault);
    }
    let is_common = password::is_common(&password);
    let rehashed = match found.password_hash {
        // A pool that is full now will not be at the next login.
        Some(old) if outdated => identity.ctx.passwords.hash(password).await.ok().map(|new| (old, new)),
        _ => None,
    };
    Ok(Right { account: found.account, recognition, rehashed, forgiven: key, is_common })
}

fn count_locked(identity: &Identity, fault: &Fault) {
    if fault.kind == Kind::TooMany {
        identity.ctx.counters.login("password", LoginResult::Locked);
    }
}

fn invalid_credentials() -> Fault {
    Fault::new(Kind::Unauthorized, "invalidCredentials", "The mail address or the password is wrong")
}
