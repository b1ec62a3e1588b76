//! What a request brings to authenticate its client (RFC 6749, section 2.3, and OpenID Connect Core 1.0,
//! section 9).

use crate::web::{ApiRequest, query};
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::{
    identity::oidc::error::invalid_request,
    shared::{Fault, Parameters},
};
use http::header;
use secrecy::SecretString;
use services::identity::oidc::client_auth::ClientCredentials;

/// Reads them from the header and the form. 400 `invalid_request` when the header cannot be read, or a
/// parameter is repeated.
pub(super) fn read(request: &ApiRequest, form: &Parameters) -> Result<ClientCredentials, Fault> {
    let text = |name| Ok::<_, Fault>(form.once(name)?.map(str::to_owned));
    let secret = |name| Ok::<_, Fault>(form.once(name)?.map(SecretString::from));
    Ok(ClientCredentials {
        basic: basic(request)?,
        client_id: text("client_id")?,
        client_secret: secret("client_secret")?,
        assertion_type: text("client_assertion_type")?,
        assertion: secret("client_assertion")?,
    })
}

/// Whether a request tries to prove which client it is from. Its name alone proves nothing, and neither does
/// `Authorization` with another scheme.
pub(super) fn are_sent(request: &ApiRequest, form: &Parameters) -> bool {
    let scheme = request.header(header::AUTHORIZATION).and_then(|value| value.split(' ').next());
    let is_basic = scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("basic"));
    is_basic || ["client_secret", "client_assertion"].iter().any(|name| form.text(name).is_some())
}

/// Id and secret of `Authorization: Basic`. Both were form-encoded before they were put together (RFC 6749,
/// section 2.3.1), and are decoded once.
pub(in crate::identity) fn basic(request: &ApiRequest) -> Result<Option<(String, SecretString)>, Fault> {
    let mut headers = request.headers.get_all(header::AUTHORIZATION).iter();
    let Some(value) = headers.next() else { return Ok(None) };
    let broken = || invalid_request("Authorization must be Basic with client_id and client_secret, each form-encoded");
    let (scheme, encoded) = value.to_str().ok().and_then(|value| value.split_once(' ')).ok_or_else(broken)?;
    if headers.next().is_some() || !scheme.eq_ignore_ascii_case("basic") {
        return Err(broken());
    }
    let decoded = BASE64_STANDARD.decode(encoded.trim()).ok().and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(broken)?;
    let (id, secret) = decoded.split_once(':').ok_or_else(broken)?;
    let decode = |text| query::decode(text).map_err(|_| broken());
    Ok(Some((decode(id)?.into_owned(), decode(secret)?.into_owned().into())))
}
