//! `/api/me/sessions…`.

use super::{app, get_with_cookies, registered, signed_in};
use support::prelude::*;

async fn sessions(person: &Person) -> Vec<Value> {
    person.get("/api/me/sessions").await.body["sessions"].as_array().unwrap().clone()
}

#[tokio::test]
async fn the_list_shows_where_the_account_is_signed_in_and_each_can_be_ended() {
    let (app, ann) = signed_in().await;
    let bob = Person::signed_in(&app, "bob@example.org").await;
    app.clock.advance(jiff::SignedDuration::from_secs(1));
    let phone = Person::at(&app);
    let login = phone.request(Method::POST, "/api/auth/login").await.header("user-agent", "A phone");
    let body = json!({ "email": "ann@example.org", "password": super::PASSWORD });
    assert_eq!(login.json(&body).send().await.unwrap().status(), 200);

    let listed = sessions(&ann).await;
    assert_eq!(listed.len(), 2, "not Bob's: {listed:?}");
    let id = listed[0]["id"].as_str().unwrap();
    assert_eq!(
        listed[0],
        json!({
            "id": id, "current": false, "ip": "127.0.0.1", "userAgent": "A phone", "createdAt": "2026-03-01T12:00:01.000Z",
            "lastSeenAt": "2026-03-01T12:00:01.000Z", "clients": [],
        })
    );
    assert_eq!(listed[1]["current"], true);

    let path = format!("/api/me/sessions/{id}");
    assert_eq!(bob.delete(&path, &json!({})).await.refusal(), (404, "notFound"), "a foreign one is not there");
    for other_form in [id.replace('-', ""), format!("urn:uuid:{id}"), format!("%7B{id}%7D")] {
        let path = format!("/api/me/sessions/{other_form}");
        assert_eq!(ann.delete(&path, &json!({})).await.refusal(), (404, "notFound"), "an id has one spelling");
    }
    assert_eq!(phone.get("/api/me").await.status, 200);
    assert_eq!(ann.delete(&path, &json!({})).await.status, 200);
    assert_eq!((phone.get("/api/me").await.status, ann.get("/api/me").await.status), (401, 200));
    assert_eq!((ann.delete(&path, &json!({})).await.status, sessions(&ann).await.len()), (404, 1));
    for odd in ["x", &Uuid::nil().to_string(), "%00"] {
        assert_eq!(ann.delete(&format!("/api/me/sessions/{odd}"), &json!({})).await.refusal(), (404, "notFound"), "{odd}");
    }

    let own = sessions(&ann).await[0]["id"].as_str().unwrap().to_owned();
    let response = ann.delete(&format!("/api/me/sessions/{own}"), &json!({})).await;
    assert_eq!((response.status, response.cookie("session").as_deref()), (200, Some("")), "as signing out");
    assert_eq!(ann.get("/api/me").await.status, 401);
    assert_eq!(app.count("select count(*) from account_audit where event = 'sessions.revoked_one'").await, 2);
}

#[tokio::test]
async fn ended_and_expired_sessions_are_not_listed() {
    let (app, ann) = signed_in().await;
    let other = Person::elsewhere(&app, "ann@example.org").await;
    let third = Person::at(&app);
    let body = json!({ "email": "ann@example.org", "password": super::PASSWORD, "rememberMe": false });
    third.post("/api/auth/login", &body).await;
    assert_eq!(sessions(&ann).await.len(), 3);
    other.post("/api/auth/logout", &json!({})).await;
    assert_eq!(sessions(&ann).await.len(), 2);
    app.clock.advance(jiff::SignedDuration::from_hours(24));
    assert_eq!(sessions(&ann).await.len(), 1);
}

