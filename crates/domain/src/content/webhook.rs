//! Webhooks: subscriptions of receivers to the events of a space.

use super::{changes::StoryEvent, checks::Checks, field::Field};
use crate::{
    content::EventKind,
    shared::{DeliveryId, Fault, FieldCode, ReceiverId, SpaceId, StoryId, WebhookId, timestamp},
};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer, Serialize};
use strum::VariantNames;
use uuid::Uuid;

/// The most webhooks of a space.
pub const MAX_WEBHOOKS: i64 = 100;
/// The longest secret, in bytes.
const MAX_SECRET: usize = 512;

/// A webhook as it is stored, without its secret, which cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    pub id: WebhookId,
    /// The receiver that its deliveries are queued for.
    pub receiver: ReceiverId,
    /// The attributes that its author set.
    pub settings: WebhookSettings,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of its last change.
    pub updated_at: Timestamp,
}

/// The attributes of a webhook that its author sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookSettings {
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// The URL that deliveries are sent to.
    pub url: String,
    /// The events that are delivered.
    pub events: Vec<EventKind>,
    /// Whether deliveries are sent. Those of a paused webhook wait.
    pub active: bool,
}

impl WebhookSettings {
    /// Whether the webhook gets events of this kind.
    pub fn is_subscribed_to(&self, kind: EventKind) -> bool {
        self.events.contains(&kind)
    }
}

/// The body of a request for a new webhook or a change of one.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct WebhookChange {
    name: Option<String>,
    #[serde(skip)]
    description: Field<Option<String>>,
    url: Option<String>,
    events: Option<Vec<String>>,
    active: Option<bool>,
    #[serde(deserialize_with = "secret")]
    secret: Option<SecretString>,
}

fn secret<'de, D: Deserializer<'de>>(from: D) -> Result<Option<SecretString>, D::Error> {
    Ok(Option::<String>::deserialize(from)?.map(SecretString::from))
}

impl WebhookChange {
    /// The settings after the change; `old` is what they were, if there were any. Whether the server may send
    /// requests to the URL, or whether it is one at all, is checked by its egress guard, which refuses all of
    /// them with one code.
    pub fn apply(&self, old: Option<WebhookSettings>) -> Result<WebhookSettings, Fault> {
        let mut checks = Checks::default();
        let is_new = old.is_none();
        let old = old.unwrap_or(WebhookSettings {
            name: String::new(),
            description: None,
            url: String::new(),
            events: Vec::new(),
            active: true,
        });
        let name = self.name.clone().unwrap_or(old.name);
        checks.required("name", &name, 255);
        let mut description = old.description;
        self.description.apply(&mut description);
        checks.text("description", description.as_deref(), 1000);
        // A blank before or behind a URL comes from copying, and is hard to see.
        let url = self.url.as_deref().map_or(old.url, |url| url.trim().to_owned());
        checks.required("url", &url, 2048);
        let events = match &self.events {
            Some(names) => checks.collect(kinds(names)).unwrap_or_default(),
            None if is_new => {
                checks.refuse("events", FieldCode::Blank, "can't be blank");
                Vec::new()
            }
            None => old.events,
        };
        if is_new && self.secret.is_none() {
            checks.refuse("secret", FieldCode::Blank, "can't be blank");
        }
        if let Some(secret) = &self.secret {
            let secret = secret.expose_secret();
            if secret.trim().is_empty() {
                checks.refuse("secret", FieldCode::Blank, "can't be blank");
            } else if secret.len() > MAX_SECRET {
                checks.refuse("secret", FieldCode::TooLong, format!("is too long (maximum is {MAX_SECRET} bytes)"));
            }
        }
        checks.finish()?;
        Ok(WebhookSettings { name, description, url, events, active: self.active.unwrap_or(old.active) })
    }

    /// The new secret, if one is given.
    pub fn secret(&self) -> Option<&SecretString> {
        self.secret.as_ref()
    }
}

/// The body of a request in the names of Storyblok's webhook endpoints.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct EndpointChange {
    name: Option<String>,
    description: Field<Option<String>>,
    endpoint: Option<String>,
    actions: Option<Vec<String>>,
    activated: Option<bool>,
    #[serde(deserialize_with = "secret")]
    secret: Option<SecretString>,
}

