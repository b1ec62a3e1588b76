//! `POST /api/v1/spaces/{space}/webhooks/{id}/deliveries/{delivery}/redeliver`: 202 with the delivery, which is pending again, with the
//! same id and bytes and five new attempts. 409 while it is pending, and once its body is no longer kept.

use super::{below, view::DeliveryView};
use crate::{
    content::{
        Content,
        management::{access, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path::segment},
};
use actors::content::writes::webhooks::Redeliver;
use domain::{
    content::Right,
    shared::{DeliveryId, Fault, ReceiverId, SpaceId, WebhookId},
};
use http::StatusCode;
use storage::{content::webhooks, shared::deliveries};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    below("deliveries")
        .and(segment::<DeliveryId>())
        .and(warp::path("redeliver"))
        .and(warp::path::end())
        .and(warp::post())
        .and(call())
        .then(move |space, webhook, id, call: Call| {
            respond(Dialect::Management, call.arrival, redeliver(content.clone(), space, webhook, id, call))
        })
        .boxed()
}

async fn redeliver(content: Content, space: SpaceId, webhook: WebhookId, id: DeliveryId, call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let session = content.store.read("webhook.find").await?;
    let found = webhooks::find(&session, space, webhook).await?.ok_or_else(Fault::not_found)?;
    drop(session);
    shown(&content, found.receiver, id).await?;
    content.spaces.write(space, by, call.origin(), Redeliver { webhook, id }).await?;
    Answer::json(StatusCode::ACCEPTED, &wrapper::put("delivery", shown(&content, found.receiver, id).await?))
}

/// The delivery as it is now; 404 when the receiver has none of that id.
pub(super) async fn shown(content: &Content, receiver: ReceiverId, id: DeliveryId) -> Result<DeliveryView, Fault> {
    let session = content.store.read("delivery.find").await?;
    deliveries::find(&session, receiver, id).await?.map(DeliveryView::of).ok_or_else(Fault::not_found)
}
