//! Mail addresses: one canonical form, and a strict grammar.
//!
//! The grammar is stricter than RFC 5321 on purpose: no quoted local parts, no comments, no address literals,
//! and only ASCII before the @. A domain may be written in any script; its canonical form is in A-labels
//! (`domain_name`), which are ASCII too. So an address can be put into a mail header or an SMTP command
//! without escaping, and two addresses denote one account exactly when their texts are equal. People are
//! shown the domain in its script.

mod domain_name;

use crate::shared::{Detail, FieldCode};
use std::fmt;

/// The longest address that SMTP can carry (RFC 5321, section 4.5.3.1.3, without the angle brackets).
const MAX_LENGTH: usize = 254;
/// The longest text that is read, in bytes. A domain may be longer in its script than in A-labels, but not by
/// more.
const MAX_TYPED: usize = 4 * MAX_LENGTH;
/// The longest local part (RFC 5321, section 4.5.3.1.1).
const MAX_LOCAL: usize = 64;

/// Why a text is no address. It is written as a predicate, whose subject is the text or its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidEmail {
    /// It is no address, or of a form that this grammar leaves out.
    Malformed,
    /// It has something before the @ that is not ASCII: few mail servers take such addresses (RFC 6531).
    LocalPartNotAscii,
}

impl InvalidEmail {
    /// What is wrong with a field that holds the text.
    pub fn detail(self, field: &'static str) -> Detail {
        let code = match self {
            Self::Malformed => FieldCode::Invalid,
            Self::LocalPartNotAscii => FieldCode::LocalPartNotAscii,
        };
        Detail::new(field, code, self.to_string())
    }
}

impl fmt::Display for InvalidEmail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "is not a mail address that can be used here",
            Self::LocalPartNotAscii => {
                "must have only letters from a to z, digits and signs before the @; other letters are possible after it"
            }
        })
    }
}

/// An address in canonical form: trimmed, in lower case, and its domain in A-labels.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    /// Parses an address as a person typed it. `None` when it is invalid, or of a form that this grammar
    /// leaves out.
    pub fn parse(text: &str) -> Option<Self> {
        Self::read(text).ok()
    }

    /// The same, with the reason.
    pub fn read(text: &str) -> Result<Self, InvalidEmail> {
        let text = text.trim_matches([' ', '\t']);
        if text.len() > MAX_TYPED {
            return Err(InvalidEmail::Malformed);
        }
        let (local, domain) = text.split_once('@').ok_or(InvalidEmail::Malformed)?;
        let domain = domain_name::canonical(domain).ok_or(InvalidEmail::Malformed)?;
        if !local.is_ascii() {
            return Err(InvalidEmail::LocalPartNotAscii);
        }
        let email = format!("{}@{domain}", local.to_ascii_lowercase());
        if is_local_part(local) && email.len() <= MAX_LENGTH { Ok(Self(email)) } else { Err(InvalidEmail::Malformed) }
    }

    /// The canonical text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address as people read it, see [`shown`].
    pub fn shown(&self) -> String {
        shown(&self.0)
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

/// A canonical address as people read it: a domain in its own script where that does not deceive. The part
/// before the @ stays as it is, also where it is masked; a text that is no address stays as it is.
pub fn shown(address: &str) -> String {
    match address.rsplit_once('@') {
        Some((local, domain)) if domain.contains("xn--") => format!("{local}@{}", domain_name::shown(domain)),
        _ => address.to_owned(),
    }
}

/// A text that is searched for in addresses: a domain behind an @ is written as it is stored.
pub fn searched(text: &str) -> String {
    let stored = |(local, domain)| Some(format!("{local}@{}", domain_name::canonical(domain)?));
    text.rsplit_once('@').filter(|(_, domain)| !domain.is_ascii()).and_then(stored).unwrap_or_else(|| text.to_owned())
}

/// Parses a required field that holds an address.
pub fn parse_field(field: &'static str, sent: Option<&str>) -> Result<Email, Detail> {
    let sent = sent.filter(|text| !text.trim().is_empty()).ok_or_else(|| Detail::required(field))?;
    Email::read(sent).map_err(|invalid| invalid.detail(field))
}

/// A dot-atom (RFC 5322, section 3.2.3).
fn is_local_part(text: &str) -> bool {
    let is_atext = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&byte);
    text.len() <= MAX_LOCAL && text.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(is_atext))
}

#[cfg(test)]
mod tests {
    use super::{Email, InvalidEmail, shown};
    use proptest::prelude::*;

    #[test]
    fn case_and_surrounding_spaces_do_not_matter() {
        for text in ["Ann.Bee+x@Example.ORG", "  ann.bee+x@example.org\t", "ANN.BEE+X@EXAMPLE.ORG "] {
            assert_eq!(Email::parse(text).unwrap().as_str(), "ann.bee+x@example.org");
        }
        assert_eq!(Email::parse("o'neil_%{}@a-b.xn--p1ai").unwrap().local_part(), "o'neil_%{}");
    }

    #[test]
    fn a_domain_of_any_script_is_one_address() {
        for text in ["Ann@Exämple.org", "ann@EXA\u{308}MPLE.ORG", "ann@xn--exmple-cua.org", " ann@XN--EXMPLE-CUA.ORG"] {
            assert_eq!(Email::parse(text).unwrap().as_str(), "ann@xn--exmple-cua.org", "{text}");
        }
        let email = Email::parse("ann@почта.рф").unwrap();
        assert_eq!((email.shown().as_str(), email.masked().as_str()), ("ann@почта.рф", "a…@xn--80a1acny.xn--p1ai"));
        let searched = ["ann@почта.рф", "@exämple.org", "ann@ex", "ann@exäm", "Dr.Müller"].map(super::searched);
        assert_eq!(searched, ["ann@xn--80a1acny.xn--p1ai", "@xn--exmple-cua.org", "ann@ex", "ann@exäm", "Dr.Müller"]);
        assert_eq!(
            [email.masked().as_str(), "a***@xn--exmple-cua.org", "ann"].map(shown),
            ["a…@почта.рф", "a***@exämple.org", "ann"]
        );
    }

    #[test]
    fn what_is_not_ascii_before_the_at_sign_is_refused_with_the_reason() {
        for text in ["änn@example.org", "ann.bé@exämple.org", "почта@почта.рф", "\u{ff41}nn@example.org", "ann\u{200b}@example.org"]
        {
            assert_eq!(Email::read(text), Err(InvalidEmail::LocalPartNotAscii), "{text}");
        }
        for text in ["änn", "änn@b", "änn@example..org", "ann@ä_b.org"] {
            assert_eq!(Email::read(text), Err(InvalidEmail::Malformed), "{text}");
        }
        let detail = super::parse_field("email", Some("änn@example.org")).unwrap_err();
        assert_eq!((detail.code.name(), detail.message.contains("before the @")), ("localPartNotAscii", true));
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
        fn every_accepted_address_is_plain_short_and_canonical(text in "\\PC{0,40}@?\\PC{0,40}|[a-z.]{1,9}@[a-zäßéа-яα-ω一あ한。-]{1,20}\\.(org|рф)|[ a-zA-Z0-9.@<>\"(),;\r\n-]{0,60}") {
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