impl EndpointChange {
    /// The change of a webhook. An empty secret is none: answers show it as null, and clients send back what
    /// they read.
    pub fn into_change(self) -> WebhookChange {
        WebhookChange {
            name: self.name,
            description: self.description,
            url: self.endpoint,
            events: self.actions,
            active: self.activated,
            secret: self.secret.filter(|secret| !secret.expose_secret().is_empty()),
        }
    }

    /// The settings of a new webhook, with a new secret where none is given.
    pub fn into_webhook(self, new_secret: impl FnOnce() -> SecretString) -> WebhookChange {
        let change = self.into_change();
        WebhookChange { secret: Some(change.secret.unwrap_or_else(new_secret)), ..change }
    }
}

/// The events of these names, each once. 422 for an unknown name, and for none.
fn kinds(names: &[String]) -> Result<Vec<EventKind>, Fault> {
    let mut kinds = Vec::new();
    for name in names {
        let Ok(kind) = name.parse() else {
            let known = EventKind::VARIANTS.join(", ");
            return Err(Fault::invalid("events", FieldCode::Unknown, format!("must each be one of {known}")));
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    if kinds.is_empty() {
        return Err(Fault::invalid("events", FieldCode::Blank, "can't be blank"));
    }
    Ok(kinds)
}

/// The body of a delivery, with its members in the order of Storyblok's documentation.
#[derive(Serialize)]
struct Payload<'a> {
    action: &'static str,
    space_id: SpaceId,
    story_id: StoryId,
    full_slug: &'a str,
    uuid: Uuid,
    delivery_id: String,
    #[serde(serialize_with = "timestamp::serialize")]
    timestamp: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_full_slug: Option<&'a str>,
}

/// The body of an event's delivery. It is stored, and signed and sent unchanged on every attempt.
pub fn payload(space: SpaceId, event: &StoryEvent, at: Timestamp, delivery: DeliveryId) -> Result<Vec<u8>, Fault> {
    crate::shared::json::to_vec(&Payload {
        action: event.kind.into_str(),
        space_id: space,
        story_id: event.story_id,
        full_slug: &event.full_slug,
        uuid: event.uuid,
        delivery_id: delivery.to_string(),
        timestamp: at,
        old_full_slug: event.old_full_slug.as_deref(),
    })
}

/// The event of a test delivery.
pub const PING: &str = "webhook.ping";

#[derive(Serialize)]
struct Ping {
    action: &'static str,
    space_id: SpaceId,
    webhook_id: WebhookId,
    delivery_id: String,
    #[serde(serialize_with = "timestamp::serialize")]
    timestamp: Timestamp,
}

/// The body of a test delivery.
pub fn ping(space: SpaceId, webhook: WebhookId, at: Timestamp, delivery: DeliveryId) -> Result<Vec<u8>, Fault> {
    let delivery_id = delivery.to_string();
    crate::shared::json::to_vec(&Ping { action: PING, space_id: space, webhook_id: webhook, delivery_id, timestamp: at })
}

#[cfg(test)]
mod tests {
    use super::{WebhookChange, payload};
    use crate::{
        content::{EventKind, StoryEvent},
        shared::{DeliveryId, SpaceId, StoryId},
    };
    use secrecy::ExposeSecret;
    use serde_json::{Value, json};
    use uuid::Uuid;

    fn change(body: Value) -> WebhookChange {
        serde_json::from_value(body).unwrap()
    }

    fn refused(body: Value) -> Vec<(String, &'static str)> {
        let fault = change(body).apply(None).unwrap_err();
        fault.details.into_iter().map(|detail| (detail.field, detail.code.name())).collect()
    }

    fn with(member: &str, value: Value) -> Value {
        let mut body = json!({ "name": "N", "url": "https://example.com/h", "events": ["story.moved"], "secret": "s" });
        body[member] = value;
        body
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once() {
        let fields: Vec<_> = refused(json!({})).into_iter().map(|(field, _)| field).collect();
        assert_eq!(fields, ["name", "url", "events", "secret"]);
    }

    #[test]
    fn only_known_events_and_real_secrets_are_taken() {
        assert_eq!(refused(with("events", json!(["story.published", "published"]))), [("events".to_owned(), "unknown")]);
        assert_eq!(refused(with("events", json!([]))), [("events".to_owned(), "blank")]);
        assert_eq!(refused(with("secret", json!("  "))), [("secret".to_owned(), "blank")]);
        assert_eq!(refused(with("secret", json!("x".repeat(513)))), [("secret".to_owned(), "tooLong")]);
        let settings = change(with("url", json!(" https://example.com/h \n"))).apply(None).unwrap();
        assert_eq!((settings.url.as_str(), settings.active), ("https://example.com/h", true));
        let twice = change(with("events", json!(["story.moved", "story.moved"]))).apply(None).unwrap();
        assert_eq!(twice.events, [EventKind::Moved]);
    }

    #[test]
    fn a_change_keeps_what_it_does_not_name() {
        let old = change(with("name", json!("Old"))).apply(None).unwrap();
        let new = change(json!({ "active": false })).apply(Some(old.clone())).unwrap();
        assert_eq!(new, super::WebhookSettings { active: false, ..old });
    }

    #[test]
    fn a_payload_has_the_members_of_the_contract_in_its_order() {
        let event = StoryEvent {
            kind: EventKind::Published,
            story_id: StoryId(7),
            uuid: Uuid::from_u128(1),
            full_slug: "blog/über".to_owned(),
            old_full_slug: None,
        };
        let id = DeliveryId(Uuid::from_u128(2));
        let at = "2026-03-01T08:00:00Z".parse().unwrap();
        let text = |event: &StoryEvent| String::from_utf8(payload(SpaceId(3), event, at, id).unwrap()).unwrap();
        assert_eq!(
            text(&event),
            r#"{"action":"story.published","space_id":3,"story_id":7,"full_slug":"blog/über","uuid":"00000000-0000-0000-0000-000000000001","delivery_id":"whd_00000000000000000000000000000002","timestamp":"2026-03-01T08:00:00.000Z"}"#
        );
        let moved = StoryEvent { kind: EventKind::Moved, old_full_slug: Some("blog/alt".to_owned()), ..event };
        assert!(text(&moved).ends_with(r#""timestamp":"2026-03-01T08:00:00.000Z","old_full_slug":"blog/alt"}"#));
    }

    fn endpoint(body: Value) -> super::EndpointChange {
        serde_json::from_value(body).unwrap()
    }

    #[test]
    fn an_endpoint_in_the_names_of_storyblok_is_the_same_webhook() {
        let body = json!({"name": "n", "description": "d", "endpoint": "https://a.example/", "actions": ["story.published"], "activated": false,
            "secret": "s"});
        let change = endpoint(body).into_change();
        assert_eq!(change.secret().unwrap().expose_secret(), "s");
        let settings = change.apply(None).unwrap();
        assert_eq!((settings.name.as_str(), settings.description.as_deref(), settings.active), ("n", Some("d"), false));
        assert_eq!((settings.url.as_str(), settings.events.len()), ("https://a.example/", 1));
    }

    #[test]
    fn an_endpoint_without_a_secret_gets_one_when_it_is_new_and_keeps_its_own_otherwise() {
        for unset in [json!({}), json!({"secret": null}), json!({"secret": ""})] {
            assert!(endpoint(unset.clone()).into_change().secret().is_none(), "{unset}");
            let new = endpoint(unset).into_webhook(|| "made up".into());
            assert_eq!(new.secret().unwrap().expose_secret(), "made up");
        }
        let given = endpoint(json!({"secret": "s"})).into_webhook(|| "made up".into());
        assert_eq!(given.secret().unwrap().expose_secret(), "s");
    }

    #[test]
    fn a_secret_has_a_bounded_number_of_bytes() {
        let secret = |bytes: usize| {
            change(json!({"name": "n", "url": "https://a.example/", "events": ["story.published"], "secret": "s".repeat(bytes)}))
                .apply(None)
        };
        assert!(secret(super::MAX_SECRET).is_ok());
        assert_eq!(secret(super::MAX_SECRET + 1).unwrap_err().details[0].field, "secret");
    }

    #[test]
    fn a_test_delivery_names_space_webhook_and_delivery() {
        let delivery = DeliveryId(Uuid::from_u128(10));
        let body = super::ping(SpaceId(3), crate::shared::WebhookId(4), "2026-03-01T08:05:00Z".parse().unwrap(), delivery).unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((&body["space_id"], &body["webhook_id"]), (&json!(3), &json!(4)));
        assert_eq!((&body["delivery_id"], &body["timestamp"]), (&json!(delivery.to_string()), &json!("2026-03-01T08:05:00.000Z")));
    }
}
