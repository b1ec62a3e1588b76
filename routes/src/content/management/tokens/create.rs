//! `POST /api/v1/spaces/{space}/tokens` `{name, role?, kind?}`: 201 with the token and, this one time, its plaintext.

use super::view::TokenView;
use crate::{
    content::{
        Content,
        management::{access, collection},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, token::NewManagementToken},
    shared::{Fault, SpaceId},
};
use secrecy::ExposeSecret;
use serde::Serialize;
use services::content::management_tokens::CreateManagementToken;
use warp::Filter;

#[derive(Serialize)]
struct Body<'a> {
    token: TokenView<'a>,
    plaintext: &'a str,
}

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("tokens")
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
    let (kind, role, name) = request.json::<NewManagementToken>(DEFAULT_LIMIT).await?.checked()?;
    let secret = crypto::token::generate(kind.prefix(), content.entropy.as_ref());
    let hash = content.token_keys.management.hash(secret.expose_secret());
    let made = content.spaces.execute(space, by, request.origin(), CreateManagementToken { kind, role, name, hash }).await?;
    ApiResponse::created(&Body { token: TokenView::of(&made), plaintext: secret.expose_secret() })
}
