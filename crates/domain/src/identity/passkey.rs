//! Passkeys: what is told of one, and what they are bound to (facts, section 3.9).
//!
//! ```text
//!  asked for ──▶ challenge: a row of [`super::one_time`], five minutes, of one session where there is one
//!                    │
//!                    └─ an answer ─▶ used up, whatever the answer ─▶ right: registered, signed in or proved again
//!                                                                 └▶ wrong: ask again
//! ```

pub mod provider;
pub mod relying_party;

use crate::{
    identity::name,
    shared::{Fault, Kind, PasskeyId},
};
use jiff::{SignedDuration, Timestamp};
pub use relying_party::RelyingParty;
use uuid::Uuid;

/// What authenticators call an account (WebAuthn, section 5.4.3): random, so that it tells nothing of the person or of the account.
pub type Handle = [u8; 32];

/// How many an account may have.
pub const MOST: usize = 20;
/// How browsers reach an authenticator, as far as anybody has defined it. Others are not kept.
const TRANSPORTS: [&str; 7] = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"];

/// A passkey without its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passkey {
    /// Its id, which is not the credential's.
    pub id: PasskeyId,
    /// What its owner calls it.
    pub name: String,
    /// Whether it may be on several devices. It never changes.
    pub is_synced: bool,
    /// Whether it is, as far as was heard last.
    pub is_backed_up: bool,
    /// How browsers reach it.
    pub transports: Vec<String>,
    /// The kind of its authenticator, if that says so.
    pub aaguid: Option<Uuid>,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
}

/// For so long after a sign-in whoever sits there is who signed in.
const JUST_PROVED: SignedDuration = SignedDuration::from_mins(10);

impl Passkey {
    /// Whether it can prove once more who is signed in since `auth_at`. A passkey that came later in the session says no more than the session does:
    /// whoever found an open browser could have made it there and then. Its owner signs in with it, and from then on it counts. One that came within
    /// ten minutes of the sign-in does: who made it had been proved a moment before.
    pub fn proves_again(&self, auth_at: Timestamp) -> bool {
        self.created_at.duration_since(auth_at) < JUST_PROVED
    }
}

/// A name that somebody gives a passkey; 400 `validation` when it is none. An empty one is none at all.
pub fn name(sent: Option<&str>) -> Result<Option<String>, Fault> {
    let Some(text) = sent.filter(|sent| !sent.trim().is_empty()) else { return Ok(None) };
    name::parse(text).map(Some).map_err(|refused| Fault::fields("validation", vec![refused.detail("name")]))
}

/// What a passkey is called whose owner gave it no name: after who keeps it, else by its number.
pub fn usual_name(aaguid: Option<Uuid>, others: usize) -> String {
    aaguid.and_then(provider::name).map_or_else(|| format!("Passkey {}", others + 1), str::to_owned)
}

/// Those of some names that mean something, each once, in one order.
pub fn transports(sent: &[String]) -> Vec<String> {
    TRANSPORTS.iter().filter(|value| sent.iter().any(|sent| sent == *value)).map(|value| (*value).to_owned()).collect()
}

/// 409: as many as an account may have.
pub fn too_many() -> Fault {
    Fault::conflict("tooManyPasskeys", format!("An account has at most {MOST} passkeys; remove one first"))
}

/// 409: it is registered already, for this account or for another one.
pub fn known_already() -> Fault {
    Fault::conflict("credentialExists", "This passkey is registered already")
}

/// 403: without it nobody could sign in to the account.
pub fn last_factor() -> Fault {
    Fault::new(Kind::Forbidden, "lastFactor", "This is the only way to sign in; set a password or add another passkey first")
}

/// 403: a password that could not be replaced by anything.
pub fn passkey_required() -> Fault {
    Fault::new(Kind::Forbidden, "passkeyRequired", "Add a passkey first: an account needs a way to sign in")
}

#[cfg(test)]
mod tests {
    use super::{JUST_PROVED, Passkey, name, transports, usual_name};
    use crate::shared::PasskeyId;
    use jiff::{SignedDuration, Timestamp};
    use uuid::Uuid;

    #[test]
    fn a_passkey_proves_what_the_session_does_not_unless_it_came_late_in_it() {
        let created_at = Timestamp::from_second(1_772_366_400).unwrap();
        let (id, name, transports) = (PasskeyId(Uuid::nil()), String::new(), Vec::new());
        let passkey =
            Passkey { id, name, is_synced: false, is_backed_up: false, transports, aaguid: None, created_at, last_used_at: None };
        let moment = SignedDuration::from_micros(1);
        let late = created_at - JUST_PROVED;
        assert!(passkey.proves_again(created_at + moment) && passkey.proves_again(late + moment));
        assert!(!passkey.proves_again(late) && !passkey.proves_again(late - moment));
    }

    #[test]
    fn names_are_text_and_can_be_left_out() {
        assert_eq!(name(None).unwrap(), None);
        assert_eq!(name(Some("  ")).unwrap(), None);
        assert_eq!(name(Some(" <b>Key</b> ")).unwrap().as_deref(), Some("<b>Key</b>"));
        for odd in ["a\u{202e}b", "a\nb", &"x".repeat(101)] {
            let fault = name(Some(odd)).unwrap_err();
            assert_eq!((fault.code, fault.details[0].field.as_str()), ("validation", "name"));
        }
    }

    #[test]
    fn without_a_name_it_is_called_after_who_keeps_it() {
        let keychain: Uuid = "fbfc3007-154e-4ecc-8c0b-6e020557d7bd".parse().unwrap();
        assert_eq!(usual_name(Some(keychain), 3), "iCloud Keychain");
        assert_eq!(usual_name(Some(Uuid::from_u128(1)), 3), "Passkey 4");
        assert_eq!(usual_name(None, 0), "Passkey 1");
    }

    #[test]
    fn transports_that_nobody_knows_are_not_kept() {
        let sent = ["usb", "hybrid", "usb", "<script>", "Internal", "internal"].map(str::to_owned);
        assert_eq!(transports(&sent), ["hybrid", "internal", "usb"]);
    }
}
