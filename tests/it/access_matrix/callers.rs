//! Every kind of caller, with credentials that are or were real.

use base64::{Engine, prelude::BASE64_STANDARD};
use support::{
    prelude::*,
    space_fixture::{self, Session},
};

/// A caller: a column of the table.
pub struct Caller {
    /// The letter of the column.
    pub letter: char,
    pub headers: Vec<(&'static str, String)>,
    /// The token that the Delivery API takes in the query.
    pub delivery_token: Option<String>,
}

impl Caller {
    fn new(letter: char, headers: Vec<(&'static str, String)>) -> Self {
        Self { letter, headers, delivery_token: None }
    }

    fn person(letter: char, person: &Session) -> Self {
        Self::new(letter, vec![("cookie", person.cookie.clone()), ("x-csrf-token", person.csrf.clone())])
    }

    fn bearer(letter: char, token: &str) -> Self {
        Self::new(letter, vec![("authorization", format!("Bearer {token}"))])
    }

    /// A delivery token, in the query and in the header.
    fn reader(letter: char, token: &str) -> Self {
        Self { delivery_token: Some(token.to_owned()), ..Self::bearer(letter, token) }
    }

    /// The CSRF token, which forms carry in a field.
    pub fn csrf(&self) -> Option<&str> {
        self.headers.iter().find(|(name, _)| *name == "x-csrf-token").map(|(_, value)| value.as_str())
    }
}

/// All of them, in the order of the columns. The people are new ones with each `round`.
pub async fn callers(fixture: &SpaceFixture, round: u128) -> Vec<Caller> {
    let app = &fixture.app;
    let mut people = Vec::new();
    let number = |index: u128| 20 * (round + 1) + index;
    for index in 0..14 {
        people.push(space_fixture::person(app, number(index), index != 1).await);
    }
    let email = |index| format!("{}@example.com", number(index));
    let connection = app.connection().await;
    let set = async |table: &str, change: &str, index: u128| {
        let user = if table == "sessions" { "user_id" } else { "id" };
        let statement = format!("update {table} set {change} where {user} = (select id from users where email = $1)");
        assert_eq!(connection.execute(&statement, &[&email(index)]).await.unwrap(), 1);
    };
    set("users", "suspended_at = now()", 2).await;
    set("sessions", "revoked_at = created_at", 3).await;
    set("sessions", "expires_at = created_at", 4).await;
    set("users", "is_admin = true", 5).await;
    set("users", "is_admin = true", 6).await;
    set("users", "is_admin = true", 8).await;
    set("sessions", "auth_at = auth_at - interval '1 hour'", 8).await;
    let owned = "update spaces set owner_id = (select id from users where email = $2) where id = $1";
    connection.execute(owned, &[&fixture.space, &email(7)]).await.unwrap();
    let joined = "insert into space_members (space_id, user_id, role, role_since, created_at)
         select $1, id, $3, created_at, created_at from users where email = $2";
    for (index, role) in [(9, "admin"), (10, "editor"), (11, "viewer"), (12, "admin")] {
        connection.execute(joined, &[&fixture.space, &email(index), &role]).await.unwrap();
    }
    let left = "delete from space_members using users where users.id = user_id and space_id = $1 and email = $2";
    connection.execute(left, &[&fixture.space, &email(12)]).await.unwrap();
    let invited = "insert into space_invitations (space_id, email, role, token_hash, created_at, expires_at)
         values ($1, $2, 'admin', convert_to($2, 'utf8'), now(), now() + interval '100 years')";
    connection.execute(invited, &[&fixture.space, &email(13)]).await.unwrap();
    // An administrator whose browser is made to send requests by a foreign page.
    let forged = Caller::new('f', vec![("cookie", people[5].cookie.clone())]);
    drop(connection);
    let tokens = fixture.path("/tokens");
    let token = async |body: serde_json::Value| {
        let made = fixture.post(space_fixture::Caller::Token(&fixture.admin), &tokens, body).await.expect(201);
        (made["token"]["id"].clone(), made["plaintext"].as_str().unwrap().to_owned())
    };
    let (_, legacy) = token(json!({ "name": "legacy", "kind": "legacy" })).await;
    let (id, revoked) = token(json!({ "name": "revoked", "role": "admin" })).await;
    fixture.delete(space_fixture::Caller::Token(&fixture.admin), &format!("{tokens}/{id}")).await;
    let keys = fixture.path("/api_keys");
    let body = json!({ "api_key": { "access": "private", "name": "revoked" } });
    let made = fixture.post(space_fixture::Caller::Token(&fixture.admin), &keys, body).await.expect(201);
    let revoked_reader = made["api_key"]["token"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
    fixture.delete(space_fixture::Caller::Token(&fixture.admin), &format!("{keys}/{}", made["api_key"]["id"])).await;
    let basic = BASE64_STANDARD.encode("web:a-secret-of-a-client-that-is-long-enough");
    vec![
        Caller::new('n', Vec::new()),
        Caller::person('u', &people[0]),
        Caller::person('v', &people[1]),
        Caller::person('s', &people[2]),
        Caller::person('r', &people[3]),
        Caller::person('x', &people[4]),
        forged,
        Caller::person('a', &people[6]),
        Caller::person('z', &people[8]),
        Caller::person('o', &people[7]),
        Caller::person('m', &people[9]),
        Caller::person('e', &people[10]),
        Caller::person('w', &people[11]),
        Caller::person('h', &people[12]),
        Caller::person('i', &people[13]),
        Caller::bearer('T', &fixture.admin),
        Caller::bearer('L', &legacy),
        Caller::bearer('E', &fixture.editor),
        Caller::bearer('V', &fixture.viewer),
        Caller::bearer('R', &revoked),
        Caller::bearer('W', &other_space(fixture).await),
        Caller::reader('D', &fixture.public),
        Caller::reader('P', &fixture.preview),
        Caller::reader('Q', &fixture.private),
        Caller::reader('K', &revoked_reader),
        Caller::new('C', vec![("authorization", format!("Basic {basic}"))]),
        Caller::bearer('B', "0123456789abcdef0123456789abcdef"),
    ]
}

/// A token of the administrators of another space.
async fn other_space(fixture: &SpaceFixture) -> String {
    fixture.another_space().await.admin
}
