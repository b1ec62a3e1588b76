//! The link back to the site that a person came from. An account page shows it only for a site that is registered.

/// A site that people come from and return to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnSite {
    /// The `clientId`.
    pub id: String,
    /// The name shown to people.
    pub name: String,
    /// The registered redirect URIs.
    pub redirect_uris: Vec<String>,
}

/// The name of the site with this id, if the URI has the origin of one of its redirect URIs. `None` for an unknown site, for another scheme, host
/// or port, and for a URI that two parsers could read differently.
pub fn site_name<'a>(sites: &'a [ReturnSite], id: &str, uri: &str) -> Option<&'a str> {
    let origin = Origin::parse(uri)?;
    let site = sites.iter().find(|site| site.id == id)?;
    let is_same_origin = site.redirect_uris.iter().any(|redirect_uri| Origin::parse(redirect_uri).as_ref() == Some(&origin));
    is_same_origin.then_some(site.name.as_str())
}

/// Scheme, host and port (RFC 6454) of an http or https URI.
#[derive(Debug, PartialEq, Eq)]
struct Origin {
    is_https: bool,
    host: String,
    port: u16,
}

impl Origin {
    /// The origin of a URI. `None` for what a browser would repair: backslashes, tabs, spaces, user names, missing slashes.
    fn parse(uri: &str) -> Option<Self> {
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
}

/// A host of letters, digits, dots and hyphens, or an IPv6 address in brackets: no user name, no percent-encoding.
fn is_host(text: &str) -> bool {
    if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return inner.parse::<std::net::Ipv6Addr>().is_ok();
    }
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::{ReturnSite, site_name};

    fn sites() -> Vec<ReturnSite> {
        let uris = |uris: &[&str]| uris.iter().map(|uri| (*uri).to_owned()).collect();
        vec![
            ReturnSite { id: "web".into(), name: "The Web".into(), redirect_uris: uris(&["https://app.example.com/callback"]) },
            ReturnSite {
                id: "dev".into(),
                name: "Dev".into(),
                redirect_uris: uris(&["http://localhost:3000/cb", "http://[::1]:3000/cb"]),
            },
        ]
    }

    #[test]
    fn a_uri_of_a_registered_origin_is_accepted_whatever_its_path() {
        for (id, uri, name) in [
            ("web", "https://app.example.com", "The Web"),
            ("web", "https://app.example.com/", "The Web"),
            ("web", "HTTPS://APP.example.com:443/a/b?c=d#e", "The Web"),
            ("web", "https://app.example.com?next=https://evil.example", "The Web"),
            ("dev", "http://localhost:3000/home", "Dev"),
            ("dev", "http://[::1]:3000/", "Dev"),
        ] {
            assert_eq!(site_name(&sites(), id, uri), Some(name), "{uri}");
        }
    }

    #[test]
    fn uris_that_only_look_like_the_origin_are_refused() {
        for uri in [
            "https://app.example.com.evil.com/",
            "https://app.example.com@evil.com/",
            "https://app.example.com:443@evil.com/",
            "https://evil.com/https://app.example.com",
            "https://evil.com#@app.example.com",
            "https://evil.com?app.example.com",
            "javascript:alert(1)",
            "javascript://app.example.com/%0aalert(1)",
            "data:text/html,x",
            "https://app.example.com:444/",
            "https://app.example.com:/",
            "https://app.example.com:+443/",
            "https://app.example.com:65979/",
            "http://app.example.com/",
            "http://app.example.com:443/",
            "https://app.example.com\\@evil.com",
            "https:\\\\app.example.com",
            "https:/app.example.com",
            "https:app.example.com",
            "//app.example.com",
            "/callback",
            " https://app.example.com",
            "https://app.exam\tple.com",
            "https://app.example.com\n.evil.com",
            "https://app%2eexample.com",
            "https://app.example.com.",
            "https://ap\u{440}.example.com",
            "https://[::1",
            "https://",
            "",
        ] {
            assert_eq!(site_name(&sites(), "web", uri), None, "{uri:?}");
        }
        assert_eq!(site_name(&sites(), "dev", "https://app.example.com/"), None, "the origin of another site");
        assert_eq!(site_name(&sites(), "nobody", "https://app.example.com/"), None);
        assert_eq!(site_name(&[], "web", "https://app.example.com/"), None);
    }
}
