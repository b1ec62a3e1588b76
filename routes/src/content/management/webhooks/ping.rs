//! `POST /api/v1/spaces/{space}/webhooks/{id}/ping`: 202 with a test delivery, which is sent like any other. 409 while the webhook is paused.

use super::{below, redeliver::shown};
use crate::{
    content::{
        Content,
        management::{access, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::webhooks::PingWebhook;
use domain::{
    content::Right,
    shared::{Fault, SpaceId, WebhookId},
};
use http::StatusCode;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    below("ping")
        .and(warp::path::end())
        .and(warp::post())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, ping(content.clone(), space, id, call)))
        .boxed()
}

async fn ping(content: Content, space: SpaceId, id: WebhookId, call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let (webhook, id) = content.spaces.write(space, by, call.origin(), PingWebhook(id)).await?;
    Answer::json(StatusCode::ACCEPTED, &wrapper::put("delivery", shown(&content, webhook.receiver, id).await?))
}
