//! Webhooks: registering them, and everything that reaches receivers, which are real servers here.

mod access;
mod delivering;
mod events;
mod fan_out;
mod order;
mod redelivery;
mod registration;
mod retries;
mod secrets;

use crate::support::{
    Setup,
    desk::{Caller, Desk},
    receiver::Receiver,
};
use jiff::SignedDuration;
use serde_json::{Value, json};

const SECRET: &str = "a secret of the tests";
const ALL: [&str; 4] = ["story.published", "story.unpublished", "story.deleted", "story.moved"];

/// A server that may call receivers on this machine.
async fn desk() -> Desk {
    desk_with(&[]).await
}

async fn desk_with(variables: &[(&str, &str)]) -> Desk {
    let usual = [("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1")];
    let variables: Vec<_> = usual.iter().chain(variables).copied().collect();
    Desk::with(Setup { variables: &variables, ..Setup::default() }).await
}

/// What a registration says.
fn registration(url: &str, events: &[&str]) -> Value {
    json!({ "name": "Build", "url": url, "events": events, "secret": SECRET })
}

impl Desk {
    /// A webhook at a receiver, for all events.
    async fn webhook(&self, receiver: &Receiver) -> i64 {
        self.webhook_for(receiver, &ALL).await
    }

    async fn webhook_for(&self, receiver: &Receiver, events: &[&str]) -> i64 {
        let body = registration(&receiver.url(), events);
        let made = self.post(Caller::Token(&self.admin), &self.path("/webhooks"), body).await.expect(201);
        made["webhook"]["id"].as_i64().unwrap()
    }

    /// A published story. Answers its number.
    async fn publish(&self, slug: &str) -> i64 {
        let story = json!({ "name": slug, "slug": slug, "content": { "component": "page" } });
        self.act_on("POST", "/stories", json!({ "story": story, "publish": 1 }), 201).await["id"].as_i64().unwrap()
    }

    /// What an editor does to a story. Answers the story.
    async fn act_on(&self, method: &str, below: &str, body: Value, status: u16) -> Value {
        self.json(Caller::Token(&self.editor), method, &self.path(below), body).await.expect(status)["story"].clone()
    }

    async fn change_webhook(&self, id: i64, body: Value) -> Value {
        self.put(Caller::Token(&self.admin), &self.path(&format!("/webhooks/{id}")), body).await.expect(200)["webhook"].clone()
    }

    /// The deliveries of a webhook, newest first; `query` may filter.
    async fn deliveries(&self, id: i64, query: &str) -> Vec<Value> {
        let list = self.get(Caller::Token(&self.viewer), &self.path(&format!("/webhooks/{id}/deliveries{query}"))).await;
        list.expect(200)["deliveries"].as_array().unwrap().clone()
    }

    /// Waits until a webhook has so many deliveries of a state.
    async fn until(&self, id: i64, state: &str, count: usize) -> Vec<Value> {
        for _ in 0..2000 {
            let found = self.deliveries(id, &format!("?per_page=100&status={state}")).await;
            if found.len() >= count {
                assert_eq!(found.len(), count, "{found:?}");
                return found;
            }
            self.settle().await;
        }
        panic!("{count} deliveries never were {state}: {:?}", self.deliveries(id, "").await);
    }

    /// Lets the actors do what is due now. Bounded by who calls it.
    async fn settle(&self) {
        let handles = self.app().actors.handles();
        handles.notifications.wake_all();
        handles.observe_all().await;
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }

    fn later(&self, by: SignedDuration) {
        self.app().clock.advance(by);
    }
}
