//! Changing the mail address of an account.
//!
//! ```text
//! the owner requests it and re-authenticates ─▶ a link goes to the new address, a notice to the old one ─▶ its reader confirms ─▶ changed
//! ```
//!
//! The reader of the mail need not be the owner: an address is easily mistyped, and its reader could then set
//! a new password by it. So following the link changes nothing. A button does where the owner is signed in;
//! anywhere else a person proves by the password that the account is theirs
//! ([`crate::identity::verification::Opener`]).

use crate::{
    identity::{Account, Email},
    shared::{Code, Detail, Fault, FieldCode, email},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A requested change, as the payload of the one-time token that confirms it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressChange {
    pub email: Email,
    /// The account's `token_version` at the time of the request. It is raised by whatever ends all sessions,
    /// which voids the request too.
    pub token_version: i32,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Payload {
    email: String,
    token_version: i32,
}

impl AddressChange {
    /// Serialises the change.
    pub fn to_json(&self) -> Result<Value, Fault> {
        let payload = Payload { email: self.email.as_str().to_owned(), token_version: self.token_version };
        serde_json::to_value(payload).map_err(|error| Fault::internal(format!("address change: {error}")))
    }

    /// Reads a serialised change.
    pub fn from_json(payload: Value) -> Result<Self, Fault> {
        let unreadable = || Fault::internal("an address change cannot be read");
        let Payload { email, token_version } = serde_json::from_value(payload).map_err(|_| unreadable())?;
        Ok(Self { email: Email::parse(&email).ok_or_else(unreadable)?, token_version })
    }
}

/// Parses the new address; 400 `validation` when it is invalid or equal to the current one.
pub fn parse_new_email(sent: Option<&str>, account: &Account) -> Result<Email, Fault> {
    let invalid = match email::parse_field("newEmail", sent) {
        Ok(email) if email != account.email => return Ok(email),
        Ok(_) => Detail::new("newEmail", FieldCode::Unchanged, "is the address of the account already"),
        Err(invalid) => invalid,
    };
    Err(Fault::fields(Code::Validation, vec![invalid]))
}

/// 409 for an address that another account has.
pub fn email_taken() -> Fault {
    Fault::of(Code::EmailTaken)
}

#[cfg(test)]
mod tests {
    use super::{AddressChange, parse_new_email};
    use crate::identity::{Email, account::tests::account};
    use serde_json::json;

    #[test]
    fn only_a_different_address_is_accepted() {
        let parse = |sent| {
            parse_new_email(sent, &account()).map(|email| email.as_str().to_owned()).map_err(|fault| fault.details[0].code.name())
        };
        assert_eq!(parse(Some(" New@Example.org ")), Ok("new@example.org".to_owned()));
        for (sent, code) in [
            (None, "blank"),
            (Some(" "), "blank"),
            (Some("ann@"), "invalid"),
            (Some("a@example.org\r\nBcc: b@example.org"), "invalid"),
            (Some("ANN@example.org"), "unchanged"),
        ] {
            assert_eq!(parse(sent), Err(code), "{sent:?}");
        }
    }

    #[test]
    fn a_change_reads_back_equal() {
        let change = AddressChange { email: Email::parse("new@example.org").unwrap(), token_version: 7 };
        assert_eq!(AddressChange::from_json(change.to_json().unwrap()).unwrap(), change);
        assert!(AddressChange::from_json(json!({ "email": "x", "tokenVersion": 7 })).is_err());
    }
}
