//! What a configuration may say, and that everything else is reported.

use super::super::{Client, ClientAuth, ClientKind, Clients, Consent, GrantType, IdTokenClaims, RoleMode, SigningAlgorithm};
use proptest::prelude::*;
use secrecy::ExposeSecret;
use serde_json::{Map, Value, json};
use std::time::Duration;
use strum::VariantArray;

fn parse(clients: &Value) -> Result<Clients, Vec<String>> {
    Clients::parse(&clients.to_string()).map_err(|faults| faults.iter().map(ToString::to_string).collect())
}

/// The one client of a list with these attributes.
fn client(attributes: Value) -> Result<Client, Vec<String>> {
    parse(&json!([attributes])).map(|clients| Client::clone(clients.iter().next().unwrap()))
}

/// A client that is right, with other attributes added or replaced.
fn with(changes: &Value) -> Value {
    let mut attributes =
        json!({ "clientId": "web", "redirectUris": ["https://app.example.org/cb"], "roles": ["viewer", "editor"] });
    attributes.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    attributes
}

fn es256() -> Value {
    json!({ "kty": "EC", "crv": "P-256", "x": "x".repeat(43), "y": "y".repeat(43), "kid": "one" })
}

#[test]
fn two_attributes_are_enough() {
    let client = client(json!({ "clientId": "web-app", "redirectUris": ["https://app.example.org/cb"] })).unwrap();
    assert_eq!((client.name.as_str(), client.role_group()), ("web-app", "web-app"));
    assert_eq!(client.kind, ClientKind::Confidential);
    assert!(matches!(client.auth, ClientAuth::Secret));
    assert_eq!(client.grant_types, [GrantType::AuthorizationCode]);
    assert_eq!(client.scopes, ["openid", "profile", "email", "roles"]);
    assert_eq!((client.consent, client.id_token_claims), (Consent::Implicit, IdTokenClaims::Conform));
    assert_eq!((client.id_token_alg, client.role_mode), (SigningAlgorithm::Rs256, RoleMode::Multiple));
    assert_eq!((client.access_token_ttl, client.refresh_token_ttl), (None, Duration::from_hours(14 * 24)));
    assert!(client.require_pkce && !client.is_native && client.secret.is_none());
    assert_eq!(client.secret_version, 1);
}

