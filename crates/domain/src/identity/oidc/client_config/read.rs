//! Reads one client: each attribute, and what attributes require of each other.

use super::fields::Fields;
use crate::identity::oidc::{
    Client, ClientAuth, ClientKind, Consent, GrantType, IdTokenClaims, PublicJwk, RedirectUri, RoleMode, client::REFRESH_TOKEN_TTL,
    redirect_uri::check_web_address,
};
use jiff::Timestamp;
use secrecy::SecretString;
use serde_json::Value;
use std::time::Duration;
use strum::{EnumString, VariantNames};

/// The scopes of a client that names none; `offline_access` only with the grant that it is for.
const SCOPES: [&str; 5] = ["openid", "profile", "email", "roles", "offline_access"];
/// The longest lifetimes of tokens, in seconds: a day, and 90 days.
const MAX_ACCESS_TTL: u32 = 86_400;
const MAX_REFRESH_TTL: u32 = 90 * 86_400;
/// Claims that only the server sets. A role of such a name would invite receivers to mistake it for one.
const RESERVED: [&str; 17] = [
    "iss",
    "sub",
    "aud",
    "exp",
    "nbf",
    "iat",
    "jti",
    "azp",
    "nonce",
    "acr",
    "amr",
    "auth_time",
    "at_hash",
    "c_hash",
    "sid",
    "client_id",
    "scope",
];

/// Reads all attributes. Where one is at fault, the client has the default instead; the fault keeps it from
/// being used.
pub(super) fn client(fields: &mut Fields<'_>) -> Client {
    let id = required(fields, "clientId", |text| identifier(text).map(str::to_owned));
    let name = fields.text("name", |text| words(text).map(str::to_owned)).unwrap_or_else(|| id.clone());
    let (kind, is_native) = kind(fields);
    let grant_types = grant_types(fields, kind);
    let redirect_uri = |text: &str| RedirectUri::parse(text, is_native);
    if grant_types.contains(&GrantType::AuthorizationCode) && fields.is_absent("redirectUris") {
        fields.fault("redirectUris", "is needed for the grant type authorization_code");
    }
    let redirect_uris = fields.texts("redirectUris", redirect_uri).unwrap_or_default();
    let post_logout_redirect_uris = fields.texts("postLogoutRedirectUris", redirect_uri).unwrap_or_default();
    let (backchannel_logout_uri, backchannel_logout_session_required) = backchannel_logout(fields);
    let (webhook_url, webhook_secret) = webhook(fields);
    // A page that came over https must not show what came over http.
    let secure = |text: &str| if text.starts_with("http:") { Err("is no https URL") } else { address(text) };
    let (logo_uri, policy_uri, tos_uri) =
        (fields.text("logoUri", secure), fields.text("policyUri", address), fields.text("tosUri", address));
    let role_group = fields.text("roleGroup", |text| identifier(text).map(str::to_owned));
    let roles = fields.texts("roles", |text| role(text).map(str::to_owned)).unwrap_or_default();
    let declared = |text: &str| {
        if roles.iter().any(|role| role == text) { Ok(text.to_owned()) } else { Err("is not in roles") }
    };
    let default_roles = fields.texts("defaultRoles", declared).unwrap_or_default();
    let login_roles = fields.texts("loginRoles", declared).unwrap_or_default();
    let role_mode = fields.choice("roleMode");
    let scopes = scopes(fields, &grant_types);
    let auth = auth(fields, kind);
    let (secret, secret_version, secret_grace_until) = secrets(fields, &auth);
    let require_pkce = fields.flag("requirePkce").unwrap_or(true);
    if !require_pkce && kind == ClientKind::Public {
        fields.fault("requirePkce", "may be false for confidential clients only");
    }
    let consent = fields.choice("consent");
    let id_token_alg = fields.choice("idTokenSignedResponseAlg").unwrap_or_default();
    let introspection_alg = fields.choice("introspectionSignedResponseAlg").unwrap_or(id_token_alg);
    let introspection_audiences = fields.texts("introspectionAudiences", |text| audience(text).map(str::to_owned));
    if introspection_audiences.is_some() && kind == ClientKind::Public {
        fields.fault("introspectionAudiences", "is for confidential clients: a public one may introspect nothing");
    }
    let id_token_claims = fields.choice("idTokenClaims");
    let seconds = |seconds: u32| Duration::from_secs(seconds.into());
    Client {
        id,
        name,
        kind,
        is_native,
        redirect_uris,
        post_logout_redirect_uris,
        backchannel_logout_uri,
        backchannel_logout_session_required,
        webhook_url,
        webhook_secret,
        logo_uri,
        policy_uri,
        tos_uri,
        role_group,
        roles,
        role_mode: role_mode.unwrap_or(RoleMode::Multiple),
        default_roles,
        login_roles,
        scopes,
        grant_types,
        auth,
        require_pkce,
        consent: consent.unwrap_or(Consent::Implicit),
        id_token_alg,
        introspection_alg,
        introspection_audiences,
        requires_dpop: fields.flag("dpopBoundAccessTokens").unwrap_or(false),
        requires_pushed_requests: fields.flag("requirePushedAuthorizationRequests").unwrap_or(false),
        id_token_claims: id_token_claims.unwrap_or(IdTokenClaims::Conform),
        access_token_ttl: fields.number("accessTokenTtl", 10..=MAX_ACCESS_TTL).map(seconds),
        refresh_token_ttl: fields.number("refreshTokenTtl", 60..=MAX_REFRESH_TTL).map_or(REFRESH_TOKEN_TTL, seconds),
        secret,
        secret_version,
        secret_grace_until,
    }
}

