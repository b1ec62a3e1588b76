//! `DELETE /api/v1/spaces/{space}/api_keys/{id}`: 200 with the delivery token, which opens nothing from now on.

use super::view::KeyView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId, TokenId},
};
use services::content::delivery_tokens::RevokeDeliveryToken;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<TokenId>("api_keys")
        .and(warp::delete())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, delete(content.clone(), space, id, request))
        })
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: TokenId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager_or_owner(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let ended = content.spaces.execute(space, by, request.origin(), RevokeDeliveryToken(id)).await?;
    ApiResponse::ok(&wrapper::put("api_key", KeyView::of(space, &ended, None)))
}
