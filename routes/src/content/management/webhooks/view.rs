//! Webhooks and deliveries as callers see them.

use crate::content::management::access::Manager;
use domain::{
    content::{Right, webhook::Webhook},
    shared::{
        SpaceId, WebhookId,
        delivery::{Circuit, CircuitBreaker},
        timestamp,
    },
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use storage::shared::deliveries::{Attempt, Delivery};

/// A webhook, without its secret.
#[derive(Serialize)]
pub(super) struct WebhookView<'a> {
    id: WebhookId,
    name: &'a str,
    url: Cow<'a, str>,
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

/// How its last attempts ended.
#[derive(Serialize)]
struct HealthView {
    /// `new`, `well`, `failing`, or `open`: until a probe succeeds, nothing else is sent.
    status: &'static str,
    failures: u32,
    #[serde(serialize_with = "timestamp::option::serialize")]
    next_probe_at: Option<Timestamp>,
}

impl<'a> WebhookView<'a> {
    /// The view of a webhook. Paths and queries of webhooks are often secrets, those of chat services above
    /// all: only who may administer sees them.
    pub(super) fn of(caller: &Manager, webhook: &'a Webhook) -> Self {
        let url = webhook.settings.url.as_str();
        let url = if caller.authorized.may(Right::Administer) { Cow::Borrowed(url) } else { Cow::Owned(masked(url)) };
        Self {
            id: webhook.id,
            name: &webhook.settings.name,
            url,
            events: webhook.settings.events.iter().map(<&str>::from).collect(),
            active: webhook.settings.active,
            space_id: caller.space(),
            created_at: webhook.created_at,
            updated_at: webhook.updated_at,
            health: None,
        }
    }

    /// Adds the health of its receiver.
    pub(super) fn with_health(self, breaker: &CircuitBreaker) -> Self {
        let status = if breaker.circuit.is_closed() { breaker.health.into_str() } else { "open" };
        let health = HealthView { status, failures: breaker.failures, next_probe_at: breaker.circuit.next_probe() };
        Self { health: Some(health), ..self }
    }
}

/// Scheme, host and port of a URL; what follows is `***`, also where nothing follows.
fn masked(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    format!("{scheme}://{host}/***")
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
    /// While it waits for a receiver whose circuit is open: since when, and when the next probe goes out.
    #[serde(serialize_with = "timestamp::option::serialize")]
    waiting_since: Option<Timestamp>,
    #[serde(serialize_with = "timestamp::option::serialize")]
    next_probe_at: Option<Timestamp>,
    attempts: Vec<AttemptView>,
}

/// The story that the event is about. Only its number is known once the body is no longer kept.
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
    /// The view of a delivery to a receiver with a circuit. What the receiver answered often names the path
    /// that was asked for, which is a secret as it is in the URL of the webhook.
    pub(super) fn of(caller: &Manager, delivery: Delivery, circuit: &Circuit, now: Timestamp) -> Self {
        let due_at = delivery.next_at.filter(|_| !delivery.is_under_way);
        let waiting_since = due_at.and_then(|due_at| circuit.waiting_since(due_at, now));
        let sees_answers = caller.authorized.may(Right::Administer);
        let from_body = delivery.body.as_deref().and_then(|body| serde_json::from_slice(body).ok());
        let story = from_body.or_else(|| {
            let id = if delivery.event.starts_with("story.") { delivery.key.parse().ok()? } else { return None };
            Some(StoryView { id, uuid: None, full_slug: None })
        });
        Self {
            id: delivery.id.to_string(),
            status: delivery.state.into_str(),
            event: delivery.event,
            story,
            created_at: delivery.created_at,
            next_attempt_at: delivery.next_at,
            waiting_since,
            next_probe_at: waiting_since.and_then(|_| circuit.next_probe()),
            attempts: delivery.attempts.into_iter().map(|attempt| AttemptView::of(attempt, sees_answers)).collect(),
        }
    }
}

impl AttemptView {
    fn of(attempt: Attempt, sees_answer: bool) -> Self {
        let Attempt { number, result, status, answer, replayed, started_at, took_ms } = attempt;
        let answer = answer.filter(|_| sees_answer);
        Self { number, result, status, answer, replayed, started_at, duration_ms: took_ms }
    }
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn nothing_is_left_of_path_and_query() {
        for (url, shown) in [
            ("https://hooks.chat.example/services/T0/B0/secret?key=1", "https://hooks.chat.example/***"),
            ("http://10.0.0.1:8080?key=secret", "http://10.0.0.1:8080/***"),
            ("https://ci.example.org", "https://ci.example.org/***"),
            ("https://[2001:db8::1]:8443/x", "https://[2001:db8::1]:8443/***"),
        ] {
            assert_eq!(masked(url), shown);
        }
    }
}
