//! The parts of a URL as they are written. A URL parser would already have corrected them.

use super::GuardRefusal;

/// The longest URL, in characters.
pub(super) const MAX_CHARS: usize = 2048;

/// The authority of a URL, as written.
pub(super) struct RawUrl<'a> {
    /// The host, in brackets when it is an IPv6 address.
    pub(super) host: &'a str,
    /// The port, without the colon.
    pub(super) port: Option<&'a str>,
}

/// Splits a text. It refuses what parsers are known to read differently.
pub(super) fn split(text: &str) -> Result<RawUrl<'_>, GuardRefusal> {
    let is_unwelcome = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
    if text.is_empty() || text.chars().count() > MAX_CHARS || text.contains(is_unwelcome) {
        return Err(GuardRefusal::Text);
    }
    let (scheme, rest) = text.split_once(':').ok_or(GuardRefusal::Form)?;
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return Err(GuardRefusal::Scheme);
    }
    let rest = rest.strip_prefix("//").ok_or(GuardRefusal::Form)?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains(['@', '%']) || rest.contains('#') {
        return Err(GuardRefusal::Parts);
    }
    let (host, port) = if authority.starts_with('[') {
        let end = authority.rfind(']').map(|r| r + 1).ok_or(GuardRefusal::Form)?;
        let (host, port) = authority.split_at_checked(end).ok_or(GuardRefusal::Form)?;
        (host, (!port.is_empty()).then_some(port))
    } else {
        let end = authority.find(':').unwrap_or(authority.len());
        let (host, port) = authority.split_at_checked(end).ok_or(GuardRefusal::Form)?;
        (host, (!port.is_empty()).then_some(port))
    };
    let port = port.map(|port| port.strip_prefix(':').filter(|port| is_number(port)).ok_or(GuardRefusal::Form)).transpose()?;
    if host.is_empty() { Err(GuardRefusal::Form) } else { Ok(RawUrl { host, port }) }
}

/// Whether the text is a number without leading zeros.
fn is_number(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('0') && text.chars().all(|c| c.is_ascii_digit())
}
