//! The OpenID provider.

use super::{Optional, Setting, settings};
use crate::config::syntax::{Resources, Seconds, Secret};

settings! {
    APP_OIDC_CLIENTS_JSON: Optional<Secret<1>> = "no clients",
        "The applications that people sign in to through this server (OpenID Connect). Every fault stops the start, with a line for each.",
        r#"[{"clientId":"web-app","redirectUris":["https://app.example.com/callback"]}]"#,
        "JSON array of objects, see [docs/clients.md](clients.md)";
    APP_CLIENT_SECRET_MASTER: Optional<Secret<32>> = "derived from `APP_SECRET`",
        "The master secret that the secrets of OpenID Connect clients are derived from. Changing it changes all of them.",
        "64 characters from `openssl rand -hex 32`";
    APP_CLIENT_SECRET_MASTER_PREVIOUS: Optional<Secret<32>> = "none",
        "The master secret before the current one. Secrets that were derived from it are accepted too, until every client has its new one and this is removed.",
        "the former value of `APP_CLIENT_SECRET_MASTER`";
    APP_OIDC_RESOURCE_AUDIENCE: Setting<Resources> = "",
        "The resources that access tokens may be issued for (RFC 8707). A client that names one gets a JWT (RFC 9068) with this audience; any other one is `invalid_target`. They are compared as they are, also a slash at the end.",
        "https://api.example.com,https://reports.example.com";
    APP_OIDC_JWT_ACCESS_TTL: Setting<Seconds<10, 86_400>> = "900",
        "How long an access token lasts that is a JWT, unless the client has an `accessTokenTtl`. Its receivers do not ask this server whether it was revoked.",
        "300";
    APP_OIDC_REFRESH_GRACE: Setting<Seconds<0, 60>> = "10",
        "How long a refresh token that was used may be used again, for a client that did not get the response. Later uses revoke all tokens of the grant.",
        "0";
}
