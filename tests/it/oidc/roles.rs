//! The roles that are assigned to people: their table, and what clients are told.

use super::provider::{CALLBACK, Provider, SECRET};
use domain::shared::UserId;
use storage::{
    identity::role_assignments::{self, RoleAssignment},
    transact,
};
use support::prelude::*;

const ANN: UserId = UserId(Uuid::from_u128(1));
const BOB: UserId = UserId(Uuid::from_u128(2));

/// Replaces the roles of a person in a group.
async fn replace_roles(database: &Database, user: UserId, group: &str, roles: &[&str], at: Timestamp) {
    let roles = &roles.iter().map(|role| (*role).to_owned()).collect::<Vec<_>>();
    let replaced =
        transact!(database.store, "test.replace", async |tx| { role_assignments::replace(tx, user, group, roles, at).await });
    replaced.await.unwrap();
}

/// The roles of a person, each as `group role`.
async fn all(database: &Database, user: UserId) -> Vec<String> {
    let connection = database.connection().await;
    let named = |RoleAssignment { role_group, role }| format!("{role_group} {role}");
    role_assignments::list(&connection, user).await.unwrap().into_iter().map(named).collect()
}

#[tokio::test]
async fn roles_are_replaced_in_one_group_and_one_account_alone() {
    let database = support::database().await;
    let clock = support::clock();
    let connection = database.connection().await;
    for (user, email) in [(ANN, "ann@example.org"), (BOB, "bob@example.org")] {
        let insert = "insert into users (id, email, first_name, locale, created_at) values ($1, $2, 'A', 'en', now())";
        connection.execute(insert, &[&user.0, &email]).await.unwrap();
    }
    let replace = async |user, group, roles: &[&str]| replace_roles(&database, user, group, roles, clock.now()).await;
    replace(ANN, "web", &["viewer", "editor"]).await;
    replace(ANN, "shop", &["viewer"]).await;
    replace(BOB, "web", &["admin"]).await;
    assert_eq!(all(&database, ANN).await, ["shop viewer", "web editor", "web viewer"]);
    assert_eq!(role_assignments::list_in(&connection, ANN, "web").await.unwrap(), ["editor", "viewer"]);

    let first = clock.now();
    clock.advance(jiff::SignedDuration::from_hours(1));
    replace(ANN, "web", &["editor", "owner"]).await;
    assert_eq!(all(&database, ANN).await, ["shop viewer", "web editor", "web owner"]);
    let since = "select created_at from role_assignments where role = 'editor'";
    assert_eq!(connection.row(since, &[]).await.unwrap().get::<_, Timestamp>(0), first, "a role that stays keeps its time");
    replace(ANN, "web", &[]).await;
    assert_eq!(
        (all(&database, ANN).await, all(&database, BOB).await),
        (vec!["shop viewer".to_owned()], vec!["web admin".to_owned()])
    );

    connection.execute("delete from users where id = $1", &[&BOB.0]).await.unwrap();
    assert_eq!(all(&database, BOB).await, [""; 0], "roles go with the account");
}

/// A person without an assigned role has the default roles; one who was given none by an administrator has
/// none, at the userinfo endpoint and at the sign-in.
#[tokio::test]
async fn no_role_by_decision_is_not_the_default_role() {
    let clients = json!([{
        "clientId": "web", "redirectUris": [CALLBACK], "clientSecret": SECRET, "requirePkce": false, "roleGroup": "site",
        "roles": ["viewer", "editor"], "defaultRoles": ["viewer"], "loginRoles": ["viewer", "editor"],
    }])
    .to_string();
    // Ann is the first person, and administers.
    let provider = Provider::with(&[("APP_OIDC_CLIENTS_JSON", &clients)]).await;
    let path = format!("/api/admin/users/{}/roles", provider.ann().await);
    let assign = async |roles: &[&str]| {
        let csrf = provider.get("/api/csrf-token").await.body["csrfToken"].as_str().unwrap().to_owned();
        let request = provider.person.browser.put(provider.url(&path)).header("x-csrf-token", csrf);
        let response = request.json(&json!({ "roleGroup": "site", "roles": roles })).send().await.unwrap();
        assert_eq!(response.status(), 200);
    };
    let tokens = provider.tokens("web", "openid roles").await;
    let told = async || provider.userinfo(&tokens["access_token"]).await.body["roles"].clone();
    assert_eq!(told().await, json!(["viewer"]));
    assign(&["editor"]).await;
    assert_eq!(told().await, json!(["editor"]));
    assign(&[]).await;
    assert_eq!(told().await, json!([]));
    let uid = provider.interaction("web", &[]).await;
    let refused = provider.post(&format!("/api/oidc/interaction/{uid}/finish"), &json!({})).await;
    assert_eq!(refused.refusal(), (403, "loginRoleRequired"));
}
