//! Names and addresses that try to add headers, recipients or markup to a mail.

use super::{MailFixture, link};
use domain::identity::MailContent;
use support::prelude::*;

const HEADERS: [&str; 8] = ["Message-ID", "Date", "From", "To", "Subject", "Auto-Submitted", "MIME-Version", "Content-Type"];

#[tokio::test]
async fn a_name_cannot_add_a_header_a_recipient_or_markup() {
    let mails = MailBox::start().await;
    let mut settings = super::settings(super::server(mails.port));
    let mut templates = domain::identity::mail::MailTemplates::of_site("Reading room");
    let subject = domain::identity::mail::TemplateOverride {
        template: domain::identity::mail::Template::Invite,
        part: domain::identity::mail::TemplatePart::Subject,
        locale: None,
        text: "{{name}}, welcome".into(),
    };
    templates.add(subject).unwrap();
    settings.templates = templates.into();
    let fixture = MailFixture::with(settings).await;
    let link = "https://cms.example.com/accept-invite?token=abc";
    for (number, name) in [
        "Ann\r\nBcc: eve@example.org",
        "Ann\r\n\r\n<p>hello</p>",
        "Ann\n.\r\nMAIL FROM:<eve@example.org>\r\n",
        "\"Ann\" <eve@example.org>",
        "=?utf-8?q?Ann=0D=0ABcc:_eve=40example.org?=",
        "<script>alert(1)</script>",
        "Ann\0\u{2028}Bcc: eve@example.org\u{85}Bcc: eve@example.org",
        &"ä".repeat(300),
    ]
    .into_iter()
    .enumerate()
    {
        let to = format!("ann{number}@example.org");
        fixture.write_to(&to, name, "en", MailContent::Invite { link: link.into() }).await;
        let mail = mails.next_to(&to).await;
        assert_eq!(mail.headers, HEADERS, "{name:?} {}", mail.head);
        assert_eq!((mail.recipients.as_slice(), mail.to.as_slice()), ([to.clone()].as_slice(), [to].as_slice()));
        assert_eq!(mail.link(), link);
        assert!(!mail.html.contains("<script>") && !mail.html.contains("<p>hello</p>"), "{}", mail.html);
        assert!(mail.subject.ends_with(", welcome") && !mail.subject.contains(['\r', '\n']), "{}", mail.subject);
    }
    assert_eq!(mails.count("mail"), 8);
}

#[tokio::test]
async fn an_address_that_could_change_a_mail_is_refused() {
    let mails = MailBox::start().await;
    let app = TestApp::with_variables(&mails.variables()).await;
    let csrf: Value = app.get("/api/csrf-token").send().await.unwrap().json().await.unwrap();
    let long = format!("{}@example.org", "a".repeat(300));
    for email in [
        "ann@example.org\r\nBcc: eve@example.org",
        "ann@example.org\nBcc: eve@example.org",
        "ann@example.org>\r\nRCPT TO:<eve@example.org",
        "ann@example.org, eve@example.org",
        "\"ann\"@example.org",
        "ann(comment)@example.org",
        "ann@[127.0.0.1]",
        "<ann@example.org>",
        &long,
    ] {
        let body = json!({ "email": email, "password": "a quiet harbour", "firstName": "Ann" });
        let request = app.client.post(app.url("/api/auth/register")).json(&body);
        let response = request.header("x-csrf-token", csrf["csrfToken"].as_str().unwrap()).send().await.unwrap();
        assert_eq!(response.status(), 400, "{email:?}");
    }
    let rows = "select (select count(*) from mails) + (select count(*) from users) as rows";
    assert_eq!(app.value::<i64>(rows).await, 0);
}

/// A dot alone on a line ends a mail for a server; in a letter it is a dot.
#[tokio::test]
async fn a_dot_on_a_line_of_its_own_ends_no_mail() {
    let mails = MailBox::start().await;
    let mut settings = super::settings(super::server(mails.port));
    let mut templates = domain::identity::mail::MailTemplates::of_site("Reading room");
    let text = domain::identity::mail::TemplateOverride {
        template: domain::identity::mail::Template::Verification,
        part: domain::identity::mail::TemplatePart::Text,
        locale: None,
        text: "one\r\n.\r\n..two\r\n.\r\n{{link}}\r\nMAIL FROM:<eve@example.org>".into(),
    };
    templates.add(text).unwrap();
    settings.templates = templates.into();
    let fixture = MailFixture::with(settings).await;
    fixture.write("ann@example.org", link("abc")).await;
    let mail = mails.next_to("ann@example.org").await;
    let lines: Vec<_> = mail.text.lines().map(str::trim_end).collect();
    assert_eq!(lines[..4], ["one", ".", "..two", "."]);
    assert_eq!(mails.count("mail"), 1);
}
