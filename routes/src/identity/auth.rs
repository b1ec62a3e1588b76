//! `/api/auth/…`: registering, signing in and out, and the links that are mailed for these.

mod accept_invite;
mod confirm_email;
mod forgot;
mod invite;
mod login;
mod logout;
mod register;
mod resend_login_code;
mod resend_verification;
mod reset;
mod second_factor;
mod verify_email;
mod verify_login_code;
mod verify_totp;

use super::{BODY_LIMIT, Identity};
use crate::web::{ApiRequest, Endpoint, ErrorFormat, cookie::Keep, group as grouped};
use domain::{
    identity::{Email, email, one_time},
    shared::Fault,
};
use http::HeaderValue;
use secrecy::SecretString;
use serde::{Deserialize, Deserializer, de::Error};
use storage::identity::one_time::Hash;

/// `/api/auth/…`.
pub fn group(identity: &Identity) -> Endpoint {
    let endpoints = [
        login::route(identity),
        verify_totp::route(identity),
        verify_login_code::route(identity),
        resend_login_code::route(identity),
        register::route(identity),
        logout::route(identity),
        verify_email::route(identity),
        resend_verification::route(identity),
        forgot::route(identity),
        reset::route(identity),
        accept_invite::route(identity),
        invite::route(identity),
        confirm_email::route(identity),
    ];
    grouped(ErrorFormat::Identity, endpoints)
}

/// Reads a password. serde would repeat a value of the wrong type in its message; this does not.
pub(super) fn password<'de, D: Deserializer<'de>>(input: D) -> Result<Option<SecretString>, D::Error> {
    let text = Option::<String>::deserialize(input).map_err(|_| D::Error::custom("the password must be a text"))?;
    Ok(text.map(SecretString::from))
}

/// The cookie of a pending login whose time begins now.
fn login_cookie(identity: &Identity, token: &str) -> Result<HeaderValue, Fault> {
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

/// Reads a request for a mail. It is limited by the caller's address.
async fn read_mail_request(identity: &Identity, request: &mut ApiRequest) -> Result<Email, Fault> {
    identity.ctx.limits.mail_from(request.meta.ip)?;
    identity.sessions.check_csrf(request).await?;
    let body: AddressBody = request.json_fields(BODY_LIMIT).await?;
    email::parse_field("email", body.email.as_deref()).map_err(|invalid| Fault::fields("validation", vec![invalid]))
}

/// The hash of the token of a link; `None` for one that cannot be ours. 400 `validation` when there is none at all.
fn token(sent: Option<&str>) -> Result<Option<Hash>, Fault> {
    sent.map(crypto::opaque_token::hash).ok_or_else(|| Fault::required("token", "Send the token of the link"))
}

/// 400 for a link that was never one, was used, or is over: the same for all of them.
fn invalid_token() -> Fault {
    Fault::bad_request("invalidToken", "This link is not valid any more; ask for another one")
}
