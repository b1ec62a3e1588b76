//! Domain names of mail addresses. They are stored and compared in A-labels, and shown in U-labels where
//! those do not deceive (RFC 5890, UTS 46).

use icu_properties::{props::Script, script::ScriptWithExtensions};
use idna::{
    AsciiDenyList,
    uts46::{DnsLength, Hyphens, Uts46},
};

/// The longest label of a domain name (RFC 1035, section 2.3.4).
const MAX_LABEL: usize = 63;
/// Letters of Greek and Cyrillic that look like letters of Latin. A label of nothing else reads as another
/// one, although it is of one script.
const LOOK_LATIN: &str = "αικνορτυχωаԁеһіјӏорԛсѕԝхуъьҽпгѵѡ";

/// A name in A-labels and in lower case, as it is stored. `None` when it is no name of a mail domain.
pub(super) fn canonical(name: &str) -> Option<String> {
    if name.is_ascii() {
        return is_mail_domain(name).then(|| name.to_ascii_lowercase());
    }
    let ascii = Uts46::new().to_ascii(name.as_bytes(), AsciiDenyList::STD3, Hyphens::CheckFirstLast, DnsLength::Verify).ok()?;
    is_mail_domain(&ascii).then(|| ascii.into_owned())
}

/// At least two labels of which the last is not all digits, which excludes IPv4 addresses.
fn is_mail_domain(ascii: &str) -> bool {
    let is_label = |label: &str| {
        (1..=MAX_LABEL).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let mut labels = ascii.rsplit('.');
    let top_is_a_name = labels.next().is_some_and(|top| is_label(top) && !top.bytes().all(|byte| byte.is_ascii_digit()));
    let rest: Vec<&str> = labels.collect();
    top_is_a_name && !rest.is_empty() && rest.into_iter().all(is_label)
}

/// A stored name as people read it: each label in its own script, if it is of one script, and else as it is
/// stored.
pub(super) fn shown(canonical: &str) -> String {
    let (name, valid) = Uts46::new().to_user_interface(
        canonical.as_bytes(),
        AsciiDenyList::STD3,
        Hyphens::CheckFirstLast,
        |label, _top, _is_bidirectional| is_of_one_script(label) && !looks_latin(label),
    );
    // A label that only begins like an A-label has no other form.
    if valid.is_ok() { name.into_owned() } else { canonical.to_owned() }
}

/// What texts are written in: a script, or one of the three that use several (UTS 39, section 5.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writing {
    Of(Script),
    Chinese,
    Japanese,
    Korean,
}

/// Whether there is a writing that all characters belong to (UTS 39, section 5.1). Digits, hyphens and marks
/// belong to each.
fn is_of_one_script(label: &[char]) -> bool {
    let scripts = ScriptWithExtensions::new();
    let mut common: Option<Vec<Writing>> = None;
    for character in label {
        let own = scripts.get_script_extensions_val(*character);
        if own.contains(&Script::Common) || own.contains(&Script::Inherited) {
            continue;
        }
        let writings: Vec<Writing> = own.iter().flat_map(writings_with).collect();
        let left = match common {
            None => writings,
            Some(before) => before.into_iter().filter(|writing| writings.contains(writing)).collect(),
        };
        if left.is_empty() {
            return false;
        }
        common = Some(left);
    }
    true
}

/// The writings that use a script.
fn writings_with(script: Script) -> Vec<Writing> {
    let others: &[Writing] = match script {
        Script::Han => &[Writing::Chinese, Writing::Japanese, Writing::Korean],
        Script::Bopomofo => &[Writing::Chinese],
        Script::Hiragana | Script::Katakana => &[Writing::Japanese],
        Script::Hangul => &[Writing::Korean],
        _ => &[],
    };
    [&[Writing::Of(script)], others].concat()
}

/// Whether each letter looks like one of Latin.
fn looks_latin(label: &[char]) -> bool {
    label.iter().filter(|character| character.is_alphabetic()).all(|letter| LOOK_LATIN.contains(*letter))
}

#[cfg(test)]
mod tests {
    use super::{canonical, shown};
    use proptest::prelude::*;

    #[test]
    fn a_name_is_stored_in_a_labels() {
        for (typed, stored) in [
            ("Example.ORG", "example.org"),
            ("exämple.org", "xn--exmple-cua.org"),
            ("EXÄMPLE.org", "xn--exmple-cua.org"),
            ("exa\u{308}mple.org", "xn--exmple-cua.org"),
            ("XN--exmple-CUA.org", "xn--exmple-cua.org"),
            ("straße.de", "xn--strae-oqa.de"),
            ("почта.рф", "xn--80a1acny.xn--p1ai"),
            ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
            ("\u{ff45}xample.org", "example.org"),
        ] {
            assert_eq!(canonical(typed).as_deref(), Some(stored), "{typed}");
        }
        for none in [
            "ä",
            "-ä.org",
            "ä-.org",
            "a_ä.org",
            "ä..org",
            "ä.org.",
            "ä\u{202e}.org",
            "ä b.org",
            "ä@b.org",
            "ä＠b.org",
            "ä.１２７",
            "[ä].org",
            &format!("{}.org", "ä".repeat(63)),
        ] {
            assert_eq!(canonical(none), None, "{none}");
        }
    }

    #[test]
    fn a_label_of_one_script_is_shown_in_it_and_any_other_as_it_is_stored() {
        for readable in ["example.org", "exämple.org", "почта.рф", "例え.テスト", "παράδειγμα.gr", "한국-漢.kr", "مثال.إختبار"]
        {
            assert_eq!(shown(&canonical(readable).unwrap()), readable);
        }
        // One letter is Cyrillic, Greek or Han; in the last two each letter is Cyrillic.
        for deceiving in ["аpple.com", "exаmple.org", "exampleο.org", "中paypal.tw", "раураӏ.com", "аррӏе.com"] {
            let stored = canonical(deceiving).unwrap();
            assert_eq!(shown(&stored), stored, "{deceiving}");
        }
        assert_eq!(shown("xn--exmple-cua.xn--80ak6aa92e.org"), "exämple.xn--80ak6aa92e.org", "each label is judged alone");
        for no_a_label in ["xn--a.org", "xn--exmple-cua.xn--0.org"] {
            assert_eq!(shown(no_a_label), no_a_label);
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_is_the_same_name(typed in "[a-zäöüßéа-яα-ω一二あア한0-9-]{1,12}\\.(org|de|рф)") {
            if let Some(stored) = canonical(&typed) {
                prop_assert!(stored.is_ascii());
                prop_assert_eq!(canonical(&stored), Some(stored.clone()));
                prop_assert_eq!(canonical(&shown(&stored)), Some(stored));
            }
        }
    }
}
