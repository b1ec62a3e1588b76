//! Webhooks. Every role reads them and their deliveries; only admins change them, and see more of a URL than
//! its host. No response ever holds a secret.

mod deliveries;
mod view;

use super::{
    access::Manager,
    envelope,
    paginate::{list_parameters, paginate},
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, body::DEFAULT_LIMIT},
};
use domain::{
    content::{Right, webhook::WebhookChange},
    shared::{Fault, FieldCode, WebhookId},
};
use services::content::webhooks::{CreateWebhook, DeleteWebhook, UpdateWebhook};
use storage::{content::webhooks, shared::receivers};
use view::WebhookView;

const KEY: &str = "webhook";

/// The endpoints below `/api/v1/spaces/{space}/webhooks`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/webhooks", Right::Read, list)
        .post("/api/v1/spaces/{space}/webhooks", Right::Administer, create)
        .get("/api/v1/spaces/{space}/webhooks/{id}", Right::Read, read)
        .put("/api/v1/spaces/{space}/webhooks/{id}", Right::Administer, update)
        .patch("/api/v1/spaces/{space}/webhooks/{id}", Right::Administer, update)
        .delete("/api/v1/spaces/{space}/webhooks/{id}", Right::Administer, delete)
        .post("/api/v1/spaces/{space}/webhooks/{id}/ping", Right::Administer, deliveries::ping)
        .post("/api/v1/spaces/{space}/webhooks/{id}/redeliver", Right::Administer, deliveries::redeliver_range)
        .get("/api/v1/spaces/{space}/webhooks/{id}/deliveries", Right::Read, deliveries::list)
        .post("/api/v1/spaces/{space}/webhooks/{id}/deliveries/{delivery}/redeliver", Right::Administer, deliveries::redeliver)
}

/// 200 `{"webhooks": […]}`.
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &[])?;
    let connection = content.store.connection("webhook.list").await?;
    let found = paginate(&query, webhooks::list(&connection, caller.space()).await?)?;
    let views: Vec<_> = found.items.iter().map(|webhook| WebhookView::of(&caller, webhook)).collect();
    Ok(found.add_headers(ApiResponse::ok(&envelope::wrap("webhooks", views))?))
}

/// 200 with the webhook and the health of its receiver.
async fn read(content: Content, caller: Manager, id: WebhookId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("webhook.find").await?;
    let webhook = webhooks::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    let breaker = receivers::find_breaker(&connection, webhook.receiver).await?.unwrap_or_default();
    ApiResponse::ok(&envelope::wrap(KEY, WebhookView::of(&caller, &webhook).with_health(&breaker)))
}

/// Of `{name, url, events, secret, active?}`: 201 with the webhook.
async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change: WebhookChange = request.json(DEFAULT_LIMIT).await?;
    let settings = change.apply(None)?;
    content.deliveries.check(&settings.url)?;
    let secret = change.secret().ok_or_else(|| Fault::invalid("secret", FieldCode::Blank, "can't be blank"))?;
    let secret = content.deliveries.seal(secret)?;
    let command = CreateWebhook { change, secret };
    let created = content.execute(&caller, command).await?;
    ApiResponse::created(&envelope::wrap(KEY, WebhookView::of(&caller, &created)))
}

/// Of `{name?, url?, events?, active?, secret?}`: 200 with the webhook as it is now.
///
/// Members that are not named keep their values. `active: false` pauses: events of that time are kept, and
/// sent in order once it is active again. A new secret replaces the old one, which stays valid beside it for
/// 24 hours.
async fn update(content: Content, caller: Manager, id: WebhookId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change: WebhookChange = request.json(DEFAULT_LIMIT).await?;
    let connection = content.store.connection("webhook.find").await?;
    let old = webhooks::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    drop(connection);
    let old_url = old.settings.url.clone();
    let settings = change.apply(Some(old.settings))?;
    // A URL that was accepted stays, even if it would be refused today: it is checked again at each attempt.
    if settings.url != old_url {
        content.deliveries.check(&settings.url)?;
    }
    let secret = change.secret().map(|secret| content.deliveries.seal(secret)).transpose()?;
    let command = UpdateWebhook { id, change, secret };
    let updated = content.execute(&caller, command).await?;
    ApiResponse::ok(&envelope::wrap(KEY, WebhookView::of(&caller, &updated)))
}

/// 200 with the webhook that was deleted. Its pending deliveries are not sent.
async fn delete(content: Content, caller: Manager, id: WebhookId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let deleted = content.execute(&caller, DeleteWebhook(id)).await?;
    ApiResponse::ok(&envelope::wrap(KEY, WebhookView::of(&caller, &deleted)))
}
