//! What the actors of this process are doing, for administrators.

use super::Handles;
use crate::runtime::handle::{ActorState, Handle, Inspected};
use futures_util::future::{BoxFuture, FutureExt, join_all};
use ractor::Message;
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;

/// How long an actor has to answer. All are asked at once, so that the report takes no longer than this.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);
/// How many spaces are reported at most.
const MAX_SPACES: usize = 100;

/// An actor.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ActorReport {
    /// Its name, unique below its supervisor.
    pub name: String,
    pub state: ActorState,
    /// Messages that were admitted and are not answered yet.
    pub mailbox: usize,
    /// How often actors of its kind were started again since the process began.
    pub restarts: u64,
    /// What it answers about itself; null when it did not answer in time.
    pub observed: Value,
    /// The actors below it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<ActorReport>,
}

impl Handles {
    /// Asks every actor what it is doing. One that does not answer within two seconds is reported as such. Of
    /// the actors of spaces, the first hundred are asked.
    pub async fn report(&self) -> Vec<ActorReport> {
        let permanent: Vec<BoxFuture<'_, Option<ActorReport>>> = vec![
            named(&self.spaces_supervisor),
            named(&self.importer),
            named(&self.listener),
            named(&self.scheduler),
            named(&self.fan_out),
            named(&self.dispatcher),
            named(&self.mail_sender),
            named(&self.last_seen_writer),
            named(&self.key_rotator),
            named(&self.janitor),
        ];
        let (permanent, spaces) = tokio::join!(join_all(permanent), self.spaces.inspect(MAX_SPACES, ANSWER_WITHIN));
        let mut reports: Vec<ActorReport> = permanent.into_iter().flatten().collect();
        if let Some(supervisor) = reports.iter_mut().find(|report| report.name == self.spaces_supervisor.kind()) {
            supervisor.children =
                spaces.into_iter().map(|(space, found)| ActorReport::of(format!("space {space}"), found)).collect();
        }
        reports
    }
}

impl ActorReport {
    fn of(name: String, found: Inspected) -> Self {
        let Inspected { state, mailbox, restarts, observed } = found;
        Self { name, state, mailbox, restarts, observed, children: Vec::new() }
    }
}

/// The report about an actor that is named like its kind; `None` when this process has none behind the
/// handle.
fn named<M: Message>(handle: &Handle<M>) -> BoxFuture<'_, Option<ActorReport>> {
    async { Some(ActorReport::of(handle.kind().to_owned(), handle.inspect(ANSWER_WITHIN).await?)) }.boxed()
}
