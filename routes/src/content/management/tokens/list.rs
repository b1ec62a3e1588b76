//! `GET /api/v1/spaces/{space}/tokens`: the live tokens, without plaintext.

use super::view::TokenView;
use crate::{
    content::{
        Content,
        management::{access, collection, listing::Listing, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use storage::content::management_tokens;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("tokens")
        .and(warp::get())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, list(content.clone(), space, request))
        })
        .boxed()
}

async fn list(content: Content, space: SpaceId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager_or_owner(&content, &request, space, Right::Administer).await?;
    let query = request.query()?;
    query.only(&["page", "per_page"])?;
    let connection = content.store.connection("token.list").await?;
    let found = Listing::of(&query, management_tokens::list(&connection, space).await?)?;
    let views: Vec<_> = found.items.iter().map(TokenView::of).collect();
    Ok(found.headed(ApiResponse::ok(&wrapper::put("tokens", views))?))
}
