//! Imports from a source in this process, one after the other: the first one creates the stories, each
//! further one writes their next content.

use super::{Load, Setup};
use crate::{
    harness::serve::serve,
    harness::{
        recorder::Outcome,
        site::Space,
        source::{SPACE, Source},
        user::{Pace, TimedClient, TurnFuture, User},
    },
};
use anyhow::{Context, Result};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::{
    net::TcpListener,
    task::JoinSet,
    time::{Instant, sleep},
};

/// How often the progress is asked for.
const POLL: Duration = Duration::from_millis(100);
/// An import that takes longer has failed.
const PATIENCE: Duration = Duration::from_mins(2);

pub(super) async fn prepare(setup: &mut Setup<'_>) -> Result<Load> {
    let space = setup.site.space("import").await?;
    let address = setup.args.source;
    let listener = TcpListener::bind(address).await.with_context(|| format!("the source cannot listen on {address} (--source)"))?;
    let source = Arc::new(Source::new(setup.args.stories));
    let mut servers = JoinSet::new();
    let answering = source.clone();
    servers.spawn(serve(listener, move |request| answering.answer(&request)));
    let users: Vec<Box<dyn User>> = vec![Box::new(Importer { space, source })];
    let group = setup.group(Pace::Closed(Duration::ZERO), users);
    Ok(Load { groups: vec![group], servers: vec![servers], ..Load::default() })
}

struct Importer {
    space: Space,
    source: Arc<Source>,
}

impl User for Importer {
    /// One import, from its start to its end.
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            self.source.change();
            let began = client.due();
            let body = json!({ "source_space_id": SPACE, "oauth_token": "load", "region": "eu" });
            let start = self.space.manage(Method::POST, "/import/vendor", &body)?;
            let number = |started: &Value| started.pointer("/import/id").and_then(Value::as_i64);
            let Some(id) = client.send_for_json("import: start", start, number).await else { return Ok(()) };
            let mut outcome = Outcome::Wrong;
            let given_up_at = Instant::now() + PATIENCE;
            while Instant::now() < given_up_at {
                sleep(POLL).await;
                let progress = self.space.manage(Method::GET, &format!("/imports/{id}"), &Value::Null)?;
                let import = client.send_for_json("import: progress", progress, |body| body.get("import").cloned()).await;
                let Some(import) = import.filter(|import| import.get("finished_at").is_some_and(|at| !at.is_null())) else {
                    continue;
                };
                let is_done = import.get("status").and_then(Value::as_str) == Some("succeeded");
                let failures = import.pointer("/report/failures/total").and_then(Value::as_u64);
                if is_done && failures == Some(0) {
                    outcome = Outcome::Succeeded(StatusCode::OK);
                }
                break;
            }
            client.record("import: whole", outcome, began.elapsed());
            Ok(())
        })
    }
}
