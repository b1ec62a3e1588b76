//! Redirect URIs: what may be registered, and what a request may ask for.

use crate::identity::origin::{LOOPBACK_HOSTS, Origin};

/// The longest URI that may be registered, in bytes.
const MAX_LENGTH: usize = 2000;

/// A registered redirect URI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectUri(String);

impl RedirectUri {
    /// Checks a URI that is to be registered. The error completes a sentence that begins with it.
    ///
    /// https with any host, http with this machine's loopback host, and for native clients a private-use
    /// scheme that is a reversed domain name (RFC 8252, section 7.1). No fragment (RFC 6749, section 3.1.2),
    /// no user name, no `*`.
    pub fn parse(text: &str, is_native: bool) -> Result<Self, &'static str> {
        check_characters(text)?;
        let (scheme, rest) = text.split_once(':').ok_or("is no absolute URI")?;
        match scheme {
            "https" | "http" => {
                check_authority(rest)?;
                let origin = Origin::parse(text).ok_or("has no valid host and port")?;
                if !origin.is_https() && !origin.is_loopback() {
                    return Err("is http, which is allowed for 127.0.0.1, [::1] and localhost only");
                }
            }
            _ if !is_private_use(scheme) => {
                return Err("has a scheme that is neither https nor a reversed domain name such as com.example.app");
            }
            _ if !is_native => return Err("has a private-use scheme, which needs \"native\": true"),
            _ => check_authority(rest)?,
        }
        Ok(Self(text.to_owned()))
    }

    /// The URI.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its origin, if its scheme is http or https.
    pub fn origin(&self) -> Option<Origin> {
        Origin::parse(&self.0)
    }

    /// Whether a request may name this URI: byte for byte the same (RFC 9700, section 2.1). With `any_port`,
    /// the port of an http URI on a loopback host may differ, because a native app gets its port from the
    /// operating system (RFC 8252, section 7.3).
    pub fn matches(&self, requested: &str, any_port: bool) -> bool {
        self.0 == requested || (any_port && without_port(&self.0).is_some_and(|own| without_port(requested) == Some(own)))
    }
}

/// The host of an http URI on a loopback host, and what follows the port. `None` for every other URI.
fn without_port(uri: &str) -> Option<(&'static str, &str)> {
    let rest = uri.strip_prefix("http://")?;
    LOOPBACK_HOSTS.into_iter().find_map(|host| {
        let rest = rest.strip_prefix(host)?;
        let after_port = match rest.strip_prefix(':') {
            Some(port) => {
                let end = port.find(|c: char| !c.is_ascii_digit()).unwrap_or(port.len());
                let (digits, after) = port.split_at_checked(end)?;
                digits.parse::<u16>().ok().filter(|port| *port > 0)?;
                after
            }
            None => rest,
        };
        // Anything else is another host: 127.0.0.1.example.com, localhost@example.com.
        (after_port.is_empty() || after_port.starts_with(['/', '?'])).then_some((host, after_port))
    })
}

/// Checks the address of a web page or endpoint of a client, which is no redirect URI: http or https, without
/// user name and fragment.
pub(super) fn check_web_address(text: &str) -> Result<(), &'static str> {
    check_characters(text)?;
    let (scheme, rest) = text.split_once(':').ok_or("is no absolute URI")?;
    if !matches!(scheme, "https" | "http") {
        return Err("is no http or https URL");
    }
    check_authority(rest)?;
    Origin::parse(text).map(|_| ()).ok_or("has no valid host and port")
}

/// The characters of RFC 3986, without those that are never right in a registered URI.
fn check_characters(text: &str) -> Result<(), &'static str> {
    if text.len() > MAX_LENGTH {
        return Err("is longer than 2000 bytes");
    }
    if text.contains('#') {
        return Err("has a fragment");
    }
    if text.contains('*') {
        return Err("has a *, and URIs are compared as they are");
    }
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let is_right = match byte {
            b'%' => [bytes.next(), bytes.next()].iter().all(|digit| digit.is_some_and(|digit| digit.is_ascii_hexdigit())),
            _ => byte.is_ascii_alphanumeric() || b"-._~:/?[]@!$&'()+,;=".contains(&byte),
        };
        if !is_right {
            return Err("has a character that a URI cannot have");
        }
    }
    Ok(())
}

/// `rest` is what follows the colon of the scheme.
fn check_authority(rest: &str) -> Result<(), &'static str> {
    let authority = rest.strip_prefix("//").and_then(|rest| rest.split(['/', '?']).next()).unwrap_or_default();
    if authority.contains('@') { Err("has a user name") } else { Ok(()) }
}

