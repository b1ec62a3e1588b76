//! Who the trail of accounts names, and that no statement rewrites it.

use super::app;
use support::prelude::*;

/// What PostgreSQL answers to a statement that must not work.
async fn refused(app: &TestApp, statement: &str) {
    let connection = app.connection().await;
    let error = connection.execute(statement, &[]).await.unwrap_err();
    assert!(format!("{error:?}").contains("account_audit is append-only"), "{statement}: {error:?}");
}

#[tokio::test]
async fn what_a_person_does_is_attributed_to_that_person() {
    let app = app().await;
    Person::signed_in(&app, "ann@example.org").await;
    Person::at(&app).login("nobody@example.org", "not the harbour").await;
    let own = "select count(*) from account_audit where actor_type = 'user' and actor_id = user_id::text and target_id is null";
    assert_eq!(app.count(own).await, 2, "registered and signed in");
    let stranger = "select count(*) from account_audit where actor_type = 'user' and actor_id is null and user_id is null";
    assert_eq!(app.count(stranger).await, 1);
}

#[tokio::test]
async fn an_entry_is_neither_changed_nor_removed() {
    let app = app().await;
    Person::signed_in(&app, "ann@example.org").await;
    app.sql("insert into account_audit (event, status, created_at) values ('young', 'success', now() - interval '23 hours')").await;
    for statement in [
        "update account_audit set event = 'other'",
        "update account_audit set ip = null, user_agent = null, details = '{}'",
        "delete from account_audit where event = 'young'",
        "truncate account_audit",
    ] {
        refused(&app, statement).await;
    }
}

#[tokio::test]
async fn only_the_personal_columns_of_somebody_who_is_gone_become_empty() {
    let app = app().await;
    Person::signed_in(&app, "ann@example.org").await;
    app.sql("delete from users").await;
    for statement in [
        "update account_audit set ip = null, user_agent = null, details = '{}', event = 'other'",
        "update account_audit set ip = null, user_agent = null, details = '{}', user_id = null",
        "update account_audit set ip = '192.0.2.1', user_agent = null, details = '{}'",
    ] {
        refused(&app, statement).await;
    }
    app.sql("update account_audit set ip = null, user_agent = null, details = '{}'").await;
    assert_eq!(app.count("select count(*) from account_audit where ip is not null").await, 0);
}

#[tokio::test]
async fn entries_go_by_age() {
    let app = app().await;
    Person::signed_in(&app, "ann@example.org").await;
    let entry = "insert into account_audit (event, status, created_at) values ('old', 'success', now() - interval '25 hours')";
    app.sql(entry).await;
    app.sql("delete from account_audit where event = 'old'").await;
    assert_eq!(app.count("select count(*) from account_audit where event = 'old'").await, 0);
}
