//! One account in a request, and looking accounts up.

use super::{
    super::links::{MAILING, last_token},
    BCRYPT, SUB, app, create, entries, import, lookup, user, with,
};
use support::prelude::*;

#[tokio::test]
async fn an_account_keeps_what_it_had_in_the_other_system() {
    let app = app().await;
    let ann = user(
        " Ann@Example.ORG ",
        json!({ "lastName": "Bee", "locale": "de", "emailVerified": true, "createdAt": "2019-05-04T08:00:00+02:00", "legacySub": SUB,
                "roles": { "web": ["viewer"], "shop": ["admin"], "alone": ["x"] }, "hashedPassword": { "value": BCRYPT, "algorithm": "bcrypt" } }),
    );
    let created = create(&app, &ann).await;
    let view = json!({ "id": SUB, "email": "ann@example.org", "legacySub": SUB, "subPreserved": true });
    assert_eq!((created.status, &created.body), (200, &json!({ "status": "created", "user": view })));
    let again = create(&app, &ann).await;
    assert_eq!((again.status, &again.body), (200, &json!({ "status": "skipped", "user": view })));
    assert_eq!(lookup(&app, &format!("legacySub={SUB}")).await.body, view);
    assert_eq!(lookup(&app, "email=ANN@example.org").await.body, view);

    let person = Person::at(&app);
    let login = person.login("ann@example.org", "Correct-Horse-7!").await.expect(200);
    let profile = &login["user"];
    assert_eq!((&profile["id"], &profile["lastName"], &profile["locale"]), (&json!(SUB), &json!("Bee"), &json!("de")));
    assert_eq!((&profile["createdAt"], &profile["isAdmin"]), (&json!("2019-05-04T06:00:00.000Z"), &json!(false)));
    let export = person.get("/api/me/export").await.body;
    let role = |group: &str, role: &str| json!({ "roleGroup": group, "role": role });
    assert_eq!(export["roles"], json!([role("alone", "x"), role("shop", "admin"), role("shop", "viewer")]));
    assert_eq!(export["profile"]["legacySub"], SUB);
}

#[tokio::test]
async fn every_refusal_has_its_status_and_its_code() {
    let app = app().await;
    assert_eq!(create(&app, &user("ann@example.org", json!({ "legacySub": SUB }))).await.status, 200);
    assert_eq!(create(&app, &user("bob@example.org", json!({}))).await.status, 200);
    let bob = lookup(&app, "email=bob@example.org").await.body["id"].as_str().unwrap().to_owned();
    for (sent, status, outcome, code) in [
        (user("eve@example.org", json!({ "isAdmin": true })), 400, "invalid", "unknownField"),
        (user("eve", json!({})), 400, "invalid", "validation"),
        (user("eve@example.org", json!({ "roles": { "web": ["admin"] } })), 400, "invalid", "badRole"),
        (user("eve@example.org", json!({ "hashedPassword": { "value": "hunter2" } })), 400, "invalid", "badHash"),
        (user("ann@example.org", json!({})), 409, "conflict", "emailExists"),
        (user("Ann@example.org", json!({ "legacySub": "other" })), 409, "conflict", "emailExists"),
        (user("eve@example.org", json!({ "legacySub": SUB })), 409, "conflict", "legacySubExists"),
        (user("eve@example.org", json!({ "legacySub": bob })), 409, "conflict", "idExists"),
        (json!([]), 400, "invalid", "validation"),
    ] {
        let refused = create(&app, &sent).await;
        assert_eq!(refused.refusal(), (status, code), "{sent}");
        assert_eq!((&refused.body["status"], &refused.body["code"]), (&json!(outcome), &json!(code)));
        assert!(refused.body["message"].is_string() && refused.body["requestId"].is_string());
        assert!(!refused.body.to_string().contains("hunter2"));
    }
    assert_eq!(app.count("select count(*) from users").await, 2);
    let unread = super::post(&app, "/users", &json!("x")).await;
    assert_eq!(unread.refusal(), (400, "validation"));
    let events = entries(&app).await;
    let of = |kind: &str| events.iter().filter(|entry| entry.starts_with(kind)).count();
    assert_eq!(
        (of("provisioning.user.created provisioning importer - true"), of("provisioning.user.rejected provisioning importer ")),
        (2, 10)
    );
}

