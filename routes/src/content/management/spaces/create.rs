//! `POST /api/v1/spaces` `{name}`, by the session of a verified person, who becomes the owner: 201 with the space and its three delivery
//! tokens, this one time in plaintext. The contract names no status; 201 is what every creation here answers.

use super::all_spaces;
use crate::{
    content::{Content, management::access},
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{SpaceChange, SpaceSettings, token::DeliveryKind},
    shared::{Fault, Kind, SpaceId},
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use services::content::spaces::CreateSpace;
use std::collections::BTreeMap;
use storage::content::commit_log::AuditContext;
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
        .and(api_request())
        .then(move |request: ApiRequest| respond(ErrorFormat::Management, request.meta, create(content.clone(), request)))
        .boxed()
}

async fn create(content: Content, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = content.sessions.signed_in_with_csrf(&request).await?;
    if !signed_in.email_verified {
        return Err(Fault::new(Kind::Forbidden, "emailNotVerified", "Verify your e-mail address first"));
    }
    request.query()?.only(&[])?;
    let new: NewSpace = request.json(DEFAULT_LIMIT).await?;
    let settings = SpaceChange::named(new.name).apply(SpaceSettings::default())?;

    let secrets: Vec<(DeliveryKind, SecretString)> = DeliveryKind::ALL
        .into_iter()
        .map(|kind| (kind, crypto::token::generate(kind.prefix(), content.entropy.as_ref())))
        .collect();
    let tokens = secrets.iter().map(|(kind, secret)| (*kind, content.token_keys.delivery.hash(secret.expose_secret()))).collect();
    let author = AuditContext { actor: access::person(&signed_in), origin: request.origin(), at: content.clock.now() };
    let work = CreateSpace { settings, owner: Some(signed_in.user), author, tokens };
    let id = content.store.transact(&work).await?;

    let tokens = secrets.iter().map(|(kind, secret)| (kind.name(), secret.expose_secret())).collect();
    ApiResponse::created(&Body { space: Named { id, name: &work.settings.name }, tokens })
}
