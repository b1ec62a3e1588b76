//! The keys of second factors, passkey challenges and lockout counters.

use crypto::{
    keys::{Key, Keys},
    seal::Seal,
    token::{sign, signature},
};
use domain::{
    identity::Email,
    shared::{Fault, SharedEntropy, UserId},
};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretSlice};
use std::time::Duration;
use storage::identity::{lockout, one_time::Hash};

/// Keys, each derived for one purpose.
pub struct Secrets {
    lockout: Key,
    /// For the hashes of codes that are short enough to be typed.
    pub codes: Key,
    totp: Seal,
    browsers: Key,
    offers: Seal,
    typed: Seal,
}

/// What an attempt is made at; failures are counted for each of these apart.
#[derive(Clone, Copy)]
pub enum AttemptTarget<'a> {
    /// The password of an address, whether it has an account or not.
    Password(&'a Email),
    /// The second factor of an account: a code of its app, or a backup code.
    Code(UserId),
    /// A code that was mailed to the owner of an account.
    MailedCode(UserId),
    /// The code of a device, typed by the owner of an account.
    DeviceCode(UserId),
    /// The password of an account, at a re-authentication.
    Reauth(UserId),
}

impl Secrets {
    /// Derives all keys.
    pub fn new(keys: &Keys) -> Self {
        let (totp, offers) = (Seal::new(keys.derive("totp/1")), Seal::new(keys.derive("passkey-offer/1")));
        let typed = Seal::new(keys.derive("typed-address/1"));
        let (lockout, codes, browsers) = (keys.derive("guesses/1"), keys.derive("typed-codes/1"), keys.derive("passkey-browser/1"));
        Self { lockout, codes, totp, browsers, offers, typed }
    }

    /// The key under which failures at a target are counted. A browser that the account knows has a count of
    /// its own, so that a stranger who fails on purpose cannot lock the owner out.
    pub fn lockout_key(&self, target: AttemptTarget<'_>, known_browser: Option<&Hash>) -> lockout::Key {
        let target = match target {
            AttemptTarget::Password(email) => format!("password {}", email.as_str()),
            AttemptTarget::Code(user) => format!("code {user}"),
            AttemptTarget::MailedCode(user) => format!("mailed code {user}"),
            AttemptTarget::DeviceCode(user) => format!("device code {user}"),
            AttemptTarget::Reauth(user) => format!("again {user}"),
        };
        let browser: &[u8] = known_browser.map_or(&[], |hash| hash.as_slice());
        sign(&self.lockout, &[target.as_bytes(), b"\n", browser].concat())
    }

    /// What is stored of a browser that started something: a keyed hash of what it holds in a cookie.
    pub fn browser(&self, binding: &str) -> String {
        signature(&self.browsers, binding)
    }

    /// Seals what a page brings to a browser for an answer that may come; only the same browser's answer
    /// opens it.
    pub fn seal_offer(&self, browser: &str, offer: &[u8], entropy: &SharedEntropy) -> Result<String, Fault> {
        self.offers.seal_text(&format!("passkey offer {browser}"), offer, entropy.as_ref())
    }

    /// Opens it; `None` for another browser's, and for a text that is none.
    pub fn open_offer(&self, browser: &str, sealed: &str) -> Option<SecretSlice<u8>> {
        self.offers.open_text(&format!("passkey offer {browser}"), sealed)
    }

    /// Seals an address that a person typed, for a cookie, with when that was.
    pub fn seal_typed(&self, address: &str, at: Timestamp, entropy: &SharedEntropy) -> Result<String, Fault> {
        self.typed.seal_text("typed address", format!("{} {address}", at.as_second()).as_bytes(), entropy.as_ref())
    }

    /// Opens it; `None` for a text that is none, and when it was typed longer ago than that.
    pub fn open_typed(&self, sealed: &str, at: Timestamp, longest: Duration) -> Option<String> {
        let opened = self.typed.open_text("typed address", sealed)?;
        let (second, address) = std::str::from_utf8(opened.expose_secret()).ok()?.split_once(' ')?;
        let age = u64::try_from(at.as_second().checked_sub(second.parse().ok()?)?).ok()?;
        (age <= longest.as_secs()).then(|| address.to_owned())
    }

    /// Seals an authenticator app's secret for storage; only the same account can open it.
    pub fn seal(&self, user: UserId, secret: &[u8], entropy: &SharedEntropy) -> Result<Vec<u8>, Fault> {
        self.totp.seal(&format!("totp {user}"), secret, entropy.as_ref())
    }

