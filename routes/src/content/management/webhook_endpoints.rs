//! Webhooks under Storyblok's name and in its shape: the same rows as `…/webhooks`, which show deliveries as
//! well. Only administrators read and change them.

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
    content::{
        EventKind, Right,
        webhook::{EndpointChange, Webhook, WebhookChange},
    },
    shared::{Fault, FieldCode, WebhookId, timestamp},
};
use serde_json::{Value, json};
use services::content::webhooks::{CreateWebhook, DeleteWebhook, UpdateWebhook};
use storage::content::webhooks;
use strum::VariantNames;

const KEY: &str = "webhook_endpoint";
/// The prefix of a secret that is made for an endpoint without one.
const SECRET_PREFIX: &str = "whsec_";

/// The endpoints below `/api/v1/spaces/{space}/webhook_endpoints`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/webhook_endpoints", Right::Administer, list)
        .post("/api/v1/spaces/{space}/webhook_endpoints", Right::Administer, create)
        .get("/api/v1/spaces/{space}/webhook_endpoints/allowed_actions", Right::Administer, allowed_actions)
        .get("/api/v1/spaces/{space}/webhook_endpoints/{id}", Right::Administer, read)
        .put("/api/v1/spaces/{space}/webhook_endpoints/{id}", Right::Administer, update)
        .patch("/api/v1/spaces/{space}/webhook_endpoints/{id}", Right::Administer, update)
        .delete("/api/v1/spaces/{space}/webhook_endpoints/{id}", Right::Administer, delete)
}

/// 200 `{"webhook_endpoints": […]}`.
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &[])?;
    let connection = content.store.connection("webhook.list").await?;
    let found = paginate(&query, webhooks::list(&connection, caller.space()).await?)?;
    let views: Vec<Value> = found.items.iter().map(|webhook| view(&caller, webhook)).collect();
    Ok(found.add_headers(ApiResponse::ok(&envelope::wrap("webhook_endpoints", views))?))
}

/// 200 `{"allowed_actions": [{action}]}`: the events that can be subscribed to.
async fn allowed_actions(_: Content, _: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    ApiResponse::ok(&envelope::wrap(
        "allowed_actions",
        EventKind::VARIANTS.iter().map(|kind| json!({ "action": kind })).collect::<Vec<_>>(),
    ))
}

/// 200 with the webhook.
async fn read(content: Content, caller: Manager, id: WebhookId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("webhook.find").await?;
    let webhook = webhooks::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&envelope::wrap(KEY, view(&caller, &webhook)))
}

/// Of `{"webhook_endpoint": {name, endpoint, actions, secret?, description?, activated?}}`: 201 with the
/// webhook. Deliveries are always signed: without a secret one is generated, which is never shown.
async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change: EndpointChange = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let change = change.into_webhook(|| crypto::token::generate(SECRET_PREFIX, content.entropy.as_ref()));
    let settings = change.apply(None).map_err(renamed)?;
    content.deliveries.check(&settings.url).map_err(renamed)?;
    let secret = change.secret().ok_or_else(|| Fault::invalid("secret", FieldCode::Blank, "can't be blank"))?;
    let secret = content.deliveries.seal(secret)?;
    let command = CreateWebhook { change, secret };
    let created = content.execute(&caller, command).await?;
    ApiResponse::created(&envelope::wrap(KEY, view(&caller, &created)))
}

/// Of `{"webhook_endpoint": {…}}`: 200 with the webhook as it is now. Members that are not named, and a
/// secret that is null or empty, keep their values.
async fn update(content: Content, caller: Manager, id: WebhookId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change: EndpointChange = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let change: WebhookChange = change.into_change();
    let connection = content.store.connection("webhook.find").await?;
    let old = webhooks::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    drop(connection);
    let old_url = old.settings.url.clone();
    let settings = change.apply(Some(old.settings)).map_err(renamed)?;
    // A URL that was accepted stays, even if it would be refused today: it is checked again at each attempt.
    if settings.url != old_url {
        content.deliveries.check(&settings.url).map_err(renamed)?;
    }
    let secret = change.secret().map(|secret| content.deliveries.seal(secret)).transpose()?;
    let command = UpdateWebhook { id, change, secret };
    let updated = content.execute(&caller, command).await?;
    ApiResponse::ok(&envelope::wrap(KEY, view(&caller, &updated)))
}

/// 200 with the webhook that was deleted. Its pending deliveries are not sent.
async fn delete(content: Content, caller: Manager, id: WebhookId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let deleted = content.execute(&caller, DeleteWebhook(id)).await?;
    ApiResponse::ok(&envelope::wrap(KEY, view(&caller, &deleted)))
}

/// The fault with the names that the members have here.
fn renamed(mut fault: Fault) -> Fault {
    for detail in &mut fault.details {
        match detail.field.as_str() {
            "url" => "endpoint".clone_into(&mut detail.field),
            "events" => "actions".clone_into(&mut detail.field),
            _ => {}
        }
    }
    fault
}

/// A webhook in Storyblok's shape. Its secret is never shown.
fn view(caller: &Manager, webhook: &Webhook) -> Value {
    let settings = &webhook.settings;
    json!({
        "id": webhook.id,
        "name": settings.name,
        "description": settings.description,
        "endpoint": settings.url,
        "space_id": caller.space(),
        "secret": null,
        "actions": settings.events.iter().map(<&str>::from).collect::<Vec<_>>(),
        "activated": settings.active,
        "created_at": timestamp::format(webhook.created_at),
        "updated_at": timestamp::format(webhook.updated_at),
        "deleted_at": null,
    })
}
