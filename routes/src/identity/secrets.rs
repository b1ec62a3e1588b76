//! What second factors and the counting of failures are kept secret with.

use crate::web::csrf::Binding;
use crypto::{
    keys::{Key, Keys},
    seal::Seal,
    token::{sign, signature},
};
use domain::{
    identity::Email,
    shared::{Fault, SharedEntropy, UserId},
};
use secrecy::SecretSlice;
use storage::identity::{guesses, one_time::Hash};

/// Keys, each for one purpose.
pub struct Secrets {
    guesses: Key,
    /// For the hashes of codes that are short enough to be typed.
    pub(super) codes: Key,
    totp: Seal,
    browsers: Key,
}

/// What is guessed at.
#[derive(Clone, Copy)]
pub(super) enum Target<'a> {
    /// The password of an address, whether it has an account or not.
    Password(&'a Email),
    /// The second factor of an account, out of an app or from its backup codes.
    Code(UserId),
    /// A code that was mailed to the owner of an account.
    MailedCode(UserId),
    /// The password of an account, by who is signed in to it.
    Again(UserId),
}

impl Secrets {
    /// Derives them.
    pub fn new(keys: &Keys) -> Self {
        let totp = Seal::new(keys.derive("totp/1"));
        let (guesses, codes, browsers) = (keys.derive("guesses/1"), keys.derive("typed-codes/1"), keys.derive("passkey-browser/1"));
        Self { guesses, codes, totp, browsers }
    }

    /// What failures at it are counted under. A browser that the account knows has a count of its own: whoever locks others out does not lock out
    /// its owner.
    pub(super) fn guesses_at(&self, target: Target<'_>, known_browser: Option<&Hash>) -> guesses::Key {
        let target = match target {
            Target::Password(email) => format!("password {}", email.as_str()),
            Target::Code(user) => format!("code {user}"),
            Target::MailedCode(user) => format!("mailed code {user}"),
            Target::Again(user) => format!("again {user}"),
        };
        let browser: &[u8] = known_browser.map_or(&[], |known_browser| known_browser.as_slice());
        sign(&self.guesses, &[target.as_bytes(), b"\n", browser].concat())
    }

    /// What is kept of a browser that asked for a passkey. What names it is in its cookie, and stays there.
    pub(super) fn browser(&self, binding: &Binding) -> String {
        signature(&self.browsers, &binding.to_string())
    }

    /// An authenticator's secret as it may be stored for an account.
    pub(super) fn seal(&self, user: UserId, secret: &[u8], entropy: &SharedEntropy) -> Result<Vec<u8>, Fault> {
        self.totp.seal(&format!("totp {user}"), secret, entropy.as_ref())
    }

    /// The secret again.
    pub(super) fn open(&self, user: UserId, sealed: &[u8]) -> Result<SecretSlice<u8>, Fault> {
        self.totp.open(&format!("totp {user}"), sealed)
    }
}
