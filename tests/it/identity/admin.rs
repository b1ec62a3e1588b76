//! The admin API.

mod access;
mod actors;
mod audit_logs;
mod blocks;
mod clients;
mod config;
mod create;
mod email;
mod factors;
mod keys;
mod last_administrator;
mod links;
mod list;
mod logout;
mod mail_queue;
mod queues;
mod roles;
mod search;
mod spaces;
mod stats;
mod suspension;
mod tokens;
mod users;

use super::{FREE, LIMITED, app};
use support::prelude::*;

const ADMIN: &str = "admin@example.org";
const ANN: &str = "ann@example.org";

/// The first person who registers, who administers, signed in.
async fn administrator(app: &TestApp) -> Person {
    Person::signed_in(app, ADMIN).await
}

/// A server with an administrator.
async fn with_administrator() -> (TestApp, Person) {
    let app = app().await;
    let admin = administrator(&app).await;
    (app, admin)
}

/// A server with an administrator and with Ann, who is signed in.
async fn with_ann() -> (TestApp, Person, Person) {
    let (app, admin) = with_administrator().await;
    let ann = Person::signed_in(&app, ANN).await;
    (app, admin, ann)
}

/// The same where mail is on.
async fn administrator_with_mail(app: &TestApp) -> Person {
    let admin = Person::at(app);
    assert_eq!(admin.register(ADMIN).await.status, 201);
    app.sql("update users set email_verified = true").await;
    assert_eq!(admin.login(ADMIN, PASSWORD).await.status, 200);
    admin
}

/// The path of a person in the admin API.
fn user(id: &str) -> String {
    format!("/api/admin/users/{id}")
}

/// The administrator, who did it, the person whose account it is, and what else is recorded of the latest
/// entries with an event.
async fn recorded(app: &TestApp, event: &str) -> Vec<Value> {
    let query = "select jsonb_build_array(status, actor_type, actor_id, user_id, details) as entry from account_audit where event = $1 order by id";
    let rows = app.rows(query, &[&event]).await;
    rows.iter().map(|row| row.get("entry")).collect()
}
