//! `GET /api/v1/spaces/{space}/webhooks`.

use super::view::WebhookView;
use crate::{
    content::{
        Content,
        management::{access, collection, listing::Listing, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
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
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, list(content.clone(), space, call)))
        .boxed()
}

async fn list(content: Content, space: SpaceId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(&["page", "per_page"])?;
    let session = content.store.read("webhook.list").await?;
    let found = Listing::of(&query, webhooks::list(&session, space).await?)?;
    let views: Vec<_> = found.items.iter().map(|it| WebhookView::of(space, it)).collect();
    Ok(found.headed(Answer::ok(&wrapper::put("webhooks", views))?))
}
