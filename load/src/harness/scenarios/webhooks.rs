//! Stories are published, and receivers in this process get a webhook for each. A delivery is recorded from
//! the sending of the request that publishes to its arrival.

use super::{Check, Load, Setup};
use crate::{
    harness::serve::{listen, serve},
    harness::{
        recorder::{Outcome, Recorder},
        result::Finding,
        site::{Space, story},
        user::{Pace, TimedClient, TurnFuture, User},
    },
};
use anyhow::Result;
use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

/// How many webhooks the space has: each publish is delivered to all of them.
const RECEIVERS: usize = 5;
/// How long the last deliveries may take behind the run.
const PATIENCE: Duration = Duration::from_mins(1);

pub(super) async fn prepare(setup: &mut Setup<'_>) -> Result<Load> {
    let space = setup.site.space("webhooks").await?;
    let expected = Arc::new(Expected::default());
    let mut servers = JoinSet::new();
    for number in 0..RECEIVERS {
        let (listener, url) = listen().await?;
        space.webhook(setup.site.owner.client(), &url, true).await?;
        let (expected, recorder) = (expected.clone(), setup.recorder.clone());
        servers.spawn(serve(listener, move |request| expected.arrive(number, &request, &recorder)));
    }
    let users = (0..setup.users(4)).map(|number| -> Box<dyn User> {
        Box::new(Publisher { space: space.clone(), expected: expected.clone(), number, stories: 0 })
    });
    let group = setup.group(Pace::Closed(Duration::from_millis(20)), users.collect());
    Ok(Load { groups: vec![group], servers: vec![servers], checks: vec![all_arrived(expected)] })
}

/// Deliveries that have to come.
#[derive(Default)]
struct Expected(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    /// When the story was published, by receiver and story.
    since: HashMap<(usize, String), Instant>,
    /// How many there were in all.
    total: u64,
}

impl Expected {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, slug: &str) {
        let mut waiting = self.waiting();
        waiting.since.extend((0..RECEIVERS).map(|receiver| ((receiver, slug.to_owned()), Instant::now())));
        waiting.total += RECEIVERS as u64;
    }

    /// The story was not published.
    fn remove(&self, slug: &str) {
        let mut waiting = self.waiting();
        for receiver in 0..RECEIVERS {
            if waiting.since.remove(&(receiver, slug.to_owned())).is_some() {
                waiting.total -= 1;
            }
        }
    }

    /// How many are missing, and how many there were in all.
    fn missing(&self) -> (u64, u64) {
        let waiting = self.waiting();
        (waiting.since.len() as u64, waiting.total)
    }

    /// A delivery that comes twice counts once.
    fn arrive(&self, receiver: usize, request: &Request<Bytes>, recorder: &Recorder) -> Response<Bytes> {
        let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        let slug = body.get("full_slug").and_then(Value::as_str).unwrap_or_default().to_owned();
        let published = self.waiting().since.remove(&(receiver, slug));
        if let Some(published) = published {
            recorder.record("delivery", Outcome::Succeeded(StatusCode::OK), published.elapsed());
        }
        Response::new(Bytes::new())
    }
}

fn all_arrived(expected: Arc<Expected>) -> Check {
    Box::pin(async move {
        let until = Instant::now() + PATIENCE;
        while expected.missing().0 > 0 && Instant::now() < until {
            sleep(Duration::from_millis(20)).await;
        }
        let (missing, total) = expected.missing();
        Finding { text: format!("{} of {total} deliveries arrived", total - missing), holds: missing == 0 && total > 0 }
    })
}

struct Publisher {
    space: Space,
    expected: Arc<Expected>,
    number: u32,
    stories: u32,
}

impl User for Publisher {
    /// Publishes a new story.
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            self.stories += 1;
            let slug = format!("news-{}-{}", self.number, self.stories);
            let body = json!({ "story": story(&slug, self.stories, 0), "publish": 1 });
            self.expected.add(&slug);
            if !client.send("publish for webhooks", self.space.manage(Method::POST, "/stories", &body)?).await {
                self.expected.remove(&slug);
            }
            Ok(())
        })
    }
}
