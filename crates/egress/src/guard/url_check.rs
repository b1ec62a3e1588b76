//! Whether a URL is written as one of a target is, and names one that the rules of this server allow.

use super::{GuardRefusal, Host, OutboundTarget, Policy, Scheme, name, raw_url};
use url::Url;

/// Checks the text, the form, the spelling, the host and the port of a URL.
pub(super) fn read(text: &str, policy: &Policy) -> Result<OutboundTarget, GuardRefusal> {
    let raw = raw_url::split(text)?;
    let mut url = Url::parse(text).map_err(|_| GuardRefusal::Form)?;
    let scheme = match url.scheme() {
        "http" => Scheme::Http,
        "https" => Scheme::Https,
        _ => return Err(GuardRefusal::Scheme),
    };
    if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
        return Err(GuardRefusal::Parts);
    }
    let (canonical, port) = url.host_str().zip(url.port_or_known_default()).ok_or(GuardRefusal::Form)?;
    let raw_port = raw.port.map(|port| port.parse().map_err(|_| GuardRefusal::Form)).transpose()?;
    if !is_same(raw.host, canonical) || raw_port.is_some_and(|raw_port: u16| raw_port != port) {
        return Err(GuardRefusal::Spelling);
    }
    let host = Host::of(&url).ok_or(GuardRefusal::Form)?;
    if let Host::Name(it) = &host {
        name::check(it)?;
        url.set_host(Some(it)).map_err(|_| GuardRefusal::Form)?;
    }
    policy.admit(&host, port)?;
    Ok(OutboundTarget { scheme, host, port, url })
}

/// Whether a host is in its canonical spelling; case may differ, and names with non-ASCII letters may have
/// either form. This rule alone refuses all decimal, octal, hexadecimal, short, circled and mapped spellings
/// of addresses.
fn is_same(written: &str, canonical: &str) -> bool {
    let written = written.to_lowercase();
    written == canonical || (!written.is_ascii() && written == idna::domain_to_unicode(canonical).0)
}
