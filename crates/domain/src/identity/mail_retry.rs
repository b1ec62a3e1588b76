//! Retry policy of mail: what becomes of a mail that could not be sent, and for how long a failing mail
//! server is left alone.

use super::mail::Template;
use crate::shared::Backoff;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use std::time::Duration;

/// The number of deferrals by the server after which a mail is given up.
pub const MAX_DEFERRALS: u32 = 20;
/// The delay before a mail that the server deferred is tried again. All [`MAX_DEFERRALS`] delays together are
/// about six hours.
const DEFERRED_DELAY: Backoff = Backoff { first: Duration::from_secs(10), cap: Duration::from_mins(30), jitter: 20 };
/// No mail is put off for longer: the longest delay, with its spread.
pub const LONGEST_DELAY: Duration = Duration::from_mins(36);
/// The delay before a mail is tried again that failed because the server was unavailable. It is short, so
/// that the mail leaves soon after the server is back.
const UNAVAILABLE_DELAY: Backoff = Backoff { first: Duration::from_secs(5), cap: Duration::from_mins(5), jitter: 20 };
/// How long an unhealthy server is not contacted at all.
const SERVER_PAUSE: Backoff = Backoff { first: Duration::from_secs(1), cap: Duration::from_mins(5), jitter: 20 };
/// The number of consecutive deferrals of different mails that count as a failure of the server.
const DEFERRALS_UNTIL_UNHEALTHY: u32 = 3;

/// Why a mail could not be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendError {
    /// The server rejected the mail permanently (a reply of 5xx).
    Rejected,
    /// The server rejected the content for now (a reply of 4xx). The cause may be this mail or the server.
    Deferred,
    /// The server rejected the recipient for now (a reply of 4xx), which says nothing about other mails.
    RecipientDeferred,
    /// The server had the complete mail and did not confirm it. It may have accepted it, so each further try
    /// may deliver a copy.
    Unconfirmed,
    /// The server cannot be reached, or refuses all mail.
    Unavailable,
}

impl SendError {
    /// How many of a mail's [`MAX_DEFERRALS`] this failure uses up.
    pub fn deferrals(self) -> u32 {
        match self {
            Self::Deferred | Self::RecipientDeferred => 1,
            // Such a mail is tried three times at most.
            Self::Unconfirmed => MAX_DEFERRALS.div_ceil(3),
            Self::Rejected | Self::Unavailable => 0,
        }
    }
}

/// What becomes of a mail after a failed try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    /// It is tried again after this time.
    RetryAfter(Duration),
    /// It is given up, for a reason that the audit trail records: `refused`, `deferrals` or `expired`.
    GiveUp(&'static str),
}

/// How long a mail is of use to its reader: as long as its link or its code works (see
/// [`super::one_time::Kind::lifetime`]).
fn useful_for(template: Template) -> SignedDuration {
    match template {
        Template::Verification | Template::NewLogin => SignedDuration::from_hours(24),
        Template::Invite | Template::SpaceInvite => SignedDuration::from_hours(7 * 24),
        Template::PasswordReset => SignedDuration::from_hours(1),
        Template::LoginCode => SignedDuration::from_mins(10),
    }
}

/// Whether a mail that was written at this time is still of use.
pub fn is_useful(template: Template, written_at: Timestamp, now: Timestamp) -> bool {
    now.duration_since(written_at) < useful_for(template)
}

/// The history of a mail, as far as it decides about retries.
#[derive(Debug, Clone, Copy)]
pub struct SendHistory {
    /// The kind of mail.
    pub template: Template,
    /// When the mail was written.
    pub written_at: Timestamp,
    /// The number of tries, including the one that just failed.
    pub attempts: u32,
    /// The deferrals that earlier tries used up.
    pub deferrals: u32,
}

/// Decides what becomes of a mail after a failed try. `jitter_seed` spreads the delays, see
/// [`Backoff::after`].
pub fn next_step(error: SendError, history: SendHistory, jitter_seed: u32, now: Timestamp) -> NextStep {
    let deferrals = history.deferrals.saturating_add(error.deferrals());
    let delay = match error {
        SendError::Rejected => return NextStep::GiveUp("refused"),
        SendError::Deferred | SendError::RecipientDeferred | SendError::Unconfirmed if deferrals >= MAX_DEFERRALS => {
            return NextStep::GiveUp("deferrals");
        }
        SendError::Deferred | SendError::RecipientDeferred => DEFERRED_DELAY.after(deferrals, jitter_seed),
        SendError::Unavailable | SendError::Unconfirmed => UNAVAILABLE_DELAY.after(history.attempts, jitter_seed),
    };
    let at = now.checked_add(delay).unwrap_or(Timestamp::MAX);
    if is_useful(history.template, history.written_at, at) { NextStep::RetryAfter(delay) } else { NextStep::GiveUp("expired") }
}

/// The health of the mail server, judged by its last replies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ServerHealth {
    /// Consecutive failures of the server.
    failures: u32,
    /// Consecutive deferrals of single mails.
    deferrals: u32,
}

impl ServerHealth {
    /// The server accepted a mail, or rejected one permanently: it works.
    pub fn on_success(&mut self) {
        *self = Self::default();
    }

