//! Planned publishes of the space.

use super::{Caller, SpaceFixture};
use crate::time::StoppedTimers;
use jiff::SignedDuration;
use serde_json::{Value, json};

impl SpaceFixture {
    pub async fn draft(&self, slug: &str, more: Value) -> i64 {
        let mut story = json!({ "name": slug, "slug": slug, "content": { "component": "page" } });
        story.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let made = self.editor().post("/stories", json!({ "story": story })).await;
        made.expect(201)["story"]["id"].as_i64().unwrap()
    }

    pub async fn schedule(&self, story: i64, publish_at: &str) -> Value {
        let body = json!({ "story_scheduling": { "story_id": story, "publish_at": publish_at } });
        let made = self.editor().post("/story_schedulings", body).await;
        made.expect(201)["story_scheduling"].clone()
    }

    pub async fn scheduling(&self, id: &Value) -> Value {
        let path = self.path(&format!("/story_schedulings/{id}"));
        self.get(Caller::Token(&self.viewer), &path).await.expect(200)["story_scheduling"].clone()
    }

    pub async fn seen(&self, story: i64) -> Value {
        let path = self.path(&format!("/stories/{story}"));
        self.get(Caller::Token(&self.viewer), &path).await.expect(200)["story"].clone()
    }

    /// Moves the clock and polls the scheduler twice, so that the actions that it had begun are done.
    pub async fn pass(&self, by: SignedDuration) {
        // An actor that does not answer within some seconds is not waited for.
        let _timers = StoppedTimers::now();
        self.clock.advance(by);
        for _ in 0..2 {
            self.actors.handles().notifications.wake_all();
            self.actors.handles().observe_all().await;
        }
    }

    /// The events of the outbox.
    pub async fn told(&self) -> Vec<String> {
        let rows = self.database.rows("select action, story_id from story_events order by seq", &[]).await;
        rows.iter().map(|row| format!("{} {}", row.get::<_, String>("action"), row.get::<_, i64>("story_id"))).collect()
    }
}
