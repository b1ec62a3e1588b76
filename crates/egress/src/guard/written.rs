//! The parts of a URL as they are written, before any parser has repaired them.

use super::Refusal;

/// The longest URL, in characters.
pub(super) const LONGEST: usize = 2048;

/// What stands between the parts.
pub(super) struct Written<'a> {
    /// In brackets, when it is an IPv6 address.
    pub(super) host: &'a str,
    /// Without the colon.
    pub(super) port: Option<&'a str>,
}

/// Splits a text. It refuses what different parsers read differently.
pub(super) fn split(text: &str) -> Result<Written<'_>, Refusal> {
    let is_unwelcome = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
    if text.is_empty() || text.chars().count() > LONGEST || text.contains(is_unwelcome) {
        return Err(Refusal::Text);
    }
    let (scheme, rest) = text.split_once(':').ok_or(Refusal::Form)?;
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return Err(Refusal::Scheme);
    }
    let rest = rest.strip_prefix("//").ok_or(Refusal::Form)?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains(['@', '%']) || rest.contains('#') {
        return Err(Refusal::Parts);
    }
    let (host, port) = if authority.starts_with('[') {
        let end = authority.rfind(']').map(|r| r + 1).ok_or(Refusal::Form)?;
        let (host, port) = authority.split_at_checked(end).ok_or(Refusal::Form)?;
        (host, (!port.is_empty()).then_some(port))
    } else {
        let end = authority.find(':').unwrap_or(authority.len());
        let (host, port) = authority.split_at_checked(end).ok_or(Refusal::Form)?;
        (host, (!port.is_empty()).then_some(port))
    };
    let port = port.map(|port| port.strip_prefix(':').filter(|port| is_number(port)).ok_or(Refusal::Form)).transpose()?;
    if host.is_empty() { Err(Refusal::Form) } else { Ok(Written { host, port }) }
}

/// Digits without zeros before them.
fn is_number(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('0') && text.chars().all(|c| c.is_ascii_digit())
}
