//! Connections are encrypted before anything else is sent, or refused.

use super::{MailFixture, link, server, settings};
use egress::{
    mail::{Security, SmtpCredentials, SmtpSettings},
    tls,
};
use support::{Authority, MailServer, prelude::*};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpListener,
};

const LOGIN: (&str, &str) = ("lectern", "correct horse");

fn trusting(authority: &Authority) -> Vec<egress::mail::CertificateDer<'static>> {
    tls::authorities(&std::fs::read(authority.file("ca.pem")).unwrap()).unwrap()
}

fn credentials(password: &str) -> SmtpCredentials {
    SmtpCredentials { user: LOGIN.0.to_owned(), password: password.into() }
}

/// Waits until an attempt has failed; answers the reason.
async fn failure(fixture: &MailFixture) -> String {
    fixture.until("select answer is not null from mails").await;
    fixture.database.value::<String>("select answer from mails").await
}

#[tokio::test]
async fn a_mail_goes_encrypted_and_signed_in_either_way() {
    let authority = Authority::new("localhost");
    for (name, security) in [("starttls", Security::StartTls), ("implicit", Security::Implicit)] {
        let mails = MailBox::with(MailServer { security: Some((name, &authority)), login: Some(LOGIN) }).await;
        let server = SmtpSettings {
            host: "localhost".into(),
            security,
            extra_roots: trusting(&authority),
            credentials: Some(credentials(LOGIN.1)),
            ..server(mails.port)
        };
        let fixture = MailFixture::with(settings(server)).await;
        for to in ["ann@example.org", "bob@example.org"] {
            fixture.write(to, link("abc")).await;
            let mail = mails.next_to(to).await;
            assert_eq!((mail.secure, mail.user.as_deref(), mail.connection), (true, Some(LOGIN.0), 1), "{name}");
        }
    }
}

#[tokio::test]
async fn a_server_without_a_valid_certificate_is_sent_nothing() {
    let (ours, other) = (Authority::new("localhost"), Authority::new("elsewhere.example"));
    for (name, security) in [("starttls", Security::StartTls), ("implicit", Security::Implicit)] {
        for (shown, trusted, problem) in [(&other, &ours, "invalid peer certificate"), (&other, &other, "not valid for name")] {
            let mails = MailBox::with(MailServer { security: Some((name, shown)), login: Some(LOGIN) }).await;
            let server = SmtpSettings {
                host: "localhost".into(),
                security,
                extra_roots: trusting(trusted),
                credentials: Some(credentials(LOGIN.1)),
                ..server(mails.port)
            };
            let fixture = MailFixture::with(settings(server)).await;
            fixture.write("ann@example.org", link("abc")).await;
            let failure = failure(&fixture).await;
            assert!(failure.starts_with("Tls: ") && failure.contains(problem), "{name} {failure}");
            assert_eq!((mails.count("auth"), mails.count("from")), (0, 0));
        }
    }
}

#[tokio::test]
async fn an_operator_may_turn_certificate_checks_off() {
    let authority = Authority::new("elsewhere.example");
    let mails = MailBox::with(MailServer { security: Some(("starttls", &authority)), login: None }).await;
    let server = SmtpSettings { security: Security::StartTls, verify_certificate: false, ..server(mails.port) };
    let fixture = MailFixture::with(settings(server)).await;
    fixture.write("ann@example.org", link("abc")).await;
    assert!(mails.next_to("ann@example.org").await.secure);
}

#[tokio::test]
async fn a_server_without_tls_is_sent_nothing() {
    let mails = MailBox::start().await;
    let server = SmtpSettings { security: Security::StartTls, credentials: Some(credentials(LOGIN.1)), ..server(mails.port) };
    let fixture = MailFixture::with(settings(server)).await;
    fixture.write("ann@example.org", link("abc")).await;
    assert_eq!(failure(&fixture).await, "Tls: the server does not offer STARTTLS");
    assert_eq!((mails.count("auth"), mails.count("from")), (0, 0));
}

