//! `POST /api/auth/login`: a new session for who knows the password.
//!
//! Whatever is wrong, the answer is the same 401, and costs the same: an unknown account is compared with a hash of nothing. That an account is
//! suspended or unverified is told only to who knows its password.

use crate::{
    identity::{
        BODY_LIMIT, Identity, respond,
        signing_in::{self, Proved},
        user_agent,
    },
    web::{Answer, Call, Endpoint, call::call},
};
use crypto::passwords::Verdict;
use domain::{
    identity::{Account, Email, Proof, password},
    shared::{Detail, Fault, Kind, UserId},
};
use secrecy::SecretString;
use serde::Deserialize;
use storage::identity::{accounts, sign_in::RefuseSignIn};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "login")
        .and(warp::post())
        .and(call())
        .then(move |call: Call| respond(call.arrival, login(identity.clone(), call)))
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

async fn login(identity: Identity, mut call: Call) -> Result<Answer, Fault> {
    identity.limits.login_from(call.arrival.ip)?;
    identity.sessions.check_csrf(&call).await?;
    let body: Body = call.json(BODY_LIMIT).await?;
    let (email, password) = credentials(body.email.as_deref(), body.password)?;
    identity.limits.login_to(&email)?;

    let proved = Proved { remember: body.remember_me == Some(true), ..prove(&identity, &call, &email, password).await? };
    let opened = signing_in::open(&identity, &call, proved).await?.ok_or_else(invalid_credentials)?;
    opened.answer(&identity)
}

/// 400 for what cannot be anybody's credentials.
fn credentials(email: Option<&str>, password: Option<SecretString>) -> Result<(Email, SecretString), Fault> {
    match (email.and_then(Email::parse), password) {
        (Some(email), Some(password)) => Ok((email, password)),
        (email, password) => {
            let wrong = [("email", email.is_none()), ("password", password.is_none())];
            let detail = |field: &str| Detail { field: field.to_owned(), code: "invalid", message: "is required".to_owned() };
            let details = wrong.into_iter().filter(|(_, is_wrong)| *is_wrong).map(|(field, _)| detail(field)).collect();
            Err(Fault::bad_request("validation", "Send a mail address and a password").about(details))
        }
    }
}

async fn prove(identity: &Identity, call: &Call, email: &Email, password: SecretString) -> Result<Proved, Fault> {
    let connection = identity.store.read("account.find").await?;
    let found = accounts::find_by_email(&connection, email).await?;
    // Given back before the hashing, which takes longer than anything the database does.
    drop(connection);

    let user = found.as_ref().map(|it| it.account.id);
    let stored = found.as_ref().and_then(|it| it.password_hash.as_deref());
    let comparable = stored.filter(|_| !password::is_too_long(&password));
    let verdict = identity.passwords.verify(password.clone(), comparable).await?;
    let (Verdict::Right { outdated }, Some(found)) = (verdict, found) else {
        refuse(identity, call, user, "invalidCredentials").await?;
        return Err(invalid_credentials());
    };
    if let Err(fault) = found.account.may_sign_in() {
        refuse(identity, call, user, fault.code).await?;
        return Err(fault);
    }
    let rehashed = match found.password_hash {
        // A pool that is full now will not be at the next login.
        Some(old) if outdated => identity.passwords.hash(password).await.ok().map(|new| (old, new)),
        _ => None,
    };
    let Account { id, token_version, .. } = found.account;
    Ok(Proved { user: id, token_version, proof: Proof::Password, rehashed, remember: false })
}

async fn refuse(identity: &Identity, call: &Call, user: Option<UserId>, reason: &'static str) -> Result<(), Fault> {
    let refused = RefuseSignIn { user, reason, origin: call.origin(), user_agent: user_agent(call), at: identity.clock.now() };
    Ok(identity.store.run(&refused).await?)
}

fn invalid_credentials() -> Fault {
    Fault::new(Kind::Unauthorized, "invalidCredentials", "The mail address or the password is wrong")
}
