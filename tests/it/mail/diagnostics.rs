//! Looking at a mail server that says nothing, or nothing more.

use super::{BASE_URL, server, settings};
use actors::identity::mail_diagnostics::MailDiagnostics;
use domain::identity::{
    Email,
    mail::{MailTemplates, Template},
};
use egress::{
    mail::{Security, SmtpSettings, Timeouts},
    tls,
};
use support::{Authority, prelude::*};
use tokio::{net::TcpListener, time};
use tokio_rustls::TlsAcceptor;

/// The answer comes before the request that waits for it is cut off, which is long before the mail sender
/// gives a server up.
#[tokio::test]
async fn a_server_that_says_nothing_is_given_up_in_time() {
    let mails = MailBox::start().await;
    let (clock, entropy) = (support::clock(), support::entropy(5));
    let diagnostics =
        MailDiagnostics::new(Some(settings(server(mails.port))), MailTemplates::of_site("Reading room"), BASE_URL, clock, entropy)
            .with_patience(Duration::from_secs(3));
    mails.will("connect", [Says::Nothing, Says::Nothing]).await;
    let status = diagnostics.status().await.unwrap().unwrap();
    assert_eq!(status.problem.as_deref(), Some("Hello: no answer in time"));
    let to = Email::parse("ann@example.org").unwrap();
    let refused = diagnostics.send_test(Template::Invite, to.clone(), "en").await.unwrap().unwrap_err();
    assert_eq!((refused.code, refused.command), ("ETIMEDOUT", "CONN"));
    mails.will("data", [Says::Nothing]).await;
    let timers = StoppedTimers::now();
    let arrived = async {
        mails.happened("mail", 1).await;
        drop(timers);
    };
    let (refused, ()) = tokio::join!(diagnostics.send_test(Template::Invite, to, "en"), arrived);
    let refused = refused.unwrap().unwrap_err();
    assert_eq!((refused.code, refused.command), ("ETIMEDOUT", "DATA"));
}

/// What was seen until then is told: an administrator looks at this page because the server hangs.
#[tokio::test]
async fn a_server_that_stops_on_the_way_is_told_by_how_far_it_came() {
    let authority = Authority::new("localhost");
    let acceptor = TlsAcceptor::from(Arc::new(authority.config().clone()));
    for (encrypts, problem, tls_problem, protocol, is_authorized) in [
        (false, "Tls: no answer in time", Some("no answer in time"), None, None),
        (true, "Hello: no answer in time", None, Some("TLSv1.3"), Some(true)),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = SmtpSettings {
            host: "localhost".into(),
            security: Security::Implicit,
            extra_roots: tls::authorities(&std::fs::read(authority.file("ca.pem")).unwrap()).unwrap(),
            timeouts: Timeouts::default(),
            ..server(listener.local_addr().unwrap().port())
        };
        let (clock, entropy) = (support::clock(), support::entropy(5));
        let diagnostics =
            MailDiagnostics::new(Some(settings(server)), MailTemplates::of_site("Reading room"), BASE_URL, clock, entropy);
        let hanging = async {
            let (stream, _) = listener.accept().await.unwrap();
            stream.readable().await.unwrap();
            let mut held = (Some(stream), None);
            if encrypts {
                held.1 = Some(acceptor.accept(held.0.take().unwrap()).await.unwrap());
            }
            // From here on nothing happens, so the clock goes to what is waited for: the end of all patience.
            time::pause();
            held
        };
        let (status, _held) = tokio::join!(diagnostics.status(), hanging);
        time::resume();
        let status = status.unwrap().unwrap();
        assert_eq!((status.problem.as_deref(), status.tls_problem.as_deref()), (Some(problem), tls_problem));
        assert_eq!((status.protocol, status.is_authorized), (protocol, is_authorized), "{problem}");
        assert!(status.took > Duration::from_secs(15), "{:?}", status.took);
    }
}
