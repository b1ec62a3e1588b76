//! Webhooks of the space, their deliveries, and what the actors do meanwhile.

use super::{Caller, SpaceFixture};
use crate::{receiver::Receiver, silence::Silence, waiting::short_wait};
use jiff::SignedDuration;
use serde_json::{Value, json};

pub const SECRET: &str = "a secret of the tests";
pub const ALL: [&str; 4] = ["story.published", "story.unpublished", "story.deleted", "story.moved"];

/// The body of a registration.
pub fn registration(url: &str, events: &[&str]) -> Value {
    json!({ "name": "Build", "url": url, "events": events, "secret": SECRET })
}

impl SpaceFixture {
    /// A webhook at a receiver, for all events.
    pub async fn webhook(&self, receiver: &Receiver) -> i64 {
        self.webhook_for(receiver, &ALL).await
    }

    pub async fn webhook_for(&self, receiver: &Receiver, events: &[&str]) -> i64 {
        let body = registration(&receiver.url(), events);
        let made = self.admin().post("/webhooks", body).await.expect(201);
        made["webhook"]["id"].as_i64().unwrap()
    }

    /// Publishes a new story. Returns its number.
    pub async fn publish(&self, slug: &str) -> i64 {
        let story = json!({ "name": slug, "slug": slug, "content": { "component": "page" } });
        self.act_on("POST", "/stories", json!({ "story": story, "publish": 1 }), 201).await["id"].as_i64().unwrap()
    }

    /// A request of an editor about a story. Returns the story.
    pub async fn act_on(&self, method: &str, below: &str, body: Value, status: u16) -> Value {
        self.editor().json(method, below, body).await.expect(status)["story"].clone()
    }

    pub async fn change_webhook(&self, id: i64, body: Value) -> Value {
        self.admin().put(&format!("/webhooks/{id}"), body).await.expect(200)["webhook"].clone()
    }

    /// The deliveries of a webhook, newest first; `query` may filter.
    pub async fn deliveries(&self, id: i64, query: &str) -> Vec<Value> {
        let list = self.admin().get(&format!("/webhooks/{id}/deliveries{query}")).await;
        list.expect(200)["deliveries"].as_array().unwrap().clone()
    }

    /// Waits until a webhook has `count` deliveries of a state.
    pub async fn until(&self, id: i64, state: &str, count: usize) -> Vec<Value> {
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

    /// Lets the actors do what is due now. Callers bound how often they call it.
    pub async fn settle(&self) {
        let handles = self.actors.handles();
        handles.notifications.wake_all();
        handles.observe_all().await;
        short_wait().await;
    }

    /// The same several times.
    pub async fn settle_times(&self, times: usize) {
        for _ in 0..times {
            self.settle().await;
        }
    }

    /// Waits until a query returns a number, and lets the actors work meanwhile.
    pub async fn until_number(&self, query: &str, number: i64) {
        for _ in 0..2000 {
            if self.count(query).await == number {
                return;
            }
            self.settle().await;
        }
        panic!("{query} never was {number} but {}", self.count(query).await);
    }

    /// From now on a table refuses the rows for which a condition holds, with an error that the server does
    /// not expect.
    pub async fn refuse(&self, table: &str, rows: &str) {
        let body = format!("begin if {rows} then raise exception 'refused by the test'; end if; return new; end");
        self.sql(&format!("create function refuse_{table}() returns trigger language plpgsql as $$ {body} $$")).await;
        let trigger =
            format!("create trigger refuse before insert or update on {table} for each row execute function refuse_{table}()");
        self.sql(&trigger).await;
    }

    /// The table accepts them again.
    pub async fn admit(&self, table: &str) {
        self.sql(&format!("drop trigger refuse on {table}")).await;
    }

    /// Opens the circuits of all webhooks.
    pub async fn open_circuits(&self) {
        // An attempt that has just ended changes its circuit in the same round, but after the delivery.
        self.settle().await;
        let sql = "update receivers set health = 'failing', failures = 10, circuit = 'open',
                       circuit_opened_at = '2026-03-01T12:00:00Z', circuit_until = '2026-03-01T12:00:30Z'";
        assert!(self.sql(sql).await > 0);
    }

    pub fn later(&self, by: SignedDuration) {
        self.clock.advance(by);
    }

    /// Three hundred silent receivers, ninety of this space and ten of each of some others, until two hundred
    /// attempts are under way.
    pub async fn silent_receivers(&self, health: &str, failures: u32) -> Silence {
        let silence = Silence::start().await;
        let owner = format!("case when number < 90 then {} else 1000 + number / 10 end", self.space);
        silence.register(&self.database, &owner, health, failures).await;
        self.settle().await;
        silence.under_way(192).await;
        silence
    }

    pub async fn delete_space(&self) {
        self.delete(Caller::Owner, &self.path("")).await.expect(200);
    }

    /// Brings the space back, as an administrator.
    pub async fn undelete_space(&self) {
        let app = self;
        app.sql("update users set is_admin = true where email = '1@example.com'").await;
        self.post(Caller::Owner, &format!("/api/admin/spaces/{}/undelete", self.space), json!({})).await.expect(200);
    }
}
