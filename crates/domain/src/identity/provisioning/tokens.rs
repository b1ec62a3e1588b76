//! The tokens of the provisioning API, as `APP_ADMIN_API_TOKENS_JSON` lists them: `[{"id": "importer",
//! "token": "…"}]`.

use crate::shared::json::Members;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, value::RawValue};
use std::ops::RangeInclusive;

/// The length of a token, in characters.
const LENGTH: RangeInclusive<usize> = 32..=512;
/// The longest id.
const MAX_ID: usize = 64;

/// A token that may provision accounts.
#[derive(Debug, Clone)]
pub struct ProvisioningToken {
    /// Names the caller in the audit trail. No secret.
    pub id: String,
    pub token: SecretString,
}

/// Reads all tokens, or reports all faults, a sentence for each. No value but an id is repeated, because it
/// may be a secret.
pub fn parse(json: &str) -> Result<Vec<ProvisioningToken>, Vec<String>> {
    // The library's own message may repeat a part of the text.
    let items: Vec<&RawValue> = serde_json::from_str(json)
        .map_err(|error| vec![format!("is no JSON array of objects (line {}, column {})", error.line(), error.column())])?;
    let mut faults = Vec::new();
    let mut tokens: Vec<ProvisioningToken> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let place = format!("token {} of {}", index + 1, items.len());
        let Some(Members(members)) = Members::<Value>::parse(item) else {
            faults.push(format!("{place}: is no object"));
            continue;
        };
        let mut fault = |what: &str| faults.push(format!("{place}: {what}"));
        for (position, (name, _)) in members.iter().enumerate() {
            if !["id", "token"].contains(&name.as_str()) {
                fault(&format!("{} is no attribute of a token", super::request::shown(name)));
            } else if members.iter().take(position).any(|(other, _)| other == name) {
                fault(&format!("{name} is there more than once"));
            }
        }
        let text = |name: &str| members.iter().find(|(member, _)| member == name).and_then(|(_, value)| value.as_str());
        let (id, token) = (text("id").unwrap_or_default(), text("token").unwrap_or_default());
        if !is_id(id) {
            fault("id must be 1 to 64 characters of a-z, 0-9, _ and -");
        } else if tokens.iter().any(|other| other.id == id) {
            fault("id is that of another token, too");
        }
        if !is_token(token) {
            fault("token must be 32 to 512 characters of ASCII without spaces");
        } else if tokens.iter().any(|other| other.token.expose_secret() == token) {
            fault("token is that of another id, too");
        }
        tokens.push(ProvisioningToken { id: id.to_owned(), token: token.into() });
    }
    if faults.is_empty() { Ok(tokens) } else { Err(faults) }
}

fn is_id(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
    (1..=MAX_ID).contains(&text.len()) && text.bytes().all(is_allowed)
}

/// What a header can carry as it is (RFC 9110, section 5.5).
fn is_token(text: &str) -> bool {
    LENGTH.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::parse;
    use proptest::prelude::*;
    use secrecy::ExposeSecret;

    #[test]
    fn several_tokens_are_read_and_none_is_none() {
        let json = format!(r#"[{{"id":"old_1","token":"{0}"}},{{"token":"{1}","id":"new-2"}}]"#, "a".repeat(32), "b".repeat(64));
        let tokens = parse(&json).unwrap();
        assert_eq!(tokens.iter().map(|token| token.id.as_str()).collect::<Vec<_>>(), ["old_1", "new-2"]);
        assert_eq!(tokens[1].token.expose_secret().len(), 64);
        assert!(!format!("{tokens:?}").contains("aaaa"));
        assert!(parse("[]").unwrap().is_empty());
    }

    #[test]
    fn every_fault_is_reported_and_no_token_repeated() {
        let secret = "s3cr3t-s3cr3t-s3cr3t-s3cr3t-s3cr3t";
        let json = format!(
            r#"[{{"id":"a","token":"{secret}"}},{{"id":"A b","token":"short","note":1}},7,{{"id":"a","token":"{secret}"}},{{"token":["{secret}"]}},
               {{"id":"c","id":"c","token":"{secret} "}}]"#
        );
        let faults = parse(&json).unwrap_err();
        assert_eq!(
            faults,
            [
                "token 2 of 6: note is no attribute of a token",
                "token 2 of 6: id must be 1 to 64 characters of a-z, 0-9, _ and -",
                "token 2 of 6: token must be 32 to 512 characters of ASCII without spaces",
                "token 3 of 6: is no object",
                "token 4 of 6: id is that of another token, too",
                "token 4 of 6: token is that of another id, too",
                "token 5 of 6: id must be 1 to 64 characters of a-z, 0-9, _ and -",
                "token 5 of 6: token must be 32 to 512 characters of ASCII without spaces",
                "token 6 of 6: id is there more than once",
                "token 6 of 6: token must be 32 to 512 characters of ASCII without spaces",
            ]
        );
        for json in ["", "{}", "null", "[", r#"{"id":"a"}"#, &format!("[\"{secret}\"")] {
            let faults = parse(json).unwrap_err();
            assert!(faults.len() == 1 && !faults[0].contains("s3cr3t"), "{faults:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_that_is_configured_makes_it_panic(json in "\\PC{0,60}|\\[\\{\"(id|token)\":[\"a-z0-9,{}\\[\\]]{0,50}") {
            let _ = parse(&json);
        }
    }
}
