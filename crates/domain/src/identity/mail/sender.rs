//! The `From` of every mail (`APP_SMTP_FROM`).

use crate::{
    identity::{Email, name},
    shared::email::InvalidEmail,
};
use std::{fmt, str::FromStr};

/// A mailbox: an address and an optional display name (RFC 5322, section 3.4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    pub name: Option<String>,
    /// The address that answers and bounces go to.
    pub address: Email,
}

impl FromStr for Sender {
    type Err = String;

    /// Parses `name@example.org` or `Some Name <name@example.org>`. The error is a predicate that completes a
    /// sentence with the quoted text as its subject.
    fn from_str(text: &str) -> Result<Self, String> {
        let invalid = || "is no address, and no name with an address in angle brackets".to_owned();
        let (name, address) = match text.trim().strip_suffix('>') {
            None => (None, text),
            Some(mailbox) => mailbox.split_once('<').map(|(name, address)| (Some(name), address)).ok_or_else(invalid)?,
        };
        let address = Email::read(address).map_err(|reason| match reason {
            InvalidEmail::Malformed => invalid(),
            InvalidEmail::LocalPartNotAscii => reason.to_string(),
        })?;
        let name = name.map(|text| text.trim().trim_matches('"')).filter(|text| !text.is_empty());
        let name =
            name.map(name::parse).transpose().map_err(|invalid| format!("has a name that {}", invalid.detail("name").message))?;
        Ok(Self { name, address })
    }
}

/// As an operator writes it.
impl fmt::Display for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name} <{}>", self.address.as_str()),
            None => f.write_str(self.address.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sender;

    #[test]
    fn an_address_may_have_a_name() {
        let parse = |text: &str| text.parse::<Sender>().map(|sender| (sender.name, sender.address.as_str().to_owned()));
        let address = "a@example.org".to_owned();
        assert_eq!(parse("a@example.org"), Ok((None, address.clone())));
        assert_eq!(parse(" Größe & Söhne <a@example.org> "), Ok((Some("Größe & Söhne".into()), address.clone())));
        assert_eq!(parse("\"Lectern, Inc.\" <A@example.org>"), Ok((Some("Lectern, Inc.".into()), address.clone())));
        assert_eq!(parse("<a@example.org>"), Ok((None, address)));
        assert_eq!(parse("Größe <a@Größe.example>"), Ok((Some("Größe".into()), "a@xn--gre-6ka8i.example".to_owned())));
        assert!(parse("größe@example.org").unwrap_err().contains("before the @"));
        for invalid in
            ["", "Ann", "a@b", "Ann a@example.org", "Ann <a@example.org", "A\r\nBcc: x <a@example.org>", "A <b> <a@example.org>"]
        {
            assert!(invalid.parse::<Sender>().is_err(), "{invalid}");
        }
    }

    #[test]
    fn a_sender_is_written_as_it_is_read() {
        for text in ["no-reply@example.org", "The Example <no-reply@example.org>"] {
            assert_eq!(text.parse::<Sender>().unwrap().to_string(), text);
        }
    }
}