#[tokio::test]
async fn a_wrong_password_keeps_the_mails_until_it_is_right() {
    let authority = Authority::new("localhost");
    let mails = MailBox::with(MailServer { security: Some(("starttls", &authority)), login: Some(LOGIN) }).await;
    let wrong = SmtpSettings {
        host: "localhost".into(),
        security: Security::StartTls,
        extra_roots: trusting(&authority),
        credentials: Some(credentials("wrong")),
        ..server(mails.port)
    };
    let fixture = MailFixture::with(settings(wrong.clone())).await;
    fixture.write("ann@example.org", link("abc")).await;
    assert_eq!(failure(&fixture).await, "Auth: 535 who are you?");
    assert!(fixture.system.drain(Duration::from_secs(30)).await);
    let right = SmtpSettings { credentials: Some(credentials(LOGIN.1)), ..wrong };
    fixture.clock.advance(jiff::SignedDuration::from_secs(7));
    let _process = MailFixture::process(&fixture.database, fixture.clock.clone(), settings(right)).await;
    mails.next_to("ann@example.org").await;
}

#[tokio::test]
async fn a_refused_sender_makes_no_mail_dead() {
    let mails = MailBox::start().await;
    mails.will("from", [Says::Code(550)]).await;
    let fixture = MailFixture::at(&mails).await;
    fixture.write("ann@example.org", link("abc")).await;
    assert_eq!(failure(&fixture).await, "From: 550 not so");
    fixture.later(Duration::from_secs(7));
    mails.next_to("ann@example.org").await;
}

/// Plays a server by its lines: an answer to each line that comes.
async fn play(answers: &'static [&'static str]) -> (u16, tokio::task::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    #[expect(clippy::disallowed_methods, reason = "it ends with the test")]
    let playing = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let mut stream = BufReader::new(stream);
        let mut heard = Vec::new();
        for answer in answers {
            stream.write_all(answer.as_bytes()).await.unwrap();
            let mut line = Vec::new();
            if stream.read_until(b'\n', &mut line).await.unwrap_or_default() == 0 {
                break;
            }
            heard.push(String::from_utf8_lossy(&line).trim().to_owned());
        }
        heard
    });
    (port, playing)
}

/// A man in the middle may append to the clear-text part, so that it is read as if it were encrypted
/// (CVE-2011-0411).
#[tokio::test]
async fn injected_clear_text_before_tls_ends_the_connection() {
    let (port, playing) =
        play(&["220 mail.test\r\n", "250-mail.test\r\n250 STARTTLS\r\n", "220 go\r\n250-mail.test\r\n250 AUTH PLAIN\r\n"]).await;
    let server = SmtpSettings { security: Security::StartTls, credentials: Some(credentials(LOGIN.1)), ..server(port) };
    let fixture = MailFixture::with(settings(server)).await;
    fixture.write("ann@example.org", link("abc")).await;
    assert_eq!(failure(&fixture).await, "Tls: the server sends data before the TLS handshake");
    assert_eq!(playing.await.unwrap(), ["EHLO cms.example.com", "STARTTLS"]);
}

#[tokio::test]
async fn an_endless_response_of_a_server_is_cut_off() {
    for security in [Security::None, Security::StartTls] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let fixture = MailFixture::with(settings(SmtpSettings { security, ..server(listener.local_addr().unwrap().port()) })).await;
        fixture.write("ann@example.org", link("abc")).await;
        let (mut stream, _) = listener.accept().await.unwrap();
        // It ends when the other side has had enough.
        let talking = async { while stream.write_all(&[b'2'; 4096]).await.is_ok() {} };
        let (failure, ()) = tokio::join!(failure(&fixture), talking);
        assert!(failure.starts_with("Hello: "), "{failure}");
        let _ = stream.read(&mut [0]).await;
    }
}
