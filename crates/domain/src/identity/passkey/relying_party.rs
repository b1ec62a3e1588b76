//! The relying party that passkeys are bound to: a domain, and the origins whose pages may use them
//! (WebAuthn, section 5.1.2).

use std::net::IpAddr;

/// The only host name without a dot that browsers accept.
const LOCALHOST: &str = "localhost";

/// A relying party (WebAuthn, section 4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelyingParty {
    /// The domain. Browsers find passkeys of this domain only: changing it locks out all accounts whose only
    /// way to sign in is a passkey.
    pub id: String,
    /// The origins, at least one; the host of the first one is a name and no address.
    pub origins: Vec<String>,
}

/// Why the configured relying party is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RelyingPartyError {
    /// The id is no domain of the server's own address.
    Id(String),
    /// An origin lies outside of the id.
    Origin(String),
}

impl RelyingParty {
    /// The relying party of a server at `base_url`. Without an `id`, the id is the host; for a host that is
    /// an address, which browsers refuse as an id, it is `localhost`.
    pub fn new(base_url: &str, id: Option<&str>, more: &[String]) -> Result<Self, RelyingPartyError> {
        let host = host(base_url);
        let has_name = host.parse::<IpAddr>().is_err();
        let id = id.unwrap_or(if has_name { host } else { LOCALHOST }).to_ascii_lowercase();
        let fits = |host: &str| host == id || host.strip_suffix(id.as_str()).is_some_and(|s| s.ends_with('.'));
        if id.parse::<IpAddr>().is_ok() || !(if has_name { fits(host) } else { id == LOCALHOST }) {
            return Err(RelyingPartyError::Id(format!("is not the domain of {host}, nor one above it")));
        }
        if id != host && id != LOCALHOST && !id.contains('.') {
            return Err(RelyingPartyError::Id("is a top-level domain, which is nobody's alone; name one below it".to_owned()));
        }
        if let Some(stranger) = more.iter().find(|m| !fits(self::host(m))) {
            return Err(RelyingPartyError::Origin(format!("names {stranger}, which is not below {id}")));
        }
        let by_name = (!has_name).then(|| base_url.replacen(written(base_url), LOCALHOST, 1));
        let origins = by_name.into_iter().chain([base_url.to_owned()]).chain(more.iter().cloned()).collect();
        Ok(Self { id, origins })
    }
}

/// The host of an origin, without the brackets of an IPv6 address.
fn host(origin: &str) -> &str {
    written(origin).trim_start_matches('[').trim_end_matches(']')
}

/// The host of an origin as it is written there.
fn written(origin: &str) -> &str {
    let authority = origin.split_once("://").map_or(origin, |(_, rest)| rest);
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::{RelyingParty, RelyingPartyError};

    fn of(base_url: &str, id: Option<&str>, more: &[&str]) -> Result<(String, Vec<String>), RelyingPartyError> {
        let more: Vec<String> = more.iter().map(|m| (*m).to_owned()).collect();
        RelyingParty::new(base_url, id, &more).map(|n| (n.id, n.origins))
    }

    fn expected(id: &str, origins: &[&str]) -> (String, Vec<String>) {
        (id.to_owned(), origins.iter().map(|origin| (*origin).to_owned()).collect())
    }

    #[test]
    fn it_is_the_servers_own_host_if_nothing_is_said() {
        assert_eq!(of("https://id.example.org", None, &[]), Ok(expected("id.example.org", &["https://id.example.org"])));
        assert_eq!(of("http://localhost:8080", None, &[]), Ok(expected("localhost", &["http://localhost:8080"])));
    }

    #[test]
    fn a_host_that_is_an_address_becomes_localhost() {
        for (base_url, by_name) in [
            ("http://127.0.0.1:8080", "http://localhost:8080"),
            ("http://[::1]:8080", "http://localhost:8080"),
            ("http://192.0.2.7", "http://localhost"),
        ] {
            assert_eq!(of(base_url, None, &[]), Ok(expected("localhost", &[by_name, base_url])), "{base_url}");
        }
    }

    #[test]
    fn a_domain_above_can_be_shared_by_several_hosts() {
        let more = ["https://app.example.org", "https://example.org:8443"];
        let origins = ["https://id.example.org", more[0], more[1]];
        assert_eq!(of("https://id.example.org", Some("Example.org"), &more), Ok(expected("example.org", &origins)));
    }

    #[test]
    fn a_name_without_a_dot_is_good_for_itself_and_for_this_machine() {
        assert_eq!(of("http://intranet:8080", Some("Intranet"), &[]), Ok(expected("intranet", &["http://intranet:8080"])));
        assert_eq!(of("http://app.localhost", Some("localhost"), &[]), Ok(expected("localhost", &["http://app.localhost"])));
        assert!(matches!(of("https://wiki.intranet", Some("intranet"), &[]), Err(RelyingPartyError::Id(_))));
    }

    #[test]
    fn what_browsers_would_refuse_is_refused_before() {
        for id in ["example.com", "other.example.org", "ple.org", "192.0.2.7", "localhost", "", "org", "ORG", "org."] {
            assert!(matches!(of("https://id.example.org", Some(id), &[]), Err(RelyingPartyError::Id(_))), "{id}");
        }
        assert!(matches!(of("http://127.0.0.1:8080", Some("example.org"), &[]), Err(RelyingPartyError::Id(_))));
        for origin in ["https://evil.example", "https://badexample.org", "https://org", "https://127.0.0.1"] {
            assert!(matches!(of("https://example.org", None, &[origin]), Err(RelyingPartyError::Origin(_))), "{origin}");
        }
    }
}
