//! Which addresses are public.
//!
//! The lists are the union of several published ones, none of which is complete. IPv6 is an allow list:
//! global unicast, without the blocks that embed other addresses or are reserved.

use domain::shared::Network;
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::LazyLock,
};

/// IPv4 networks that are not public, and the address of Azure's metadata and DNS service, which looks
/// public.
pub(super) const DENIED_V4: &[&str] = &[
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "168.63.129.16/32",
];

/// Addresses of the metadata services of clouds, which hand out credentials without authentication: AWS,
/// Google Cloud, Azure and others; AWS for containers and pods; Azure's agent; Alibaba; Oracle; Scaleway;
/// Tencent; and those that have IPv6.
pub(super) const METADATA: &[&str] = &[
    "169.254.169.254",
    "169.254.170.2",
    "169.254.170.23",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "169.254.42.42",
    "169.254.0.23",
    "fd00:ec2::254",
    "fd00:ec2::23",
    "fd20:ce::254",
    "fd00:42::42",
    "fe80::a9fe:a9fe",
];

/// Global unicast IPv6.
pub(super) const ONLY_V6: &str = "2000::/3";

/// Networks inside of it that are not public: Teredo and other IETF protocols, documentation, 6to4, AS112.
pub(super) const DENIED_V6: &[&str] = &["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "2620:4f:8000::/48"];

/// Parses a list. Entries that cannot be parsed are left out; a test shows that there are none.
fn networks(list: &[&str]) -> Vec<Network> {
    list.iter().filter_map(|l| l.parse().ok()).collect()
}

static V4: LazyLock<Vec<Network>> = LazyLock::new(|| networks(DENIED_V4));
static METADATA_SERVICES: LazyLock<Vec<Network>> = LazyLock::new(|| networks(METADATA));
static GLOBAL: LazyLock<Vec<Network>> = LazyLock::new(|| networks(&[ONLY_V6]));
static V6: LazyLock<Vec<Network>> = LazyLock::new(|| networks(DENIED_V6));

/// Whether it is the address of a metadata service, or one behind which a gateway reaches it by IPv4.
pub(super) fn is_metadata_service(address: IpAddr) -> bool {
    let is_service = |address: IpAddr| METADATA_SERVICES.iter().any(|service| service.contains(address));
    is_service(address) || matches!(address, IpAddr::V6(v6) if held(v6).into_iter().any(|v4| is_service(v4.into())))
}

/// The IPv4 addresses that an IPv6 address may stand for: in its last 32 bits (NAT64, RFC 6052;
/// IPv4-compatible, RFC 4291), or behind the prefix of 6to4 (RFC 3056).
fn held(address: Ipv6Addr) -> [Ipv4Addr; 2] {
    let bits = u128::from(address);
    // Both are cut to 32 bits.
    let part = |shift: u32| Ipv4Addr::from_bits(u32::try_from(bits >> shift & u128::from(u32::MAX)).unwrap_or_default());
    [part(0), part(80)]
}

/// Whether the address is reachable on the internet.
pub(super) fn is_public(address: IpAddr) -> bool {
    let is_in = |list: &[Network]| list.iter().any(|l| l.contains(address));
    match address {
        IpAddr::V4(_) => !is_in(&V4),
        // A mapped IPv4 address is never public, since `contains` would compare the IPv4 address inside.
        IpAddr::V6(v6) if v6.to_ipv4_mapped().is_some() => false,
        IpAddr::V6(_) => is_in(&GLOBAL) && !is_in(&V6),
    }
}

#[cfg(test)]
mod tests {
    use super::{DENIED_V4, DENIED_V6, METADATA, ONLY_V6, is_public, networks};
    use proptest::prelude::*;
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

    #[test]
    fn every_entry_of_the_lists_is_read() {
        assert_eq!(networks(DENIED_V4).len(), DENIED_V4.len());
        assert_eq!(networks(DENIED_V6).len(), DENIED_V6.len());
        assert_eq!(networks(METADATA).len(), METADATA.len());
        assert_eq!(networks(&[ONLY_V6]).len(), 1);
    }

    #[test]
    fn the_edges_of_each_range_lie_where_they_should() {
        let is = |text: &str| is_public(text.parse().unwrap());
        for public in [
            "1.0.0.0",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "191.255.255.255",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "168.63.129.15",
            "168.63.129.17",
            "2000::",
            "2001:200::",
            "2003::1",
            "3ffe::1",
            "2606:4700:4700::1111",
        ] {
            assert!(is(public), "{public}");
        }
        for private in [
            "0.0.0.0",
            "0.255.255.255",
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.0",
            "172.31.255.255",
            "192.168.0.0",
            "198.18.0.0",
            "198.19.255.255",
            "203.0.113.7",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.0",
            "255.255.255.255",
            "168.63.129.16",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:1.1.1.1",
            "::ffff:0:1.1.1.1",
            "64:ff9b::101:101",
            "64:ff9b:1::1",
            "100::1",
            "1fff:ffff::1",
            "2001::1",
            "2001:1ff:ffff::1",
            "2001:db8::1",
            "2002:101:101::1",
            "3fff::1",
            "4000::1",
            "5f00::1",
            "fc00::1",
            "fdff::1",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
            "2620:4f:8000::1",
        ] {
            assert!(!is(private), "{private}");
        }
    }

    proptest! {
        /// What holds an IPv4 address is never public, whichever address it holds.
        #[test]
        fn no_ipv6_address_that_holds_another_is_public(bits: u32, tail: u64) {
            let v4 = Ipv4Addr::from_bits(bits);
            let [a, b, c, d] = v4.octets().map(u128::from);
            let held = (a << 24) | (b << 16) | (c << 8) | d;
            let forms = [
                held,
                v4.to_ipv6_mapped().to_bits(),
                (0xffff_0000 << 32) | held,
                (0x0064_ff9b << 96) | held,
                (0x2002 << 112) | (held << 80) | u128::from(tail),
                (0x2001_0000 << 96) | (u128::from(tail) << 32) | held,
            ];
            for form in forms {
                prop_assert!(!is_public(IpAddr::V6(Ipv6Addr::from_bits(form))), "{:?}", Ipv6Addr::from_bits(form));
            }
        }
    }
}
