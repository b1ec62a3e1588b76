//! Users: what they do, at which pace, and the client that times their requests.

use super::recorder::{Outcome, Recorder};
use crate::client::{Client, Target};
use anyhow::Result;
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use serde_json::Value;
use std::{future::Future, pin::Pin, sync::Arc, time::Duration};
use tokio::time::Instant;

/// A turn under way. It fails when a request cannot even be made, which ends the run; what the server answers
/// is an outcome.
pub(crate) type TurnFuture<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

/// A user: what it does again and again. It has its own connection.
pub(crate) trait User: Send {
    /// Does it once.
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a>;
}

/// When the users of a group take their turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Pace {
    /// A closed loop: each user takes its next turn when the last one is done and this pause is over. The
    /// server determines the rate.
    Closed(Duration),
    /// An open loop: a rate of turns a second in all, at fixed times, however slow the answers are. The
    /// number of users bounds the turns at a time.
    Open(f64),
}

/// Users that do the same.
pub(crate) struct Group {
    pub(crate) pace: Pace,
    pub(crate) users: Vec<Box<dyn User>>,
}

/// A client that records each request.
pub(crate) struct TimedClient {
    client: Client,
    recorder: Arc<Recorder>,
    intended: Option<Instant>,
    /// Whether the last request got no answer at all.
    is_cut_off: bool,
    /// The operation that whole turns are recorded as, instead of their requests.
    turns: Option<&'static str>,
    /// What came of the last request of the turn.
    last: Option<Outcome>,
}

impl TimedClient {
    /// Not connected yet.
    pub(super) fn new(target: Target, recorder: Arc<Recorder>, turns: Option<&'static str>) -> Self {
        Self { client: Client::new(target), recorder, intended: None, is_cut_off: false, turns, last: None }
    }

    /// Lets a user take its turn.
    pub(super) async fn take(&mut self, user: &mut dyn User) -> Result<()> {
        let began = self.due();
        user.turn(self).await?;
        if let (Some(turn), Some(outcome)) = (self.turns, self.last.take()) {
            self.recorder.record(turn, outcome, began.elapsed());
        }
        Ok(())
    }

    /// The latency of the next request counts from this time, at which it should have been sent. So a stall
    /// of the server shows in every request that it delays, and not only in those that are under way.
    pub(super) fn intend(&mut self, at: Instant) {
        self.intended = Some(at);
    }

    /// Whether the last request got no answer at all: then a pause spares a server that is gone.
    pub(super) fn is_cut_off(&self) -> bool {
        self.is_cut_off
    }

    /// Records what is more than one request, such as an import from its start to its end.
    pub(crate) fn record(&self, operation: &'static str, outcome: Outcome, took: Duration) {
        self.recorder.record(operation, outcome, took);
    }

    /// When the next request is due: the intended time of the turn before its first request, else now. What
    /// is recorded as a whole counts from it.
    pub(crate) fn due(&self) -> Instant {
        self.intended.unwrap_or_else(Instant::now)
    }

    /// Sends a request and records what came of it. Returns whether it is a success (2xx).
    pub(crate) async fn send(&mut self, operation: &'static str, request: Request<Full<Bytes>>) -> bool {
        self.send_for(operation, request, |answer| answer.status().is_success().then_some(())).await.is_some()
    }

    /// The same, and returns what is read in the JSON of a success. One in which nothing is found is recorded
    /// as a wrong answer.
    pub(crate) async fn send_for_json<T>(
        &mut self,
        operation: &'static str,
        request: Request<Full<Bytes>>,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Option<T> {
        let read = |answer: &Response<Bytes>| {
            let is_success = answer.status().is_success();
            let body = is_success.then(|| serde_json::from_slice(answer.body()).ok()).flatten()?;
            read(&body)
        };
        self.send_for(operation, request, read).await
    }

    /// Sends a request and records what came of it. Returns what is read in the answer, which is a success or
    /// a redirect; it is recorded as a wrong one when nothing is found in it.
    pub(crate) async fn send_for<T>(
        &mut self,
        operation: &'static str,
        request: Request<Full<Bytes>>,
        read: impl FnOnce(&Response<Bytes>) -> Option<T>,
    ) -> Option<T> {
        let began = self.intended.take().unwrap_or_else(Instant::now);
        let answer = self.client.answer(request).await;
        let took = began.elapsed();
        self.is_cut_off = answer.is_err();
        let (outcome, found) = match &answer {
            Ok(answer) => Outcome::of(answer, read),
            Err(failure) => (Outcome::Unanswered(*failure), None),
        };
        self.last = Some(outcome);
        if self.turns.is_none() {
            self.recorder.record(operation, outcome, took);
        }
        found
    }
}
