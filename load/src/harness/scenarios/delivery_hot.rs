//! Stories and a list that are asked for again and again, and come from the cache.

use super::{Load, Setup};
use crate::harness::{
    site::{Space, Story},
    user::{Pace, TimedClient, TurnFuture, User},
};
use anyhow::{Context, Result};
use fastrand::Rng;
use std::{sync::Arc, time::Duration};

pub(super) async fn prepare(setup: &mut Setup<'_>) -> Result<Load> {
    let space = setup.site.space("delivery hot").await?;
    let stories: Arc<[Story]> = setup.site.write_stories(&space, setup.args.stories).await?.into();
    let users = (0..setup.users(16)).map(|number| -> Box<dyn User> {
        Box::new(Reader { space: space.clone(), stories: stories.clone(), random: Rng::with_seed(number.into()) })
    });
    let users = users.collect();
    Ok(setup.group(Pace::Closed(Duration::ZERO), users).into())
}

struct Reader {
    space: Space,
    stories: Arc<[Story]>,
    random: Rng,
}

impl User for Reader {
    /// A story, and one time in ten the list of its folder.
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            let story = self.random.choice(self.stories.iter()).context("no story")?;
            if self.random.u32(..10) > 0 {
                client.send("hot story", self.space.read(&format!("stories/{}", story.path), "published")?).await;
            } else {
                let folder = story.path.split('/').next().unwrap_or_default();
                let list = format!("stories?per_page=25&starts_with={folder}/");
                client.send("hot list", self.space.read(&list, "published")?).await;
            }
            Ok(())
        })
    }
}
