//! Mails that arrive.

use super::{BASE_URL, DONE, MailFixture, code, link};
use domain::identity::MailContent;
use support::prelude::*;

#[tokio::test]
async fn a_mail_arrives_as_text_and_html_and_is_forgotten() {
    let mails = MailBox::start().await;
    let fixture = MailFixture::at(&mails).await;
    fixture.write("ann@example.org", link("abc")).await;
    let mail = mails.next_to("ann@example.org").await;
    assert_eq!(mail.link(), format!("{BASE_URL}/verify-email?token=abc"));
    assert_eq!(mail.subject, "Confirm your e-mail address");
    assert!(mail.html.contains("href=\"https://cms.example.com/verify-email?token=abc\""), "{}", mail.html);
    assert_eq!((mail.sender.as_str(), mail.to.as_slice()), ("no-reply@example.org", ["ann@example.org".to_owned()].as_slice()));
    assert_eq!(mail.from, "Größe & Söhne <no-reply@example.org>");
    assert_eq!(mail.hello, "cms.example.com");
    assert!(mail.head.contains("Auto-Submitted: auto-generated"), "{}", mail.head);
    fixture.until(DONE).await;
    let id = fixture.database.value::<String>("select id::text from mails").await;
    assert_eq!(mail.message_id, format!("<{id}@example.org>"));
    assert_eq!(
        fixture
            .database
            .value::<String>("select (sealed is null and sent_at is not null and answer is null)::text from mails")
            .await,
        "true"
    );
}

#[tokio::test]
async fn mails_are_in_the_language_of_their_readers() {
    let mails = MailBox::start().await;
    let fixture = MailFixture::at(&mails).await;
    fixture.write_to("ann@example.org", "Søren Größe 李", "de", code("123456")).await;
    let mail = mails.next_to("ann@example.org").await;
    assert_eq!((mail.subject.as_str(), mail.code().as_str()), ("Ihr Code für die Anmeldung", "123456"));
    assert!(mail.text.contains("Guten Tag Søren Größe 李,") && mail.html.contains("Guten Tag Søren Größe 李,"));
}

#[tokio::test]
async fn the_outbox_reveals_no_secret() {
    let mails = MailBox::start().await;
    mails.close().await;
    let fixture = MailFixture::at(&mails).await;
    fixture.write_to("ann@example.org", "Zanzibar", "en", link("hush")).await;
    fixture.write("ann@example.org", code("987654")).await;
    let dump = fixture
        .database
        .value::<String>("select string_agg(mails::text, '') || (select string_agg(jobs::text, '') from jobs) from mails")
        .await;
    for secret in ["hush", "987654", "ann@example.org", "Zanzibar"] {
        assert!(!dump.contains(secret), "{secret} in {dump}");
        let hex = hex::encode(secret);
        assert!(!dump.contains(&hex), "{secret} as bytes in {dump}");
    }
}

#[tokio::test]
async fn many_mails_share_one_connection_which_stays_open() {
    let mails = MailBox::start().await;
    let fixture = MailFixture::at(&mails).await;
    for number in 0..10 {
        fixture.write(&format!("ann{number}@example.org"), link("abc")).await;
    }
    mails.happened("mail", 10).await;
    fixture.until(DONE).await;
    fixture.write("bob@example.org", link("abc")).await;
    mails.next_to("bob@example.org").await;
    fixture.until(DONE).await;
    assert_eq!(mails.count("connect"), 1);
    let observed = fixture.observed().await;
    assert_eq!((&observed["connections"], &observed["sent"]), (&1.into(), &11.into()), "{observed}");
}

#[tokio::test]
async fn a_mail_is_gone_with_its_account() {
    let mails = MailBox::start().await;
    mails.close().await;
    let fixture = MailFixture::at(&mails).await;
    fixture.write("ann@example.org", link("abc")).await;
    fixture.until("select exists (select from mails where answer is not null)").await;
    fixture.database.sql("delete from users").await;
    mails.open().await;
    fixture.later(Duration::from_mins(5));
    fixture.until("select not exists (select from jobs where queue = 'mail' and finished_at is null)").await;
    assert_eq!(mails.count("mail"), 0);
}

