//! Registration.

use super::{FREE, app};
use support::prelude::*;

#[tokio::test]
async fn a_person_registers_signs_in_reads_the_profile_and_signs_out() {
    let app = app().await;
    let ann = Person::at(&app);

    let response = ann.register(" Ann@Example.ORG ").await;
    assert_eq!((response.status, &response.body["emailVerificationRequired"]), (201, &json!(false)), "{}", response.body);
    assert_eq!(response.body["user"]["email"], "ann@example.org");
    assert_eq!(response.cookie("session"), None, "a registration starts no session");
    assert_eq!(ann.get("/api/me").await.refusal(), (401, "unauthorized"));

    let response = ann.login("ann@example.org", PASSWORD).await;
    assert_eq!(response.status, 200, "{}", response.body);
    assert!(response.headers.get_all("set-cookie").iter().any(|g| {
        let text = g.to_str().unwrap();
        text.starts_with("session=") && text.ends_with("; Path=/; SameSite=Lax; HttpOnly; Max-Age=1209600")
    }));
    let profile = ann.get("/api/me").await;
    assert_eq!((profile.status, profile.headers["cache-control"].to_str().unwrap()), (200, "no-store"));
    assert_eq!(profile.body, response.body["user"]);
    let id = profile.body["id"].clone();
    assert_eq!(
        profile.body,
        json!({
            "id": id, "email": "ann@example.org", "firstName": "Ann", "lastName": "Bee", "displayName": "Ann Bee",
            "locale": "en", "supportedLocales": ["en", "de"], "isAdmin": true, "emailVerified": true, "hasPassword": true,
            "passkeyCount": 0, "totpEnabled": false,
            "createdAt": "2026-03-01T12:00:00.000Z", "lastLoginAt": "2026-03-01T12:00:00.000Z",
        })
    );

    assert_eq!(ann.post("/api/auth/logout", &json!({})).await.status, 200);
    assert_eq!(ann.get("/api/me").await.status, 401);
    let events = app.count("select count(distinct event) from account_audit where user_id = (select id from users)").await;
    assert_eq!(events, 3, "auth.register, auth.login.success, auth.logout");
}

#[tokio::test]
async fn of_fifty_concurrent_registrations_one_makes_an_administrator() {
    let app = app().await;
    let mut crowd = JoinSet::new();
    let app = std::sync::Arc::new(app);
    for number in 0..50 {
        let app = app.clone();
        crowd.spawn(async move { Person::at(&app).register(&format!("person{number}@example.org")).await.status });
    }
    assert_eq!(crowd.join_all().await, [201; 50]);
    assert_eq!(app.count("select count(*) from users where is_admin").await, 1);
    assert_eq!(app.count("select count(*) from users").await, 50);
}

#[tokio::test]
async fn fifty_concurrent_registrations_of_one_address_make_one_account() {
    let app = std::sync::Arc::new(app().await);
    let mut crowd = JoinSet::new();
    for number in 0..50 {
        let app = app.clone();
        let email = if number % 2 == 0 { "ann@example.org" } else { "ANN@example.org " };
        crowd.spawn(async move { Person::at(&app).register(email).await.status });
    }
    let mut statuses = crowd.join_all().await;
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (201, &[409; 49][..]));
    assert_eq!(app.count("select count(*) from users").await, 1);
    assert_eq!(Person::at(&app).register("ann@example.org").await.refusal(), (409, "emailTaken"));
}

#[tokio::test]
async fn after_the_first_administrator_deletes_the_account_the_next_registration_makes_none() {
    let app = app().await;
    Person::at(&app).register("first@example.org").await;
    app.sql("delete from users").await;
    Person::at(&app).register("second@example.org").await;
    assert_eq!(app.count("select count(*) from users where is_admin").await, 0);
}

/// The setting is about the first registration, and not about the next one after the setting was changed.
#[tokio::test]
async fn the_second_account_is_no_administrator_whenever_the_setting_is_changed() {
    let variables = [FREE, &[("APP_FIRST_USER_IS_ADMIN", "false")]].concat();
    let app = TestApp::with_variables(&variables).await;
    assert_eq!(Person::at(&app).register("first@example.org").await.status, 201);
    let again = Setup { variables: FREE, database: Some(app.database.clone()), ..Setup::default() };
    let again = TestApp::with(again).await;
    // Both servers draw the same random numbers; this request moves the second one ahead, so that their ids
    // differ.
    Person::at(&again).csrf().await;
    assert_eq!(Person::at(&again).register("second@example.org").await.status, 201);
    assert_eq!(again.count("select count(*) from users where is_admin").await, 0);
}

#[tokio::test]
async fn registration_can_be_closed_and_the_first_need_not_be_admin() {
    let with = |more: (&'static str, &'static str)| FREE.iter().copied().chain([more]).collect::<Vec<_>>();
    let variables = with(("APP_REGISTRATION_ENABLED", "false"));
    let app = TestApp::with_variables(&variables).await;
    assert_eq!(Person::at(&app).register("ann@example.org").await.refusal(), (403, "registrationDisabled"));
    assert_eq!(app.count("select count(*) from users").await, 0);

    let variables = with(("APP_FIRST_USER_IS_ADMIN", "false"));
    let app = TestApp::with_variables(&variables).await;
    assert_eq!(Person::at(&app).register("ann@example.org").await.status, 201);
    assert_eq!(app.count("select count(*) from users where is_admin").await, 0);
}
