//! Passkeys: what their owner is told of them, and their rules.
//!
//! ```text
//!  start ──▶ challenge: a row of [`super::one_time`], for five minutes, bound to a session or a browser
//!                │
//!                └─ finish ─▶ consumed, whatever the answer ─▶ right: registered, signed in or re-authenticated
//!                                                           └▶ wrong: start again
//! ```

pub mod provider;
pub mod relying_party;

use crate::{
    identity::name,
    shared::{Code, Fault, PasskeyId, proof::may_prove},
};
use jiff::Timestamp;
pub use relying_party::RelyingParty;
use uuid::Uuid;

/// What authenticators call an account, the user handle of WebAuthn (level 3, section 5.4.3): random, so that
/// it tells nothing of the person.
pub type Handle = [u8; 32];

/// The most passkeys that an account may have.
pub const MOST: usize = 20;
/// How browsers reach an authenticator: the transports that WebAuthn defines. Others are not stored.
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
    /// Whether it was on several devices when it was last used.
    pub is_backed_up: bool,
    /// How browsers reach it.
    pub transports: Vec<String>,
    /// The model of its authenticator, if the authenticator tells it.
    pub aaguid: Option<Uuid>,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
}

impl Passkey {
    /// Whether it may re-authenticate a session that is authenticated since `auth_at`, see [`may_prove`].
    pub fn may_reauthenticate(&self, auth_at: Timestamp) -> bool {
        may_prove(self.created_at, auth_at)
    }
}

/// Reads the name that a person gives a passkey; 400 `validation` when it is not allowed. An empty one is
/// `None`.
pub fn name(sent: Option<&str>) -> Result<Option<String>, Fault> {
    let Some(text) = sent.filter(|sent| !sent.trim().is_empty()) else { return Ok(None) };
    name::parse(text).map(Some).map_err(|refused| Fault::fields(Code::Validation, vec![refused.detail("name")]))
}

/// The name of a passkey whose owner gave it none: that of its provider, else of the device and browser that
/// it was made with, with a number where another passkey of the account has it; else its number.
pub fn usual_name<'a>(aaguid: Option<Uuid>, device: Option<&str>, others: impl Iterator<Item = &'a str> + Clone) -> String {
    let Some(usual) = aaguid.and_then(provider::name).or(device) else { return format!("Passkey {}", others.count() + 1) };
    let is_free = |name: &String| others.clone().all(|other| other != name);
    let numbered = (2..=MOST + 1).map(|number| format!("{usual} {number}"));
    std::iter::once(usual.to_owned()).chain(numbered).find(is_free).unwrap_or_else(|| usual.to_owned())
}

/// The known ones of the transports that were sent, each once, in a fixed order.
pub fn transports(sent: &[String]) -> Vec<String> {
    TRANSPORTS.iter().filter(|value| sent.iter().any(|sent| sent == *value)).map(|value| (*value).to_owned()).collect()
}

/// 409: the account has as many as it may.
pub fn too_many() -> Fault {
    Fault::new(Code::TooManyPasskeys, format!("An account has at most {MOST} passkeys; remove one first"))
}

/// 409: the credential is registered already, for this account or for another one.
pub fn known_already() -> Fault {
    Fault::of(Code::CredentialExists)
}

/// 403: without this passkey the account would have no way to sign in.
pub fn last_factor() -> Fault {
    Fault::of(Code::LastFactor)
}

/// 403: without the password the account would have no way to sign in.
pub fn passkey_required() -> Fault {
    Fault::of(Code::PasskeyRequired)
}

#[cfg(test)]
mod tests {
    use super::{name, transports, usual_name};
    use uuid::Uuid;

    #[test]
    fn names_are_text_and_can_be_left_out() {
        assert_eq!(name(None).unwrap(), None);
        assert_eq!(name(Some("  ")).unwrap(), None);
        assert_eq!(name(Some(" <b>Key</b> ")).unwrap().as_deref(), Some("<b>Key</b>"));
        for odd in ["a\u{202e}b", "a\nb", &"x".repeat(101)] {
            let fault = name(Some(odd)).unwrap_err();
            assert_eq!((fault.code.name(), fault.details[0].field.as_str()), ("validation", "name"));
        }
    }

    #[test]
    fn without_a_name_it_is_named_after_its_provider() {
        let keychain: Uuid = "fbfc3007-154e-4ecc-8c0b-6e020557d7bd".parse().unwrap();
        let named = |aaguid, device, others: &[&str]| usual_name(aaguid, device, others.iter().copied());
        assert_eq!(named(Some(keychain), Some("Safari (macOS)"), &["Safari (macOS)"]), "iCloud Keychain");
        assert_eq!(named(Some(Uuid::from_u128(1)), Some("Firefox (Linux)"), &[]), "Firefox (Linux)");
        assert_eq!(named(None, Some("Firefox (Linux)"), &["Firefox (Linux)", "Firefox (Linux) 2"]), "Firefox (Linux) 3");
        assert_eq!(named(Some(Uuid::from_u128(1)), None, &["one", "two", "three"]), "Passkey 4");
        assert_eq!(named(None, None, &[]), "Passkey 1");
    }

    #[test]
    fn unknown_transports_are_not_stored() {
        let sent = ["usb", "hybrid", "usb", "<script>", "Internal", "internal"].map(str::to_owned);
        assert_eq!(transports(&sent), ["hybrid", "internal", "usb"]);
    }
}