fn address(text: &str) -> Result<String, &'static str> {
    check_web_address(text).map(|()| text.to_owned())
}

/// The kind, and whether the client is an application on a device.
fn kind(fields: &mut Fields<'_>) -> (ClientKind, bool) {
    let kind = fields.choice("kind").unwrap_or(ClientKind::Confidential);
    let is_native = fields.flag("native").unwrap_or(false);
    if is_native && kind == ClientKind::Confidential {
        fields.fault("native", "is for clients of the kind public");
    }
    (kind, is_native)
}

/// Where logout tokens are sent, and whether they have to name the session.
fn backchannel_logout(fields: &mut Fields<'_>) -> (Option<String>, bool) {
    let uri = fields.text("backchannelLogoutUri", address);
    let is_session_required = fields.flag("backchannelLogoutSessionRequired").unwrap_or(false);
    if is_session_required && uri.is_none() {
        fields.fault("backchannelLogoutSessionRequired", "needs backchannelLogoutUri");
    }
    (uri, is_session_required)
}

/// Where notices are sent, and the secret that signs them.
fn webhook(fields: &mut Fields<'_>) -> (Option<String>, Option<SecretString>) {
    let (url, secret) = (fields.text("webhookUrl", address), fields.text("webhookSecret", secret));
    if secret.is_some() && url.is_none() {
        fields.fault("webhookSecret", "needs webhookUrl");
    }
    (url, secret)
}

/// A text that has to be there; empty when it is at fault.
fn required(fields: &mut Fields<'_>, name: &str, check: impl Fn(&str) -> Result<String, &'static str>) -> String {
    if fields.is_absent(name) {
        fields.fault(name, "is missing");
    }
    fields.text(name, check).unwrap_or_default()
}

fn grant_types(fields: &mut Fields<'_>, kind: ClientKind) -> Vec<GrantType> {
    let known = |text: &str| text.parse().map_err(|_| "is no grant type of this server");
    let grants = fields.texts("grantTypes", known).unwrap_or_else(|| vec![GrantType::AuthorizationCode]);
    if kind == ClientKind::Public && grants.contains(&GrantType::ClientCredentials) {
        fields.fault("grantTypes", "has client_credentials, which is for confidential clients");
    }
    let gives_refresh_tokens = |grant: &GrantType| matches!(grant, GrantType::AuthorizationCode | GrantType::DeviceCode);
    if grants.contains(&GrantType::RefreshToken) && !grants.iter().any(gives_refresh_tokens) {
        fields.fault(
            "grantTypes",
            "has refresh_token, but neither authorization_code nor the device code, which give refresh tokens",
        );
    }
    grants
}

fn scopes(fields: &mut Fields<'_>, grants: &[GrantType]) -> Vec<String> {
    fields.texts("scopes", |text| scope(text).map(str::to_owned)).unwrap_or_else(|| {
        let offline = grants.contains(&GrantType::RefreshToken);
        SCOPES.into_iter().filter(|scope| offline || *scope != "offline_access").map(str::to_owned).collect()
    })
}

