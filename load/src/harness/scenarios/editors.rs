//! Editors list, open, save, preview and publish stories, with pauses.

use super::{Load, Setup};
use crate::harness::{
    site::{KINDS, Space, Story, story},
    user::{Pace, TimedClient, TurnFuture, User},
};
use anyhow::Result;
use fastrand::Rng;
use http::Method;
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

/// How long an editor looks at what they have done. Shorter than in life: an editor here stands for some.
const PAUSE: Duration = Duration::from_millis(200);

pub(super) async fn prepare(setup: &mut Setup<'_>) -> Result<Load> {
    let space = setup.site.space("editors at work").await?;
    let stories: Arc<[Story]> = setup.site.write_stories(&space, setup.args.stories).await?.into();
    let mut users: Vec<Box<dyn User>> = Vec::new();
    for number in 0..setup.users(10) {
        // Each has one story of its own, so that no version conflicts.
        let own = setup.site.write(&space, &story(&format!("own-{number}"), number, 0), true).await?;
        users.push(Box::new(Editor {
            space: space.clone(),
            stories: stories.clone(),
            own,
            random: Rng::with_seed(number.into()),
            turns: 0,
        }));
    }
    Ok(setup.group(Pace::Closed(PAUSE), users).into())
}

struct Editor {
    space: Space,
    stories: Arc<[Story]>,
    own: Story,
    random: Rng,
    turns: u32,
}

impl User for Editor {
    /// Looks for a story, opens another one, writes the own one and previews it; publishes it every fourth
    /// time.
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            self.turns += 1;
            let below = format!("/stories/{}", self.own.id);
            let page = self.random.u32(..3) + 1;
            let list = match self.random.u32(..2) {
                0 => format!("/stories?per_page=25&page={page}&sort_by=updated_at:desc"),
                _ => format!("/stories?per_page=25&search=story-{}", self.random.u32(..KINDS)),
            };
            client.send("editor: list", self.space.manage(Method::GET, &list, &Value::Null)?).await;
            if let Some(story) = self.random.choice(self.stories.iter()) {
                client.send("editor: open", self.space.manage(Method::GET, &format!("/stories/{}", story.id), &Value::Null)?).await;
            }
            let content =
                json!({ "component": "page", "title": format!("Turn {}", self.turns), "text": "lorem ipsum ".repeat(300) });
            let saved = json!({ "story": { "name": format!("Draft {}", self.turns), "content": content } });
            client.send("editor: save", self.space.manage(Method::PUT, &below, &saved)?).await;
            client.send("editor: preview", self.space.read(&format!("stories/{}", self.own.path), "draft")?).await;
            if self.turns.is_multiple_of(4) {
                client.send("editor: publish", self.space.manage(Method::GET, &format!("{below}/publish"), &Value::Null)?).await;
            }
            Ok(())
        })
    }
}