#[tokio::test]
async fn a_mail_of_a_transaction_that_fails_was_never_written() {
    let mails = MailBox::start().await;
    let fixture = MailFixture::at(&mails).await;
    fixture.write("ann@example.org", link("abc")).await;
    mails.next_to("ann@example.org").await;
    let recipient = domain::identity::Recipient {
        user: domain::shared::UserId(domain::shared::Entropy::uuid(support::entropy(4).as_ref())),
        email: domain::identity::Email::parse("bob@example.org").unwrap(),
        name: "Bob".into(),
        locale: "en".into(),
    };
    let mail = fixture.mail_queue.compose(&recipient, link("abc")).unwrap().unwrap();
    assert!(super::add(&fixture.database, &mail).await.is_err(), "there is no such account");
    assert_eq!(fixture.database.value::<String>("select count(*)::text from mails").await, "1");
    assert_eq!(fixture.database.value::<String>("select count(*)::text from jobs where queue = 'mail'").await, "1");
}

#[tokio::test]
async fn two_processes_send_each_mail_once() {
    let mails = MailBox::start().await;
    let fixture = MailFixture::at(&mails).await;
    let second = MailFixture::process(&fixture.database, fixture.clock.clone(), super::settings(super::server(mails.port))).await;
    for number in 0..40 {
        fixture.write(&format!("ann{number}@example.org"), link("abc")).await;
    }
    fixture.until(DONE).await;
    // What the server tells of them comes by another way, and may come later.
    mails.happened("mail", 40).await;
    let mut ids: Vec<_> = mails.all().into_iter().map(|mail| mail.message_id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!((mails.count("mail"), ids.len()), (40, 40));
    drop(second);
}

#[tokio::test]
async fn the_servers_words_and_counts_follow_its_variables() {
    let mails = MailBox::start().await;
    let mut variables = mails.variables().to_vec();
    variables.extend([
        ("APP_METRICS_TOKEN", "0123456789abcdef"),
        ("APP_EMAIL_LOGIN_CODE_SUBJECT", "For {{name}}"),
        ("APP_EMAIL_LOGIN_CODE_TEXT_DE", "Code: {{code}}"),
    ]);
    let app = TestApp::with_variables(&variables).await;
    let ready: serde_json::Value = app.get("/api/ready").send().await.unwrap().json().await.unwrap();
    assert_eq!(ready["smtpEnabled"], true);
    let fixture = MailFixture {
        database: app.database.clone(),
        clock: app.clock.clone(),
        mail_queue: services::identity::MailQueue::new(true, BASE_URL, &super::keys(), app.clock.clone(), support::entropy(9)),
        system: app.actors,
    };
    fixture.write_to("ann@example.org", "Ann Bee", "de", MailContent::LoginCode { code: "123456".into() }).await;
    let mail = mails.next_to("ann@example.org").await;
    assert_eq!((mail.subject.as_str(), mail.text.trim()), ("For Ann Bee", "Code: 123456"));
    assert!(mail.html.contains("Guten Tag"));
    assert_eq!(mail.from, "Lectern <no-reply@example.org>");
    fixture.until(DONE).await;
    let url = format!("http://{}/metrics", app.address);
    let metrics = app.client.get(url).bearer_auth("0123456789abcdef").send().await.unwrap().text().await.unwrap();
    for line in
        [r#"svc_emails_total{result="sent",template="loginCode"} 1"#, r#"svc_emails_total{result="dead",template="invite"} 0"#]
    {
        assert!(metrics.lines().any(|l| l == line), "{line} is missing in\n{metrics}");
    }
    assert!(metrics.contains("svc_emails_backlog "));
}

#[tokio::test]
async fn without_a_mail_server_nothing_is_queued() {
    let mail_queue = services::identity::MailQueue::new(false, BASE_URL, &super::keys(), support::clock(), support::entropy(9));
    let recipient = domain::identity::Recipient {
        user: domain::shared::UserId(domain::shared::Entropy::uuid(support::entropy(4).as_ref())),
        email: domain::identity::Email::parse("ann@example.org").unwrap(),
        name: "Ann".into(),
        locale: "en".into(),
    };
    assert!(!mail_queue.is_on() && mail_queue.compose(&recipient, link("abc")).unwrap().is_none());
    let app = TestApp::start().await;
    assert_eq!(app.actors.handles().observe_all().await["mail_sender"], serde_json::json!({ "off": true }));
}