/// A scheme such as `com.example.app`: a name under a domain that its owner controls.
fn is_private_use(scheme: &str) -> bool {
    scheme.contains('.')
        && scheme.starts_with(|c: char| c.is_ascii_lowercase())
        && scheme.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+-.".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::{RedirectUri, check_web_address};
    use proptest::prelude::*;

    fn registered(uri: &str) -> RedirectUri {
        RedirectUri::parse(uri, true).unwrap()
    }

    #[test]
    fn https_loopback_and_reversed_domain_names_can_be_registered() {
        for uri in [
            "https://app.example.org/cb",
            "https://app.example.org",
            "https://app.example.org:8443/cb?tenant=a%20b",
            "https://192.0.2.1/cb",
            "http://localhost:3000/cb",
            "http://127.0.0.1/cb",
            "http://[::1]:3000/",
        ] {
            assert_eq!(RedirectUri::parse(uri, false).map(|parsed| parsed.as_str().to_owned()), Ok(uri.to_owned()));
        }
        assert!(RedirectUri::parse("com.example.app:/cb", true).is_ok());
        assert!(RedirectUri::parse("com.example.app:/cb", false).is_err());
    }

    #[test]
    fn what_is_unsafe_or_unclear_cannot_be_registered() {
        for uri in [
            "",
            "/cb",
            "app.example.org/cb",
            "//app.example.org/cb",
            "https:/app.example.org/cb",
            "https://",
            "https:///cb",
            "https://app.example.org/cb#",
            "https://app.example.org/cb#x",
            "https://ann@app.example.org/cb",
            "https://ann:secret@app.example.org/cb",
            "https://*.example.org/cb",
            "https://app.example.org/*",
            "https://app.example.org/a b",
            "https://app.example.org\\cb",
            "https://app.example.org/%zz",
            "https://app.example.org/%2",
            "https://app.example.org/\u{e4}",
            "https://app.example.org:0x50/cb",
            "https://app.example.org:99999/cb",
            "HTTPS://app.example.org/cb",
            "http://app.example.org/cb",
            "http://127.0.0.1.example.org/cb",
            "http://127.0.0.2/cb",
            "http://localhost.example.org/cb",
            "http://localhost@example.org/cb",
            "javascript:alert(1)",
            "data:text/html,x",
            "app:/cb",
            "Com.Example:/cb",
            "com.example.app://ann@host/cb",
            &format!("https://app.example.org/{}", "a".repeat(2000)),
        ] {
            assert!(RedirectUri::parse(uri, true).is_err(), "{uri}");
        }
    }

    #[test]
    fn a_requested_uri_is_compared_byte_for_byte() {
        let uri = registered("https://app.example.org/cb?a=1");
        assert!(uri.matches("https://app.example.org/cb?a=1", false));
        for other in [
            "https://app.example.org/cb",
            "https://app.example.org/cb/?a=1",
            "https://app.example.org/cb?a=1&b=2",
            "https://app.example.org/x/../cb?a=1",
            "https://app.example.org:443/cb?a=1",
            "https://APP.example.org/cb?a=1",
            "https://app.example.org/%63b?a=1",
            "https://app.example.org/cb?a=1#",
            "http://app.example.org/cb?a=1",
            "https://app.example.org.evil.example/cb?a=1",
        ] {
            assert!(!uri.matches(other, true), "{other}");
        }
    }

    #[test]
    fn a_native_client_may_name_another_port_of_the_same_loopback_host_and_nothing_else() {
        for host in ["127.0.0.1", "[::1]", "localhost"] {
            for uri in [registered(&format!("http://{host}/cb")), registered(&format!("http://{host}:8000/cb"))] {
                let other_port = format!("http://{host}:51004/cb");
                assert!(uri.matches(&other_port, true), "{other_port}");
                assert!(!uri.matches(&other_port, false), "a web client");
                for other in [
                    format!("http://{host}.evil/cb"),
                    format!("http://{host}:80.evil/cb"),
                    format!("http://{host}:80@evil/cb"),
                    format!("http://{host}@evil/cb"),
                    format!("http://{host}:/cb"),
                    format!("http://{host}:0/cb"),
                    format!("http://{host}:65536/cb"),
                    format!("http://{host}:+80/cb"),
                    format!("http://{host}:80/cb/"),
                    format!("http://{host}:80/cb?x"),
                    format!("http://{host}:80cb"),
                    format!("https://{host}:80/cb"),
                    format!("HTTP://{host}:80/cb"),
                ] {
                    assert!(!uri.matches(&other, true), "{other}");
                }
            }
        }
        assert!(!registered("http://localhost/cb").matches("http://127.0.0.1:80/cb", true), "another spelling of the host");
        assert!(!registered("https://app.example.org/cb").matches("https://app.example.org:80/cb", true), "no loopback host");
        assert!(!registered("https://localhost/cb").matches("https://localhost:80/cb", true), "not http");
        assert!(registered("http://127.0.0.1").matches("http://127.0.0.1:9", true), "without a path");
    }

    #[test]
    fn other_addresses_of_a_client_are_web_addresses() {
        for url in ["https://app.example.org/logo.png", "http://10.0.0.7:3000/hooks"] {
            assert_eq!(check_web_address(url), Ok(()));
        }
        for url in [
            "",
            "/logo.png",
            "javascript:alert(1)",
            "com.example.app:/x",
            "https://a:b@app.example.org/",
            "https://x/#y",
            "https://",
        ] {
            assert!(check_web_address(url).is_err(), "{url}");
        }
    }

    proptest! {
        #[test]
        fn no_uri_makes_it_panic_and_what_can_be_registered_matches_itself(text in "(https|http|com\\.x)?:?/{0,2}[a-z0-9.:@\\[\\]%#*/?é-]{0,20}") {
            if let Ok(uri) = RedirectUri::parse(&text, true) {
                prop_assert!(uri.matches(&text, false) && uri.matches(&text, true));
            }
        }

        #[test]
        fn what_matches_by_the_rule_of_ports_has_the_registered_host(port in 1_u16.., tail in "(/cb|([a-z.:@/?-][a-z0-9.:@/?-]{0,11})?)") {
            let requested = format!("http://127.0.0.1:{port}{tail}");
            prop_assert_eq!(registered("http://127.0.0.1/cb").matches(&requested, true), tail == "/cb");
        }
    }
}
