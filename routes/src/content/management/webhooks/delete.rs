//! `DELETE /api/v1/spaces/{space}/webhooks/{id}`: 200 with the webhook that was deleted. What was still owed to it is not sent.

use super::view::WebhookView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::webhooks::DeleteWebhook;
use domain::{
    content::Right,
    shared::{Fault, SpaceId, WebhookId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<WebhookId>("webhooks")
        .and(warp::delete())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, delete(content.clone(), space, id, call)))
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: WebhookId, call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let deleted = content.spaces.write(space, by, call.origin(), DeleteWebhook(id)).await?;
    Answer::ok(&wrapper::put("webhook", WebhookView::of(space, &deleted)))
}
