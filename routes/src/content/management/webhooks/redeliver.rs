//! `POST /api/v1/spaces/{space}/webhooks/{id}/deliveries/{delivery}/redeliver`: 202 with the delivery, which is pending again, with the
//! same id and bytes and five new attempts. 409 while it is pending, and once its body is no longer kept.

use super::{below, view::DeliveryView};
use crate::{
    content::{
        Content,
        management::{access, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, path::segment, request::api_request},
};
use domain::{
    content::Right,
    shared::{DeliveryId, Fault, ReceiverId, SpaceId, WebhookId},
};
use http::StatusCode;
use services::content::webhooks::Redeliver;
use storage::{content::webhooks, shared::deliveries};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    below("deliveries")
        .and(segment::<DeliveryId>())
        .and(warp::path("redeliver"))
        .and(warp::path::end())
        .and(warp::post())
        .and(api_request())
        .then(move |space, webhook, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, redeliver(content.clone(), space, webhook, id, request))
        })
        .boxed()
}

async fn redeliver(
    content: Content,
    space: SpaceId,
    webhook: WebhookId,
    id: DeliveryId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let connection = content.store.connection("webhook.find").await?;
    let found = webhooks::find(&connection, space, webhook).await?.ok_or_else(Fault::not_found)?;
    drop(connection);
    shown(&content, found.receiver, id).await?;
    content.spaces.execute(space, by, request.origin(), Redeliver { webhook, id }).await?;
    ApiResponse::json(StatusCode::ACCEPTED, &wrapper::put("delivery", shown(&content, found.receiver, id).await?))
}

/// The delivery as it is now; 404 when the receiver has none of that id.
pub(super) async fn shown(content: &Content, receiver: ReceiverId, id: DeliveryId) -> Result<DeliveryView, Fault> {
    let connection = content.store.connection("delivery.find").await?;
    deliveries::find(&connection, receiver, id).await?.map(DeliveryView::of).ok_or_else(Fault::not_found)
}
