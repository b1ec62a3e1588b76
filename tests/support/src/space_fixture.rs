//! A space with its people and tokens, and requests with their credentials.

mod schedulings;
mod stories;
pub mod webhooks;

use crate::{Answer, Response, Setup, TestApp};
use crypto::{
    csrf,
    keys::Keys,
    session::{Claims, SessionTokens},
};
use domain::shared::{Clock, SessionId, UserId};
use http::{Method, header};
use jiff::SignedDuration;
use serde_json::{Value, json};
use std::ops::Deref;
use uuid::Uuid;

/// The credentials of a request.
#[derive(Clone, Copy)]
pub enum Caller<'a> {
    Anonymous,
    /// `Authorization: Bearer …`
    Token(&'a str),
    /// `Authorization: …`
    Raw(&'a str),
    Owner,
    OwnerWithoutCsrf,
    /// Another person with an account.
    Other,
    /// A person whose address is not verified.
    Unverified,
    /// A person with this session, see [`person`].
    Session(&'a Session),
}

/// What a browser sends for a person with a session.
pub struct Session {
    /// What a browser sends as `Cookie`.
    pub cookie: String,
    /// The CSRF token of the session.
    pub csrf: String,
}

/// A space and one token of its admin.
pub struct OtherSpace {
    pub id: i64,
    pub admin: String,
}

/// A server with one space.
pub struct SpaceFixture {
    pub app: TestApp,
    /// A client without a cookie store: each request carries the cookies of its caller.
    client: reqwest::Client,
    owner: Session,
    other: Session,
    unverified: Session,
    pub space: i64,
    pub public: String,
    pub preview: String,
    pub private: String,
    pub admin: String,
    pub editor: String,
    pub viewer: String,
}

impl Deref for SpaceFixture {
    type Target = TestApp;

    fn deref(&self) -> &TestApp {
        &self.app
    }
}

impl SpaceFixture {
    /// A server on which the owner has created the space `First` and a token of each role, named like the
    /// role.
    pub async fn new() -> Self {
        Self::with(Setup::default()).await
    }

    /// The same on a server with these `APP_` variables.
    pub async fn with_variables(variables: &[(&str, &str)]) -> Self {
        Self::with(Setup { variables, ..Setup::default() }).await
    }

    /// The same on a server with this setup.
    pub async fn with(setup: Setup<'_>) -> Self {
        let app = TestApp::with(setup).await;
        let owner = person(&app, 1, true).await;
        let other = person(&app, 2, true).await;
        let unverified = person(&app, 3, false).await;
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let nothing = String::new;
        let mut fixture = Self {
            app,
            client,
            owner,
            other,
            unverified,
            space: 0,
            public: nothing(),
            preview: nothing(),
            private: nothing(),
            admin: nothing(),
            editor: nothing(),
            viewer: nothing(),
        };
        let made = fixture.post(Caller::Owner, "/api/v1/spaces", json!({ "name": "First" })).await.expect(201);
        let token = |kind: &str| made["tokens"][kind].as_str().unwrap().to_owned();
        (fixture.public, fixture.preview, fixture.private) = (token("public"), token("preview"), token("private"));
        fixture.space = made["space"]["id"].as_i64().unwrap();
        fixture.admin = fixture.token(fixture.space, "admin").await;
        fixture.editor = fixture.token(fixture.space, "editor").await;
        fixture.viewer = fixture.token(fixture.space, "viewer").await;
        fixture
    }

    /// Another space of the same owner.
    pub async fn another_space(&self) -> OtherSpace {
        let made = self.post(Caller::Owner, "/api/v1/spaces", json!({ "name": "Another" })).await.expect(201);
        let id = made["space"]["id"].as_i64().unwrap();
        OtherSpace { id, admin: self.token(id, "admin").await }
    }

    async fn token(&self, space: i64, role: &str) -> String {
        let path = format!("/api/v1/spaces/{space}/tokens");
        let made = self.post(Caller::Owner, &path, json!({ "name": role, "role": role })).await.expect(201);
        made["plaintext"].as_str().unwrap().to_owned()
    }

    /// The admin of the space.
    pub fn admin(&self) -> Member<'_> {
        self.member(&self.admin)
    }

    /// An editor of the space.
    pub fn editor(&self) -> Member<'_> {
        self.member(&self.editor)
    }

    /// A viewer of the space.
    pub fn viewer(&self) -> Member<'_> {
        self.member(&self.viewer)
    }

    /// The one with this role.
    pub fn role(&self, role: &str) -> Member<'_> {
        match role {
            "admin" => self.admin(),
            "editor" => self.editor(),
            _ => self.viewer(),
        }
    }

    /// The program with a management token of the space.
    pub fn member<'a>(&'a self, token: &'a str) -> Member<'a> {
        Member { fixture: self, token }
    }

    /// A path below the space.
    pub fn path(&self, below: &str) -> String {
        format!("/api/v1/spaces/{}{below}", self.space)
    }

    /// Creates a component, a component group or a preset as admin.
    pub async fn create(&self, kind: &str, attributes: Value) -> Value {
        let body = json!({ kind: attributes });
        let path = self.path(&format!("/{kind}s"));
        self.post(Caller::Token(&self.admin), &path, body).await.expect(201)[kind].clone()
    }

    /// The action, the type and the label of the target in the newest entry of the audit log.
    pub async fn newest_entry(&self) -> [String; 3] {
        let log = self.get(Caller::Token(&self.admin), &self.path("/audit_log?per_page=1")).await.expect(200);
        let entry = &log["audit_log"][0];
        [&entry["action"], &entry["target"]["type"], &entry["target"]["label"]].map(|value| value.as_str().unwrap().to_owned())
    }

    /// How many entries the audit log of the space has.
    pub async fn audit_count(&self) -> i64 {
        let sql = "select count(*) as entries from audit_log where space_id = $1";
        self.app.row(sql, &[&self.space]).await.get("entries")
    }

    /// Every row of these tables as text.
    pub async fn every_row(&self, tables: &[&str]) -> String {
        let mut all = String::new();
        for table in tables {
            for row in self.app.rows(&format!("select row_to_json(it)::text as line from {table} it"), &[]).await {
                all.push_str(row.get("line"));
            }
        }
        all
    }

    pub async fn get(&self, caller: Caller<'_>, path: &str) -> Response {
        self.send(caller, "GET", path, "", Vec::new()).await
    }

    pub async fn delete(&self, caller: Caller<'_>, path: &str) -> Response {
        self.send(caller, "DELETE", path, "", Vec::new()).await
    }

    pub async fn post(&self, caller: Caller<'_>, path: &str, body: Value) -> Response {
        self.json(caller, "POST", path, body).await
    }

    pub async fn put(&self, caller: Caller<'_>, path: &str, body: Value) -> Response {
        self.json(caller, "PUT", path, body).await
    }

    pub async fn json(&self, caller: Caller<'_>, method: &str, path: &str, body: Value) -> Response {
        self.send(caller, method, path, "application/json", body.to_string().into()).await
    }

    pub async fn send(&self, caller: Caller<'_>, method: &str, path: &str, content_type: &str, body: Vec<u8>) -> Response {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = self.client.request(method, self.app.url(path)).body(body);
        if !content_type.is_empty() {
            request = request.header(header::CONTENT_TYPE, content_type);
        }
        let signed_in = |person: &Session| [("cookie", person.cookie.clone()), ("x-csrf-token", person.csrf.clone())].to_vec();
        let credentials = match caller {
            Caller::Anonymous => Vec::new(),
            Caller::Token(token) => vec![("authorization", format!("Bearer {token}"))],
            Caller::Raw(token) => vec![("authorization", token.to_owned())],
            Caller::OwnerWithoutCsrf => vec![("cookie", self.owner.cookie.clone())],
            Caller::Owner => signed_in(&self.owner),
            Caller::Other => signed_in(&self.other),
            Caller::Unverified => signed_in(&self.unverified),
            Caller::Session(session) => signed_in(session),
        };
        for (name, value) in credentials {
            request = request.header(name, value);
        }
        request.answer().await
    }
}

