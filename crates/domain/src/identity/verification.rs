//! Verifying the address of an account by a mailed link.
//!
//! ```text
//! an account is registered in a browser ─▶ a link goes to its address ─▶ its reader confirms ─▶ verified
//! ```
//!
//! The reader of the mail need not be the person who registered: anybody can register with a stranger's
//! address and hope that the stranger, or a program that looks at the stranger's mail, follows the link. So
//! following it changes nothing. A button does, and a person who comes from another browser than the
//! registration proves by the password that the account is theirs.

use crate::{
    identity::Account,
    shared::{Fault, UserId},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a browser is recognised by: SHA-256 of what its CSRF tokens are bound to.
pub type BrowserHash = [u8; 32];

/// What is kept with a link, as the payload of its one-time token.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VerificationLink {
    /// The browser that the account was registered in, if it was registered in one.
    #[serde(default)]
    pub registered_in: Option<BrowserHash>,
}

/// Who opens a link that confirms an address of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opener {
    pub browser: Option<BrowserHash>,
    /// The account that is signed in there.
    pub signed_in: Option<UserId>,
}

impl Opener {
    /// Whether a person has to type the password of this account to confirm an address of it, and does not
    /// only press a button.
    pub fn asks_password(&self, account: &Account) -> bool {
        account.has_password && self.signed_in != Some(account.id)
    }
}

impl VerificationLink {
    /// Serialises what is kept.
    pub fn to_json(&self) -> Result<Value, Fault> {
        serde_json::to_value(self).map_err(|error| Fault::internal(format!("verification link: {error}")))
    }

    /// Reads it; that of a link of an earlier version holds nothing.
    pub fn from_json(payload: Value) -> Result<Self, Fault> {
        serde_json::from_value(payload).map_err(|_| Fault::internal("a verification link cannot be read"))
    }

    /// Whether the account was registered in this browser.
    pub fn was_registered_in(&self, browser: Option<BrowserHash>) -> bool {
        self.registered_in.is_some() && self.registered_in == browser
    }

    /// Whether a person has to type the password to verify the address of this account, as
    /// [`Opener::asks_password`] says; not in the browser of the registration.
    pub fn asks_password(&self, opener: &Opener, account: &Account) -> bool {
        opener.asks_password(account) && !self.was_registered_in(opener.browser)
    }
}

#[cfg(test)]
mod tests {
    use super::{Opener, VerificationLink};
    use crate::{identity::account::tests::account, shared::UserId};
    use serde_json::json;
    use uuid::Uuid;

    #[test]
    fn a_password_is_asked_for_where_neither_the_registration_nor_a_session_was() {
        let ann = account();
        let (here, elsewhere, nowhere) = (Some([1; 32]), Some([2; 32]), None);
        let (anns, bobs) = (Some(ann.id), Some(UserId(Uuid::from_u128(99))));
        for (registered_in, browser, signed_in, expected) in [
            (here, here, None, false),
            (here, here, bobs, false),
            (here, elsewhere, None, true),
            (here, elsewhere, bobs, true),
            (here, elsewhere, anns, false),
            (here, nowhere, None, true),
            (nowhere, nowhere, None, true),
            (nowhere, here, None, true),
        ] {
            let link = VerificationLink { registered_in };
            let opener = Opener { browser, signed_in };
            assert_eq!(link.asks_password(&opener, &ann), expected, "{link:?} {opener:?}");
            let without = crate::identity::Account { has_password: false, ..ann.clone() };
            assert!(!link.asks_password(&opener, &without), "there is none to ask for");
            // To put another address into effect, only a session takes the place of the password.
            assert_eq!(opener.asks_password(&ann), signed_in != anns, "{opener:?}");
            assert!(!opener.asks_password(&without));
        }
    }

    #[test]
    fn what_is_kept_is_read_again_and_may_be_missing() {
        let link = VerificationLink { registered_in: Some([7; 32]) };
        assert_eq!(VerificationLink::from_json(link.to_json().unwrap()).unwrap(), link);
        assert_eq!(VerificationLink::from_json(json!({})).unwrap(), VerificationLink::default());
        assert!(VerificationLink::from_json(json!({ "registeredIn": "x" })).is_err());
    }
}
