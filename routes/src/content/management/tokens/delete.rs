//! `DELETE /api/v1/spaces/{space}/tokens/{id}`: 200 with the token, which opens nothing from now on. A token may end itself.

use super::view::TokenView;
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
use services::content::management_tokens::RevokeManagementToken;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<TokenId>("tokens")
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
    let ended = content.spaces.execute(space, by, request.origin(), RevokeManagementToken(id)).await?;
    ApiResponse::ok(&wrapper::put("token", TokenView::of(&ended)))
}