/// A program with a management token. Paths are below the space.
#[derive(Clone, Copy)]
pub struct Member<'a> {
    fixture: &'a SpaceFixture,
    token: &'a str,
}

impl Member<'_> {
    pub async fn get(self, below: &str) -> Response {
        self.fixture.get(Caller::Token(self.token), &self.fixture.path(below)).await
    }

    pub async fn delete(self, below: &str) -> Response {
        self.fixture.delete(Caller::Token(self.token), &self.fixture.path(below)).await
    }

    pub async fn post(self, below: &str, body: Value) -> Response {
        self.json("POST", below, body).await
    }

    pub async fn put(self, below: &str, body: Value) -> Response {
        self.json("PUT", below, body).await
    }

    /// Sends JSON; nothing where it is null.
    pub async fn json(self, method: &str, below: &str, body: Value) -> Response {
        let (caller, path) = (Caller::Token(self.token), self.fixture.path(below));
        if body.is_null() {
            return self.fixture.send(caller, method, &path, "", Vec::new()).await;
        }
        self.fixture.json(caller, method, &path, body).await
    }
}

/// An account with a session; its address is `{number}@example.com`.
pub async fn person(app: &TestApp, number: u128, email_verified: bool) -> Session {
    let keys = Keys::new(vec![7; 32].into());
    let (user, session, now) = (UserId(Uuid::from_u128(number)), SessionId(Uuid::from_u128(number)), app.clock.now());
    let ends = now.checked_add(SignedDuration::from_hours(24)).unwrap();
    app.execute(
        "insert into users (id, email, first_name, locale, email_verified, created_at) values ($1, $2, 'A', 'en', $4, $3)",
        &[&user.0, &format!("{number}@example.com"), &now, &email_verified],
    )
    .await;
    app.execute(
        "insert into sessions (id, user_id, token_version, amr, auth_at, created_at, last_seen_at, expires_at)
             values ($1, $2, 0, '{pwd}', $3, $3, $3, $4)",
        &[&session.0, &user.0, &now, &ends],
    )
    .await;
    let second = now.as_second();
    let claims = Claims { sub: user, sid: session, tv: 0, auth_time: second, iat: second, exp: ends.as_second() };
    let token = SessionTokens::new(&keys, &app.url("")).sign(claims).unwrap();
    let csrf = csrf::issue(&keys.derive("csrf/1"), &format!("session:{session}"));
    Session { cookie: format!("session={token}; csrf_token={csrf}"), csrf }
}
