//! `POST /api/v1/spaces/{space}/webhooks` `{name, url, events, secret, active?}`: 201 with the webhook, without its secret.

use super::view::WebhookView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::webhooks::CreateWebhook;
use domain::{
    content::{Right, webhook::WebhookChange},
    shared::{Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("webhooks")
        .and(warp::post())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, create(content.clone(), space, call)))
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let change: WebhookChange = call.json(DEFAULT_LIMIT).await?;
    let settings = change.apply(None)?;
    content.deliveries.check(&settings.url)?;
    let secret = change.secret().ok_or_else(|| Fault::invalid("secret", "blank", "can't be blank"))?;
    let secret = content.deliveries.seal(secret)?;
    let made = content.spaces.write(space, by, call.origin(), CreateWebhook { change, secret }).await?;
    Answer::created(&wrapper::put("webhook", WebhookView::of(space, &made)))
}
