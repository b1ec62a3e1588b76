//! `GET /api/v1/spaces/{space}/api_keys`: the live delivery tokens, without plaintext.

use super::view::KeyView;
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
use storage::content::delivery_tokens;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("api_keys")
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
    let connection = content.store.connection("api_key.list").await?;
    let found = Listing::of(&query, delivery_tokens::list(&connection, space).await?)?;
    let views: Vec<_> = found.items.iter().map(|item| KeyView::of(space, item, None)).collect();
    Ok(found.headed(ApiResponse::ok(&wrapper::put("api_keys", views))?))
}