#[test]
fn every_attribute_is_read() {
    let client = client(json!({
        "clientId": "web-app", "name": "Web App", "kind": "confidential", "native": false,
        "redirectUris": ["https://app.example.org/cb"], "postLogoutRedirectUris": ["https://app.example.org/"],
        "backchannelLogoutUri": "https://app.example.org/oidc/bcl", "backchannelLogoutSessionRequired": true,
        "webhookUrl": "https://app.example.org/hooks/identity", "webhookSecret": "a secret of a webhook",
        "logoUri": "https://app.example.org/logo.svg", "policyUri": "https://app.example.org/policy", "tosUri": "https://app.example.org/tos",
        "roleGroup": "web", "roles": ["viewer", "editor", "admin"], "roleMode": "single", "defaultRoles": ["viewer"], "loginRoles": ["viewer", "admin"],
        "scopes": ["openid", "email", "api:read"], "grantTypes": ["authorization_code", "refresh_token", "client_credentials", "urn:ietf:params:oauth:grant-type:device_code"],
        "tokenEndpointAuthMethod": "client_secret_basic", "jwks": null, "requirePkce": false, "consent": "explicit",
        "idTokenSignedResponseAlg": "ES256", "idTokenClaims": "all", "accessTokenTtl": 600, "refreshTokenTtl": 3600,
        "secretVersion": 2, "secretGraceUntil": "2026-12-01T00:00:00Z",
        "introspectionSignedResponseAlg": "EdDSA", "introspectionAudiences": ["https://api.example.org"], "requirePushedAuthorizationRequests": true, "dpopBoundAccessTokens": true,
    }))
    .unwrap();
    assert_eq!((client.name.as_str(), client.role_group()), ("Web App", "web"));
    assert!(client.allows_redirect("https://app.example.org/cb") && !client.allows_redirect("https://app.example.org/"));
    assert!(
        client.allows_post_logout_redirect("https://app.example.org/")
            && !client.allows_post_logout_redirect("https://app.example.org/cb")
    );
    assert!(
        client.allows_origin("https://app.example.org")
            && !client.allows_origin("https://example.org")
            && !client.allows_origin("null")
    );
    assert_eq!(client.backchannel_logout_uri.as_deref(), Some("https://app.example.org/oidc/bcl"));
    assert!(client.backchannel_logout_session_required);
    assert_eq!(client.webhook_url.as_deref(), Some("https://app.example.org/hooks/identity"));
    assert_eq!(client.webhook_secret.as_ref().unwrap().expose_secret(), "a secret of a webhook");
    assert_eq!((client.role_mode, client.default_roles.as_slice()), (RoleMode::Single, ["viewer".to_owned()].as_slice()));
    assert_eq!(client.login_roles, ["viewer", "admin"]);
    assert!(client.declares_role("editor") && !client.declares_role("owner"));
    assert!(client.allows_scope("api:read") && !client.allows_scope("profile"));
    assert!(GrantType::VARIANTS.iter().copied().all(|grant| client.allows_grant(grant)));
    assert!(!client.require_pkce && !client.is_public());
    assert_eq!((client.consent, client.id_token_claims), (Consent::Explicit, IdTokenClaims::All));
    assert_eq!((client.id_token_alg, client.introspection_alg), (SigningAlgorithm::Es256, SigningAlgorithm::EdDsa));
    assert!(client.requires_pushed_requests && client.requires_dpop);
    assert_eq!(client.introspection_audiences.as_deref(), Some(&["https://api.example.org".to_owned()][..]));
    assert_eq!((client.access_token_ttl, client.refresh_token_ttl), (Some(Duration::from_mins(10)), Duration::from_hours(1)));
    assert_eq!((client.secret_version, client.secret_grace_until), (2, "2026-12-01T00:00:00Z".parse().ok()));
}

#[test]
fn public_native_and_key_holding_clients_are_right_as_well() {
    let native = client(json!({ "clientId": "app", "kind": "public", "native": true, "tokenEndpointAuthMethod": "none",
        "redirectUris": ["http://127.0.0.1/cb", "com.example.app:/cb"], "grantTypes": ["authorization_code", "refresh_token"] }))
    .unwrap();
    assert!(native.allows_redirect("http://127.0.0.1:51004/cb") && native.is_public());
    assert!(matches!(native.auth, ClientAuth::None) && native.allows_scope("offline_access"));
    let web = client(json!({ "clientId": "spa", "kind": "public", "redirectUris": ["http://127.0.0.1/cb"] })).unwrap();
    assert!(!web.allows_redirect("http://127.0.0.1:51004/cb"), "only native clients may choose their port");
    let keys = json!({ "keys": [es256()] });
    let machine = client(json!({ "clientId": "job", "grantTypes": ["client_credentials"], "tokenEndpointAuthMethod": "private_key_jwt", "jwks": keys })).unwrap();
    assert!(matches!(machine.auth, ClientAuth::PrivateKeyJwt(keys) if keys.len() == 1));
    assert!(parse(&json!([])).unwrap().is_empty());
}

#[test]
fn a_client_introspects_every_token_or_its_own_and_those_of_named_resources() {
    let named = |audiences: Value| client(with(&json!({ "introspectionAudiences": audiences }))).unwrap();
    let (every, own, api) = (named(Value::Null), named(json!([])), named(json!(["urn:api"])));
    for (owner, audience, expected) in [
        ("web", None, [true, true, true]),
        ("web", Some("urn:other"), [true, true, true]),
        ("other", None, [true, false, false]),
        ("other", Some("urn:api"), [true, false, true]),
        ("other", Some("urn:api/"), [true, false, false]),
        ("other", Some("urn:other"), [true, false, false]),
    ] {
        let may = [&every, &own, &api].map(|client| client.may_introspect(owner, audience));
        assert_eq!(may, expected, "{owner} {audience:?}");
    }
}

