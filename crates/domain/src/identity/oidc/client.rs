//! A client: an application that people sign in to through this server. The operator configures it; see
//! [`super::client_config`] for the syntax.

use super::{PublicJwk, RedirectUri, SigningAlgorithm};
use crate::identity::origin::Origin;
use jiff::Timestamp;
use secrecy::SecretString;
use std::time::Duration;
use strum::{EnumString, IntoStaticStr, VariantArray, VariantNames};

/// How long a refresh token lasts after it was issued or used last, unless the client says otherwise.
pub const REFRESH_TOKEN_TTL: Duration = Duration::from_hours(14 * 24);

/// Whether a client can keep a secret (RFC 6749, section 2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantNames)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum ClientKind {
    /// It runs on a server, and authenticates itself.
    Confidential,
    /// It runs in a browser or on a device, where its users could read a secret.
    Public,
}

/// How a client authenticates itself (OpenID Connect Core 1.0, section 9).
#[derive(Debug, Clone)]
pub enum ClientAuth {
    /// `client_secret_basic` and `client_secret_post`: the client chooses by the request.
    Secret,
    /// `private_key_jwt`: a JWT that one of these keys verifies (RFC 7523).
    PrivateKeyJwt(Vec<PublicJwk>),
    /// `none`: a public client only names itself.
    None,
}

/// A way to get an access token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[strum(const_into_str, serialize_all = "snake_case")]
pub enum GrantType {
    /// `authorization_code` (RFC 6749, section 4.1).
    AuthorizationCode,
    /// `refresh_token` (RFC 6749, section 6).
    RefreshToken,
    /// `client_credentials` (RFC 6749, section 4.4).
    ClientCredentials,
    /// The device authorization grant (RFC 8628, section 3.4).
    #[strum(serialize = "urn:ietf:params:oauth:grant-type:device_code")]
    DeviceCode,
}

/// Whether people are asked before a client learns who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Consent {
    /// Never: the client belongs to the same operator.
    Implicit,
    /// Once for each scope.
    Explicit,
}

/// Which claims of the granted scopes the ID token holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum IdTokenClaims {
    /// Those that OpenID Connect Core 1.0, section 5.4, puts there; the others are at the userinfo endpoint.
    Conform,
    /// All of them, for clients that do not call the userinfo endpoint.
    All,
}

/// How many roles of a group a person may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantNames)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum RoleMode {
    Single,
    Multiple,
}

/// A client.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "independent attributes of the configuration")]
pub struct Client {
    /// `clientId`.
    pub id: String,
    /// `name`: what people are shown.
    pub name: String,
    /// `kind`.
    pub kind: ClientKind,
    /// `native`: an app on a device, whose redirect URI may have any port of the loopback interface (RFC
    /// 8252, section 7.3).
    pub is_native: bool,
    /// `redirectUris`.
    pub redirect_uris: Vec<RedirectUri>,
    /// `postLogoutRedirectUris`.
    pub post_logout_redirect_uris: Vec<RedirectUri>,
    /// `backchannelLogoutUri`: where logout tokens are sent.
    pub backchannel_logout_uri: Option<String>,
    /// `backchannelLogoutSessionRequired`: whether it needs `sid` in logout tokens.
    pub backchannel_logout_session_required: bool,
    /// `webhookUrl`: where the deletion of accounts is reported.
    pub webhook_url: Option<String>,
    /// `webhookSecret`: the key of the webhook's signature; derived when absent.
    pub webhook_secret: Option<SecretString>,
    /// `logoUri`.
    pub logo_uri: Option<String>,
    /// `policyUri`.
    pub policy_uri: Option<String>,
    /// `tosUri`.
    pub tos_uri: Option<String>,
    /// `roleGroup`; see [`Client::role_group`].
    pub(super) role_group: Option<String>,
    /// `roles`: the roles that it declares, in the order of the configuration.
    pub roles: Vec<String>,
    /// `roleMode`. Clients that share a group follow the strictest, see [`super::RoleGroup`].
    pub role_mode: RoleMode,
    /// `defaultRoles`: see [`super::roles`].
    pub default_roles: Vec<String>,
    /// `loginRoles`: if there are any, only people with one of them may sign in to it.
    pub login_roles: Vec<String>,
    /// `scopes` that it may ask for.
    pub scopes: Vec<String>,
    /// `grantTypes`.
    pub grant_types: Vec<GrantType>,
    /// `tokenEndpointAuthMethod`, with the keys of `jwks`.
    pub auth: ClientAuth,
    /// `requirePkce`: whether an authorization request needs a code challenge (RFC 7636). Always for public
    /// clients.
    pub require_pkce: bool,
    /// `consent`.
    pub consent: Consent,
    /// `idTokenSignedResponseAlg`: signs its ID tokens, logout tokens and JWT access tokens.
    pub id_token_alg: SigningAlgorithm,
    /// `idTokenClaims`.
    pub id_token_claims: IdTokenClaims,
    /// `introspectionSignedResponseAlg`: signs the answers to its introspections, where it asks for signed
    /// ones.
    pub introspection_alg: SigningAlgorithm,
    /// `introspectionAudiences`: the resources whose tokens it may introspect, beside its own tokens; `None`
    /// for every token.
    pub introspection_audiences: Option<Vec<String>>,
    /// `requirePushedAuthorizationRequests`: whether its authorization requests have to be pushed (RFC 9126).
    pub requires_pushed_requests: bool,
    /// `dpopBoundAccessTokens`: whether its tokens have to be bound to a key (RFC 9449).
    pub requires_dpop: bool,
    /// `accessTokenTtl`: how long its access tokens last; absent, the grant and the format decide.
    pub access_token_ttl: Option<Duration>,
    /// `refreshTokenTtl`: how long a refresh token lasts after it was issued or used last.
    pub refresh_token_ttl: Duration,
    /// `clientSecret`: replaces the derived secret.
    pub secret: Option<SecretString>,
    /// `secretVersion`: raising it changes the derived secrets.
    pub secret_version: u32,
    /// `secretGraceUntil`: until when the derived secret of the version before is accepted too.
    pub secret_grace_until: Option<Timestamp>,
}

