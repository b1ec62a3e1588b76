//! `POST /api/me/email`: another mail address. It takes effect when the link that goes there was followed; the old address is told at once. As long as
//! no mail is sent nothing could confirm it, so it takes effect at once.
//!
//! Whether the address has an account already is told to nobody but who reads its mail: there it shows when the link is followed.

use crate::{
    identity::{
        BODY_LIMIT, Identity,
        links::{self, Link},
        proving::{self, ProofBody},
        respond, sentence, signing_in,
    },
    web::{Answer, Call, Endpoint, SignedIn, call::call},
};
use domain::{
    identity::{Account, AddressChange, Addressee, Email, address_change, letter::Occasion},
    shared::Fault,
};
use http::StatusCode;
use serde::Deserialize;
use storage::identity::{
    accounts,
    links::{AskForAddress, SetAddress},
    one_time::NewOneTime,
    passkeys::Use,
};
use warp::Filter;

/// What is tried.
const EVENT: &str = "auth.email.change_requested";

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "email")
        .and(warp::post())
        .and(call())
        .then(move |call: Call| respond(call.arrival, change(identity.clone(), call)))
        .boxed()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Body {
    new_email: Option<String>,
    #[serde(flatten)]
    proof: ProofBody,
}

async fn change(identity: Identity, mut call: Call) -> Result<Answer, Fault> {
    identity.limits.mail_from(call.arrival.ip)?;
    let signed_in = identity.sessions.signed_in_with_csrf(&call).await?;
    let body: Body = call.form(BODY_LIMIT).await?;
    let connection = identity.store.read("account.find").await?;
    let stored = accounts::find_with_password(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    let email = address_change::accept(body.new_email.as_deref(), &stored.account)?;
    let shown = body.proof.required(stored.account.has_password)?;
    let passkey = proving::again(&identity, &call, signed_in, &stored, shown, EVENT).await?;
    if identity.post.is_on() {
        identity.limits.mail_to(&email)?;
        ask(&identity, &call, signed_in, passkey, &stored.account, email).await
    } else {
        set(&identity, &call, signed_in, passkey, email).await
    }
}

async fn ask(
    identity: &Identity,
    call: &Call,
    signed_in: SignedIn,
    passkey: Option<Use>,
    account: &Account,
    email: Email,
) -> Result<Answer, Fault> {
    let to = Addressee { email: email.clone(), ..Addressee::from(account) };
    let sent = links::mailed(identity, Link::AddressChange, &to)?;
    let asked = AddressChange { email, token_version: signed_in.token_version };
    let notice = signing_in::notice(identity, call, account, Occasion::AddressChange)?;
    let work = AskForAddress {
        owner: signed_in.claimed(),
        passkey,
        link: NewOneTime { payload: asked.to_json()?, ..sent.link },
        letters: sent.mail.into_iter().chain(notice).collect(),
        source: identity.source(call),
    };
    let asked = identity.store.run(&work).await?;
    proving::unless_stale(identity, call, signed_in, asked, EVENT).await?;
    Answer::json(StatusCode::ACCEPTED, &sentence(call, "Follow the link that was mailed to the new address"))
}

async fn set(identity: &Identity, call: &Call, signed_in: SignedIn, passkey: Option<Use>, email: Email) -> Result<Answer, Fault> {
    let spared = signing_in::spared(identity, call, signed_in);
    let work = SetAddress { owner: signed_in.claimed(), passkey, email, spared, source: identity.source(call) };
    let set = identity.store.run(&work).await?;
    let kept = proving::unless_stale(identity, call, signed_in, set, EVENT).await?;
    signing_in::renew(identity, signed_in, kept, Answer::ok(&sentence(call, "The mail address is changed"))?)
}