#[test]
fn only_an_app_whose_redirect_uri_no_domain_vouches_for_asks_each_time() {
    let app = client(json!({ "clientId": "app", "kind": "public", "native": true,
        "redirectUris": ["http://127.0.0.1/cb", "com.example.app:/cb", "https://app.example.org/cb"] }))
    .unwrap();
    for (uri, expected) in [
        ("http://127.0.0.1:51004/cb", true),
        ("http://[::1]/cb", true),
        ("http://localhost:3000/cb", true),
        ("com.example.app:/cb", true),
        ("https://app.example.org/cb", false),
    ] {
        assert_eq!(app.asks_each_time(uri), expected, "{uri}");
    }
    let page = client(json!({ "clientId": "spa", "kind": "public", "redirectUris": ["http://localhost:3000/cb"] })).unwrap();
    assert!(!page.asks_each_time("http://localhost:3000/cb"), "a page in a browser, while it is developed");
}

/// Each of these changes is a fault of the attribute beside it, and of no other.
fn assert_each_is_a_fault(cases: impl IntoIterator<Item = (Value, &'static str)>) {
    for (changes, attribute) in cases {
        let faults = client(with(&changes)).expect_err(&changes.to_string());
        let id =
            with(&changes)["clientId"].as_str().filter(|id| !id.is_empty()).map_or("1 of 1".to_owned(), |id| format!("{id:?}"));
        let begin = format!("client {id}: {attribute} ");
        assert!(faults.iter().all(|fault| fault.starts_with(&begin) && !fault.contains('\n')), "{changes}: {faults:?}");
        assert_eq!(faults.len(), 1, "{changes}: {faults:?}");
    }
}

#[test]
fn each_fault_of_names_addresses_and_roles_names_the_client_and_the_attribute() {
    assert_each_is_a_fault([
        (json!({ "redirectUri": "https://app.example.org/cb" }), "redirectUri"),
        (json!({ "clientId": "" }), "clientId"),
        (json!({ "clientId": "a b" }), "clientId"),
        (json!({ "clientId": "-x" }), "clientId"),
        (json!({ "clientId": 7 }), "clientId"),
        (json!({ "clientId": "x".repeat(101) }), "clientId"),
        (json!({ "name": "" }), "name"),
        (json!({ "name": "a\nb" }), "name"),
        (json!({ "kind": "secret" }), "kind"),
        (json!({ "native": true }), "native"),
        (json!({ "native": "yes" }), "native"),
        (json!({ "redirectUris": "https://app.example.org/cb" }), "redirectUris"),
        (json!({ "redirectUris": [] }), "redirectUris"),
        (json!({ "redirectUris": ["http://app.example.org/cb"] }), "redirectUris[0]"),
        (json!({ "redirectUris": ["https://app.example.org/cb", "https://app.example.org/cb#x"] }), "redirectUris[1]"),
        (json!({ "redirectUris": ["https://ann@app.example.org/cb"] }), "redirectUris[0]"),
        (json!({ "redirectUris": ["https://a.example", "https://a.example"] }), "redirectUris[1]"),
        (json!({ "redirectUris": [null] }), "redirectUris[0]"),
        (json!({ "redirectUris": ["com.example.app:/cb"] }), "redirectUris[0]"),
        (json!({ "postLogoutRedirectUris": ["http://app.example.org/"] }), "postLogoutRedirectUris[0]"),
        (json!({ "backchannelLogoutUri": "/bcl" }), "backchannelLogoutUri"),
        (json!({ "backchannelLogoutSessionRequired": true }), "backchannelLogoutSessionRequired"),
        (json!({ "webhookUrl": "ftp://app.example.org" }), "webhookUrl"),
        (json!({ "webhookSecret": "a secret of a webhook" }), "webhookSecret"),
        (json!({ "logoUri": "javascript:alert(1)" }), "logoUri"),
        (json!({ "logoUri": "http://app.example.org/logo.svg" }), "logoUri"),
        (json!({ "roleGroup": "a/b" }), "roleGroup"),
        (json!({ "roles": ["a b"] }), "roles[0]"),
        (json!({ "roles": ["sub"] }), "roles[0]"),
        (json!({ "roles": ["x", "x"] }), "roles[1]"),
        (json!({ "roleMode": "many" }), "roleMode"),
        (json!({ "defaultRoles": ["owner"] }), "defaultRoles[0]"),
        (json!({ "roleMode": "single", "defaultRoles": ["viewer", "editor"] }), "defaultRoles"),
        (json!({ "loginRoles": ["viewer", "owner"] }), "loginRoles[1]"),
    ]);
}

#[test]
fn each_fault_of_grants_keys_and_tokens_names_the_client_and_the_attribute() {
    assert_each_is_a_fault([
        (json!({ "scopes": ["a b"] }), "scopes[0]"),
        (json!({ "scopes": ["\""] }), "scopes[0]"),
        (json!({ "grantTypes": ["implicit"] }), "grantTypes[0]"),
        (json!({ "grantTypes": ["password"] }), "grantTypes[0]"),
        (json!({ "grantTypes": ["refresh_token"] }), "grantTypes"),
        (json!({ "kind": "public", "grantTypes": ["client_credentials"] }), "grantTypes"),
        (json!({ "tokenEndpointAuthMethod": "client_secret_jwt" }), "tokenEndpointAuthMethod"),
        (json!({ "tokenEndpointAuthMethod": "none" }), "tokenEndpointAuthMethod"),
        (json!({ "kind": "public", "tokenEndpointAuthMethod": "client_secret_basic" }), "tokenEndpointAuthMethod"),
        (json!({ "tokenEndpointAuthMethod": "private_key_jwt" }), "jwks"),
        (json!({ "tokenEndpointAuthMethod": "private_key_jwt", "jwks": { "keys": [] } }), "jwks"),
        (json!({ "jwks": { "keys": [es256()] } }), "jwks"),
        (json!({ "tokenEndpointAuthMethod": "private_key_jwt", "jwks": [es256()] }), "jwks"),
        (json!({ "tokenEndpointAuthMethod": "private_key_jwt", "jwks": { "keys": [es256(), es256()] } }), "jwks.keys[1]"),
        (
            json!({ "tokenEndpointAuthMethod": "private_key_jwt", "jwks": { "keys": [es256(), { "kty": "oct", "k": "x" }] } }),
            "jwks.keys[1]",
        ),
        (json!({ "kind": "public", "requirePkce": false }), "requirePkce"),
        (json!({ "consent": true }), "consent"),
        (json!({ "idTokenSignedResponseAlg": "none" }), "idTokenSignedResponseAlg"),
        (json!({ "idTokenSignedResponseAlg": "HS256" }), "idTokenSignedResponseAlg"),
        (json!({ "idTokenClaims": "some" }), "idTokenClaims"),
        (json!({ "introspectionSignedResponseAlg": "HS256" }), "introspectionSignedResponseAlg"),
        (json!({ "introspectionAudiences": "https://api.example.org" }), "introspectionAudiences"),
        (json!({ "introspectionAudiences": [7] }), "introspectionAudiences[0]"),
        (json!({ "introspectionAudiences": [""] }), "introspectionAudiences[0]"),
        (json!({ "introspectionAudiences": ["urn:a", "urn:a"] }), "introspectionAudiences[1]"),
        (json!({ "kind": "public", "introspectionAudiences": [] }), "introspectionAudiences"),
        (json!({ "requirePushedAuthorizationRequests": 1 }), "requirePushedAuthorizationRequests"),
        (json!({ "dpopBoundAccessTokens": "yes" }), "dpopBoundAccessTokens"),
        (json!({ "accessTokenTtl": 0 }), "accessTokenTtl"),
        (json!({ "accessTokenTtl": "600" }), "accessTokenTtl"),
        (json!({ "accessTokenTtl": 86_401 }), "accessTokenTtl"),
        (json!({ "refreshTokenTtl": 1.5 }), "refreshTokenTtl"),
        (json!({ "clientSecret": "short" }), "clientSecret"),
        (json!({ "kind": "public", "clientSecret": "a secret of a client" }), "clientSecret"),
        (json!({ "secretVersion": 0 }), "secretVersion"),
        (json!({ "secretVersion": 2, "secretGraceUntil": "tomorrow" }), "secretGraceUntil"),
        (json!({ "secretGraceUntil": "2026-12-01T00:00:00Z" }), "secretGraceUntil"),
    ]);
}

#[test]
fn all_faults_are_listed_at_once() {
    let faults = parse(&json!([
        { "clientId": "one", "redirectUris": ["https://app.example.org/cb#"], "roles": ["a"], "loginRoles": ["b"], "colour": "red" },
        "two",
        { "redirectUris": ["https://app.example.org/cb"] },
        { "clientId": "one", "redirectUris": ["https://app.example.org/cb"] },
    ]))
    .unwrap_err();
    let places: Vec<&str> =
        faults.iter().map(|fault| fault.split(" is ").next().unwrap()).map(|place| place.split(" has ").next().unwrap()).collect();
    assert_eq!(
        places,
        [
            "client \"one\": redirectUris[0]",
            "client \"one\": loginRoles[0]",
            "client \"one\": colour",
            "client 2 of 4:",
            "client 3 of 4: clientId",
            "client \"one\": clientId"
        ]
    );
}

#[test]
fn an_attribute_may_be_there_once_only() {
    let json = r#"[{"clientId":"web","redirectUris":["https://a.example/cb"],"requirePkce":true,"requirePkce":false}]"#;
    let faults = Clients::parse(json).unwrap_err();
    assert_eq!(faults.iter().map(ToString::to_string).collect::<Vec<_>>(), ["client \"web\": requirePkce is there more than once"]);
}

#[test]
fn what_is_no_list_of_objects_is_one_fault() {
    for json in ["", "{}", "null", "[{]", "[}", r#"[{"clientId":"web"} x"#, "\u{feff}[]"] {
        assert_eq!(Clients::parse(json).unwrap_err().len(), 1, "{json}");
    }
}

#[test]
fn no_fault_and_no_debug_output_repeats_a_secret() {
    let changes = json!({ "clientSecret": "hunter2 hunter2 \u{e4}", "webhookSecret": "hunter2", "redirectUris": ["https://hunter2@app.example.org/"] });
    let faults = client(with(&changes)).unwrap_err();
    assert_eq!(faults.len(), 3, "{faults:?}");
    assert!(!faults.iter().any(|fault| fault.contains("hunter2")), "{faults:?}");
    let right = client(with(&json!({ "clientSecret": "hunter2 hunter2 hunter2" }))).unwrap();
    assert!(!format!("{right:?}").contains("hunter2"));
}

proptest! {
    /// Any JSON is read without a panic, and an attribute of an unknown name is always refused.
    #[test]
    fn an_unknown_attribute_is_never_ignored(name in "[a-z]{1,6}[0-9]", value in "[a-z0-9\"{}\\[\\],:]{0,12}") {
        let mut attributes: Map<String, Value> = with(&json!({})).as_object().unwrap().clone();
        attributes.insert(name, Value::from(value.clone()));
        prop_assert!(client(Value::Object(attributes)).is_err());
        let _ = Clients::parse(&value);
    }
}
