//! Mail addresses: one canonical form, and a strict grammar.
//!
//! The grammar is stricter than RFC 5321 on purpose: no quoted local parts, no comments, no address literals, ASCII only. So an address
//! can be put into a mail header or an SMTP command without escaping, and two addresses denote one account exactly when their texts are equal.

use crate::shared::Detail;

/// The longest address that SMTP can carry (RFC 5321, section 4.5.3.1.3, without the angle brackets).
const MAX_LENGTH: usize = 254;
/// The longest local part (RFC 5321, section 4.5.3.1.1).
const MAX_LOCAL: usize = 64;
/// The longest label of a domain name (RFC 1035, section 2.3.4).
const MAX_LABEL: usize = 63;

/// An address in canonical form: trimmed and in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    /// Parses an address as a person typed it. `None` when it is invalid, or of a form that this grammar leaves out.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches([' ', '\t']);
        if text.len() > MAX_LENGTH {
            return None;
        }
        let (local, domain) = text.split_once('@')?;
        (is_local_part(local) && is_domain(domain)).then(|| Self(text.to_ascii_lowercase()))
    }

    /// The canonical text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address for readers who need not know it: the first character and the domain.
    pub fn masked(&self) -> String {
        let (local, domain) = self.0.split_once('@').unwrap_or_default();
        format!("{}…@{domain}", local.chars().next().unwrap_or_default())
    }

    /// The part before the at sign.
    pub fn local_part(&self) -> &str {
        self.0.split('@').next().unwrap_or_default()
    }
}

/// Parses a required field that holds an address.
pub fn parse_field(field: &'static str, sent: Option<&str>) -> Result<Email, Detail> {
    let sent = sent.filter(|text| !text.trim().is_empty()).ok_or_else(|| Detail::required(field))?;
    Email::parse(sent).ok_or_else(|| Detail::new(field, "invalid", "is not a mail address that can be used here"))
}

/// A dot-atom (RFC 5322, section 3.2.3).
fn is_local_part(text: &str) -> bool {
    let is_atext = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&byte);
    text.len() <= MAX_LOCAL && text.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(is_atext))
}

/// At least two labels of which the last is not all digits, which excludes IPv4 addresses.
fn is_domain(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=MAX_LABEL).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let mut labels = text.rsplit('.');
    let top_is_a_name = labels.next().is_some_and(|top| is_label(top) && !top.bytes().all(|byte| byte.is_ascii_digit()));
    let rest: Vec<&str> = labels.collect();
    top_is_a_name && !rest.is_empty() && rest.into_iter().all(is_label)
}

#[cfg(test)]
mod tests {
    use super::Email;
    use proptest::prelude::*;

    #[test]
    fn case_and_surrounding_spaces_do_not_matter() {
        for text in ["Ann.Bee+x@Example.ORG", "  ann.bee+x@example.org\t", "ANN.BEE+X@EXAMPLE.ORG "] {
            assert_eq!(Email::parse(text).unwrap().as_str(), "ann.bee+x@example.org");
        }
        assert_eq!(Email::parse("o'neil_%{}@a-b.xn--p1ai").unwrap().local_part(), "o'neil_%{}");
    }

    #[test]
    fn a_masked_address_shows_the_first_character_and_the_domain() {
        assert_eq!(Email::parse("ann.bee@example.org").unwrap().masked(), "a…@example.org");
        assert_eq!(Email::parse("a@example.org").unwrap().masked(), "a…@example.org");
    }

    #[test]
    fn addresses_that_could_alter_a_mail_are_refused() {
        let long_local = format!("{}@example.org", "a".repeat(65));
        let long = format!("a@{}example.org", "abcdefgh.".repeat(30));
        let long_label = format!("a@{}.org", "a".repeat(64));
        for text in [
            "",
            "@",
            "a@",
            "@example.org",
            "a@b",
            "a.example.org",
            "a@b@example.org",
            "a@example.org\r\nBcc: b@example.org",
            "a@example.org\n",
            "\"a b\"@example.org",
            "a(comment)@example.org",
            "a@(comment)example.org",
            "<a@example.org>",
            "Ann <a@example.org>",
            "a b@example.org",
            "a,b@example.org",
            "a;b@example.org",
            ".a@example.org",
            "a.@example.org",
            "a..b@example.org",
            "a@example..org",
            "a@.example.org",
            "a@example.org.",
            "a@-example.org",
            "a@example-.org",
            "a@[127.0.0.1]",
            "a@127.0.0.1",
            "a@[IPv6:::1]",
            "a@exa_mple.org",
            "\u{ff41}nn@example.org",
            "änn@example.org",
            "ann@exämple.org",
            "ann\u{200b}@example.org",
            "ann\0@example.org",
            &long_local,
            &long,
            &long_label,
        ] {
            assert_eq!(Email::parse(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn every_accepted_address_is_plain_short_and_canonical(text in "\\PC{0,40}@?\\PC{0,40}|[ a-zA-Z0-9.@<>\"(),;\r\n-]{0,60}") {
            if let Some(email) = Email::parse(&text) {
                prop_assert!(email.as_str().len() <= 254);
                prop_assert!(email.as_str().bytes().all(|byte| byte.is_ascii_graphic() && !byte.is_ascii_uppercase()));
                prop_assert!(!email.as_str().contains(['<', '>', '"', '(', ')', ',', ';', ':', '[', ']', '\\']));
                prop_assert_eq!(Email::parse(email.as_str()), Some(email));
            }
        }
    }

    #[test]
    fn an_address_has_254_bytes_at_most() {
        let address = |length: usize| {
            let labels = ["a".repeat(63), "b".repeat(63), "c".repeat(63)].join(".");
            let local = "x".repeat(length - labels.len() - 5);
            Email::parse(&format!("{local}@{labels}.org")).is_some()
        };
        assert_eq!([super::MAX_LENGTH, super::MAX_LENGTH + 1].map(address), [true, false]);
    }
}
