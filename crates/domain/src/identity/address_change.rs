//! Another mail address for an account.
//!
//! ```text
//! the owner asks, and is proved again ─▶ a link to the new address, a notice to the old one ─▶ whoever reads the new one follows the link ─▶ changed
//! ```

use crate::{
    identity::{Account, Email, form},
    shared::{Detail, Fault},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is remembered until the new address is confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressChange {
    /// The new address.
    pub email: Email,
    /// The account's `token_version` when its owner asked: what ends sessions ends this as well.
    pub token_version: i32,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored {
    email: String,
    token_version: i32,
}

impl AddressChange {
    /// As it is stored.
    pub fn to_json(&self) -> Result<Value, Fault> {
        let stored = Stored { email: self.email.as_str().to_owned(), token_version: self.token_version };
        serde_json::to_value(stored).map_err(|error| Fault::internal(format!("address change: {error}")))
    }

    /// As it was stored.
    pub fn from_json(stored: Value) -> Result<Self, Fault> {
        let unreadable = || Fault::internal("an address change cannot be read");
        let Stored { email, token_version } = serde_json::from_value(stored).map_err(|_| unreadable())?;
        Ok(Self { email: Email::parse(&email).ok_or_else(unreadable)?, token_version })
    }
}

/// The address that was sent; 400 `validation` when it is none, or the one that the account has.
pub fn accept(sent: Option<&str>, account: &Account) -> Result<Email, Fault> {
    let wrong = match form::email("newEmail", sent) {
        Ok(email) if email != account.email => return Ok(email),
        Ok(_) => Detail::new("newEmail", "unchanged", "is the address of the account already"),
        Err(wrong) => wrong,
    };
    Err(Fault::fields("validation", vec![wrong]))
}

/// 409: another account has the address.
pub fn taken() -> Fault {
    Fault::conflict("emailTaken", "Another account has this mail address")
}

#[cfg(test)]
mod tests {
    use super::{AddressChange, accept};
    use crate::identity::{Email, account::tests::account};
    use serde_json::json;

    #[test]
    fn only_another_address_is_accepted() {
        let said = |sent| accept(sent, &account()).map(|a| a.as_str().to_owned()).map_err(|fault| fault.details[0].code);
        assert_eq!(said(Some(" New@Example.org ")), Ok("new@example.org".to_owned()));
        for (sent, code) in [
            (None, "blank"),
            (Some(" "), "blank"),
            (Some("ann@"), "invalid"),
            (Some("a@example.org\r\nBcc: b@example.org"), "invalid"),
            (Some("ANN@example.org"), "unchanged"),
        ] {
            assert_eq!(said(sent), Err(code), "{sent:?}");
        }
    }

    #[test]
    fn it_comes_back_as_it_was_stored() {
        let change = AddressChange { email: Email::parse("new@example.org").unwrap(), token_version: 7 };
        assert_eq!(AddressChange::from_json(change.to_json().unwrap()).unwrap(), change);
        assert!(AddressChange::from_json(json!({ "email": "x", "tokenVersion": 7 })).is_err());
    }
}
