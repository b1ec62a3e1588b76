//! What becomes of a mail, by the rules of [`mail_retry`]; and writing that to its row.

use super::{
    MailSender,
    in_flight::{Claimed, Report, Sent},
    metrics::SendOutcome as Attempt,
};
use domain::identity::mail_retry::{self, NextStep, SendError, SendHistory};
use egress::mail::Failure;
use services::identity::mail_outcome::{DeadMail, Deferral, MailOutcome};
use std::{sync::Arc, time::Duration};
use storage::queue;

impl MailSender {
    /// Decides what the workers have reported, and takes their connections.
    pub(super) fn decide_reported(&mut self) {
        let in_flight = Arc::clone(&self.params.in_flight);
        in_flight.decide_reported(|claimed, report| self.decide(claimed, report));
    }

    fn decide(&mut self, claimed: &Claimed, report: &mut Report) -> MailOutcome {
        self.observed.connections += u64::from(std::mem::take(&mut report.has_connected));
        if let Some(connection) = report.connection.take().and_then(|connection| self.server.keep_connection(connection)) {
            self.params.runtime.tasks().spawn("mail.close", connection.close());
        }
        match &report.sent {
            Sent::Accepted => {
                self.server.on_success();
                self.sent(claimed)
            }
            Sent::Failed(failure) => {
                self.server.on_failure(failure, self.params.runtime.jitter_seed());
                self.after_failure(claimed, failure.error, Some(failure))
            }
            Sent::Unreadable => self.give_up(claimed, "unreadable", None),
            Sent::Stopped => self.defer(claimed, Duration::ZERO, "stopped", None),
            // The server may have it.
            Sent::Panicked => self.after_failure(claimed, SendError::Unconfirmed, None),
        }
    }

    /// It is tried again, or given up.
    fn after_failure(&mut self, claimed: &Claimed, error: SendError, failure: Option<&Failure>) -> MailOutcome {
        let mail = &claimed.mail;
        let history = SendHistory {
            template: mail.template,
            written_at: mail.created_at,
            attempts: claimed.attempts,
            deferrals: u32::try_from(mail.deferrals).unwrap_or_default(),
        };
        match mail_retry::next_step(error, history, self.params.runtime.jitter_seed(), self.params.clock.now()) {
            NextStep::RetryAfter(delay) => {
                self.defer(claimed, delay, if error == SendError::Unavailable { "away" } else { "deferred" }, failure)
            }
            NextStep::GiveUp(reason) => self.give_up(claimed, reason, failure),
        }
    }

    fn sent(&mut self, claimed: &Claimed) -> MailOutcome {
        self.params.metrics.count_attempt(claimed.mail.template, Attempt::Sent);
        self.observed.sent += 1;
        MailOutcome::Sent { at: self.params.clock.now() }
    }

    fn defer(&mut self, claimed: &Claimed, due_after: Duration, reason: &'static str, failure: Option<&Failure>) -> MailOutcome {
        self.params.metrics.count_attempt(claimed.mail.template, Attempt::Deferred);
        self.observed.deferred += 1;
        MailOutcome::Deferred(Deferral {
            due_after,
            reason,
            attempts: claimed.attempts,
            deferrals: failure.map_or(0, |failure| failure.error.deferrals()),
            answer: failure.map(ToString::to_string),
        })
    }

    /// The mail is a dead letter.
    pub(super) fn give_up(&mut self, claimed: &Claimed, reason: &'static str, failure: Option<&Failure>) -> MailOutcome {
        let mail = &claimed.mail;
        self.params.metrics.count_attempt(mail.template, Attempt::Dead);
        self.observed.dead += 1;
        tracing::warn!(mail.id = %mail.id, mail.template = mail.template.into_str(), reason, "a mail is given up");
        let at = self.params.clock.now();
        MailOutcome::Dead(DeadMail {
            user: mail.user,
            template: mail.template,
            reason,
            attempts: claimed.attempts,
            is_useful: mail_retry::is_useful(mail.template, mail.created_at, at),
            answer: failure.map(ToString::to_string),
            code: failure.and_then(|failure| failure.reply.as_ref()).map(|reply| reply.code),
            at,
        })
    }

    /// Writes what is decided. What cannot be written just now is written at the next poll, and until then
    /// holds its lease and its place; what the database refuses for another reason is forgotten here, and
    /// sent again when its lease is over. Returns the first failure that will pass.
    pub(super) async fn record_decided(&mut self) -> storage::Result<()> {
        let mut recorded = Ok(());
        for (number, claimed, decided) in self.params.in_flight.decided() {
            match decided.record(&self.params.store, claimed.fence, claimed.mail.id).await {
                Ok(queue::JobOutcome::Written) => {}
                Ok(queue::JobOutcome::Lost) => self.observed.lost += 1,
                Err(error) if error.is_transient() => {
                    recorded = recorded.and(Err(error));
                    continue;
                }
                Err(error) => {
                    self.observed.failures += 1;
                    tracing::error!(%error, mail.id = %claimed.mail.id, "the outcome of a mail cannot be recorded; it is sent again");
                }
            }
            self.params.in_flight.remove(number);
        }
        recorded
    }
}