    /// Opens a sealed secret.
    pub fn open(&self, user: UserId, sealed: &[u8]) -> Result<SecretSlice<u8>, Fault> {
        self.totp.open(&format!("totp {user}"), sealed)
    }
}

#[cfg(test)]
mod tests {
    use super::{AttemptTarget, Secrets};
    use crypto::{keys::Keys, random::SystemEntropy};
    use domain::{
        identity::Email,
        shared::{SharedEntropy, UserId},
    };
    use jiff::Timestamp;
    use secrecy::ExposeSecret;
    use std::{collections::BTreeSet, sync::Arc, time::Duration};

    fn secrets(root: u8) -> Secrets {
        Secrets::new(&Keys::new(vec![root; 32].into()))
    }

    fn user(number: u128) -> UserId {
        UserId(uuid::Uuid::from_u128(number))
    }

    #[test]
    fn failures_at_each_target_and_from_each_known_browser_are_counted_apart() {
        let (ours, email) = (secrets(7), Email::parse("ann@example.org").unwrap());
        let targets = |number| {
            let user = user(number);
            [
                AttemptTarget::Code(user),
                AttemptTarget::MailedCode(user),
                AttemptTarget::DeviceCode(user),
                AttemptTarget::Reauth(user),
            ]
        };
        let targets = [&[AttemptTarget::Password(&email)][..], &targets(1), &targets(2)].concat();
        let keys: BTreeSet<_> = targets
            .iter()
            .flat_map(|target| [None, Some(&[1; 32]), Some(&[2; 32])].map(|browser| ours.lockout_key(*target, browser)))
            .collect();
        assert_eq!(keys.len(), 27);
        assert_eq!(ours.lockout_key(targets[0], None), ours.lockout_key(targets[0], None));
        assert_ne!(ours.lockout_key(targets[0], None), secrets(8).lockout_key(targets[0], None));
    }

    #[test]
    fn the_secret_of_an_app_is_opened_for_its_account_only() {
        let (secrets, entropy): (_, SharedEntropy) = (secrets(7), Arc::new(SystemEntropy));
        let sealed = secrets.seal(user(1), b"twenty bytes of it..", &entropy).unwrap();
        assert_eq!(secrets.open(user(1), &sealed).unwrap().expose_secret(), b"twenty bytes of it..");
        assert!(secrets.open(user(2), &sealed).is_err());
    }

    #[test]
    fn an_offer_is_opened_for_its_browser_only() {
        let (secrets, entropy): (_, SharedEntropy) = (secrets(7), Arc::new(SystemEntropy));
        let sealed = secrets.seal_offer("one", b"a challenge", &entropy).unwrap();
        assert_eq!(secrets.open_offer("one", &sealed).unwrap().expose_secret(), b"a challenge");
        for (browser, sealed) in [
            ("two", sealed.as_str()),
            ("one", ""),
            ("one", "no base64!"),
            ("one", sealed.trim_end_matches(sealed.chars().last().unwrap())),
        ] {
            assert!(secrets.open_offer(browser, sealed).is_none(), "{browser} {sealed}");
        }
    }

    #[test]
    fn a_typed_address_is_opened_for_a_while() {
        let (secrets, entropy): (_, SharedEntropy) = (secrets(7), Arc::new(SystemEntropy));
        let (at, longest) = (Timestamp::from_second(1000).unwrap(), Duration::from_mins(1));
        let sealed = secrets.seal_typed("ann@example.org", at, &entropy).unwrap();
        assert!(!sealed.contains("ann"));
        let opened = |sealed: &str, second| secrets.open_typed(sealed, Timestamp::from_second(second).unwrap(), longest);
        assert_eq!(opened(&sealed, 1060).as_deref(), Some("ann@example.org"));
        for (sealed, second) in [(sealed.as_str(), 1061), (&sealed, 999), ("ann@example.org", 1000), ("", 1000)] {
            assert_eq!(opened(sealed, second), None, "{sealed} {second}");
        }
    }

    #[test]
    fn a_browser_is_stored_as_a_keyed_hash() {
        let hash = secrets(7).browser("binding");
        assert_eq!((hash.len(), &hash), (64, &secrets(7).browser("binding")));
        assert!(hash != secrets(7).browser("other") && hash != secrets(8).browser("binding"));
    }
}