fn auth(fields: &mut Fields<'_>, kind: ClientKind) -> ClientAuth {
    #[derive(Clone, Copy, PartialEq, EnumString, VariantNames)]
    #[strum(serialize_all = "snake_case")]
    enum Method {
        ClientSecretBasic,
        ClientSecretPost,
        PrivateKeyJwt,
        None,
    }
    let method = fields.choice("tokenEndpointAuthMethod");
    match (kind, method) {
        (ClientKind::Public, Some(Method::ClientSecretBasic | Method::ClientSecretPost | Method::PrivateKeyJwt)) => {
            fields.fault("tokenEndpointAuthMethod", "is none for public clients, which cannot keep a secret");
        }
        (ClientKind::Confidential, Some(Method::None)) => {
            fields.fault("tokenEndpointAuthMethod", "may be none for public clients only");
        }
        _ => {}
    }
    let keys = keys(fields);
    if method == Some(Method::PrivateKeyJwt) {
        if keys.is_none() {
            fields.fault("jwks", "is needed for private_key_jwt");
        }
        return ClientAuth::PrivateKeyJwt(keys.unwrap_or_default());
    }
    if keys.is_some() {
        fields.fault("jwks", "is only used with the tokenEndpointAuthMethod private_key_jwt");
    }
    if kind == ClientKind::Public { ClientAuth::None } else { ClientAuth::Secret }
}

/// The keys of a JSON Web Key Set (RFC 7517, section 5).
fn keys(fields: &mut Fields<'_>) -> Option<Vec<PublicJwk>> {
    let set = fields.take("jwks")?;
    let Some(items) = set.get("keys").and_then(Value::as_array) else {
        fields.fault("jwks", "is no object with an array of keys");
        return Some(Vec::new());
    };
    if items.is_empty() {
        fields.fault("jwks", "has no key");
    }
    let mut keys: Vec<PublicJwk> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        match item.as_object().ok_or("is no object").and_then(PublicJwk::parse) {
            Ok(key) if key.kid.is_some() && keys.iter().any(|other| other.kid == key.kid) => {
                fields.fault(format!("jwks.keys[{index}]"), "has the kid of another key");
            }
            Ok(key) => keys.push(key),
            Err(what) => fields.fault(format!("jwks.keys[{index}]"), what),
        }
    }
    Some(keys)
}

fn secrets(fields: &mut Fields<'_>, auth: &ClientAuth) -> (Option<SecretString>, u32, Option<Timestamp>) {
    let explicit = fields.text("clientSecret", secret);
    let version = fields.number("secretVersion", 1..=1_000_000).unwrap_or(1);
    let grace_until =
        fields.text("secretGraceUntil", |text| text.parse::<Timestamp>().map_err(|_| "is no time such as 2026-11-30T12:00:00Z"));
    if explicit.is_some() && !matches!(auth, ClientAuth::Secret) {
        fields.fault("clientSecret", "is for clients that authenticate with a secret");
    }
    if grace_until.is_some() && (explicit.is_some() || version == 1 || !matches!(auth, ClientAuth::Secret)) {
        fields.fault("secretGraceUntil", "is for derived secrets whose secretVersion was raised above 1");
    }
    (explicit, version, grace_until)
}

/// A secret of this configuration: visible ASCII (RFC 6749, appendix A.2), and long enough not to be guessed.
fn secret(text: &str) -> Result<SecretString, &'static str> {
    let is_right = (16..=512).contains(&text.len()) && text.bytes().all(|byte| (0x20..=0x7e).contains(&byte));
    if is_right { Ok(text.into()) } else { Err("must be 16 to 512 characters of ASCII") }
}

/// The id of a client, or the name of a role group. Its characters need no encoding anywhere.
fn identifier(text: &str) -> Result<&str, &'static str> {
    let is_right = (1..=100).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte));
    if is_right { Ok(text) } else { Err("must be 1 to 100 letters, digits and - . _ ~, and begin with a letter or digit") }
}

fn words(text: &str) -> Result<&str, &'static str> {
    let is_right = (1..=100).contains(&text.chars().count()) && text.trim() == text && !text.chars().any(char::is_control);
    if is_right { Ok(text) } else { Err("must be 1 to 100 characters, without spaces around them") }
}

fn role(text: &str) -> Result<&str, &'static str> {
    let is_right =
        (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~:/".contains(&byte));
    if !is_right {
        return Err("must be 1 to 64 letters, digits and - . _ ~ : /");
    }
    if RESERVED.contains(&text) { Err("has the name of a claim that only the server sets") } else { Ok(text) }
}

/// The identifier of a resource. Which there are, `APP_OIDC_RESOURCE_AUDIENCE` says.
fn audience(text: &str) -> Result<&str, &'static str> {
    if text.is_empty() { Err("is empty") } else { Ok(text) }
}

/// A scope token (RFC 6749, section 3.3).
fn scope(text: &str) -> Result<&str, &'static str> {
    let is_right = (1..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"\\".contains(&byte));
    if is_right { Ok(text) } else { Err("must be 1 to 100 visible ASCII characters without \" and \\") }
}
