//! `GET /api/me/activity`.

use super::signed_in;
use domain::shared::UserId;
use storage::identity::audit;
use support::prelude::*;

fn events(body: &Value) -> Vec<&str> {
    body["activity"].as_array().unwrap().iter().map(|b| b["event"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn it_lists_what_happened_to_the_own_account_newest_first() {
    let (app, ann) = signed_in().await;
    Person::at(&app).login("ann@example.org", "not the harbour").await;
    Person::signed_in(&app, "bob@example.org").await;
    let response = ann.get("/api/me/activity").await;
    assert_eq!(
        events(&response.body),
        ["auth.login.failure", "auth.login.success"],
        "not what else the trail has: the registration"
    );
    assert_eq!(response.body["limit"], 20);
    assert_eq!(
        response.body["activity"][0],
        json!({
            "event": "auth.login.failure", "status": "failure", "ip": "127.0.0.1", "userAgent": null,
            "createdAt": "2026-03-01T12:00:00.000Z",
        })
    );
}

/// How many entries of the audit trail were read by its index so far, by PostgreSQL's statistics.
async fn read(app: &TestApp) -> i64 {
    // A connection reports its statistics after a while, or when this function is called.
    let session = app.connection().await;
    session.rows("select pg_stat_force_next_flush()", &[]).await.unwrap();
    let read = "select idx_tup_read as number from pg_stat_user_indexes where indexrelname = 'account_audit_activity'";
    session.row(read, &[]).await.unwrap().get("number")
}

#[tokio::test]
async fn only_the_returned_entries_of_a_long_trail_are_read() {
    let (app, ann) = signed_in().await;
    let past = "insert into account_audit (actor_id, event, status, created_at)
                select case number % 2 when 0 then id::text end, case number % 4 when 0 then 'auth.login.success' else 'test' end, 'success', now() from users, generate_series(1, 20000) as number";
    app.sql(past).await;
    app.sql("analyze account_audit").await;
    let before = read(&app).await;
    let user = UserId(ann.get("/api/me").await.body["id"].as_str().unwrap().parse().unwrap());
    let session = app.connection().await;
    assert_eq!(audit::activity(&session, user, 20).await.unwrap().len(), 20);
    session.rows("select pg_stat_force_next_flush()", &[]).await.unwrap();
    let during = read(&app).await - before;
    assert!((20..1000).contains(&during), "{during}");
}

#[tokio::test]
async fn it_returns_as_many_as_requested_and_at_most_a_hundred() {
    let (app, ann) = signed_in().await;
    app.sql(
        "insert into account_audit (actor_id, event, status, created_at)
         select id::text, 'auth.login.success', 'success', now() from users, generate_series(1, 150)",
    )
    .await;
    for (query, told) in
        [("", 20), ("?limit=", 20), ("?limit=1", 1), ("?limit=100", 100), ("?limit=101", 100), ("?limit=99999999999", 100)]
    {
        let body = ann.get(&format!("/api/me/activity{query}")).await.body;
        assert_eq!((events(&body).len(), &body["limit"]), (told, &json!(told)), "{query}");
    }
    for query in ["?limit=0", "?limit=-1", "?limit=x", "?limit=1e2"] {
        assert_eq!(ann.get(&format!("/api/me/activity{query}")).await.refusal(), (400, "validation"), "{query}");
    }
}