#[tokio::test]
async fn ending_the_other_sessions_forgets_their_browsers() {
    let (app, ann) = signed_in().await;
    Person::signed_in(&app, "bob@example.org").await;
    let devices = "select count(*) from known_devices join users on users.id = user_id where email like 'ann%'";
    let change = json!({ "currentPassword": super::PASSWORD, "newPassword": "an even quieter port" });
    for (path, body) in [("/api/me/sessions/revoke-others", json!({})), ("/api/me/password", change)] {
        Person::elsewhere(&app, "ann@example.org").await;
        Person::elsewhere(&app, "ann@example.org").await;
        assert_eq!(app.count(devices).await, 3);
        assert_eq!(ann.post(path, &body).await.status, 200, "{path}");
        assert_eq!(app.count(devices).await, 1, "{path}");
    }
    ann.login("ann@example.org", "an even quieter port").await;
    assert_eq!(app.count(devices).await, 1, "the one that is left is this one");
    assert_eq!(app.count("select count(*) from known_devices").await, 2, "and Bob's");
}

#[tokio::test]
async fn all_others_end_and_this_one_goes_on_with_a_new_cookie() {
    let (app, ann) = registered().await;
    let response = ann.login("ann@example.org", super::PASSWORD).await;
    let (old, csrf) =
        (format!("session={}", response.cookie("session").unwrap()), response.body["csrfToken"].as_str().unwrap().to_owned());
    let (phone, bob) = (Person::elsewhere(&app, "ann@example.org").await, Person::signed_in(&app, "bob@example.org").await);
    assert_eq!(ann.get("/api/me/sessions/last-revoked-others").await.body, json!({ "at": null }));

    app.clock.advance(jiff::SignedDuration::from_secs(5));
    let request = ann.browser.post(app.url("/api/me/sessions/revoke-others")).header("x-csrf-token", &csrf);
    let response = request.answer().await;
    assert_eq!((response.status, &response.body["at"]), (200, &json!("2026-03-01T12:00:05.000Z")), "{}", response.body);
    assert!(response.body["message"].is_string());
    assert_eq!(
        (ann.get("/api/me").await.status, phone.get("/api/me").await.status, bob.get("/api/me").await.status),
        (200, 401, 200)
    );
    assert_eq!(get_with_cookies(&app, "/api/me", &old).await.status, 401);
    assert_eq!(ann.get("/api/me/sessions/last-revoked-others").await.body, json!({ "at": "2026-03-01T12:00:05.000Z" }));
    assert_eq!(bob.get("/api/me/sessions/last-revoked-others").await.body, json!({ "at": null }));
    assert_eq!(sessions(&ann).await.len(), 1);
    // The session is the same one, so its CSRF token is.
    let again = ann.browser.post(app.url("/api/me/sessions/revoke-others")).header("x-csrf-token", &csrf);
    assert_eq!(again.send().await.unwrap().status(), 200);
    assert_eq!(ann.get("/api/me").await.status, 200);
}

#[tokio::test]
async fn a_session_stays_as_remembered_as_it_was_begun() {
    let app = app().await;
    Person::signed_in(&app, "ann@example.org").await;
    let session = app.database.store.connection("test").await.unwrap();
    let is_kept = async |ann: &Person| {
        let response = ann.post("/api/me/sessions/revoke-others", &json!({})).await;
        let mut lines = response.headers.get_all("set-cookie").into_iter().map(|line| line.to_str().unwrap().to_owned());
        lines.find(|line| line.starts_with("session=")).unwrap().contains("; Max-Age=")
    };
    let begin = async |remember: bool| {
        let ann = Person::at(&app);
        let body = json!({ "email": "ann@example.org", "password": super::PASSWORD, "rememberMe": remember });
        assert_eq!(ann.post("/api/auth/login", &body).await.status, 200);
        ann
    };
    assert!(!is_kept(&begin(false).await).await);
    let remembered = begin(true).await;
    assert!(is_kept(&remembered).await);
    // It is stored, whatever the lifetime is.
    session.execute("update sessions set expires_at = created_at + interval '20 hours'", &[]).await.unwrap();
    assert!(is_kept(&remembered).await);
    // A former version, which may run beside this one, stores nothing: the lifetime says it.
    session.execute("update sessions set is_remembered = null", &[]).await.unwrap();
    assert!(!is_kept(&remembered).await);
    session.execute("update sessions set expires_at = created_at + interval '14 days'", &[]).await.unwrap();
    assert!(is_kept(&remembered).await);
}
