//! Which host names can belong to a public host.

use super::GuardRefusal;

/// The longest name and the longest part of one, RFC 1035 section 2.3.4.
const NAME: usize = 253;
const LABEL: usize = 63;

/// Names of the local machine and of the metadata services of clouds.
pub(super) const DENIED: &[&str] =
    &["ip6-localhost", "ip6-loopback", "localhost", "localhost.localdomain", "metadata.google.internal"];

/// Top-level names and suffixes that are not part of the public DNS.
pub(super) const SUFFIXES: &[&str] = &[
    "localhost",
    "local",
    "internal",
    "home.arpa",
    "lan",
    "svc",
    "localdomain",
    "intranet",
    "corp",
    "home",
    "test",
    "invalid",
    "example",
    "onion",
    "arpa",
];

/// Checks a name, which has to be in lower-case ASCII and without a final dot.
pub(super) fn check(name: &str) -> Result<(), GuardRefusal> {
    let mut labels = name.split('.');
    let is_name = name.len() <= NAME
        && labels.clone().count() >= 2
        && labels.clone().all(is_label)
        // Some parsers read a name whose last label is a number as an address.
        && labels.next_back().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_alphabetic()));
    let ends_with = |suffix: &str| name.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    if is_name && !DENIED.contains(&name) && !SUFFIXES.iter().any(|value| ends_with(value)) {
        Ok(())
    } else {
        Err(GuardRefusal::Name)
    }
}

fn is_label(label: &str) -> bool {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    (1..=LABEL).contains(&label.len()) && label.chars().all(is_part) && !label.starts_with('-') && !label.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn a_public_name_has_two_parts_and_no_reserved_end() {
        let long = format!("{}.example.com", "a".repeat(63));
        for name in
            ["example.com", "a.b.c.example.com", "xn--bcher-kva.example.com", "127.0.0.1.nip.io", "my_bucket.host.com", &long]
        {
            assert!(check(name).is_ok(), "{name}");
        }
        let long = format!("{}.example.com", "a".repeat(64));
        let whole = format!("{}com", "abcdefg.".repeat(32));
        for name in [
            "",
            ".",
            "com",
            "localhost",
            "a.localhost",
            "localhost.localdomain",
            "host.docker.internal",
            "nas.home.arpa",
            "x.local",
            "a.svc",
            "a.test",
            "1.0.0.127.in-addr.arpa",
            "a..com",
            ".example.com",
            "-a.example.com",
            "a-.example.com",
            "a b.com",
            "a.1",
            "127.0.0.1",
            "0x7f.1",
            "EXAMPLE.com",
            "bücher.com",
            &long,
            &whole,
        ] {
            assert!(check(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_reserved_end_is_a_whole_part() {
        assert!(check("mylocal.com").is_ok());
        assert!(check("notlocal.thelan.io").is_ok());
        assert!(check("it.islocal").is_ok());
    }
}
