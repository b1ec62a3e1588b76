//! `POST /api/v1/spaces/{space}/webhooks` `{name, url, events, secret, active?}`: 201 with the webhook, without its secret.

use super::view::WebhookView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, webhook::WebhookChange},
    shared::{Fault, SpaceId},
};
use services::content::webhooks::CreateWebhook;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("webhooks")
        .and(warp::post())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, create(content.clone(), space, request))
        })
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let change: WebhookChange = request.json(DEFAULT_LIMIT).await?;
    let settings = change.apply(None)?;
    content.deliveries.check(&settings.url)?;
    let secret = change.secret().ok_or_else(|| Fault::invalid("secret", "blank", "can't be blank"))?;
    let secret = content.deliveries.seal(secret)?;
    let made = content.spaces.execute(space, by, request.origin(), CreateWebhook { change, secret }).await?;
    ApiResponse::created(&wrapper::put("webhook", WebhookView::of(space, &made)))
}
