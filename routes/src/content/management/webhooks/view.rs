//! Webhooks and deliveries as callers see them.

use domain::{
    content::webhook::Webhook,
    shared::{
        SpaceId, WebhookId,
        delivery::{Circuit, State},
        timestamp,
    },
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use storage::shared::deliveries::{Attempt, Delivery};

/// A webhook, without its secret.
#[derive(Serialize)]
pub(super) struct WebhookView<'a> {
    id: WebhookId,
    name: &'a str,
    url: &'a str,
    events: Vec<&'static str>,
    active: bool,
    space_id: SpaceId,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::serialize")]
    updated_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    health: Option<HealthView>,
}

/// How its last attempts went.
#[derive(Serialize)]
struct HealthView {
    /// `new`, `well`, `failing`, or `open`: only a probe is sent now and then.
    status: &'static str,
    failures: u32,
    #[serde(serialize_with = "timestamp::option::serialize")]
    next_probe_at: Option<Timestamp>,
}

impl<'a> WebhookView<'a> {
    /// The view of a webhook.
    pub(super) fn of(space: SpaceId, it: &'a Webhook) -> Self {
        Self {
            id: it.id,
            name: &it.settings.name,
            url: &it.settings.url,
            events: it.settings.events.iter().map(|event| event.name()).collect(),
            active: it.settings.active,
            space_id: space,
            created_at: it.created_at,
            updated_at: it.updated_at,
            health: None,
        }
    }

    /// With what is known of its receiver.
    pub(super) fn in_health(self, circuit: &Circuit) -> Self {
        let status = if circuit.probe_at.is_some() { "open" } else { circuit.health.name() };
        let health = HealthView { status, failures: circuit.failures, next_probe_at: circuit.probe_at };
        Self { health: Some(health), ..self }
    }
}

/// A delivery with every attempt.
#[derive(Serialize)]
pub(super) struct DeliveryView {
    id: String,
    status: &'static str,
    event: String,
    story: Option<StoryView>,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::option::serialize")]
    next_attempt_at: Option<Timestamp>,
    attempts: Vec<AttemptView>,
}

/// The story it is about; more than its number is known as long as the body is kept.
#[derive(Serialize, Deserialize)]
struct StoryView {
    #[serde(rename(deserialize = "story_id"))]
    id: i64,
    uuid: Option<String>,
    full_slug: Option<String>,
}

#[derive(Serialize)]
struct AttemptView {
    number: i32,
    result: String,
    status: Option<i32>,
    answer: Option<String>,
    replayed: bool,
    #[serde(serialize_with = "timestamp::serialize")]
    started_at: Timestamp,
    duration_ms: i32,
}

impl DeliveryView {
    /// The view of a delivery.
    pub(super) fn of(it: Delivery) -> Self {
        let told = it.body.as_deref().and_then(|body| serde_json::from_slice(body).ok());
        let story = told.or_else(|| {
            let id = if it.event.starts_with("story.") { it.key.parse().ok()? } else { return None };
            Some(StoryView { id, uuid: None, full_slug: None })
        });
        Self {
            id: it.id.to_string(),
            status: State::name(it.state),
            event: it.event,
            story,
            created_at: it.created_at,
            next_attempt_at: it.next_at,
            attempts: it.attempts.into_iter().map(AttemptView::of).collect(),
        }
    }
}

impl AttemptView {
    fn of(it: Attempt) -> Self {
        let Attempt { number, result, status, answer, replayed, started_at, took_ms } = it;
        Self { number, result, status, answer, replayed, started_at, duration_ms: took_ms }
    }
}
