//! `GET /api/v1/spaces/{space}/webhooks`.

use super::view::WebhookView;
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
use storage::content::webhooks;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("webhooks")
        .and(warp::get())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, list(content.clone(), space, request))
        })
        .boxed()
}

async fn list(content: Content, space: SpaceId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    let query = request.query()?;
    query.only(&["page", "per_page"])?;
    let connection = content.store.connection("webhook.list").await?;
    let found = Listing::of(&query, webhooks::list(&connection, space).await?)?;
    let views: Vec<_> = found.items.iter().map(|item| WebhookView::of(space, item)).collect();
    Ok(found.headed(ApiResponse::ok(&wrapper::put("webhooks", views))?))
}
