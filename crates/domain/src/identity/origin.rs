//! Origins of web addresses (RFC 6454).

/// Scheme, host and port of an http or https URI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    is_https: bool,
    host: String,
    port: u16,
}

impl Origin {
    /// The origin of a URI. `None` for what a browser would repair: backslashes, tabs, spaces, user names, missing slashes.
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

    /// Whether its host is this machine: `127.0.0.1`, `[::1]` or `localhost`, spelt like that (RFC 8252, section 7.3).
    pub fn is_loopback(&self) -> bool {
        LOOPBACK_HOSTS.contains(&self.host.as_str())
    }
}

/// The hosts that count as this machine.
pub(crate) const LOOPBACK_HOSTS: [&str; 3] = ["127.0.0.1", "[::1]", "localhost"];

/// A host of letters, digits, dots and hyphens, or an IPv6 address in brackets: no user name, no percent-encoding.
fn is_host(text: &str) -> bool {
    if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return inner.parse::<std::net::Ipv6Addr>().is_ok();
    }
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-')
}
