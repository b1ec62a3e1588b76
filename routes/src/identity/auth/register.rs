//! `POST /api/auth/register`: makes an account; nobody is signed in by it.
//!
//! As long as no mail is sent, the account is verified at once and a taken address is told (decisions 23).

use crate::{
    identity::{BODY_LIMIT, Identity, respond, user_agent},
    web::{Answer, Call, Endpoint, call::call},
};
use domain::{
    identity::Application,
    shared::{Fault, Kind, UserId},
};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use storage::identity::registration::Register;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "register")
        .and(warp::post())
        .and(call())
        .then(move |call: Call| respond(call.arrival, register(identity.clone(), call)))
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
    user: User,
}

#[derive(Serialize)]
struct User {
    id: UserId,
    email: String,
}

async fn register(identity: Identity, mut call: Call) -> Result<Answer, Fault> {
    identity.limits.register_from(call.arrival.ip)?;
    identity.sessions.check_csrf(&call).await?;
    if !identity.settings.registration_enabled {
        return Err(Fault::new(Kind::Forbidden, "registrationDisabled", "Registration is closed; ask an administrator"));
    }
    let body: Body = call.json(BODY_LIMIT).await?;
    let application = Application {
        email: body.email,
        password: body.password,
        first_name: body.first_name,
        last_name: body.last_name,
        display_name: body.display_name,
        locale: body.locale,
    };
    let account = application.accept(&identity.settings.password_rules, &identity.settings.locales)?;
    let password_hash = identity.passwords.hash(account.password.clone()).await?;
    let register = Register {
        id: UserId(identity.entropy.uuid()),
        account,
        password_hash,
        first_is_admin: identity.settings.first_user_is_admin,
        origin: call.origin(),
        user_agent: user_agent(&call),
        at: identity.clock.now(),
    };
    if !identity.store.run(&register).await? {
        return Err(Fault::conflict("emailTaken", "An account with this mail address exists already; sign in instead"));
    }
    Answer::created(&Registered {
        message: "The account is ready; sign in",
        email_verification_required: false,
        user: User { id: register.id, email: register.account.email.as_str().to_owned() },
    })
}
