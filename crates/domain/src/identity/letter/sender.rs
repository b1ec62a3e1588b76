//! From whom mails come.

use crate::identity::{Email, name};
use std::str::FromStr;

/// A mailbox: an address, and perhaps a name before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    /// What mail programs show.
    pub name: Option<String>,
    /// Where answers and failures go.
    pub address: Email,
}

impl FromStr for Sender {
    type Err = String;

    /// Reads `name@example.org` or `Some Name <name@example.org>`. The error completes the sentence «"…" …».
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "is no address, and no name with an address in angle brackets".to_owned();
        let (shown, address) = match text.trim().strip_suffix('>') {
            None => (None, text),
            Some(both) => both.split_once('<').map(|(shown, address)| (Some(shown), address)).ok_or_else(wrong)?,
        };
        let address = Email::parse(address).ok_or_else(wrong)?;
        let shown = shown.map(|shown| shown.trim().trim_matches('"')).filter(|shown| !shown.is_empty());
        let name =
            shown.map(name::parse).transpose().map_err(|refused| format!("has a name that {}", refused.detail("name").message))?;
        Ok(Self { name, address })
    }
}

#[cfg(test)]
mod tests {
    use super::Sender;

    #[test]
    fn an_address_may_have_a_name() {
        let read = |text: &str| text.parse::<Sender>().map(|p| (p.name, p.address.as_str().to_owned()));
        let address = "a@example.org".to_owned();
        assert_eq!(read("a@example.org"), Ok((None, address.clone())));
        assert_eq!(read(" Größe & Söhne <a@example.org> "), Ok((Some("Größe & Söhne".into()), address.clone())));
        assert_eq!(read("\"Lectern, Inc.\" <A@example.org>"), Ok((Some("Lectern, Inc.".into()), address.clone())));
        assert_eq!(read("<a@example.org>"), Ok((None, address)));
        for odd in
            ["", "Ann", "a@b", "Ann a@example.org", "Ann <a@example.org", "A\r\nBcc: x <a@example.org>", "A <b> <a@example.org>"]
        {
            assert!(odd.parse::<Sender>().is_err(), "{odd}");
        }
    }
}
