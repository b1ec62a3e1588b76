//! Mailed links: registration, verification, password reset, invitations.

mod address;
mod dump;
pub(crate) mod invite;
mod registration;
mod reset;
mod verification;

use super::{FREE, LIMITED, app, registered};
use crypto::{keys::Keys, random::SystemEntropy, seal::Seal};
use domain::{
    identity::{MailContent, mail::StoredMail, one_time::Kind},
    shared::MailId,
};
use support::prelude::*;

/// Mail is on, and the mail server is down: every mail stays in the outbox, where the tests read it.
pub(super) const MAILING: &[(&str, &str)] = &[
    ("APP_SMTP_HOST", "127.0.0.1"),
    ("APP_SMTP_PORT", "1"),
    ("APP_SMTP_SECURITY", "none"),
    ("APP_SMTP_FROM", "Lectern <lectern@example.com>"),
];

/// A server that sends mail and does not limit callers.
pub(super) async fn mailing_app() -> TestApp {
    TestApp::with_variables(&[FREE, MAILING].concat()).await
}

/// A server that sends mail and has the usual limits.
async fn limited_app() -> TestApp {
    TestApp::with_variables(&[LIMITED, MAILING].concat()).await
}

/// A new invitation for an account.
pub(crate) async fn invitation(app: &TestApp, email: &str) -> String {
    link_of_kind(app, email, Kind::Invite).await
}

/// Stores a new link of an account without mailing it. Returns its token.
pub(crate) async fn link_of_kind(app: &TestApp, email: &str, kind: Kind) -> String {
    let (token, hash) = crypto::opaque_token::generate(&SystemEntropy);
    let hours = kind.lifetime().as_secs() / 3600;
    app.sql(&format!(
        "insert into one_time (id, kind, user_id, hash, created_at, expires_at)
             select gen_random_uuid(), '{}', id, decode('{}', 'hex'), '2026-03-01T12:00:00Z',
                    '2026-03-01T12:00:00Z'::timestamptz + interval '{hours} h'
             from users where email = '{email}'",
        kind.into_str(),
        hex::encode(hash)
    ))
    .await;
    token.expose_secret().to_owned()
}

/// The mails to an address, in order.
pub(super) async fn letters(app: &TestApp, email: &str) -> Vec<MailContent> {
    let query = "select mails.id, mails.sealed from mails join jobs on jobs.key = mails.id::text order by jobs.id";
    let rows = app.rows(query, &[]).await;
    let seal = Seal::new(Keys::new(vec![7; 32].into()).derive(StoredMail::KEY_LABEL));
    // The content of a mail that was given up is deleted.
    let opened = rows.iter().filter_map(|row| {
        let id = MailId(row.get("id"));
        let sealed: Vec<u8> = row.get::<_, Option<Vec<u8>>>("sealed")?;
        Some(StoredMail::from_bytes(seal.open(&StoredMail::seal_context(id), &sealed).unwrap().expose_secret()).unwrap())
    });
    opened.filter(|opened| opened.to.as_str() == email).map(|opened| opened.content).collect()
}

/// The link in the last mail to an address that has a link.
pub(super) async fn last_link(app: &TestApp, email: &str) -> String {
    let mut links = letters(app, email).await.into_iter().filter_map(|letter| match letter {
        MailContent::Verification { link } | MailContent::PasswordReset { link } | MailContent::Invite { link } => Some(link),
        MailContent::SpaceInvite { .. } | MailContent::LoginCode { .. } | MailContent::NewLogin { .. } => None,
    });
    links.next_back().expect("a letter with a link")
}

/// The token of that link.
pub(super) async fn last_token(app: &TestApp, email: &str) -> String {
    last_link(app, email).await.split_once("?token=").unwrap().1.to_owned()
}

/// The headers of a browser whose person goes to a page.
const NAVIGATES: &[(&str, &str)] = &[
    ("accept", "text/html,*/*;q=0.8"),
    ("sec-fetch-mode", "navigate"),
    ("sec-fetch-dest", "document"),
    ("sec-fetch-site", "cross-site"),
    ("sec-fetch-user", "?1"),
];

/// Follows a link as a browser does whose person goes there. Returns the target of the redirect, or the
/// error.
async fn visit(person: &Person, path: &str) -> (u16, String) {
    open(person, path, NAVIGATES).await
}

/// Opens a link with these headers. Returns the target of the redirect, or the error.
async fn open(person: &Person, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let request = headers.iter().fold(person.browser.get(person.url(path)), |request, (name, value)| request.header(*name, *value));
    let response = request.send().await.unwrap();
    let location = response.headers().get("location").map(|header| header.to_str().unwrap().to_owned());
    (response.status().as_u16(), location.unwrap_or_default())
}

/// Registers, and follows the link.
async fn verified(app: &TestApp, email: &str) -> Person {
    let person = Person::at(app);
    assert_eq!(person.register(email).await.status, 201);
    let token = last_token(app, email).await;
    assert_eq!(visit(&person, &format!("/api/auth/verify-email?token={token}")).await, (302, "/login?verified=1".to_owned()));
    person
}

async fn forgot_password(person: &Person, email: &str) -> Response {
    person.post("/api/auth/password/forgot", &json!({ "email": email })).await
}

async fn reset_password(person: &Person, token: &str, password: &str) -> Response {
    person.post("/api/auth/password/reset", &json!({ "token": token, "newPassword": password })).await
}
