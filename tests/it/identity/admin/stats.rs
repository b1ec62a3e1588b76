//! Figures for an overview.

use super::{ANN, FREE, administrator, list::add_people, with_administrator};
use domain::shared::timestamp;
use support::prelude::*;

#[tokio::test]
async fn the_figures_are_those_of_the_tables() {
    let clients = r#"[{"clientId":"web","redirectUris":["https://a.example/cb"]},{"clientId":"cms","redirectUris":["https://b.example/cb"]}]"#;
    let app = TestApp::with_variables(&[FREE, &[("APP_OIDC_CLIENTS_JSON", clients)]].concat()).await;
    add_people(&app, 10).await;
    let old = administrator(&app).await;
    app.clock.advance(SignedDuration::from_hours(48));
    let admin = Person::elsewhere(&app, super::ADMIN).await;
    let ann = Person::signed_in(&app, ANN).await;
    ann.login(ANN, "not the harbour").await;
    crate::identity::totp::enrol(&app, &ann).await;
    app.sql("update users set suspended_at = created_at where email = 'person1@example.org'").await;
    let key = "insert into passkeys (id, user_id, credential_id, credential, sign_count, is_synced, is_backed_up, transports, name, created_at)
               select gen_random_uuid(), id, decode(md5(n::text), 'hex'), '{}', 0, false, false, '{}', 'Key', created_at
               from users, generate_series(1, 2) n where email = 'person2@example.org'";
    app.sql(key).await;
    let figures = admin.get("/api/admin/stats").await;
    assert_eq!(
        (figures.status, figures.body),
        (
            200,
            json!({
                "users": {
                    "total": 12, "verified": 7, "unverified": 5, "admins": 1, "suspended": 1, "withPasskey": 1, "withTotp": 1,
                    "createdLast24h": 1, "createdLast7d": 2, "createdLast30d": 2,
                },
                "sessions": { "active": 3 },
                "logins": { "last24h": 2, "failedLast24h": 1 },
                "emails": { "sentLast24h": 0, "failedLast24h": 0 },
                "clients": 2,
                "at": timestamp::format(app.clock.now()),
            })
        )
    );
    assert_eq!(old.get("/api/admin/stats").await.refusal(), (401, "reauthenticationRequired"));
}

#[tokio::test]
async fn mails_of_the_day_are_counted() {
    let (app, admin) = with_administrator().await;
    let mail = |columns: &str, values: &str| {
        format!(
            "insert into mails (id, user_id, template, locale, created_at, {columns})
             select gen_random_uuid(), id, 'invite', 'en', created_at, {values} from users"
        )
    };
    for (columns, values) in [
        ("sent_at", "created_at"),
        ("sent_at", "created_at - interval '25 hours'"),
        ("dead_at, reason", "created_at, 'refused'"),
        ("sealed", "'x'"),
    ] {
        app.sql(&mail(columns, values)).await;
    }
    let emails = admin.get("/api/admin/stats").await.body["emails"].clone();
    assert_eq!(emails, json!({ "sentLast24h": 1, "failedLast24h": 1 }));
    assert_eq!(Person::at(&app).login(ANN, PASSWORD).await.status, 401);
}
