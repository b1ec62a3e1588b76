//! The list of people.

use super::{ADMIN, with_administrator};
use support::prelude::*;

/// Adds people whose addresses are `person1@example.org` and so on, each a minute younger than the one
/// before.
pub(super) async fn add_people(app: &TestApp, number: u32) {
    let statement = format!(
        "insert into users (id, email, first_name, last_name, locale, password_hash, email_verified, created_at)
         select gen_random_uuid(), 'person' || n || '@example.org', 'Person', 'Number ' || n, 'en', 'x', n % 2 = 0,
                timestamptz '2020-01-01' + n * interval '1 minute'
         from generate_series(1, {number}) n"
    );
    app.sql(&statement).await;
}

/// The addresses of a page, and the total.
pub(super) async fn emails(admin: &Person, query: &str) -> (Vec<String>, Value) {
    let response = admin.get(&format!("/api/admin/users?{query}")).await;
    assert_eq!(response.status, 200, "{query}: {}", response.body);
    let users = response.body["users"].as_array().unwrap();
    (users.iter().map(|user| user["email"].as_str().unwrap().to_owned()).collect(), response.body["total"].clone())
}

#[tokio::test]
async fn a_page_has_the_newest_people_first() {
    let (app, admin) = with_administrator().await;
    add_people(&app, 45).await;
    let first = admin.get("/api/admin/users").await.body;
    assert_eq!(
        (&first["page"], &first["perPage"], &first["total"], &first["totalPages"]),
        (&json!(1), &json!(20), &json!(46), &json!(3))
    );
    assert_eq!(first["totalIsExact"], true);
    assert_eq!((first["users"].as_array().unwrap().len(), &first["users"][0]["email"]), (20, &json!(ADMIN)));
    let (last, _) = emails(&admin, "page=3").await;
    assert_eq!((last.len(), last.last().unwrap().as_str()), (6, "person1@example.org"));
    assert_eq!(emails(&admin, "page=4").await, (vec![], json!(46)));
    assert_eq!(emails(&admin, "page=2147483648").await.0, [""; 0]);
    assert_eq!(emails(&admin, "page=99999999999999999999&perPage=100").await.0, [""; 0]);
    let wide = admin.get("/api/admin/users?perPage=101").await.body;
    assert_eq!((&wide["perPage"], wide["users"].as_array().unwrap().len()), (&json!(100), 46));
    assert_eq!(emails(&admin, "sort=createdAt&perPage=1").await.0, ["person1@example.org"]);
    assert_eq!(emails(&admin, "sort=email&perPage=2").await.0, [ADMIN, "person10@example.org"]);
    assert_eq!(emails(&admin, "sort=-email&perPage=1").await.0, ["person9@example.org"]);
}

#[tokio::test]
async fn a_person_is_shown_with_everything_but_secrets() {
    let (_app, admin) = with_administrator().await;
    let shown = admin.get("/api/admin/users").await.body["users"][0].clone();
    let id = shown["id"].as_str().unwrap();
    let at = shown["createdAt"].clone();
    assert_eq!(
        shown,
        json!({
            "id": id, "email": ADMIN, "firstName": "Ann", "lastName": "Bee", "displayName": "Ann Bee", "locale": "en",
            "isAdmin": true, "emailVerified": true, "suspendedAt": null, "legacySub": null, "hasPassword": true, "passkeyCount": 0, "totpEnabled": false,
            "createdAt": at, "updatedAt": at, "lastLoginAt": at,
        })
    );
    assert_eq!(admin.get(&super::user(id)).await.body, shown, "alone as in the list");
}

/// Attack 151.
#[tokio::test]
async fn parameters_that_cannot_be_read_are_named() {
    let (_app, admin) = with_administrator().await;
    for (query, field) in [
        ("page=0", "page"),
        ("page=-1", "page"),
        ("perPage=0", "perPage"),
        ("perPage=-1", "perPage"),
        ("perPage=ten", "perPage"),
        ("emailVerified=maybe", "emailVerified"),
        ("isAdmin=1", "isAdmin"),
        ("suspended=yes", "suspended"),
        ("sort=name", "sort"),
        ("sort=email;drop", "sort"),
        (&format!("search={}", "x".repeat(10_240)), "search"),
    ] {
        let response = admin.get(&format!("/api/admin/users?{query}")).await;
        assert_eq!(
            (response.refusal(), &response.body["details"][0]["field"]),
            ((400, "validation"), &json!(field)),
            "{query:.30}"
        );
    }
    assert_eq!(admin.get("/api/admin/users?search=%ff").await.refusal(), (400, "badEncoding"));
    assert_eq!(admin.get("/api/admin/users?search=%00").await.refusal(), (400, "badEncoding"));
}

#[tokio::test]
async fn kinds_of_people_are_counted_as_they_change() {
    let (app, admin) = with_administrator().await;
    add_people(&app, 10).await;
    let total = |query: &'static str| {
        let admin = &admin;
        async move {
            let (listed, total) = emails(admin, query).await;
            assert_eq!(json!(listed.len()), total, "{query}");
            listed.len()
        }
    };
    assert_eq!((total("").await, total("emailVerified=true").await, total("emailVerified=false").await), (11, 6, 5));
    assert_eq!((total("isAdmin=true").await, total("isAdmin=false").await, total("suspended=true").await), (1, 10, 0));
    app.sql("update users set suspended_at = now() where email in ('person1@example.org', 'person2@example.org')").await;
    app.sql("update users set is_admin = true where email in ('person2@example.org', 'person3@example.org')").await;
    app.sql("update users set email_verified = true, first_name = 'P' where email = 'person1@example.org'").await;
    app.sql("update users set last_login_at = now(), suspended_at = suspended_at").await;
    assert_eq!((total("suspended=true").await, total("suspended=false").await, total("isAdmin=true").await), (2, 9, 3));
    assert_eq!(
        (total("suspended=true&isAdmin=true").await, total("emailVerified=false&isAdmin=true&suspended=false").await),
        (1, 1)
    );
    assert_eq!((total("emailVerified=true").await, total("emailVerified=false&suspended=true").await), (7, 0));
    app.sql("delete from users where email like 'person%' and is_admin").await;
    assert_eq!((total("").await, total("suspended=true").await, total("isAdmin=true").await), (9, 1, 1));
    assert_eq!(app.count("select sum(number)::bigint from account_counts").await, 9);
}
