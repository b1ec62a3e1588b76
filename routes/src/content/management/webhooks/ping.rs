//! `POST /api/v1/spaces/{space}/webhooks/{id}/ping`: 202 with a test delivery, which is sent like any other. 409 while the webhook is paused.

use super::{below, redeliver::shown};
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
use http::StatusCode;
use services::content::webhooks::PingWebhook;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    below("ping")
        .and(warp::path::end())
        .and(warp::post())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, ping(content.clone(), space, id, request))
        })
        .boxed()
}

async fn ping(content: Content, space: SpaceId, id: WebhookId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let (webhook, id) = content.spaces.execute(space, by, request.origin(), PingWebhook(id)).await?;
    ApiResponse::json(StatusCode::ACCEPTED, &wrapper::put("delivery", shown(&content, webhook.receiver, id).await?))
}
