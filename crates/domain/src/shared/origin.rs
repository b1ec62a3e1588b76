//! Origins of web addresses (RFC 6454).

/// Scheme, host and port of an http or https URI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    is_https: bool,
    host: String,
    port: u16,
}

impl Origin {
    /// The origin of a URI. `None` for what a browser would repair: backslashes, tabs, spaces, user names,
    /// missing slashes.
    pub fn parse(uri: &str) -> Option<Self> {
        if uri.chars().any(|c| c.is_whitespace() || c.is_control() || c == '\\' || !c.is_ascii()) {
            return None;
        }
        let (scheme, rest) = uri.split_once("://")?;
        let is_https = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        let authority = rest.split(['/', '?', '#']).next()?;
        let (host, port) = match authority.rsplit_once(':') {
            // The colons of an IPv6 address stand before its bracket.
            Some((host, port)) if !port.contains(']') => (host, Some(port)),
            _ => (authority, None),
        };
        let port = match port {
            None if is_https => 443,
            None => 80,
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse().ok()?,
            Some(_) => return None,
        };
        is_host(host).then(|| Self { is_https, host: host.to_ascii_lowercase(), port })
    }

    /// Whether its scheme is https.
    pub fn is_https(&self) -> bool {
        self.is_https
    }

    /// Whether its host is this machine: `127.0.0.1`, `[::1]` or `localhost`, spelt like that (RFC 8252,
    /// section 7.3).
    pub fn is_loopback(&self) -> bool {
        LOOPBACK_HOSTS.contains(&self.host.as_str())
    }
}

/// The hosts that count as this machine.
pub(crate) const LOOPBACK_HOSTS: [&str; 3] = ["127.0.0.1", "[::1]", "localhost"];

/// A host of letters, digits, dots and hyphens, or an IPv6 address in brackets: no user name, no
/// percent-encoding.
fn is_host(text: &str) -> bool {
    if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return inner.parse::<std::net::Ipv6Addr>().is_ok();
    }
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::Origin;

    #[test]
    fn what_a_browser_would_repair_is_no_origin_wherever_it_stands() {
        for rest in ["a b", "a\\b", "a\tb", "a\u{7f}b", "ä", "a?b c", "a#\\"] {
            assert_eq!(Origin::parse(&format!("https://a.example/{rest}")), None, "{rest:?}");
        }
        for host in ["a.example", "a-b.example", "127.0.0.1", "[::1]"] {
            assert!(Origin::parse(&format!("https://{host}/a?b#c")).is_some(), "{host}");
        }
        for host in ["a_b.example", "a%62.example", "", "ann@a.example"] {
            assert_eq!(Origin::parse(&format!("https://{host}/")), None, "{host}");
        }
    }

    #[test]
    fn a_scheme_has_its_port_unless_another_one_is_written() {
        let same = |one, other| Origin::parse(one) == Origin::parse(other);
        assert!(same("http://a.example", "http://a.example:80/") && same("https://a.example", "HTTPS://A.example:443"));
        assert!(!same("http://a.example", "http://a.example:443") && !same("http://a.example:80", "https://a.example:80"));
    }
}
