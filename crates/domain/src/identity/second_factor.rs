//! Second factors: the steps between a correct password and a session.
//!
//! ```text
//!                     no second factor is needed
//!  password right ─────────────────────────────────────▶ session
//!        │                                                  ▲
//!        └─ a second factor is needed ▶ Pending ─ right ────┘
//!                                        │  ▲ │
//!                                        │  └─┘ wrong, at most five times; a mailed code may be sent again, three times
//!                                        └──▶ void: no attempt is left, or ten minutes are over
//! ```
//!
//! A pending login is no session: it is a row of [`super::one_time`] that only the endpoints of these steps
//! look for.

use crate::shared::{Code, Fault};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How many attempts a pending login has.
pub const ATTEMPTS: i32 = 5;
/// How often the code of a pending login is mailed again.
const RESENDS: u32 = 3;
/// The least time between two mails with a code.
pub const RESEND_AFTER: Duration = Duration::from_secs(30);

/// `APP_EMAIL_LOGIN_CODE`: when a sign-in with a password needs a mailed code as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailCodes {
    Off,
    /// When a sign-in is suspicious.
    Suspicious,
    /// At every sign-in with a password.
    Always,
}

/// A second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Method {
    /// An authenticator app, or a backup code in its place.
    Totp,
    Email,
}

impl Method {
    /// The kinds of code that satisfy it, by their names on the wire; the first one is the one that is
    /// requested.
    pub fn methods(self) -> &'static [&'static str] {
        match self {
            Self::Totp => &["totp", "backupCode"],
            Self::Email => &["email"],
        }
    }
}

/// The second factor that is needed after a correct password. It is the authenticator app whenever the
/// account has one: a mailed code is the weaker of the two.
pub fn required_factor(has_totp: bool, mail_codes: MailCodes, is_suspicious: bool) -> Option<Method> {
    let by_mail = match mail_codes {
        MailCodes::Off => false,
        MailCodes::Suspicious => is_suspicious,
        MailCodes::Always => true,
    };
    match (has_totp, by_mail) {
        (true, _) => Some(Method::Totp),
        (false, true) => Some(Method::Email),
        (false, false) => None,
    }
}

/// A login whose password was correct and whose second factor is still missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pending {
    /// The second factor that is needed.
    pub method: Method,
    /// Whether the browser keeps the session when it is closed.
    pub remember: bool,
    /// The account's `token_version` when the password was compared.
    pub token_version: i32,
    /// Whether the owner was already notified by mail that this sign-in is suspicious.
    #[serde(rename = "told")]
    pub is_notified: bool,
    pub mailed: Option<Mailed>,
}

/// A code that was mailed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mailed {
    /// Its keyed hash, in hexadecimal.
    pub hash: String,
    /// When it was sent.
    pub at: Timestamp,
    /// How many codes were sent before it.
    pub before: u32,
}

impl Pending {
    /// How long to wait before another code can be mailed; `None` when none can.
    pub fn resend_after(&self, now: Timestamp) -> Option<Duration> {
        let mailed = self.mailed.as_ref().filter(|mailed| mailed.before < RESENDS)?;
        let waited = now.duration_since(mailed.at).max(SignedDuration::ZERO).unsigned_abs();
        Some(RESEND_AFTER.saturating_sub(waited))
    }

    /// The pending login with a new code in place of the mailed one. 429 when that is too soon or too often,
    /// 401 when no mailed code is needed.
    pub fn resent(&self, hash: String, now: Timestamp) -> Result<Self, Fault> {
        let Some(mailed) = &self.mailed else { return Err(challenge_expired()) };
        if mailed.before >= RESENDS {
            return Err(Fault::new(Code::RateLimited, "No more codes are sent; sign in again").retry(RESEND_AFTER));
        }
        if let Some(left) = self.resend_after(now).filter(|left| !left.is_zero()) {
            return Err(Fault::too_many(left));
        }
        Ok(Self { mailed: Some(Mailed { hash, at: now, before: mailed.before + 1 }), ..self.clone() })
    }
}

/// 401: the pending login is over, or never existed; the response does not tell which of the two.
pub fn challenge_expired() -> Fault {
    Fault::of(Code::ChallengeExpired)
}

#[cfg(test)]
mod tests {
    use super::{MailCodes, Mailed, Method, Pending, required_factor};
    use crate::shared::Kind;
    use jiff::{SignedDuration, Timestamp};

    #[test]
    fn the_app_is_asked_for_before_a_mailed_code_and_that_as_configured() {
        use MailCodes::{Always, Off, Suspicious};
        for (has_totp, codes, is_suspicious, method) in [
            (true, Off, false, Some(Method::Totp)),
            (true, Always, true, Some(Method::Totp)),
            (false, Off, true, None),
            (false, Suspicious, false, None),
            (false, Suspicious, true, Some(Method::Email)),
            (false, Always, false, Some(Method::Email)),
        ] {
            assert_eq!(required_factor(has_totp, codes, is_suspicious), method, "{has_totp} {codes:?} {is_suspicious}");
        }
    }

    #[test]
    fn a_code_is_sent_again_three_times_with_half_a_minute_between() {
        let mut now = Timestamp::UNIX_EPOCH;
        let mailed = Mailed { hash: "0".into(), at: now, before: 0 };
        let mut pending =
            Pending { method: Method::Email, remember: true, token_version: 3, is_notified: false, mailed: Some(mailed) };
        for number in 1..=3 {
            now += SignedDuration::from_secs(29);
            let early = pending.resent("x".into(), now).unwrap_err();
            assert_eq!((early.kind(), early.retry_after), (Kind::TooMany, Some(std::time::Duration::from_secs(1))));
            assert_eq!(pending.resend_after(now), early.retry_after);
            now += SignedDuration::from_secs(1);
            pending = pending.resent(number.to_string(), now).unwrap();
            assert_eq!(pending.mailed, Some(Mailed { hash: number.to_string(), at: now, before: number }));
        }
        now += SignedDuration::from_secs(60);
        assert_eq!(pending.resent("4".into(), now).unwrap_err().kind(), Kind::TooMany);
        assert_eq!(pending.resend_after(now), None);
        let by_app = Pending { method: Method::Totp, mailed: None, ..pending };
        assert_eq!(by_app.resent("x".into(), now).unwrap_err().code.name(), "challengeExpired");
    }

    #[test]
    fn a_backup_code_takes_the_place_of_the_app() {
        assert_eq!(super::Method::Totp.methods(), ["totp", "backupCode"]);
        assert_eq!(super::Method::Email.methods(), ["email"]);
    }
}
