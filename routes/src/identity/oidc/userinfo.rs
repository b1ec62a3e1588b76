//! `/oidc/userinfo` (OpenID Connect Core 1.0, section 5.3), by GET and by POST.

use super::{
    cors::{self, Readers, Requested},
    dpop,
};
use crate::{
    identity::Identity,
    web::{Access, Anonymous, ApiRequest, ApiResponse, access::Security, oauth_error},
};
use domain::{
    identity::oidc::error::{invalid_dpop_proof, invalid_request, invalid_token},
    shared::{Challenge, Code, Fault, Kind, Language},
};
use http::{HeaderValue, Method, StatusCode, header};
use services::identity::oidc::userinfo::{self, PresentedToken, Userinfo};
use warp::reply::Response;

/// The largest form that is read, in bytes.
const FORM_LIMIT: usize = 16 << 10;

/// An access rule: the request brings an access token, in the header or, by POST, in a form. Which person it
/// is for, the handler finds out. 401 with a challenge that names no error when there is none (RFC 6750,
/// section 3.1).
#[derive(Debug, Clone, Copy)]
pub(super) struct ByAccessToken;

impl Access<Identity> for ByAccessToken {
    type Scope = ();
    type Caller = Anonymous;

    fn security(&self, _: &Method) -> Security {
        &[&["accessToken"]]
    }

    fn refusals(&self, _: &Method) -> Vec<StatusCode> {
        vec![StatusCode::UNAUTHORIZED]
    }

    async fn authorize(&self, identity: &Identity, request: &ApiRequest, (): ()) -> Result<Anonymous, Fault> {
        if in_header(request).is_some() || may_have_form(request) {
            return Ok(Anonymous);
        }
        Err(Fault::unauthorized().challenged(Challenge::Bearer).in_realm(identity.oidc.settings.issuer.as_str()))
    }
}

/// 200 with the claims. 400, 401 or 403 with the challenge of RFC 6750, section 3.
pub(super) async fn read(identity: Identity, _: Anonymous, mut request: ApiRequest) -> Result<Response, Fault> {
    let requested = Requested::of(&request);
    let is_bound = in_header(&request).is_some_and(|sent| sent.is_bound);
    let realm = format!("{} realm=\"{}\"", if is_bound { "DPoP" } else { "Bearer" }, identity.oidc.settings.issuer);
    let mut response = match find(&identity, &mut request).await {
        Ok(found) => cors::respond(&requested, &Readers::PagesOf(&found.client), ApiResponse::ok(&found.claims)),
        Err(fault) => error_response(&requested, &realm, fault),
    };
    if is_bound {
        dpop::add_nonce(&identity, response.headers_mut());
    }
    Ok(response)
}

async fn find(identity: &Identity, request: &mut ApiRequest) -> Result<Userinfo, Fault> {
    let SentToken { token, is_bound } = token(request).await?;
    let dpop_jkt = if is_bound {
        // At a resource, a wrong proof is 401 (RFC 9449, section 7.1).
        let proved = dpop::verify(identity, request, Some(&token)).await;
        let proved = proved.and_then(|jkt| jkt.ok_or_else(|| invalid_dpop_proof("The request has no DPoP proof")));
        Some(proved.map_err(|fault| Fault { code: at_resource(fault.code), ..fault })?)
    } else {
        None
    };
    userinfo::userinfo(&identity.oidc, PresentedToken { token: &token, dpop_jkt: dpop_jkt.as_deref() }).await
}

/// The code at a resource, where a wrong proof is 401.
fn at_resource(code: Code) -> Code {
    match code {
        Code::InvalidDpopProof => Code::RefusedDpopProof,
        Code::UseDpopNonce => Code::DpopNonceRequired,
        other => other,
    }
}

/// An access token, and whether it was sent with the scheme `DPoP`.
struct SentToken {
    token: String,
    is_bound: bool,
}

/// The token of the header: `Bearer` (RFC 6750, section 2.1) or `DPoP` (RFC 9449, section 7.1).
fn in_header(request: &ApiRequest) -> Option<SentToken> {
    let (scheme, token) = request.header(header::AUTHORIZATION)?.split_once(' ')?;
    let is_bound = scheme.eq_ignore_ascii_case("dpop");
    (is_bound || scheme.eq_ignore_ascii_case("bearer")).then(|| SentToken { token: token.trim().to_owned(), is_bound })
}

/// The response to a token that is not accepted, and to a malformed request.
fn error_response(requested: &Requested, realm: &str, fault: Fault) -> Response {
    let is_about_token = matches!(fault.kind(), Kind::BadRequest | Kind::Unauthorized | Kind::Forbidden);
    let scope = if fault.kind() == Kind::Forbidden { ", scope=\"openid\"" } else { "" };
    let (code, description) =
        (oauth_error::code(&fault), oauth_error::description(&pages::fault_text::message(Language::English, &fault)));
    let challenge = format!("{realm}, error=\"{code}\", error_description=\"{description}\"{scope}");
    let response = cors::respond::<Response>(requested, &Readers::All, Err(fault));
    if is_about_token { with_challenge(response, &challenge) } else { response }
}

fn with_challenge(mut response: Response, challenge: &str) -> Response {
    if let Ok(value) = HeaderValue::try_from(challenge) {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, value);
    }
    response
}

/// The token of the header, or of a form (RFC 6750, sections 2.1 and 2.2). 400 when both are there. With a
/// token in the header the body means nothing, unless it is a form, which may hold a second one.
async fn token(request: &mut ApiRequest) -> Result<SentToken, Fault> {
    let in_header = in_header(request);
    let reads_form = may_have_form(request) && (in_header.is_none() || request.has_form());
    let in_form = if reads_form { request.form(FORM_LIMIT).await?.once("access_token")?.map(str::to_owned) } else { None };
    let in_form = in_form.map(|token| SentToken { token, is_bound: false });
    match (in_header, in_form) {
        (Some(_), Some(_)) => Err(invalid_request("The access token was sent in two places")),
        (in_header, in_form) => in_header.or(in_form).ok_or_else(invalid_token),
    }
}

/// Whether it is a request with a body, whatever that is.
fn may_have_form(request: &ApiRequest) -> bool {
    request.method == Method::POST && request.headers.contains_key(header::CONTENT_TYPE)
}
