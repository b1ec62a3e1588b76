//! `/api/auth/…`: registering, signing in and out, and the links that are mailed for these.

mod email_verification;
mod links;
pub(crate) mod login;
mod logout;
mod register;
mod second_factor;

use super::{BODY_LIMIT, Identity, limits};
use crate::web::{ApiRequest, ByCsrfToken, Endpoints, ErrorFormat, Public, access::checked, cookie::Keep};
use domain::{
    identity::{Email, email, one_time},
    shared::{Code, Fault},
};
use http::HeaderValue;
use secrecy::SecretString;
use serde::{Deserialize, Deserializer, de::Error};
use storage::identity::one_time::Hash;

/// The endpoints below `/api/auth`.
pub(super) fn endpoints(identity: &Identity) -> Endpoints<Identity> {
    Endpoints::new(identity, ErrorFormat::Identity)
        .post("/api/auth/register", checked(limits::register_from, ByCsrfToken), register::register)
        .post("/api/auth/login", checked(limits::login_from, ByCsrfToken), login::login)
        .post("/api/auth/verify-totp", checked(limits::login_from, ByCsrfToken), second_factor::verify_totp)
        .post("/api/auth/verify-login-code", checked(limits::login_from, ByCsrfToken), second_factor::verify_mailed_code)
        .post("/api/auth/resend-login-code", checked(limits::login_from, ByCsrfToken), second_factor::resend_code)
        .post("/api/auth/logout", logout::IfSignedIn, logout::logout)
        .get_that_writes("/api/auth/verify-email", Public, email_verification::verify)
        .post("/api/auth/resend-verification", checked(limits::mail_from, ByCsrfToken), email_verification::resend)
        .post("/api/auth/confirm-email", ByCsrfToken, links::confirm)
        .post("/api/auth/password/forgot", checked(limits::mail_from, ByCsrfToken), links::forgot)
        .post("/api/auth/password/reset", ByCsrfToken, links::reset)
        .get("/api/auth/invite", Public, links::read_invite)
        .post("/api/auth/accept-invite", ByCsrfToken, links::accept_invite)
}

/// Reads a password. serde would repeat a value of the wrong type in its message; this does not.
pub(super) fn password<'de, D: Deserializer<'de>>(input: D) -> Result<Option<SecretString>, D::Error> {
    let text = Option::<String>::deserialize(input).map_err(|_| D::Error::custom("the password must be a text"))?;
    Ok(text.map(SecretString::from))
}

/// The cookie of a pending login whose time begins now.
pub(crate) fn login_cookie(identity: &Identity, token: &str) -> Result<HeaderValue, Fault> {
    let cookies = identity.sessions.cookies();
    cookies.set(cookies.login_pending(), token, Keep::For(one_time::Kind::PendingLogin.lifetime()))
}

/// A request that sets a password by a link.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct LinkBody {
    token: Option<String>,
    #[serde(default, deserialize_with = "password")]
    new_password: Option<SecretString>,
}

/// A request that names nothing but an address.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct AddressBody {
    email: Option<String>,
}

/// Reads a request for a mail.
async fn read_mail_request(request: &mut ApiRequest) -> Result<Email, Fault> {
    let body: AddressBody = request.json_fields(BODY_LIMIT).await?;
    parse_address(body.email.as_deref())
}

/// The address that was sent; 400 `validation` for none and for one that is not valid.
pub(crate) fn parse_address(sent: Option<&str>) -> Result<Email, Fault> {
    email::parse_field("email", sent).map_err(|invalid| Fault::fields(Code::Validation, vec![invalid]))
}

/// The hash of the token of a link; `None` for a token that this server cannot have issued. 400 `validation`
/// when no token was sent.
fn token(sent: Option<&str>) -> Result<Option<Hash>, Fault> {
    sent.map(crypto::opaque_token::hash).ok_or_else(|| Fault::required("token", "Send the token of the link"))
}
