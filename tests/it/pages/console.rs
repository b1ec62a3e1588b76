//! The console of administrators without scripts.

mod access;
mod acts;
mod applications;
mod default_roles;
mod mail_preview;
mod new_person;
mod operations;
mod people;
mod settings;
mod spaces;
mod tokens;
mod trail;

use super::{ANN, app, app_with};
use support::prelude::*;

const ADMIN: &str = "admin@example.org";

/// Two groups of roles: one of a confidential client, and one of a public client with one role at most.
const CLIENTS: &str = r#"[{"clientId":"web","name":"Shop <b>","redirectUris":["https://a.example/cb?x=1"],"roleGroup":"shop","roles":["viewer","editor"],"webhookUrl":"https://a.example/hook"},
    {"clientId":"one","kind":"public","redirectUris":["https://b.example/cb"],"roles":["x","y"],"roleMode":"single"}]"#;

/// A server, and its administrator who is signed in.
async fn with_administrator() -> (TestApp, Person) {
    let app = app().await;
    let admin = Person::signed_in(&app, ADMIN).await;
    (app, admin)
}

/// A server with these variables, its administrator and another person, both signed in.
async fn with_ann(variables: &[(&str, &str)]) -> (TestApp, Person, Person) {
    let app = app_with(variables).await;
    let (admin, ann) = administrator_and_ann(&app).await;
    (app, admin, ann)
}

async fn administrator_and_ann(app: &TestApp) -> (Person, Person) {
    (Person::signed_in(app, ADMIN).await, Person::signed_in(app, ANN).await)
}

/// The id of an account.
pub(super) async fn id_of(app: &TestApp, email: &str) -> String {
    app.value::<String>(&format!("select id::text as text from users where email = '{email}'")).await
}

/// The page of a person.
fn person(id: &str) -> String {
    format!("/admin/users/{id}")
}
