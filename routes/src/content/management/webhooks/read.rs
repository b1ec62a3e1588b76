//! `GET /api/v1/spaces/{space}/webhooks/{id}`: with the health of its receiver.

use super::view::WebhookView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId, WebhookId},
};
use storage::{content::webhooks, shared::receivers};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<WebhookId>("webhooks")
        .and(warp::get())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, read(content.clone(), space, id, call)))
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: WebhookId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    call.query()?.only(&[])?;
    let session = content.store.read("webhook.find").await?;
    let found = webhooks::find(&session, space, id).await?.ok_or_else(Fault::not_found)?;
    let circuit = receivers::find_circuit(&session, found.receiver).await?.unwrap_or_default();
    Answer::ok(&wrapper::put("webhook", WebhookView::of(space, &found).in_health(&circuit)))
}
