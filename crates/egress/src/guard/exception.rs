//! Private targets that the operator allows: `10.1.2.3`, `10.0.0.0/8`, `127.0.0.1:8080`, `[fd00::/8]:8080`.
//! Metadata services of clouds hand out credentials, so a network does not include their addresses: each has
//! to be named itself.

use super::address;
use domain::shared::Network;
use std::{net::IpAddr, str::FromStr};

/// An allowed network, at one port or at all ports that are not denied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exception {
    network: Network,
    port: Option<u16>,
}

impl Exception {
    /// Whether it covers an address and port.
    pub(super) fn covers(&self, address: IpAddr, port: u16) -> bool {
        address.to_canonical() == address
            && self.network.contains(address)
            && (self.network.is_single() || !address::is_metadata_service(address))
            && self.port.map_or_else(|| super::port::is_allowed(port), |p| p == port)
    }

    /// Whether it names this port.
    pub(super) fn names(&self, port: u16) -> bool {
        self.port == Some(port)
    }
}

impl FromStr for Exception {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?}");
        let (network, port) = match text.strip_prefix('[').map(|rest| rest.split_once(']').ok_or_else(wrong)).transpose()? {
            Some((network, "")) => (network, None),
            Some((network, port)) => (network, Some(port.strip_prefix(':').ok_or_else(wrong)?)),
            // More than one colon without brackets is an IPv6 network without a port.
            None => match text.split_once(':') {
                Some((network, port)) if !port.contains(':') => (network, Some(port)),
                _ => (text, None),
            },
        };
        let network = network.parse().map_err(|_| wrong())?;
        let port = port.map(|port| port.parse().ok().filter(|port| *port != 0).ok_or_else(wrong)).transpose()?;
        Ok(Self { network, port })
    }
}

#[cfg(test)]
mod tests {
    use super::Exception;

    #[test]
    fn an_exception_is_a_network_and_perhaps_a_port() {
        for (text, address, port, covered) in [
            ("10.1.2.3", "10.1.2.3", 8080, true),
            ("10.1.2.3", "10.1.2.4", 8080, false),
            ("10.1.2.3", "10.1.2.3", 6379, false),
            ("10.1.2.3:6379", "10.1.2.3", 6379, true),
            ("10.1.2.3:6379", "10.1.2.3", 8080, false),
            ("10.0.0.0/8", "10.9.9.9", 443, true),
            ("127.0.0.1/32:18080", "127.0.0.1", 18080, true),
            ("127.0.0.1/32:18080", "::ffff:127.0.0.1", 18080, false),
            ("0.0.0.0/0", "::1", 80, false),
            ("::1", "::1", 80, true),
            ("[::1]", "::1", 80, true),
            ("[fd00::/8]:9000", "fd12::1", 9000, true),
            ("[fd00::/8]:9000", "fd12::1", 9001, false),
            ("169.254.0.0/16", "169.254.1.1", 80, true),
            ("169.254.0.0/16", "169.254.169.254", 80, false),
            ("169.254.169.254/31", "169.254.169.254", 80, false),
            ("169.254.169.254", "169.254.169.254", 80, true),
            ("169.254.169.254/32:80", "169.254.169.254", 80, true),
            ("169.254.169.254", "169.254.170.2", 80, false),
            ("0.0.0.0/0", "100.100.100.200", 80, false),
            ("0.0.0.0/0:80", "168.63.129.16", 80, false),
            ("fd00::/8", "fd00:ec2::254", 80, false),
            ("fd00:ec2::254", "fd00:ec2::254", 80, true),
            ("64:ff9b::/96", "64:ff9b::a9fe:a9fe", 80, false),
            ("64:ff9b::/96", "64:ff9b::a00:1", 80, true),
            ("64:ff9b::a9fe:a9fe", "64:ff9b::a9fe:a9fe", 80, true),
            ("64:ff9b:1::/48", "64:ff9b:1::a9fe:a9fe", 80, false),
            ("2002::/16", "2002:a9fe:a9fe::1", 80, false),
            ("::/96", "::169.254.169.254", 80, false),
        ] {
            let exception: Exception = text.parse().unwrap();
            assert_eq!(exception.covers(address.parse().unwrap(), port), covered, "{text} {address} {port}");
        }
        for wrong in
            ["", "10.0.0.0/33", "host:80", "10.0.0.1:", "10.0.0.1:0", "10.0.0.1:70000", "[::1", "[::1]80", "[::1]:x", ":80"]
        {
            assert!(wrong.parse::<Exception>().is_err(), "{wrong}");
        }
    }
}