impl Client {
    /// The group whose roles are assigned for this client: `roleGroup`, or the client's own id.
    pub fn role_group(&self) -> &str {
        self.role_group.as_deref().unwrap_or(&self.id)
    }

    /// Whether it cannot keep a secret.
    pub fn is_public(&self) -> bool {
        self.kind == ClientKind::Public
    }

    /// Whether codes may be sent to this URI: equal to a registered one, but for the port of a native
    /// client's loopback address.
    pub fn allows_redirect(&self, uri: &str) -> bool {
        self.redirect_uris.iter().any(|registered| registered.matches(uri, self.is_native))
    }

    /// Whether people may be sent to this URI after they signed out.
    pub fn allows_post_logout_redirect(&self, uri: &str) -> bool {
        self.post_logout_redirect_uris.iter().any(|registered| registered.matches(uri, self.is_native))
    }

    /// Whether scripts of this origin (the value of an `Origin` header) may read responses that are for this
    /// client: a redirect URI has that origin.
    pub fn allows_origin(&self, origin: &str) -> bool {
        let origin = Origin::parse(origin);
        origin.is_some() && self.redirect_uris.iter().any(|registered| registered.origin() == origin)
    }

    /// Whether it may use a grant type.
    pub fn allows_grant(&self, grant: GrantType) -> bool {
        self.grant_types.contains(&grant)
    }

    /// Whether it may ask for a scope.
    pub fn allows_scope(&self, scope: &str) -> bool {
        self.scopes.iter().any(|allowed| allowed == scope)
    }

    /// Whether it may learn what a token is good for: one that was issued to a client, and for a resource if
    /// it is a JWT.
    pub fn may_introspect(&self, client_id: &str, audience: Option<&str>) -> bool {
        let is_named = |audiences: &Vec<String>| audience.is_some_and(|audience| audiences.iter().any(|named| named == audience));
        self.introspection_audiences.as_ref().is_none_or(|audiences| client_id == self.id || is_named(audiences))
    }

    /// Whether people are asked each time before a code goes to this URI: it is that of an app on a device,
    /// and any other program there may have taken the place of the app (RFC 8252, section 8.6). An https URI
    /// belongs to its domain, also on a device.
    pub fn asks_each_time(&self, redirect_uri: &str) -> bool {
        self.is_native && !redirect_uri.starts_with("https:")
    }

    /// Whether it declares a role.
    pub fn declares_role(&self, role: &str) -> bool {
        self.roles.iter().any(|declared| declared == role)
    }
}
