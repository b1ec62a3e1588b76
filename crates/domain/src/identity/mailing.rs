//! What becomes of a mail that could not be sent, and when the mail server is asked again.

use super::letter::Template;
use crate::shared::Backoff;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// How often the server may put off one and the same mail.
pub const DEFERRALS: u32 = 20;
/// How long a mail waits that the server put off: together some six hours.
const DEFERRED: Backoff = Backoff { first: Duration::from_secs(10), cap: Duration::from_mins(30), jitter: 20 };
/// How long a mail waits that no server could be given. It is not at fault, so it is soon there when the server is.
const AWAY: Backoff = Backoff { first: Duration::from_secs(5), cap: Duration::from_mins(5), jitter: 20 };
/// How long nobody asks a server that is unwell.
const PAUSES: Backoff = Backoff { first: Duration::from_secs(1), cap: Duration::from_mins(5), jitter: 20 };
/// So many mails in a row that the server does not want now are its own trouble, and not theirs.
const PATIENCE: u32 = 3;

/// Why a mail was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// The server will never take it.
    Refused,
    /// The server does not take it now. It may take others, or be unwell.
    Deferred,
    /// The server does not take it for this recipient now, which says nothing of others.
    Unwanted,
    /// The server had all of it and said nothing: it may have it, so each further try may be a copy.
    Unsure,
    /// The server, or the way to it, is unwell: it takes nobody's mail.
    Away,
}

impl Trouble {
    /// How much of the server's patience with a mail it costs, of [`DEFERRALS`].
    pub fn deferrals(self) -> u32 {
        match self {
            Self::Deferred | Self::Unwanted => 1,
            // Three times at most.
            Self::Unsure => DEFERRALS.div_ceil(3),
            Self::Refused | Self::Away => 0,
        }
    }
}

/// What becomes of a mail after a try that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It is tried again.
    Again(Timestamp),
    /// It is given up, for a reason that is a code.
    Dead(&'static str),
}

/// How long a letter is of use to its reader: as long as its link or its code works.
fn useful_for(template: Template) -> SignedDuration {
    match template {
        Template::Verification | Template::NewLogin => SignedDuration::from_hours(24),
        Template::Invite => SignedDuration::from_hours(7 * 24),
        Template::PasswordReset => SignedDuration::from_hours(1),
        Template::LoginCode => SignedDuration::from_mins(10),
    }
}

/// Whether a letter that was written then is still of use.
pub fn is_useful(template: Template, written_at: Timestamp, now: Timestamp) -> bool {
    now.duration_since(written_at) < useful_for(template)
}

/// A mail, as far as its future is concerned.
#[derive(Debug, Clone, Copy)]
pub struct Tried {
    /// Which of the five.
    pub template: Template,
    /// When it was written.
    pub written_at: Timestamp,
    /// How often it was tried, this time included.
    pub attempts: u32,
    /// How often the server put it off before.
    pub deferrals: u32,
}

/// Decides it. The roll decides where in its spread a wait falls.
pub fn next(trouble: Trouble, tried: Tried, roll: u32, now: Timestamp) -> Next {
    let deferrals = tried.deferrals.saturating_add(trouble.deferrals());
    let wait = match trouble {
        Trouble::Refused => return Next::Dead("refused"),
        Trouble::Deferred | Trouble::Unwanted | Trouble::Unsure if deferrals >= DEFERRALS => return Next::Dead("deferrals"),
        Trouble::Deferred | Trouble::Unwanted => DEFERRED.after(deferrals, roll),
        Trouble::Away | Trouble::Unsure => AWAY.after(tried.attempts, roll),
    };
    let at = now.checked_add(wait).unwrap_or(Timestamp::MAX);
    if is_useful(tried.template, tried.written_at, at) { Next::Again(at) } else { Next::Dead("expired") }
}

/// How the mail server is, as far as its answers tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pace {
    failures: u32,
    deferred: u32,
}

impl Pace {
    /// A mail was taken, or refused for good: the server is well.
    pub fn went_well(&mut self) {
        *self = Self::default();
    }

    /// A mail was not taken. Answers how long nobody is to ask the server, if it is the server's trouble.
    pub fn went_wrong(&mut self, trouble: Trouble, roll: u32) -> Option<Duration> {
        match trouble {
            Trouble::Refused => {
                self.went_well();
                return None;
            }
            Trouble::Unwanted => return None,
            Trouble::Deferred | Trouble::Unsure => {
                self.deferred = self.deferred.saturating_add(1);
                if self.deferred < PATIENCE {
                    return None;
                }
            }
            Trouble::Away => {}
        }
        self.failures = self.failures.saturating_add(1);
        Some(PAUSES.after(self.failures, roll))
    }

