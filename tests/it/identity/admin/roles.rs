//! Roles at clients.

use super::{ANN, FREE, administrator, recorded, user};
use storage::identity::role_assignments;
use support::{NEVER_IDLE, prelude::*};

const CLIENTS: &str = r#"[
    {"clientId":"web","redirectUris":["https://a.example/cb"],"roleGroup":"site","roles":["viewer","editor"],"defaultRoles":["viewer"],"clientSecret":"a-secret-of-a-client-that-is-long-enough"},
    {"clientId":"shop","redirectUris":["https://b.example/cb"],"roleGroup":"site","roles":["editor","owner"]},
    {"clientId":"desk","redirectUris":["https://c.example/cb"],"roles":["agent","lead"],"roleMode":"single"}
]"#;

async fn app() -> TestApp {
    TestApp::with_variables(&[FREE, &[("APP_OIDC_CLIENTS_JSON", CLIENTS)]].concat()).await
}

fn path(id: &str) -> String {
    format!("{}/roles", user(id))
}

/// What a person is assigned in each group.
async fn assigned(admin: &Person, id: &str) -> Value {
    let groups = admin.get(&path(id)).await.body["groups"].clone();
    groups.as_array().unwrap().iter().map(|group| group["assigned"].clone()).collect()
}

#[tokio::test]
async fn every_group_is_shown_and_one_is_replaced() {
    let app = app().await;
    let admin = administrator(&app).await;
    let ann = Person::signed_in(&app, ANN).await;
    let id = ann.id().await;
    let desk = json!({
        "group": "desk", "roleMode": "single", "available": ["agent", "lead"], "assigned": [], "isDefault": true, "clientIds": ["desk"], "defaults": [],
    });
    let site = |assigned: Value, is_default: bool| {
        json!({
            "group": "site", "roleMode": "multiple", "available": ["viewer", "editor", "owner"], "assigned": assigned, "isDefault": is_default,
            "clientIds": ["web", "shop"], "defaults": [{ "clientId": "web", "roles": ["viewer"] }],
        })
    };
    assert_eq!(admin.get(&path(&id)).await.body, json!({ "groups": [desk, site(json!([]), true)] }));
    for (roles, shown) in
        [(json!(["owner", "editor"]), json!(["editor", "owner"])), (json!(["viewer"]), json!(["viewer"])), (json!([]), json!([]))]
    {
        let body = json!({ "roleGroup": "site", "roles": roles });
        let replaced = admin.send(http::Method::PUT, &path(&id), &body).await;
        assert_eq!((replaced.status, &replaced.body), (200, &json!({ "groups": [desk, site(shown, false)] })), "{body}");
        assert_eq!(admin.get(&path(&id)).await.body, replaced.body);
    }
    let by = admin.id().await;
    let entries = recorded(&app, "admin.user.roles_updated").await;
    let first = json!({ "roleGroup": "site", "roles": ["owner", "editor"], "before": [] });
    let last = json!({ "roleGroup": "site", "roles": [], "before": ["viewer"] });
    assert_eq!(
        (&entries[0], &entries[2]),
        (&json!(["success", "admin", by, id, first]), &json!(["success", "admin", by, id, last]))
    );
    assert_eq!(ann.get("/api/me/export").await.body["roles"], json!([]));
    assert_eq!(assigned(&admin, &by).await, json!([[], []]), "nobody else is changed");
}

#[tokio::test]
async fn what_was_decided_is_taken_back_by_null_alone() {
    let app = app().await;
    let admin = administrator(&app).await;
    let ann = Person::signed_in(&app, ANN).await;
    let id = ann.id().await;
    let put = async |body: Value| admin.send(http::Method::PUT, &path(&id), &body).await;
    for decided in [json!(["editor"]), json!([])] {
        assert_eq!(put(json!({ "roleGroup": "site", "roles": decided })).await.status, 200);
        assert_eq!(put(json!({ "roleGroup": "desk", "roles": ["lead"] })).await.status, 200);
        assert_eq!(put(json!({ "roleGroup": "site" })).await.refusal(), (400, "validation"), "left out, it is forgotten");
        let response = put(json!({ "roleGroup": "site", "roles": null })).await.expect(200);
        let site = &response["groups"][1];
        assert_eq!((&site["isDefault"], &site["assigned"]), (&json!(true), &json!([])), "{decided}");
        assert_eq!(assigned(&admin, &id).await, json!([["lead"], []]), "other groups stay");
    }
    assert_eq!(put(json!({ "roleGroup": "none", "roles": null })).await.refusal(), (400, "unknownRoleGroup"));
    let request = app.client.get(app.url(&format!("/api/apps/roles?userId={id}")));
    let held = request.basic_auth("web", Some("a-secret-of-a-client-that-is-long-enough")).send().await.unwrap();
    assert_eq!(held.json::<Value>().await.unwrap()["roles"], json!(["viewer"]), "the application is told its default role");
    let entries = recorded(&app, "admin.user.roles_updated").await;
    assert_eq!(entries[2][4], json!({ "roleGroup": "site", "roles": null, "before": ["editor"] }));
}

