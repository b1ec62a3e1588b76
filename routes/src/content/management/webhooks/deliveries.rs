//! `GET /api/v1/spaces/{space}/webhooks/{id}/deliveries`: newest first, 25 on a page, at most 100. Filter: `status`, one of `pending`,
//! `delivered` and `dead`.

use super::{below, view::DeliveryView};
use crate::{
    content::{
        Content,
        management::{access, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId, WebhookId},
};
use storage::{content::webhooks, shared::deliveries};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    below("deliveries")
        .and(warp::path::end())
        .and(warp::get())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, list(content.clone(), space, id, request))
        })
        .boxed()
}

async fn list(content: Content, space: SpaceId, id: WebhookId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    let query = request.query()?;
    query.only(&["page", "per_page", "status"])?;
    let page = query.page(100)?;
    let state = query.parsed("status")?;
    let connection = content.store.connection("delivery.list").await?;
    let webhook = webhooks::find(&connection, space, id).await?.ok_or_else(Fault::not_found)?;
    let found = deliveries::list(&connection, webhook.receiver, state, page).await?;
    let views: Vec<_> = found.items.into_iter().map(DeliveryView::of).collect();
    Ok(ApiResponse::ok(&wrapper::put("deliveries", views))?.paged(found.total, page))
}