    /// Whether the server took, or could have taken, what it was given last.
    pub fn is_well(&self) -> bool {
        self.failures == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{DEFERRALS, Next, Pace, Tried, Trouble, is_useful, next};
    use crate::identity::letter::Template;
    use jiff::{SignedDuration, Timestamp};
    use proptest::prelude::*;
    use std::time::Duration;

    const START: Timestamp = Timestamp::UNIX_EPOCH;

    /// Tries until it is given up; answers how often, how long, and why.
    fn try_on(template: Template, trouble: Trouble, roll: u32) -> (u32, SignedDuration, &'static str) {
        let (mut now, mut attempts) = (START, 0);
        loop {
            let deferrals = attempts * trouble.deferrals();
            attempts += 1;
            match next(trouble, Tried { template, written_at: START, attempts, deferrals }, roll, now) {
                Next::Again(at) => {
                    assert!(at > now);
                    now = at;
                }
                Next::Dead(reason) => return (attempts, now.duration_since(START), reason),
            }
        }
    }

    #[test]
    fn what_is_refused_for_good_is_given_up_at_once() {
        assert_eq!(try_on(Template::Invite, Trouble::Refused, 0).0, 1);
    }

    #[test]
    fn an_invitation_that_is_put_off_is_tried_for_hours() {
        let (attempts, after, reason) = try_on(Template::Invite, Trouble::Deferred, u32::MAX / 2);
        assert_eq!((attempts, reason), (DEFERRALS, "deferrals"));
        assert!(after > SignedDuration::from_hours(5) && after < SignedDuration::from_hours(8), "{after:?}");
    }

    #[test]
    fn a_mail_that_may_have_arrived_is_tried_three_times() {
        assert_eq!(try_on(Template::Invite, Trouble::Unsure, 0).0, 3);
    }

    #[test]
    fn recipients_that_are_not_wanted_stop_no_mail_to_others() {
        let mut pace = Pace::default();
        assert!((0..50).all(|_| pace.went_wrong(Trouble::Unwanted, 0).is_none()));
        assert!(pace.is_well());
        assert_eq!(pace.went_wrong(Trouble::Deferred, 0), None);
    }

    #[test]
    fn a_server_that_is_away_costs_no_mail_its_life_but_its_time() {
        let (_, after, reason) = try_on(Template::Invite, Trouble::Away, u32::MAX / 2);
        assert_eq!(reason, "expired");
        assert!(after > SignedDuration::from_hours(7 * 24 - 1), "{after:?}");
    }

    #[test]
    fn nobody_gets_a_code_that_no_longer_works() {
        let (attempts, after, reason) = try_on(Template::LoginCode, Trouble::Deferred, u32::MAX / 2);
        assert_eq!(reason, "expired");
        assert!((5..10).contains(&attempts) && after < SignedDuration::from_mins(10), "{attempts} {after:?}");
        assert!(is_useful(Template::LoginCode, START, START + SignedDuration::from_secs(599)));
        assert!(!is_useful(Template::LoginCode, START, START + SignedDuration::from_mins(10)));
    }

    #[test]
    fn a_server_that_is_away_is_asked_less_and_less_often() {
        let mut pace = Pace::default();
        let waits: Vec<_> = (0..12).map(|_| pace.went_wrong(Trouble::Away, u32::MAX / 2).unwrap().as_secs_f64().round()).collect();
        assert_eq!(waits, [1., 2., 4., 8., 16., 32., 64., 128., 256., 300., 300., 300.]);
        assert!(!pace.is_well());
        pace.went_well();
        assert!(pace.is_well());
        assert!(pace.went_wrong(Trouble::Away, 0).unwrap() < Duration::from_secs(1));
    }

    #[test]
    fn one_mail_that_is_not_wanted_now_stops_no_other() {
        let mut pace = Pace::default();
        let mut deferred = || pace.went_wrong(Trouble::Deferred, 0);
        assert_eq!((deferred(), deferred()), (None, None));
        assert!(deferred().is_some() && deferred().is_some(), "but the third in a row is about the server");
        pace.went_well();
        assert_eq!(pace.went_wrong(Trouble::Deferred, 0), None);
        assert_eq!(pace.went_wrong(Trouble::Refused, 0), None, "who refuses is well");
        assert_eq!(pace, Pace::default());
    }

    proptest! {
        #[test]
        fn every_mail_ends(template in 0_usize..5, roll: u32) {
            let template = Template::ALL[template];
            let (attempts, _, _) = try_on(template, Trouble::Deferred, roll);
            prop_assert!(attempts <= DEFERRALS);
            prop_assert_eq!(try_on(template, Trouble::Away, roll).2, "expired");
        }
    }
}
