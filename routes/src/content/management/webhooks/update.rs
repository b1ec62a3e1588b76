//! `PUT` and `PATCH /api/v1/spaces/{space}/webhooks/{id}` `{name?, url?, events?, active?, secret?}`: 200 with the webhook as it is now.
//!
//! What is not named stays. `active: false` pauses: what happens meanwhile is kept, and sent in order when it is active again. A new secret
//! takes the place of the old one, which stays valid beside it for 24 hours.

use super::view::WebhookView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::webhooks::UpdateWebhook;
use domain::{
    content::{Right, webhook::WebhookChange},
    shared::{Fault, SpaceId, WebhookId},
};
use storage::content::webhooks;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<WebhookId>("webhooks")
        .and(warp::put().or(warp::patch()).unify())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, update(content.clone(), space, id, call)))
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: WebhookId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let change: WebhookChange = call.json(DEFAULT_LIMIT).await?;
    let old = webhooks::find(&content.store.read("webhook.find").await?, space, id).await?.ok_or_else(Fault::not_found)?;
    let url = old.settings.url.clone();
    let settings = change.apply(Some(old.settings))?;
    // One that was taken stays, even if it would not be taken today: each attempt is checked anyway.
    if settings.url != url {
        content.deliveries.check(&settings.url)?;
    }
    let secret = change.secret().map(|it| content.deliveries.seal(it)).transpose()?;
    let after = content.spaces.write(space, by, call.origin(), UpdateWebhook { id, change, secret }).await?;
    Answer::ok(&wrapper::put("webhook", WebhookView::of(space, &after)))
}
