//! A server with clients, and a person who signs in to them.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use std::ops::Deref;
use support::prelude::*;
use url::Url;

/// The secret of every confidential client.
pub const SECRET: &str = "a-secret-of-a-client-that-is-long-enough";
/// The redirect URI of every client.
pub const CALLBACK: &str = "https://app.example/cb";
/// A verifier and its challenge (RFC 7636, appendix B).
pub const PKCE: (&str, &str) = ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");

/// No limits, cheap hashes, and a resource.
const VARIABLES: &[(&str, &str)] = &[
    ("APP_RATE_LIMITS", "off"),
    ("APP_ARGON2_MEMORY_KIB", "64"),
    ("APP_ARGON2_ITERATIONS", "1"),
    ("APP_OIDC_RESOURCE_AUDIENCE", "https://api.example,https://other.example"),
];

/// The clients: `web` without PKCE, `strict` with PKCE, `spa` public, `guarded` for editors, `partner` with
/// consent, `pushing` with pushed requests, `bound` with DPoP, `tv` and `newsdesk` (for editors) on devices,
/// `machine` for itself.
pub fn clients() -> Value {
    let all = ["authorization_code", "refresh_token"];
    json!([
        {"clientId": "web", "name": "Web", "redirectUris": [CALLBACK], "postLogoutRedirectUris": ["https://app.example/bye"], "grantTypes": all,
         "clientSecret": SECRET, "requirePkce": false, "roleGroup": "site", "roles": ["viewer", "editor"]},
        {"clientId": "strict", "name": "Strict", "redirectUris": [CALLBACK, "https://app.example/other"], "grantTypes": all, "clientSecret": SECRET},
        {"clientId": "spa", "name": "Spa", "kind": "public", "redirectUris": [CALLBACK], "grantTypes": all, "tokenEndpointAuthMethod": "none"},
        {"clientId": "guarded", "name": "Guarded", "redirectUris": [CALLBACK], "grantTypes": all, "clientSecret": SECRET, "requirePkce": false,
         "roleGroup": "site", "roles": ["viewer", "editor"], "loginRoles": ["editor"]},
        {"clientId": "partner", "name": "Partner", "redirectUris": [CALLBACK], "grantTypes": all, "clientSecret": SECRET, "requirePkce": false,
         "consent": "explicit"},
        {"clientId": "pushing", "name": "Pushing", "redirectUris": [CALLBACK], "clientSecret": SECRET, "requirePkce": false,
         "requirePushedAuthorizationRequests": true},
        {"clientId": "bound", "name": "Bound", "redirectUris": [CALLBACK], "clientSecret": SECRET, "requirePkce": false,
         "dpopBoundAccessTokens": true},
        {"clientId": "other", "redirectUris": [CALLBACK], "clientSecret": SECRET, "requirePkce": false},
        {"clientId": "desktop", "kind": "public", "native": true, "redirectUris": ["http://127.0.0.1/cb"]},
        {"clientId": "reader", "grantTypes": ["client_credentials"], "clientSecret": SECRET, "introspectionAudiences": ["https://other.example"]},
        {"clientId": "odd", "grantTypes": ["client_credentials"], "clientSecret": "a+b%2Bc/d=e:f&g h%"},
        {"clientId": "tv", "name": "Television", "kind": "public", "grantTypes": ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"]},
        {"clientId": "newsdesk", "name": "Newsdesk", "grantTypes": ["urn:ietf:params:oauth:grant-type:device_code"], "clientSecret": SECRET,
         "roleGroup": "site", "roles": ["viewer", "editor"], "loginRoles": ["editor"]},
        {"clientId": "machine", "name": "Machine", "grantTypes": ["client_credentials"], "clientSecret": SECRET, "idTokenSignedResponseAlg": "ES256",
         "scopes": ["openid", "reports"]}
    ])
}

/// A server with the clients, where Ann is signed in.
pub struct Provider {
    pub app: TestApp,
    /// Ann.
    pub person: Person,
}

/// What a redirect tells the client.
pub trait Redirect {
    /// The parameters that it gives to the client.
    fn parameters(&self) -> BTreeMap<String, String>;

    /// The error that it gives to the client.
    fn error(&self) -> String {
        let mut parameters = self.parameters();
        assert!(!parameters.contains_key("code"));
        parameters.remove("error").unwrap_or_default()
    }
}

impl Redirect for Response {
    fn parameters(&self) -> BTreeMap<String, String> {
        let location = self.location();
        assert!(self.status == 303 && location.starts_with(CALLBACK), "no redirect to the client: {} {location}", self.status);
        Url::parse(location).unwrap().query_pairs().into_owned().collect()
    }
}

impl Deref for Provider {
    type Target = TestApp;

    fn deref(&self) -> &TestApp {
        &self.app
    }
}

impl Provider {
    pub async fn start() -> Self {
        Self::with(&[]).await
    }

    /// With more variables.
    pub async fn with(more: &[(&str, &str)]) -> Self {
        Self::on(more, None).await
    }

    /// On the database of another server.
    pub async fn on(more: &[(&str, &str)], other: Option<&Self>) -> Self {
        let clients = clients().to_string();
        let variables: Vec<(&str, &str)> =
            VARIABLES.iter().copied().chain([("APP_OIDC_CLIENTS_JSON", clients.as_str())]).chain(more.iter().copied()).collect();
        let database = other.map(|other| Arc::clone(&other.app.database));
        let app = TestApp::with(Setup { variables: &variables, database, ..Setup::default() }).await;
        let provider = Self { person: Person::at(&app), app };
        if other.is_none() {
            provider.person.register("ann@example.org").await.expect(201);
            provider.sign_in().await;
        }
        provider
    }

    pub async fn sign_in(&self) {
        self.person.login("ann@example.org", PASSWORD).await.expect(200);
    }

    /// The id of Ann's account.
    pub async fn ann(&self) -> String {
        self.person.id().await
    }

    pub async fn get(&self, path: &str) -> Response {
        self.person.get(path).await
    }

    /// Posts JSON with Ann's cookies and a CSRF token.
    pub async fn post(&self, path: &str, body: &Value) -> Response {
        self.person.post(path, body).await
    }

    /// Posts a form as the program of a client, without cookies.
    pub async fn form(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        browser().post(self.url(path)).form(fields).answer().await
    }

    /// Asks for an authorization with Ann's browser: `openid` for a client at its redirect URI, unless the
    /// parameters say otherwise. An empty value leaves a parameter out.
    pub async fn authorize(&self, client: &str, parameters: &[(&str, &str)]) -> Response {
        self.get(&authorize_path(client, parameters)).await
    }

    /// A code that Ann gives to a client.
    pub async fn code(&self, client: &str, parameters: &[(&str, &str)]) -> String {
        let mut answer = self.authorize(client, parameters).await.parameters();
        answer.remove("code").unwrap_or_else(|| panic!("no code: {answer:?}"))
    }

    /// An interaction that Ann's browser is sent to.
    pub async fn interaction(&self, client: &str, parameters: &[(&str, &str)]) -> String {
        let answer = self.authorize(client, parameters).await;
        let uid = answer.location().strip_prefix("/interaction/");
        uid.unwrap_or_else(|| panic!("no interaction: {}", answer.location())).to_owned()
    }

    /// Gives Ann a role of the group `site`.
    pub async fn grant_role(&self, role: &str) {
        let insert = format!(
            "insert into role_assignments (user_id, role_group, role, created_at) select id, 'site', '{role}', now() from users"
        );
        assert_eq!(self.sql(&insert).await, 1);
    }

    /// Asks for a token as a confidential client.
    pub async fn token(&self, client: &str, form: &[(&str, &str)]) -> Response {
        let request = browser().post(self.app.url("/oidc/token")).basic_auth(client, Some(SECRET)).form(form);
        request.answer().await
    }

    /// Redeems a code as a confidential client without PKCE.
    pub async fn redeem(&self, client: &str, code: &str) -> Response {
        self.token(client, &[("grant_type", "authorization_code"), ("code", code), ("redirect_uri", CALLBACK)]).await
    }

    /// The tokens that Ann gives to a client with a scope.
    pub async fn tokens(&self, client: &str, scope: &str) -> Value {
        let code = self.code(client, &[("scope", scope)]).await;
        let response = self.redeem(client, &code).await;
        response.expect(200)
    }

    pub async fn refresh(&self, client: &str, token: &Value) -> Response {
        self.token(client, &[("grant_type", "refresh_token"), ("refresh_token", token.as_str().unwrap())]).await
    }

    pub async fn userinfo(&self, token: &Value) -> Response {
        let request = browser().get(self.app.url("/oidc/userinfo")).bearer_auth(token.as_str().unwrap());
        request.answer().await
    }

    pub fn advance(&self, seconds: i64) {
        self.app.clock.advance(jiff::SignedDuration::from_secs(seconds));
    }
}

/// The path of an authorization request.
pub fn authorize_path(client: &str, parameters: &[(&str, &str)]) -> String {
    let usual = [("client_id", client), ("redirect_uri", CALLBACK), ("response_type", "code"), ("scope", "openid")];
    let given = |name: &str| parameters.iter().any(|(given, _)| *given == name);
    let pairs = usual.iter().filter(|(name, _)| !given(name)).chain(parameters).filter(|(_, value)| !value.is_empty());
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(pairs);
    format!("/oidc/authorize?{}", query.finish())
}

/// The claims of a JWT, without a look at its signature.
pub fn claims(token: &Value) -> Value {
    let payload = token.as_str().unwrap().split('.').nth(1).unwrap();
    decoded(payload)
}

/// A part of a JWT.
pub fn decoded(part: &str) -> Value {
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}
