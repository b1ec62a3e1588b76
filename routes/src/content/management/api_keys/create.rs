//! `POST /api/v1/spaces/{space}/api_keys` `{"api_key": {access, name?}}`: 201 with the delivery token and, this one time, its text.

use super::view::KeyView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, token::NewDeliveryToken},
    shared::{Fault, SpaceId},
};
use secrecy::ExposeSecret;
use services::content::delivery_tokens::CreateDeliveryToken;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("api_keys")
        .and(warp::post())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, create(content.clone(), space, request))
        })
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager_or_owner(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let (kind, name) = wrapper::read::<NewDeliveryToken>(&mut request, "api_key", DEFAULT_LIMIT).await?.checked()?;
    let secret = crypto::token::generate(kind.prefix(), content.entropy.as_ref());
    let hash = content.token_keys.delivery.hash(secret.expose_secret());
    let made = content.spaces.execute(space, by, request.origin(), CreateDeliveryToken { kind, name, hash }).await?;
    ApiResponse::created(&wrapper::put("api_key", KeyView::of(space, &made, Some(secret.expose_secret()))))
}
