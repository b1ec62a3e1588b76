//! What becomes of a mail, by the rules of [`mail_retry`]; and writing that to its row.

use super::{
    MailSender,
    in_flight::{Claimed, Decision, Outcome, Report, Sent},
    metrics::Outcome as Attempt,
};
use domain::identity::mail_retry::{self, NextStep, SendError, SendHistory};
use egress::mail::Failure;
use services::identity::mail_outcome::{DeferMail, MarkMailDead, MarkMailSent};
use std::{sync::Arc, time::Duration};
use storage::queue;

impl MailSender {
    /// Decides what the workers have reported, and takes their connections.
    pub(super) fn decide_reported(&mut self) {
        let in_flight = Arc::clone(&self.params.in_flight);
        in_flight.decide_reported(|claimed, report| self.decide(claimed, report));
    }

    fn decide(&mut self, claimed: &Claimed, report: Report) -> Decision {
        self.observed.connections += u64::from(report.has_connected);
        if let Some(connection) = report.connection.and_then(|connection| self.server.keep_connection(connection)) {
            self.params.runtime.tasks().spawn("mail.close", connection.close());
        }
        let deferred = |reason| Outcome::Deferred { due_after: Duration::ZERO, reason, failure: None };
        let outcome = match report.sent {
            Sent::Accepted => {
                self.server.on_success();
                Outcome::Sent
            }
            Sent::Failed(failure) => {
                self.server.on_failure(&failure, self.params.runtime.jitter_seed());
                self.after_failure(claimed, failure.error, Some(failure))
            }
            Sent::Unreadable => Outcome::Dead { reason: "unreadable", failure: None },
            Sent::Stopped => deferred("stopped"),
            // The server may have it.
            Sent::Panicked => self.after_failure(claimed, SendError::Unconfirmed, None),
        };
        self.decision(claimed, outcome)
    }

    /// A decision of now, which is counted.
    pub(super) fn decision(&mut self, claimed: &Claimed, outcome: Outcome) -> Decision {
        let mail = &claimed.mail;
        let attempt = match &outcome {
            Outcome::Sent => {
                self.observed.sent += 1;
                Attempt::Sent
            }
            Outcome::Deferred { .. } => {
                self.observed.deferred += 1;
                Attempt::Deferred
            }
            Outcome::Dead { reason, .. } => {
                self.observed.dead += 1;
                tracing::warn!(mail.id = %mail.id, mail.template = mail.template.name(), reason, "a mail is given up");
                Attempt::Dead
            }
        };
        self.params.metrics.count_attempt(mail.template, attempt);
        Decision { at: self.params.clock.now(), outcome }
    }

    /// It is tried again, or given up.
    fn after_failure(&self, claimed: &Claimed, error: SendError, failure: Option<Failure>) -> Outcome {
        let mail = &claimed.mail;
        let history = SendHistory {
            template: mail.template,
            written_at: mail.created_at,
            attempts: claimed.attempts,
            deferrals: u32::try_from(mail.deferrals).unwrap_or_default(),
        };
        match mail_retry::next_step(error, history, self.params.runtime.jitter_seed(), self.params.clock.now()) {
            NextStep::RetryAfter(due_after) => {
                let reason = if error == SendError::Unavailable { "away" } else { "deferred" };
                Outcome::Deferred { due_after, reason, failure }
            }
            NextStep::GiveUp(reason) => Outcome::Dead { reason, failure },
        }
    }

    /// Writes what is decided. What cannot be written now is written at the next poll: until then it holds its lease and its place.
    pub(super) async fn record_decided(&mut self) -> storage::Result<()> {
        for (number, claimed, decision) in self.params.in_flight.decided() {
            if self.record(&claimed, &decision).await? == queue::Outcome::Lost {
                self.observed.lost += 1;
            }
            self.params.in_flight.remove(number);
        }
        Ok(())
    }

    async fn record(&self, claimed: &Claimed, Decision { at, outcome }: &Decision) -> storage::Result<queue::Outcome> {
        let (store, mail, fence) = (&self.params.store, &claimed.mail, claimed.fence);
        match outcome {
            Outcome::Sent => store.transact(&MarkMailSent { fence, mail: mail.id, at: *at }).await,
            Outcome::Deferred { due_after, reason, failure } => {
                let deferral = DeferMail {
                    fence,
                    mail: mail.id,
                    due_after: *due_after,
                    reason,
                    attempts: claimed.attempts,
                    deferrals: failure.as_ref().map_or(0, |failure| failure.error.deferrals()),
                    answer: failure.as_ref().map(ToString::to_string),
                };
                store.transact(&deferral).await
            }
            Outcome::Dead { reason, failure } => {
                let dead = MarkMailDead {
                    fence,
                    mail: mail.id,
                    user: mail.user,
                    template: mail.template,
                    reason,
                    attempts: claimed.attempts,
                    is_useful: mail_retry::is_useful(mail.template, mail.created_at, *at),
                    answer: failure.as_ref().map(ToString::to_string),
                    code: failure.as_ref().and_then(|failure| failure.reply.as_ref()).map(|reply| reply.code),
                    at: *at,
                };
                store.transact(&dead).await
            }
        }
    }
}
