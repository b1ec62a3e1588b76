//! Parameters that have rules of their own.

use super::{PromptValue, Scope};
use crate::{
    identity::oidc::{
        Client, Consent, GrantType,
        error::{invalid_request, invalid_scope, invalid_target},
        scope::OFFLINE_ACCESS,
    },
    shared::{Fault, Parameters},
};

/// `prompt`. `none` goes with no other value.
pub(super) fn prompts(parameters: &Parameters) -> Result<Vec<PromptValue>, Fault> {
    let mut prompts = Vec::new();
    for word in parameters.text("prompt").unwrap_or_default().split_ascii_whitespace() {
        let value = word.parse().map_err(|_| invalid_request("prompt has an unknown value; see prompt_values_supported"))?;
        if !prompts.contains(&value) {
            prompts.push(value);
        }
    }
    if prompts.contains(&PromptValue::None) && prompts.len() > 1 {
        return Err(invalid_request("prompt none goes with no other value"));
    }
    Ok(prompts)
}

/// `scope`, restricted to what the client may ask for. `offline_access` is dropped where it means nothing,
/// and where a client that is not the operator's own asks for it without `prompt=consent` (OpenID Connect
/// Core 1.0, section 11).
pub(in crate::identity::oidc) fn checked_scope(
    parameters: &Parameters,
    client: &Client,
    prompts: &[PromptValue],
) -> Result<Scope, Fault> {
    let text = parameters.text("scope").ok_or_else(|| invalid_scope("scope is missing"))?;
    let may_be_offline = client.allows_grant(GrantType::RefreshToken)
        && (client.consent == Consent::Implicit || prompts.contains(&PromptValue::Consent));
    let allowed = |name: &str| client.allows_scope(name) && (name != OFFLINE_ACCESS || may_be_offline);
    Ok(Scope::parse(text)?.filtered(allowed))
}

/// `code_challenge` and `code_challenge_method` (RFC 7636, section 4.3). Only S256: with `plain`, who sees
/// the request can redeem the code.
pub(super) fn code_challenge(parameters: &Parameters, client: &Client) -> Result<Option<String>, Fault> {
    let method = parameters.text("code_challenge_method");
    let Some(challenge) = parameters.text("code_challenge") else {
        return match method {
            Some(_) => Err(invalid_request("code_challenge_method was sent without code_challenge")),
            None if client.require_pkce => Err(invalid_request("code_challenge is missing; this client has to use PKCE")),
            None => Ok(None),
        };
    };
    if method != Some("S256") {
        return Err(invalid_request("code_challenge_method must be S256"));
    }
    if is_verifier(challenge) { Ok(Some(challenge.to_owned())) } else { Err(invalid_request("code_challenge has a wrong form")) }
}

/// Whether a text has the form of a code verifier, which a challenge has as well (RFC 7636, sections 4.1 and
/// 4.2).
pub fn is_verifier(text: &str) -> bool {
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    (43..=128).contains(&text.len()) && text.bytes().all(is_unreserved)
}

/// `max_age`, in seconds.
pub(super) fn max_age(parameters: &Parameters) -> Result<Option<u32>, Fault> {
    let Some(text) = parameters.text("max_age") else { return Ok(None) };
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    // A number that is too large sets no limit in practice.
    let seconds = is_number.then(|| text.parse().unwrap_or(u32::MAX));
    seconds.map(Some).ok_or_else(|| invalid_request("max_age must be a number of seconds"))
}

/// `resource`, each one that this server issues tokens for (RFC 8707, section 2). They are compared as they
/// are.
pub(in crate::identity::oidc) fn resources(parameters: &Parameters, known: &[String]) -> Result<Vec<String>, Fault> {
    let mut resources: Vec<String> = Vec::new();
    for (_, resource) in parameters.pairs().filter(|(name, value)| *name == "resource" && !value.is_empty()) {
        if !known.iter().any(|known| known == resource) {
            return Err(invalid_target("No tokens are issued for this resource"));
        }
        if !resources.iter().any(|known| known == resource) {
            resources.push(resource.to_owned());
        }
    }
    Ok(resources)
}
