//! `GET /api/v1/spaces/{space}/webhooks/{id}`: with the health of its receiver.

use super::view::WebhookView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
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
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, read(content.clone(), space, id, request))
        })
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: WebhookId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    request.query()?.only(&[])?;
    let connection = content.store.connection("webhook.find").await?;
    let found = webhooks::find(&connection, space, id).await?.ok_or_else(Fault::not_found)?;
    let circuit = receivers::find_circuit(&connection, found.receiver).await?.unwrap_or_default();
    ApiResponse::ok(&wrapper::put("webhook", WebhookView::of(space, &found).in_health(&circuit)))
}
