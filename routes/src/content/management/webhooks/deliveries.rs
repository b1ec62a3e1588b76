//! `GET /api/v1/spaces/{space}/webhooks/{id}/deliveries`: newest first, 25 on a page, at most 100. Filter: `status`, one of `pending`,
//! `delivered` and `dead`.

use super::{below, view::DeliveryView};
use crate::{
    content::{
        Content,
        management::{access, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
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
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, list(content.clone(), space, id, call)))
        .boxed()
}

async fn list(content: Content, space: SpaceId, id: WebhookId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(&["page", "per_page", "status"])?;
    let page = query.page(100)?;
    let state = query.parsed("status")?;
    let session = content.store.read("delivery.list").await?;
    let webhook = webhooks::find(&session, space, id).await?.ok_or_else(Fault::not_found)?;
    let found = deliveries::list(&session, webhook.receiver, state, page).await?;
    let views: Vec<_> = found.items.into_iter().map(DeliveryView::of).collect();
    Ok(Answer::ok(&wrapper::put("deliveries", views))?.paged(found.total, page))
}
