//! However a denied address or name is written, it is refused; and what is let pass is dialled as it was
//! read.

use super::GuardFixture;
use egress::guard::{Guard, GuardRefusal, Host, Metrics, Policy};
use proptest::prelude::*;
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::LazyLock,
};

/// A guard that is never asked to resolve anything.
static GUARD: LazyLock<Guard> = LazyLock::new(|| {
    let resolver = egress::dns::Resolver::new(&["127.0.0.1:9".parse().unwrap()]).unwrap();
    let metrics = Metrics::register(&prometheus::Registry::new()).unwrap();
    Guard::new(Policy::new(Vec::new(), "https://cms.example.net"), resolver, metrics)
});

/// One of the four numbers of an address in one of the ways in which some parser reads it.
fn number(value: u64, way: u8) -> String {
    match way % 5 {
        0 => value.to_string(),
        1 => format!("{value:#o}").replace("0o", "0"),
        2 => format!("{value:#x}"),
        3 => format!("0X{value:X}"),
        _ => format!("00000{value:o}"),
    }
}

/// An IPv4 address in one of the ways in which some parser reads it.
fn spelled(address: Ipv4Addr, form: u8, ways: [u8; 4]) -> String {
    let bits = u64::from(address.to_bits());
    let [a, b, c, d] = address.octets().map(u64::from);
    let parts = match form % 4 {
        0 => vec![a, b, c, d],
        1 => vec![a, b, (c << 8) | d],
        2 => vec![a, (b << 16) | (c << 8) | d],
        _ => vec![bits],
    };
    parts.iter().zip(ways).map(|(part, way)| number(*part, way)).collect::<Vec<_>>().join(".")
}

/// The same text in other letters that some parser folds into plain ones.
fn disguised(text: &str, way: u8) -> String {
    let circled = |c: char| match c {
        'a'..='z' => char::from_u32(0x24d0 + u32::from(c) - u32::from('a')).unwrap(),
        '1'..='9' => char::from_u32(0x2460 + u32::from(c) - u32::from('1')).unwrap(),
        other => other,
    };
    let wide = |c: char| if c.is_ascii_graphic() { char::from_u32(0xfee0 + u32::from(c)).unwrap() } else { c };
    match way % 5 {
        0 => text.chars().map(circled).collect(),
        1 => text.chars().map(wide).collect(),
        2 => text.replace('.', "\u{3002}"),
        3 => format!(
            "%{}",
            hex::encode(text).as_bytes().chunks(2).map(|chunk| std::str::from_utf8(chunk).unwrap()).collect::<Vec<_>>().join("%")
        ),
        _ => text.chars().flat_map(|c| [c, '\u{200b}']).collect(),
    }
}

fn refused(url: &str) -> bool {
    GUARD.check(url).is_err()
}

/// Addresses that are not public, some of each kind.
fn denied() -> impl Strategy<Value = Ipv4Addr> {
    prop_oneof![
        any::<[u8; 3]>().prop_map(|[b, c, d]| Ipv4Addr::new(127, b, c, d)),
        any::<[u8; 3]>().prop_map(|[b, c, d]| Ipv4Addr::new(10, b, c, d)),
        any::<[u8; 2]>().prop_map(|[c, d]| Ipv4Addr::new(192, 168, c, d)),
        any::<[u8; 2]>().prop_map(|[c, d]| Ipv4Addr::new(169, 254, c, d)),
        Just(Ipv4Addr::UNSPECIFIED),
        Just(Ipv4Addr::new(169, 254, 169, 254)),
    ]
}

