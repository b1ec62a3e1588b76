//! The recent proof: acts that a stranger at an open browser must not be able to do are refused to a session
//! whose person has neither signed in nor proved themselves a short while ago. One rule for pages and API,
//! and for both services.

use super::{Code, Detail, Fault, FieldCode};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// How soon after a sign-in a passkey may be registered so that it counts for more than the session.
const JUST_PROVED: SignedDuration = SignedDuration::from_mins(10);

/// How long a proof is recent (`APP_REAUTH_SECONDS`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProofRule {
    /// `None` when no proof is ever asked for.
    max_age: Option<Duration>,
}

impl ProofRule {
    /// Of a number of seconds; 0 turns the rule off.
    pub fn new(max_age: Duration) -> Self {
        Self { max_age: (!max_age.is_zero()).then_some(max_age) }
    }

    /// Whether proofs are asked for at all.
    pub fn is_on(self) -> bool {
        self.max_age.is_some()
    }

    /// Whether a person who proved themselves at a time may act at another.
    pub fn is_recent(self, proved_at: Timestamp, now: Timestamp) -> bool {
        self.max_age
            .is_none_or(|max_age| now.duration_since(proved_at) <= SignedDuration::try_from(max_age).unwrap_or(SignedDuration::MAX))
    }

    /// Until when a proof is recent; `None` when none is asked for.
    pub fn recent_until(self, proved_at: Timestamp) -> Option<Timestamp> {
        self.max_age.map(|max_age| proved_at.checked_add(max_age).unwrap_or(Timestamp::MAX))
    }
}

/// What a person of a session can prove themselves with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProofMethods {
    /// The password of the account.
    pub password: bool,
    /// A passkey of the account that says more than the session does, see [`may_prove`].
    pub passkey: bool,
}

/// Whether a passkey may prove the person of a session that is authenticated since `auth_at`. One that was
/// registered later in the session says no more than the session does: a stranger at an open browser could
/// have registered it. After a sign-in with it, it counts. One that was registered within ten minutes of the
/// sign-in counts as well: the person had authenticated a moment before.
pub fn may_prove(registered_at: Timestamp, auth_at: Timestamp) -> bool {
    registered_at.duration_since(auth_at) < JUST_PROVED
}

/// 403 `proofRequired`, which names each way to prove. Without any, only a new sign-in proves.
pub fn required(methods: ProofMethods) -> Fault {
    let all = [
        (FieldCode::Password, methods.password, "the password of the account"),
        (FieldCode::Passkey, methods.passkey, "a passkey of the account"),
    ];
    let details: Vec<Detail> = all
        .into_iter()
        .filter(|(_, is_there, _)| *is_there)
        .map(|(code, _, message)| Detail::new("method", code, message))
        .collect();
    let message = if details.is_empty() {
        "This needs a recent proof of who you are; sign in again, and then repeat it"
    } else {
        "This needs a recent proof of who you are; send it to POST /api/me/reauthenticate, and then repeat this"
    };
    Fault::new(Code::ProofRequired, message).about(details)
}

#[cfg(test)]
mod tests {
    use super::{Code, JUST_PROVED, ProofMethods, ProofRule, may_prove, required};
    use jiff::{SignedDuration, Timestamp};
    use std::time::Duration;

    const SECOND: SignedDuration = SignedDuration::from_secs(1);

    #[test]
    fn a_proof_is_recent_for_as_long_as_it_says_and_always_when_it_is_off() {
        let (rule, now) = (ProofRule::new(Duration::from_mins(15)), Timestamp::UNIX_EPOCH);
        let age = SignedDuration::from_mins(15);
        assert!(rule.is_on() && rule.is_recent(now, now) && rule.is_recent(now - age, now) && rule.is_recent(now + age, now));
        assert!(!rule.is_recent(now - age - SECOND, now));
        assert_eq!(rule.recent_until(now), Some(now + age));
        assert_eq!(rule.recent_until(Timestamp::MAX), Some(Timestamp::MAX));
        let off = ProofRule::new(Duration::ZERO);
        assert!(!off.is_on() && off.is_recent(Timestamp::MIN, Timestamp::MAX) && off.recent_until(now).is_none());
    }

    #[test]
    fn a_passkey_proves_unless_the_session_made_it_later() {
        let registered_at = Timestamp::UNIX_EPOCH;
        let (moment, late) = (SignedDuration::from_micros(1), registered_at - JUST_PROVED);
        assert!(may_prove(registered_at, registered_at + moment) && may_prove(registered_at, late + moment));
        assert!(!may_prove(registered_at, late) && !may_prove(registered_at, late - moment));
    }

    #[test]
    fn the_refusal_names_the_methods() {
        let named = |password, passkey| {
            let fault = required(ProofMethods { password, passkey });
            fault.details.iter().map(|detail| format!("{}:{}", detail.field, detail.code.name())).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(named(true, true), "method:password method:passkey");
        assert_eq!(named(false, true), "method:passkey");
        assert_eq!(
            (named(false, false), required(ProofMethods { password: false, passkey: false }).code),
            (String::new(), Code::ProofRequired)
        );
    }
}