/// Attacks 155 and 165.
#[tokio::test]
async fn roles_that_cannot_be_assigned_are_refused() {
    let app = app().await;
    let admin = administrator(&app).await;
    let ann = Person::signed_in(&app, ANN).await;
    let id = ann.id().await;
    let many = vec!["viewer"; 10_000];
    for (body, refusal) in [
        (json!({}), "validation"),
        (json!({ "roleGroup": "site" }), "validation"),
        (json!({ "roleGroup": "site", "roles": "viewer" }), "validation"),
        (json!({ "roleGroup": "site", "roles": [null] }), "validation"),
        (json!({ "roleGroup": "web", "roles": ["viewer"] }), "unknownRoleGroup"),
        (json!({ "roleGroup": "", "roles": [] }), "unknownRoleGroup"),
        (json!({ "roleGroup": "site", "roles": ["agent"] }), "unknownRole"),
        (json!({ "roleGroup": "site", "roles": [""] }), "unknownRole"),
        (json!({ "roleGroup": "site", "roles": ["viewer", "viewer"] }), "duplicateRole"),
        (json!({ "roleGroup": "site", "roles": many }), "duplicateRole"),
        (json!({ "roleGroup": "desk", "roles": ["agent", "lead"] }), "tooManyRoles"),
    ] {
        let refused = admin.send(http::Method::PUT, &path(&id), &body).await;
        assert_eq!(refused.refusal(), (400, refusal), "{:.60}", body.to_string());
    }
    assert_eq!(app.count("select count(*) from role_assignments").await, 0);
    let body = json!({ "roleGroup": "site", "roles": ["viewer"] });
    admin.delete(&user(&id), &json!({})).await;
    for path in [path(&id), path(&uuid::Uuid::nil().to_string())] {
        assert_eq!(admin.send(http::Method::PUT, &path, &body).await.refusal(), (404, "notFound"));
        assert_eq!(admin.get(&path).await.refusal(), (404, "notFound"));
    }
}

/// Attack 163.
#[tokio::test]
async fn assignments_move_to_another_group_all_of_them_and_once() {
    let app = app().await;
    let admin = administrator(&app).await;
    let (ann, bob) = (Person::signed_in(&app, ANN).await, Person::signed_in(&app, "bob@example.org").await);
    let (ann, bob, own) = (ann.id().await, bob.id().await, admin.id().await);
    let add = async |user: &str, group: &str, role: &str| {
        let values = format!("('{user}', '{group}', '{role}', now())");
        app.sql(&format!("insert into role_assignments (user_id, role_group, role, created_at) values {values}")).await;
    };
    for (user, group, role) in [
        (&ann, "old", "editor"),
        (&ann, "old", "viewer"),
        (&ann, "site", "editor"),
        (&bob, "old", "owner"),
        (&bob, "site", ""),
        (&own, "old", ""),
        (&own, "site", "viewer"),
        (&ann, "other", "kept"),
    ] {
        add(user, group, role).await;
    }
    let rekey = async |from: &str, to: &str| admin.post("/api/admin/roles/rekey", &json!({ "from": from, "to": to })).await;
    for (from, to, refusal) in [
        ("site", "site", "sameRoleGroup"),
        ("old", "unknown", "unknownRoleGroup"),
        ("", "site", "validation"),
        ("old", "", "validation"),
    ] {
        assert_eq!(rekey(from, to).await.refusal(), (400, refusal), "{from} {to}");
    }
    assert_eq!(admin.post("/api/admin/roles/rekey", &json!({})).await.refusal(), (400, "validation"));
    assert_eq!(rekey("old", "site").await.body, json!({ "from": "old", "to": "site", "moved": 3 }));
    assert_eq!(assigned(&admin, &ann).await, json!([[], ["editor", "viewer"]]));
    assert_eq!(assigned(&admin, &bob).await, json!([[], ["owner"]]));
    assert_eq!(assigned(&admin, &own).await, json!([[], ["viewer"]]));
    assert_eq!(app.count("select count(*) from role_assignments where role = ''").await, 0, "who has a role has not none");
    assert_eq!(rekey("old", "site").await.body["moved"], 0);

    // A role that is written meanwhile moves, too.
    let mut session = app.connection().await;
    let tx = session.begin();
    tx.execute(NEVER_IDLE, &[]).await.unwrap();
    role_assignments::lock(&tx).await.unwrap();
    let written =
        format!("insert into role_assignments (user_id, role_group, role, created_at) values ('{ann}', 'old', 'owner', now())");
    tx.execute(&written, &[]).await.unwrap();
    let (moved, ()) = tokio::join!(rekey("old", "site"), async {
        support::until_waited_for(&tx).await;
        tx.commit().await.unwrap();
    });
    assert_eq!(moved.body["moved"], 1);
    assert_eq!(app.count("select count(*) from role_assignments where role_group = 'old'").await, 0);
    app.sql(
        "delete from role_assignments where role = 'owner' and role_group = 'site' and created_at > now() - interval '1 minute'",
    )
    .await;
    assert_eq!(app.count("select count(*) from role_assignments where role_group = 'other'").await, 1);
    let details = json!({ "from": "old", "to": "site", "moved": 3 });
    assert_eq!(recorded(&app, "admin.roles.rekeyed").await[0], json!(["success", "admin", own, null, details]));

    add(&ann, "former", "lead").await;
    app.sql("update role_assignments set created_at = now() - interval '1 day' where role = 'lead'").await;
    add(&ann, "former", "agent").await;
    add(&bob, "former", "agent").await;
    add(&bob, "desk", "lead").await;
    add(&own, "former", "").await;
    assert_eq!(rekey("former", "desk").await.body["moved"], 3);
    assert_eq!(assigned(&admin, &ann).await[0], json!(["lead"]), "the oldest of those where there is one only");
    assert_eq!(assigned(&admin, &bob).await[0], json!(["lead"]), "the one that was there");
    let none = admin.get(&path(&own)).await.body["groups"][0].clone();
    assert_eq!((&none["assigned"], &none["isDefault"]), (&json!([]), &json!(false)), "that somebody has none moves too");
}
