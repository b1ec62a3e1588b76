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
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, webhook::WebhookChange},
    shared::{Fault, SpaceId, WebhookId},
};
use services::content::webhooks::UpdateWebhook;
use storage::content::webhooks;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<WebhookId>("webhooks")
        .and(warp::put().or(warp::patch()).unify())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, update(content.clone(), space, id, request))
        })
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: WebhookId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let change: WebhookChange = request.json(DEFAULT_LIMIT).await?;
    let old = webhooks::find(&content.store.connection("webhook.find").await?, space, id).await?.ok_or_else(Fault::not_found)?;
    let url = old.settings.url.clone();
    let settings = change.apply(Some(old.settings))?;
    // One that was taken stays, even if it would not be taken today: each attempt is checked anyway.
    if settings.url != url {
        content.deliveries.check(&settings.url)?;
    }
    let secret = change.secret().map(|s| content.deliveries.seal(s)).transpose()?;
    let after = content.spaces.execute(space, by, request.origin(), UpdateWebhook { id, change, secret }).await?;
    ApiResponse::ok(&wrapper::put("webhook", WebhookView::of(space, &after)))
}