    /// A mail failed. Answers for how long the server should not be contacted, if the failure is the
    /// server's.
    pub fn on_failure(&mut self, error: SendError, jitter_seed: u32) -> Option<Duration> {
        match error {
            SendError::Rejected => {
                self.on_success();
                return None;
            }
            SendError::RecipientDeferred => return None,
            SendError::Deferred | SendError::Unconfirmed => {
                self.deferrals = self.deferrals.saturating_add(1);
                if self.deferrals < DEFERRALS_UNTIL_UNHEALTHY {
                    return None;
                }
            }
            SendError::Unavailable => {}
        }
        self.failures = self.failures.saturating_add(1);
        Some(SERVER_PAUSE.after(self.failures, jitter_seed))
    }

    /// Whether the last exchange shows no failure of the server.
    pub fn is_healthy(&self) -> bool {
        self.failures == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_DELAY, MAX_DEFERRALS, NextStep, SendError, SendHistory, ServerHealth, is_useful, next_step};
    use crate::identity::mail::Template;
    use jiff::{SignedDuration, Timestamp};
    use proptest::prelude::*;
    use std::time::Duration;
    use strum::VariantArray;

    const START: Timestamp = Timestamp::UNIX_EPOCH;

    /// Fails with the same error until the mail is given up. Answers the number of tries, the time they took,
    /// and the reason.
    fn fail_until_given_up(template: Template, error: SendError, seed: u32) -> (u32, SignedDuration, &'static str) {
        let (mut now, mut attempts) = (START, 0);
        loop {
            let deferrals = attempts * error.deferrals();
            attempts += 1;
            match next_step(error, SendHistory { template, written_at: START, attempts, deferrals }, seed, now) {
                NextStep::RetryAfter(delay) => {
                    assert!(delay > Duration::ZERO && delay <= LONGEST_DELAY);
                    now += delay;
                }
                NextStep::GiveUp(reason) => return (attempts, now.duration_since(START), reason),
            }
        }
    }

    #[test]
    fn a_rejected_mail_is_given_up_at_once() {
        assert_eq!(fail_until_given_up(Template::Invite, SendError::Rejected, 0).0, 1);
    }

    #[test]
    fn a_deferred_invitation_is_tried_for_hours() {
        let (attempts, after, reason) = fail_until_given_up(Template::Invite, SendError::Deferred, u32::MAX / 2);
        assert_eq!((attempts, reason), (MAX_DEFERRALS, "deferrals"));
        assert!(after > SignedDuration::from_hours(5) && after < SignedDuration::from_hours(8), "{after:?}");
    }

    #[test]
    fn a_mail_that_may_have_arrived_is_tried_three_times() {
        assert_eq!(fail_until_given_up(Template::Invite, SendError::Unconfirmed, 0).0, 3);
    }

    #[test]
    fn deferred_recipients_do_not_make_the_server_unhealthy() {
        let mut health = ServerHealth::default();
        assert!((0..50).all(|_| health.on_failure(SendError::RecipientDeferred, 0).is_none()));
        assert!(health.is_healthy());
        assert_eq!(health.on_failure(SendError::Deferred, 0), None);
    }

    #[test]
    fn an_unavailable_server_costs_a_mail_only_its_time() {
        let (_, after, reason) = fail_until_given_up(Template::Invite, SendError::Unavailable, u32::MAX / 2);
        assert_eq!(reason, "expired");
        assert!(after > SignedDuration::from_hours(7 * 24 - 1), "{after:?}");
    }

    #[test]
    fn a_code_that_no_longer_works_is_not_sent() {
        let (attempts, after, reason) = fail_until_given_up(Template::LoginCode, SendError::Deferred, u32::MAX / 2);
        assert_eq!(reason, "expired");
        assert!((5..10).contains(&attempts) && after < SignedDuration::from_mins(10), "{attempts} {after:?}");
        assert!(is_useful(Template::LoginCode, START, START + SignedDuration::from_secs(599)));
        assert!(!is_useful(Template::LoginCode, START, START + SignedDuration::from_mins(10)));
    }

    #[test]
    fn an_unavailable_server_is_contacted_less_and_less_often() {
        let mut health = ServerHealth::default();
        let mut pause = || health.on_failure(SendError::Unavailable, u32::MAX / 2).unwrap().as_secs_f64().round();
        let pauses: Vec<_> = (0..12).map(|_| pause()).collect();
        assert_eq!(pauses, [1., 2., 4., 8., 16., 32., 64., 128., 256., 300., 300., 300.]);
        assert!(!health.is_healthy());
        health.on_success();
        assert!(health.is_healthy());
        assert!(health.on_failure(SendError::Unavailable, 0).unwrap() < Duration::from_secs(1));
    }

    #[test]
    fn one_deferred_mail_does_not_make_the_server_unhealthy() {
        let mut health = ServerHealth::default();
        let mut deferred = || health.on_failure(SendError::Deferred, 0);
        assert_eq!((deferred(), deferred()), (None, None));
        assert!(deferred().is_some() && deferred().is_some(), "but the third in a row does");
        health.on_success();
        assert_eq!(health.on_failure(SendError::Deferred, 0), None);
        assert_eq!(health.on_failure(SendError::Rejected, 0), None, "a server that rejects a mail works");
        assert_eq!(health, ServerHealth::default());
    }

    proptest! {
        #[test]
        fn every_mail_ends(template in 0_usize..5, seed: u32) {
            let template = Template::VARIANTS[template];
            let (attempts, _, _) = fail_until_given_up(template, SendError::Deferred, seed);
            prop_assert!(attempts <= MAX_DEFERRALS);
            prop_assert_eq!(fail_until_given_up(template, SendError::Unavailable, seed).2, "expired");
        }
    }
}
