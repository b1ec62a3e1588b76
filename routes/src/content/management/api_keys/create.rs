//! `POST /api/v1/spaces/{space}/api_keys` `{"api_key": {access, name?}}`: 201 with the delivery token and, this one time, its text.

use super::view::KeyView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::delivery_tokens::CreateDeliveryToken;
use domain::{
    content::{Right, token::NewDeliveryToken},
    shared::{Fault, SpaceId},
};
use secrecy::ExposeSecret;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("api_keys")
        .and(warp::post())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, create(content.clone(), space, call)))
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager_or_owner(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let (kind, name) = wrapper::read::<NewDeliveryToken>(&mut call, "api_key", DEFAULT_LIMIT).await?.checked()?;
    let secret = crypto::token::generate(kind.prefix(), content.entropy.as_ref());
    let hash = content.token_keys.delivery.hash(secret.expose_secret());
    let made = content.spaces.write(space, by, call.origin(), CreateDeliveryToken { kind, name, hash }).await?;
    Answer::created(&wrapper::put("api_key", KeyView::of(space, &made, Some(secret.expose_secret()))))
}