#[tokio::test]
async fn a_subject_that_is_no_uuid_is_only_recorded() {
    let app = app().await;
    for (number, sub) in
        ["auth0|42", &SUB.to_uppercase(), &format!("{{{SUB}}}"), &format!("urn:uuid:{SUB}"), "00000000-0000-0000-0000-000000000000"]
            .into_iter()
            .enumerate()
    {
        let created = create(&app, &user(&format!("u{number}@example.org"), json!({ "legacySub": sub }))).await;
        let view = &created.body["user"];
        assert_eq!((created.status, &view["legacySub"], &view["subPreserved"]), (200, &json!(sub), &json!(false)));
        assert_ne!(view["id"], json!(sub.to_lowercase()));
    }
    let found = lookup(&app, "legacySub=auth0%7C42").await;
    assert_eq!((found.status, &found.body["email"]), (200, &json!("u0@example.org")));
}

#[tokio::test]
async fn lookups_answer_named_fields_of_one_account_or_nothing() {
    let app = app().await;
    import(
        &app,
        &[
            user("ann@example.org", json!({ "legacySub": "1", "hashedPassword": { "value": BCRYPT } })),
            user("bob@example.org", json!({})),
        ],
    )
    .await;
    let ann = lookup(&app, "legacySub=1").await;
    let mut members: Vec<&String> = ann.body.as_object().unwrap().keys().collect();
    members.sort();
    assert_eq!(members, ["email", "id", "legacySub", "subPreserved"]);
    assert_eq!(lookup(&app, "legacySub=1&email=bob@example.org").await.body, ann.body, "the subject comes first");
    let bob = lookup(&app, "email=bob@example.org").await.body;
    assert_eq!((&bob["legacySub"], &bob["subPreserved"]), (&json!(null), &json!(false)));
    assert_eq!(lookup(&app, "").await.refusal(), (400, "validation"));
    for nobody in [
        "email=%25",
        "email=a%25@example.org",
        "email=_nn@example.org",
        "legacySub=%25",
        "legacySub=_",
        "email=x",
        "legacySub=",
        "email=",
    ] {
        assert_eq!(lookup(&app, nobody).await.refusal(), (404, "notFound"), "{nobody}");
    }
    assert_eq!(lookup(&app, "legacySub=%00").await.status, 400);
}

#[tokio::test]
async fn a_suspended_account_may_not_sign_in_and_one_without_a_credential_has_to_prove_its_mailbox() {
    let app = app().await;
    let hash = json!({ "value": BCRYPT });
    import(
        &app,
        &[user("sue@example.org", json!({ "suspended": true, "hashedPassword": hash })), user("none@example.org", json!({}))],
    )
    .await;
    let person = Person::at(&app);
    assert_eq!(person.login("sue@example.org", "Correct-Horse-7!").await.refusal(), (403, "accountSuspended"));
    for password in ["", "Correct-Horse-7!", PASSWORD] {
        assert_eq!(person.login("none@example.org", password).await.status / 100, 4, "{password}");
    }
    assert_eq!(person.register("none@example.org").await.refusal(), (409, "emailTaken"));
}

/// Attack 185.
#[tokio::test]
async fn a_reset_by_mail_opens_an_account_without_a_credential_and_nothing_else_does() {
    let app = with(MAILING).await;
    import(&app, &[user("none@example.org", json!({})), user("new@example.org", json!({ "hashedPassword": { "value": BCRYPT } }))])
        .await;
    let person = Person::at(&app);
    assert_eq!(person.login("new@example.org", "Correct-Horse-7!").await.refusal(), (403, "emailNotVerified"), "as it was sent");
    assert_eq!(person.login("none@example.org", PASSWORD).await.refusal(), (401, "invalidCredentials"));
    assert_eq!(person.post("/api/auth/password/forgot", &json!({ "email": "none@example.org" })).await.status, 200);
    let token = last_token(&app, "none@example.org").await;
    person.post("/api/auth/password/reset", &json!({ "token": token, "newPassword": PASSWORD })).await.expect(200);
    assert_eq!(person.login("none@example.org", PASSWORD).await.status, 200);
}
