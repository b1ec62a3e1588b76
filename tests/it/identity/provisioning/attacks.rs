//! What callers try.

use super::{SUB, app, codes, import, user};
use serde_json::Map;
use support::prelude::*;

/// Attack 175.
#[tokio::test]
async fn an_invitation_and_a_hash_exclude_each_other() {
    let app = app().await;
    let both = user("ann@example.org", json!({ "invite": true, "hashedPassword": { "value": super::BCRYPT } }));
    assert_eq!(codes(&import(&app, &[both]).await), ["invalid validation"]);
}

/// Attack 179.
#[tokio::test]
async fn nobody_takes_over_an_account_by_its_subject() {
    let app = app().await;
    let victim = Person::at(&app);
    victim.register("victim@example.org").await;
    victim.login("victim@example.org", super::PASSWORD).await;
    let id = victim.get("/api/me").await.body["id"].as_str().unwrap().to_owned();
    import(&app, &[user("ann@example.org", json!({ "legacySub": SUB })), user("bob@example.org", json!({ "legacySub": "b" }))])
        .await;
    let rows: Vec<Value> = [id.as_str(), SUB, "b", &"x".repeat(1 << 20), "a\0b", "a\nb", "a\u{85}b", "", &"x".repeat(256)]
        .into_iter()
        .enumerate()
        .map(|(number, sub)| user(&format!("u{number}@example.org"), json!({ "legacySub": sub })))
        .collect();
    let mut expected = vec!["conflict idExists", "conflict legacySubExists", "conflict legacySubExists"];
    expected.resize(rows.len(), "invalid validation");
    assert_eq!(codes(&import(&app, &rows).await), expected);
    assert_eq!(codes(&import(&app, &[user("victim@example.org", json!({ "legacySub": id }))]).await), ["conflict emailExists"]);

    // Other writings of an id are other subjects: none of them is the id of an account.
    let others =
        [id.to_uppercase(), format!("{{{id}}}"), format!("urn:uuid:{id}"), id.replace('-', ""), uuid::Uuid::nil().to_string()];
    let rows: Vec<Value> = others
        .iter()
        .enumerate()
        .map(|(number, sub)| user(&format!("w{number}@example.org"), json!({ "legacySub": sub })))
        .collect();
    let done = import(&app, &rows).await;
    assert_eq!(codes(&done), ["created"; 5]);
    for row in done.body["results"].as_array().unwrap() {
        assert!(row["subPreserved"] == false && row["id"] != json!(id), "{row}");
    }
    assert_eq!(victim.get("/api/me").await.body["email"], "victim@example.org");
}

/// Attack 181.
#[tokio::test]
async fn roles_are_those_that_clients_declare() {
    let app = app().await;
    let many: Map<String, Value> = (0..10_000).map(|number| (format!("client{number}"), json!(["viewer"]))).collect();
    let rows: Vec<Value> = [
        json!({ "nobody": ["viewer"] }),
        json!({ "web": ["owner"] }),
        json!({ "web": ["admin"] }),
        json!({ "alone": ["x", "y"] }),
        json!({ "": [] }),
        json!({ "WEB": ["viewer"] }),
        Value::Object(many),
    ]
    .into_iter()
    .chain([
        json!({ "web": "viewer" }),
        json!({ "web": { "viewer": true } }),
        json!({ "web": [["viewer"]] }),
        json!([]),
        json!("web"),
    ])
    .enumerate()
    .map(|(number, roles)| user(&format!("u{number}@example.org"), json!({ "roles": roles })))
    .collect();
    let mut expected = vec!["invalid badRole"; 7];
    expected.resize(12, "invalid validation");
    assert_eq!(codes(&import(&app, &rows).await), expected);
    assert_eq!(app.count("select count(*) from users").await + app.count("select count(*) from role_assignments").await, 0);
}

#[tokio::test]
async fn no_field_makes_an_administrator_or_comes_from_elsewhere() {
    let app = app().await;
    for field in [
        "isAdmin",
        "is_admin",
        "admin",
        "id",
        "password",
        "tokenVersion",
        "requirePasswordChange",
        "mustChangePassword",
        "emailverified",
        "__proto__",
    ] {
        let sent = user("ann@example.org", json!({ field: true }));
        let refused = import(&app, &[sent]).await;
        assert_eq!(codes(&refused), ["invalid unknownField"]);
        assert_eq!(refused.body["results"][0]["message"], format!("{field} is not known"));
    }
    let nested =
        import(&app, &[user("ann@example.org", json!({ "hashedPassword": { "value": super::BCRYPT, "rounds": 4 } }))]).await;
    assert_eq!(nested.body["results"][0]["message"], "hashedPassword.rounds is not known");
    assert_eq!(app.count("select count(*) from users").await, 0);
}

#[tokio::test]
async fn text_of_callers_stays_text() {
    let app = app().await;
    let sub = "'; drop table users; --\u{202e}<script>";
    let row = user("o'neil@example.org", json!({ "lastName": "O'Neil \\ \"x\" {a,b}", "legacySub": sub }));
    assert_eq!(codes(&import(&app, &[row]).await), ["created"]);
    assert_eq!(app.count("select count(*) from users where last_name = 'O''Neil \\ \"x\" {a,b}'").await, 1);
}
