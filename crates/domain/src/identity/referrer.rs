//! The way back: an account page that was reached from another site may link there again, if that site is a client's of ours.

/// What a way back has to be known of: a client and where it may be sent to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its `clientId`.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Its registered redirect URIs.
    pub redirect_uris: Vec<String>,
}

/// The name of the client, when the URI lies in the origin of one of its redirect URIs. `None` for anything else: an unknown client, another
/// scheme, host or port, and every text that two readers could read differently.
pub fn label<'a>(clients: &'a [Client], client: &str, uri: &str) -> Option<&'a str> {
    let origin = Origin::of(uri)?;
    let client = clients.iter().find(|c| c.id == client)?;
    let is_its_own = client.redirect_uris.iter().any(|redirect_uri| Origin::of(redirect_uri).as_ref() == Some(&origin));
    is_its_own.then_some(client.name.as_str())
}

/// Scheme, host and port (RFC 6454) of an http or https URI.
#[derive(Debug, PartialEq, Eq)]
struct Origin {
    is_https: bool,
    host: String,
    port: u16,
}

impl Origin {
    /// Stricter than a browser: what a browser would mend (backslashes, tabs, spaces, user names, missing slashes) is none.
    fn of(uri: &str) -> Option<Self> {
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
            None => {
                if is_https {
                    443
                } else {
                    80
                }
            }
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse().ok()?,
            Some(_) => return None,
        };
        is_host(host).then(|| Self { is_https, host: host.to_ascii_lowercase(), port })
    }
}

/// Letters, digits, dots and hyphens, or an IPv6 address in brackets: no user name, no percent sign.
fn is_host(text: &str) -> bool {
    if let Some(inner) = text.strip_prefix('[').and_then(|s| s.strip_suffix(']')) {
        return inner.parse::<std::net::Ipv6Addr>().is_ok();
    }
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::{Client, label};

    fn clients() -> Vec<Client> {
        let uris = |uris: &[&str]| uris.iter().map(|uri| (*uri).to_owned()).collect();
        vec![
            Client { id: "web".into(), name: "The Web".into(), redirect_uris: uris(&["https://app.example.com/callback"]) },
            Client {
                id: "dev".into(),
                name: "Dev".into(),
                redirect_uris: uris(&["http://localhost:3000/cb", "http://[::1]:3000/cb"]),
            },
        ]
    }

    #[test]
    fn the_same_origin_leads_back_whatever_the_path() {
        for (client, uri, name) in [
            ("web", "https://app.example.com", "The Web"),
            ("web", "https://app.example.com/", "The Web"),
            ("web", "HTTPS://APP.example.com:443/a/b?c=d#e", "The Web"),
            ("web", "https://app.example.com?next=https://evil.example", "The Web"),
            ("dev", "http://localhost:3000/home", "Dev"),
            ("dev", "http://[::1]:3000/", "Dev"),
        ] {
            assert_eq!(label(&clients(), client, uri), Some(name), "{uri}");
        }
    }

    #[test]
    fn attack_89_nothing_that_only_looks_like_it_leads_anywhere() {
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
            assert_eq!(label(&clients(), "web", uri), None, "{uri:?}");
        }
        assert_eq!(label(&clients(), "dev", "https://app.example.com/"), None, "another client's");
        assert_eq!(label(&clients(), "nobody", "https://app.example.com/"), None);
        assert_eq!(label(&[], "web", "https://app.example.com/"), None);
    }
}
