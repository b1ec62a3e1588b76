//! `/api/admin/email…`.

use super::{ADMIN, administrator_with_mail, recorded, with_administrator};
use crate::identity::{FREE, LIMITED};
use support::{Authority, MailServer, prelude::*};

const STATUS: &str = "/api/admin/email/status";
const TEST: &str = "/api/admin/email/test";
/// The token of `/metrics`.
const TOKEN: (&str, &str) = ("APP_METRICS_TOKEN", "0123456789abcdef");
const LOGIN: (&str, &str) = ("lectern", "correct horse");

/// An administrator of a server with this mail server.
pub(super) async fn with_mail(mails: &MailBox, more: &[(&'static str, &str)]) -> (TestApp, Person) {
    let replaced = |name: &str| more.iter().any(|(other, _)| *other == name);
    let own: Vec<(&'static str, &str)> = mails.variables().into_iter().filter(|(name, _)| !replaced(name)).collect();
    let app = TestApp::with_variables(&[FREE, &own, more].concat()).await;
    let admin = administrator_with_mail(&app).await;
    (app, admin)
}

fn encrypted(authority: &Authority) -> MailServer<'_> {
    MailServer { security: Some(("starttls", authority)), login: Some(LOGIN) }
}

#[tokio::test]
async fn without_a_mail_server_there_is_nothing_to_measure_and_nothing_to_send() {
    let (_app, admin) = with_administrator().await;
    assert_eq!(admin.get(STATUS).await.body, json!({ "configured": false, "ok": false }));
    let test = json!({ "to": "bob@example.org", "template": "invite" });
    assert_eq!(admin.post(TEST, &test).await.refusal(), (409, "smtp_not_configured"));
}

#[tokio::test]
async fn the_status_says_how_the_connection_is_protected() {
    let mails = MailBox::start().await;
    let (_app, admin) = with_mail(&mails, &[]).await;
    let body = admin.get(STATUS).await.body;
    let tls = json!({
        "mode": "none", "encrypted": false, "authorized": null, "protocol": null, "requireTls": false, "rejectUnauthorized": true,
    });
    let expected = json!({
        "configured": true, "ok": true, "durationMs": body["durationMs"], "host": "127.0.0.1", "port": mails.port, "secure": false,
        "from": "Lectern <no-reply@example.org>", "authConfigured": false, "tls": tls,
    });
    assert_eq!(body, expected);
    mails.next_to(ADMIN).await;
    assert_eq!(mails.all().len(), 1, "that of the registration");
}

#[tokio::test]
async fn the_certificate_is_measured_also_where_it_need_not_be_valid() {
    let (ours, other) = (Authority::new("localhost"), Authority::new("elsewhere.example"));
    let (ours_file, other_file) = (ours.file("ca.pem"), other.file("ca.pem"));
    for (authority, trusted, reject, ok, authorized) in [
        (&ours, &ours_file, "true", true, Some(true)),
        (&other, &other_file, "false", true, Some(false)),
        // An invalid certificate that is refused ends the handshake: nothing is encrypted.
        (&other, &ours_file, "true", false, None),
    ] {
        let mails = MailBox::with(encrypted(authority)).await;
        let variables = [
            ("APP_SMTP_HOST", "localhost"),
            ("APP_SMTP_SECURITY", "starttls"),
            ("APP_SMTP_CA_FILE", trusted.to_str().unwrap()),
            ("APP_SMTP_TLS_REJECT_UNAUTHORIZED", reject),
            ("APP_SMTP_USER", LOGIN.0),
            ("APP_SMTP_PASSWORD", LOGIN.1),
        ];
        let (_app, admin) = with_mail(&mails, &variables).await;
        let response = admin.get(STATUS).await;
        let (body, tls) = (&response.body, &response.body["tls"]);
        assert_eq!((response.status, &body["ok"], &tls["authorized"]), (200, &json!(ok), &json!(authorized)), "{body}");
        assert_eq!((&tls["mode"], &tls["requireTls"]), (&json!("starttls"), &json!(true)));
        assert_eq!(tls["encrypted"], ok);
        assert_eq!(tls["protocol"], if ok { json!("TLSv1.3") } else { json!(null) });
        assert_eq!(tls["error"].is_string(), authorized != Some(true), "{body}");
        assert!(!body.to_string().contains(LOGIN.1), "never the password");
    }
}

#[tokio::test]
async fn a_server_that_is_away_or_knows_another_password_is_told_in_words() {
    let authority = Authority::new("localhost");
    let mails = MailBox::with(encrypted(&authority)).await;
    let trusted = authority.file("ca.pem");
    let variables = [
        ("APP_SMTP_HOST", "localhost"),
        ("APP_SMTP_SECURITY", "starttls"),
        ("APP_SMTP_CA_FILE", trusted.to_str().unwrap()),
        ("APP_SMTP_USER", LOGIN.0),
        ("APP_SMTP_PASSWORD", "another"),
    ];
    let (_app, admin) = with_mail(&mails, &variables).await;
    let body = admin.get(STATUS).await.body;
    assert_eq!(
        (&body["ok"], &body["tls"]["authorized"], &body["error"]),
        (&json!(false), &json!(true), &json!("Auth: 535 who are you?"))
    );
    mails.close().await;
    let response = admin.get(STATUS).await;
    assert_eq!((response.status, &response.body["ok"]), (200, &json!(false)));
    assert!(response.body["error"].as_str().unwrap().starts_with("Connect: "), "{}", response.body);
}

/// Attack 159.
#[tokio::test]
async fn a_preview_has_sample_values_and_sends_nothing() {
    let mails = MailBox::start().await;
    let (_app, admin) = with_mail(&mails, &[("APP_EMAIL_INVITE_SUBJECT_DE", "Willkommen bei uns")]).await;
    let preview = async |query: &str| admin.get(&format!("/api/admin/email/preview?{query}")).await;
    for (template, inert) in [
        ("verification", "/verify-email?token=PREVIEW_TOKEN"),
        ("invite", "/accept-invite?token=PREVIEW_TOKEN"),
        ("passwordReset", "/reset-password?token=PREVIEW_TOKEN"),
        ("loginCode", "123456"),
        ("newLogin", "203.0.113.7"),
    ] {
        let body = preview(&format!("template={template}")).await.body;
        assert_eq!((&body["template"], &body["locale"]), (&json!(template), &json!("en")));
        let sources = json!({ "subject": "builtin", "html": "builtin", "text": "builtin" });
        assert_eq!(body["sources"], sources);
        for part in ["html", "text"] {
            assert!(body[part].as_str().unwrap().contains(inert), "{template} {part}: {body}");
        }
    }
    let german = preview("template=invite&locale=de").await.body;
    assert_eq!((&german["subject"], &german["sources"]["subject"]), (&json!("Willkommen bei uns"), &json!("localeOverride")));
    for (query, code) in [
        ("template=__proto__", "validation"),
        ("", "validation"),
        ("template=invite&locale=../", "unsupportedLocale"),
        ("template=invite&locale=fr", "unsupportedLocale"),
    ] {
        assert_eq!(preview(query).await.refusal(), (400, code), "{query}");
    }
    assert_eq!(mails.all_to("ann@example.org").len(), 0);
}

#[tokio::test]
async fn a_test_is_sent_once_and_counted_nowhere() {
    let mails = MailBox::start().await;
    let (app, admin) = with_mail(&mails, &[TOKEN]).await;
    let counted = async || {
        let text = app.get("/metrics").bearer_auth(TOKEN.1).send().await.unwrap().text().await.unwrap();
        text.lines()
            .filter(|line| line.starts_with("svc_emails_total") && line.contains("loginCode"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let before = counted().await;
    let response = admin.post(TEST, &json!({ "to": " Bob@Example.org ", "template": "loginCode", "locale": "de" })).await;
    let mail = mails.next_to("bob@example.org").await;
    let body = &response.body;
    let expected = json!({
        "ok": true, "messageId": mail.message_id, "durationMs": body["durationMs"], "to": "bob@example.org", "template": "loginCode", "locale": "de",
    });
    assert_eq!((response.status, body), (200, &expected));
    assert_eq!(mail.code(), "123456");
    assert_eq!(counted().await, before);
    let entries = recorded(&app, "admin.email.test_sent").await;
    assert_eq!((entries.len(), &entries[0][0], &entries[0][4]["template"]), (1, &json!("success"), &json!("loginCode")));
    for wrong in [json!({}), json!({ "to": "bob", "template": "invite" }), json!({ "to": "bob@example.org", "template": "x" })] {
        assert_eq!(admin.post(TEST, &wrong).await.refusal(), (400, "validation"), "{wrong}");
    }
}

#[tokio::test]
async fn the_error_of_the_mail_server_is_shown() {
    let mails = MailBox::start().await;
    let (app, admin) = with_mail(&mails, &[]).await;
    mails.next_to(ADMIN).await;
    mails.will("recipient", [Says::Code(550)]).await;
    let response = admin.post(TEST, &json!({ "to": "bob@example.org", "template": "invite" })).await;
    assert_eq!(response.refusal(), (502, "smtp_send_failed"));
    let smtp: &Value = &response.body["smtp"];
    assert_eq!((&smtp["code"], &smtp["responseCode"], &smtp["command"]), (&json!("EENVELOPE"), &json!(550), &json!("RCPT TO")));
    assert!(smtp["response"].as_str().unwrap().starts_with("550 "), "{smtp}");
    let entries = recorded(&app, "admin.email.test_sent").await;
    assert_eq!((&entries[0][0], &entries[0][4]["reason"]), (&json!("failure"), &json!("EENVELOPE")));
    mails.happened("recipient", 2).await;
    assert_eq!(mails.count("recipient"), 2, "one attempt, and the mail of the registration");
}

#[tokio::test]
async fn of_eleven_tests_in_ten_minutes_one_is_refused() {
    let mails = MailBox::start().await;
    let own = mails.variables();
    let app = TestApp::with_variables(&[LIMITED, &own].concat()).await;
    let admin = administrator_with_mail(&app).await;
    let test = json!({ "to": ADMIN, "template": "invite" });
    for number in 0..10 {
        assert_eq!(admin.post(TEST, &test).await.status, 200, "{number}");
    }
    let refused = admin.post(TEST, &test).await;
    assert_eq!(refused.refusal(), (429, "rateLimited"));
    assert!(refused.headers.contains_key("retry-after"));
}
