//! `POST /api/v1/spaces` `{name}`, by the session of a verified person, who becomes the owner: 201 with the space and its three delivery
//! tokens, this one time in plaintext. The contract names no status; 201 is what every creation here answers.

use super::all_spaces;
use crate::{
    content::{Content, management::access},
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::spaces::CreateSpace;
use domain::{
    content::{SpaceChange, SpaceSettings, token::DeliveryKind},
    shared::{Fault, Kind, SpaceId},
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use storage::content::ledger::Author;
use warp::Filter;

#[derive(Default, Deserialize)]
#[serde(default)]
struct NewSpace {
    name: Option<String>,
}

#[derive(Serialize)]
struct Body<'a> {
    space: Named<'a>,
    tokens: BTreeMap<&'static str, &'a str>,
}

#[derive(Serialize)]
struct Named<'a> {
    id: SpaceId,
    name: &'a str,
}

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    all_spaces()
        .and(warp::post())
        .and(call())
        .then(move |call: Call| respond(Dialect::Management, call.arrival, create(content.clone(), call)))
        .boxed()
}

async fn create(content: Content, mut call: Call) -> Result<Answer, Fault> {
    let signed_in = content.sessions.signed_in_with_csrf(&call).await?;
    if !signed_in.email_verified {
        return Err(Fault::new(Kind::Forbidden, "emailNotVerified", "Verify your e-mail address first"));
    }
    call.query()?.only(&[])?;
    let new: NewSpace = call.json(DEFAULT_LIMIT).await?;
    let settings = SpaceChange::named(new.name).apply(SpaceSettings::default())?;

    let secrets: Vec<(DeliveryKind, SecretString)> = DeliveryKind::ALL
        .into_iter()
        .map(|kind| (kind, crypto::token::generate(kind.prefix(), content.entropy.as_ref())))
        .collect();
    let tokens = secrets.iter().map(|(kind, it)| (*kind, content.token_keys.delivery.hash(it.expose_secret()))).collect();
    let author = Author { actor: access::person(&signed_in), origin: call.origin(), at: content.clock.now() };
    let work = CreateSpace { settings, owner: Some(signed_in.user), author, tokens };
    let id = content.store.run(&work).await?;

    let tokens = secrets.iter().map(|(kind, it)| (kind.name(), it.expose_secret())).collect();
    Answer::created(&Body { space: Named { id, name: &work.settings.name }, tokens })
}