proptest! {
    #[test]
    fn a_denied_address_is_refused_in_every_spelling(
        address in denied(), form: u8, ways: [u8; 4], way: u8, dot: bool, port in prop::option::of(1_u16..), https: bool,
    ) {
        let scheme = if https { "https" } else { "http" };
        let port = port.map_or(String::new(), |port| format!(":{port}"));
        let dot = if dot { "." } else { "" };
        let plain = spelled(address, form, ways);
        for host in [plain.clone(), disguised(&plain, way), disguised(&address.to_string(), way)] {
            for url in [
                format!("{scheme}://{host}{dot}{port}/"),
                format!("{scheme}://user@{host}{dot}{port}/"),
                format!("{scheme}://example.com@{host}{port}/"),
                format!("{scheme}://{host}{port}#@example.com/"),
                format!("{scheme}:\\\\{host}{port}\\"),
                format!("{scheme}:/{host}{port}/"),
                format!("{scheme}:{host}{port}/"),
                format!(" {scheme}://{host}{port}/"),
                format!("{scheme}://{host}{port}\t/"),
            ] {
                prop_assert!(refused(&url), "{url}");
            }
        }
    }

    #[test]
    fn a_denied_address_is_refused_in_clothes_of_ipv6(address in denied(), zone in "[a-z]{0,4}[0-9]?", tail: u64) {
        let bits = u128::from(address.to_bits());
        let zone = if zone.is_empty() { zone } else { format!("%25{zone}") };
        for it in [bits, (0xffff << 32) | bits, (0xffff_0000 << 32) | bits, (0x0064_ff9b << 96) | bits, (0x2002 << 112) | (bits << 80) | u128::from(tail)] {
            let address = Ipv6Addr::from_bits(it);
            let long = address.segments().map(|segment| format!("{segment:04x}")).join(":");
            for host in [address.to_string(), long.clone(), long.to_uppercase()] {
                let url = format!("http://[{host}{zone}]/");
                prop_assert!(refused(&url), "{url}");
            }
        }
    }

    #[test]
    fn a_reserved_name_is_refused_in_every_spelling(
        name in prop::sample::select(vec!["localhost", "a.localhost", "db.internal", "printer.local", "metadata.google.internal"]),
        upper: bool, way: u8, dots in 0_usize..3, user: bool,
    ) {
        let cased = if upper { name.to_uppercase() } else { name.to_owned() };
        let user = if user { "example.com@" } else { "" };
        for host in [cased, disguised(name, way)] {
            let url = format!("http://{user}{host}{}/", ".".repeat(dots));
            prop_assert!(refused(&url), "{url}");
        }
    }

    /// Whatever the text is: it is refused, or what is dialled is what any reader of the text would say.
    #[test]
    fn what_is_let_pass_is_what_is_written(
        scheme in "(https?|HTTP|ftp)", slashes in "/{1,3}", user in "([a-z]{0,3}@)?",
        host in "(([a-zA-Z0-9é%_-]{1,8}\\.){0,3}[a-z0-9é]{1,6}\\.?|\\[[0-9a-f:.]{2,12}\\]|[0-9]{1,10}|[0-9x.]{1,14})",
        port in "(:[0-9]{0,6})?", path in "([/?#\\\\ ][/a-z0-9?%#.\\\\ ]{0,11})?",
    ) {
        let url = format!("{scheme}:{slashes}{user}{host}{port}{path}");
        if let Ok(target) = GUARD.check(&url) {
            let written = host.trim_end_matches('.').to_lowercase();
            match target.host() {
                Host::Address(address) => {
                    prop_assert_eq!(written.trim_matches(['[', ']']).parse::<IpAddr>().unwrap(), *address);
                }
                Host::Name(name) if written.is_ascii() => prop_assert_eq!(&written, name),
                Host::Name(name) => prop_assert!(name.split('.').any(|part| part.starts_with("xn--")), "{}", name),
            }
            prop_assert!(user.is_empty() && slashes == "//" && !url.contains(['#', '\\', ' ']));
            let default = if scheme.eq_ignore_ascii_case("https") { 443 } else { 80 };
            prop_assert_eq!(port.trim_start_matches(':').parse().unwrap_or(default), target.port());
            prop_assert_eq!(GUARD.check(target.as_str()), Ok(target), "what is kept is let pass again");
        }
    }
}

#[tokio::test]
async fn every_refusal_has_its_reason_and_is_counted() {
    let fixture = GuardFixture::new(&[]).await;
    for (url, refusal) in [
        ("", GuardRefusal::Text),
        ("http://example.com/a b", GuardRefusal::Text),
        ("http://example.com/\r\nX-Injected: 1", GuardRefusal::Text),
        ("example.com", GuardRefusal::Form),
        ("http:example.com", GuardRefusal::Form),
        ("http://example.com:80:80/", GuardRefusal::Form),
        ("http://example.com:-1/", GuardRefusal::Form),
        ("http://example.com:/", GuardRefusal::Form),
        ("file:///etc/passwd", GuardRefusal::Scheme),
        ("http://a:b@example.com/", GuardRefusal::Parts),
        ("http://example.com/#x", GuardRefusal::Parts),
        ("http://0x7f.1/", GuardRefusal::Spelling),
        ("http://[2606:2800:0:0:0:0:0:1]/", GuardRefusal::Spelling),
        ("http://10.0.0.1/", GuardRefusal::Address),
        ("http://printer/", GuardRefusal::Name),
        ("http://example.com:6379/", GuardRefusal::Port),
        ("http://1.1.1.1:25/", GuardRefusal::Port),
        ("https://cms.example.net/api/v1/spaces", GuardRefusal::Own),
        ("https://CMS.example.net./", GuardRefusal::Own),
    ] {
        let before = fixture.refusals(refusal.reason());
        assert_eq!(fixture.guard.check(url).err(), Some(refusal), "{url}");
        assert_eq!(fixture.refusals(refusal.reason()), before + 1, "{url}");
    }
    assert!(fixture.guard.check("https://cms.example.net:8443/hook").is_ok(), "another server on the same host");
}
