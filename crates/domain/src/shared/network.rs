//! IP networks: an address and the length of its prefix.

use std::{net::IpAddr, str::FromStr};

/// A network such as `10.0.0.0/8`; a single address is a network of full length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

impl Network {
    /// Whether it is a single address.
    pub fn is_single(&self) -> bool {
        self.bits == if self.address.is_ipv4() { 32 } else { 128 }
    }

    /// Whether an address lies in the network. An IPv4-mapped IPv6 address counts as the IPv4 address.
    pub fn contains(&self, ip: IpAddr) -> bool {
        let shared = match (self.address, ip.to_canonical()) {
            (IpAddr::V4(one), IpAddr::V4(other)) => (one.to_bits() ^ other.to_bits()).leading_zeros(),
            (IpAddr::V6(one), IpAddr::V6(other)) => (one.to_bits() ^ other.to_bits()).leading_zeros(),
            _ => return false,
        };
        shared >= self.bits
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?}");
        let (address, bits) = text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let all = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(all), str::parse).map_err(|_| wrong())?;
        if bits > all {
            return Err(wrong());
        }
        Ok(Self { address, bits })
    }
}

#[cfg(test)]
mod tests {
    use super::Network;

    #[test]
    fn the_leading_bits_decide() {
        for (network, ip, inside) in [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.0.0.1", true),
            ("0.0.0.0/0", "203.0.113.1", true),
            ("0.0.0.0/0", "2001:db8::1", false),
            ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("2001:db8::/32", "2001:db8:1::1", true),
            ("::1", "::1", true),
            ("::/0", "::1", true),
        ] {
            assert_eq!(network.parse::<Network>().unwrap().contains(ip.parse().unwrap()), inside, "{network} {ip}");
        }
        for bad in ["", "10.0.0.0/33", "::1/129", "10.0.0/8", "10.0.0.0/", "10.0.0.0/-1", "host"] {
            assert!(bad.parse::<Network>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_network_of_full_length_is_a_single_address() {
        for (network, is_single) in [
            ("10.0.0.1", true),
            ("10.0.0.1/32", true),
            ("10.0.0.0/31", false),
            ("::1", true),
            ("2001:db8::/32", false),
            ("::1/128", true),
        ] {
            assert_eq!(network.parse::<Network>().unwrap().is_single(), is_single, "{network}");
        }
    }
}
