//! A story is published under a new name, and the very next read has to show it.

use super::{Load, Setup};
use crate::harness::{
    site::{Space, Story, story},
    user::{Pace, TimedClient, TurnFuture, User},
};
use anyhow::Result;
use http::Method;
use serde_json::{Value, json};
use std::time::Duration;

pub(super) async fn prepare(setup: &mut Setup<'_>) -> Result<Load> {
    let space = setup.site.space("publish and read").await?;
    let mut users: Vec<Box<dyn User>> = Vec::new();
    for number in 0..setup.users(8) {
        let story = setup.site.write(&space, &story(&format!("own-{number}"), number, 0), true).await?;
        users.push(Box::new(Publisher::new(space.clone(), story)));
    }
    Ok(setup.group(Pace::Closed(Duration::ZERO), users).into())
}

/// An editor of one story.
pub(in crate::harness) struct Publisher {
    space: Space,
    story: Story,
    round: u64,
}

impl Publisher {
    pub(in crate::harness) fn new(space: Space, story: Story) -> Self {
        Self { space, story, round: 0 }
    }
}

impl User for Publisher {
    /// One publish, one read.
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            self.round += 1;
            let name = format!("Round {}", self.round);
            let body = json!({ "story": { "name": name }, "publish": 1 });
            let publish = self.space.manage(Method::PUT, &format!("/stories/{}", self.story.id), &body)?;
            if !client.send("publish", publish).await {
                return Ok(());
            }
            let read = self.space.read(&format!("stories/{}", self.story.path), "published")?;
            let shows_it = |body: &Value| (body.pointer("/story/name").and_then(Value::as_str) == Some(&name)).then_some(());
            client.send_for_json("read after publish", read, shows_it).await;
            Ok(())
        })
    }
}
