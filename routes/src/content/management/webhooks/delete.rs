//! `DELETE /api/v1/spaces/{space}/webhooks/{id}`: 200 with the webhook that was deleted. What was still owed to it is not sent.

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
use services::content::webhooks::DeleteWebhook;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<WebhookId>("webhooks")
        .and(warp::delete())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, delete(content.clone(), space, id, request))
        })
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: WebhookId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let deleted = content.spaces.execute(space, by, request.origin(), DeleteWebhook(id)).await?;
    ApiResponse::ok(&wrapper::put("webhook", WebhookView::of(space, &deleted)))
}
