//! Servers that reply as RFC 5321 allows and as few do: without text, in Latin-1, with keywords in lower
//! case. No server that can be installed does all of it, so a scripted one does.

use super::{DONE, MailFixture, link, server, settings};
use egress::{
    mail::{Security, SmtpCredentials, SmtpSettings},
    tls,
};
use std::sync::Mutex;
use support::{Authority, prelude::*};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    net::TcpListener,
};
use tokio_rustls::TlsAcceptor;

/// What a server replies.
#[derive(Clone, Copy)]
struct Script {
    greeting: &'static [u8],
    hello: &'static [u8],
    signed_in: &'static [u8],
    /// To `MAIL`, `RSET` and `NOOP`.
    fine: &'static [u8],
    /// To `RCPT`.
    recipient: &'static [u8],
    /// To `DATA`.
    go_on: &'static [u8],
    taken: &'static [u8],
}

/// As most servers do it.
const USUAL: Script = Script {
    greeting: b"220 mail.test\r\n",
    hello: b"250-mail.test\r\n250 SIZE 1000000\r\n",
    signed_in: b"235 welcome\r\n",
    fine: b"250 ok\r\n",
    recipient: b"250 ok\r\n",
    go_on: b"354 go on\r\n",
    taken: b"250 taken\r\n",
};

/// A server that understands as much of SMTP as it takes to get a mail.
struct OddServer {
    port: u16,
    /// The commands so far, each by its verb and first word, and `mail` for each mail.
    heard: Arc<Mutex<Vec<String>>>,
    _serving: JoinSet<()>,
}

impl OddServer {
    async fn start(script: Script, encryption: Option<&Authority>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let tls = encryption.map(|authority| TlsAcceptor::from(Arc::new(authority.config().clone())));
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let (all, mut serving) = (heard.clone(), JoinSet::new());
        serving.spawn(async move {
            let mut open = JoinSet::new();
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let (heard, tls) = (all.clone(), tls.clone());
                open.spawn(async move {
                    stream.write_all(script.greeting).await.unwrap();
                    if talk(&mut stream, script, &heard).await
                        && let Some(tls) = tls
                    {
                        talk(&mut tls.accept(stream).await.unwrap(), script, &heard).await;
                    }
                });
            }
        });
        Self { port, heard, _serving: serving }
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }

    fn count(&self, what: &str) -> usize {
        self.heard().iter().filter(|heard| *heard == what).count()
    }
}

/// Replies to commands until the client goes away, or wants TLS, which is answered.
async fn talk(stream: &mut (impl AsyncRead + AsyncWrite + Unpin), script: Script, heard: &Mutex<Vec<String>>) -> bool {
    let mut stream = BufReader::new(stream);
    let (mut line, mut is_in_mail) = (String::new(), false);
    loop {
        line.clear();
        if stream.read_line(&mut line).await.unwrap_or_default() == 0 {
            return false;
        }
        let words = line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
        let verb = words.split(' ').next().unwrap_or_default();
        let reply: &[u8] = match verb {
            _ if is_in_mail && line != ".\r\n" => continue,
            _ if is_in_mail => script.taken,
            "EHLO" => script.hello,
            "AUTH" => script.signed_in,
            "RCPT" => script.recipient,
            "DATA" => script.go_on,
            "QUIT" => b"221\r\n",
            "STARTTLS" => b"220\r\n",
            _ => script.fine,
        };
        heard.lock().unwrap().push(if is_in_mail { "mail".to_owned() } else { words.clone() });
        is_in_mail = words == "DATA";
        if stream.write_all(reply).await.is_err() {
            return false;
        }
        stream.flush().await.unwrap();
        if words == "STARTTLS" {
            return true;
        }
    }
}

/// Sends two mails through a server, each of which has to arrive once.
async fn two_mails_arrive(mails: &OddServer, settings_of: impl FnOnce(SmtpSettings) -> SmtpSettings) {
    let fixture = MailFixture::with(settings(settings_of(server(mails.port)))).await;
    for to in ["ann@example.org", "bob@example.org"] {
        fixture.write(to, link("abc")).await;
        fixture.until(DONE).await;
    }
    let outcome = "select string_agg(concat_ws(' ', deferrals, sent_at is not null, answer), ', ') from mails";
    assert_eq!(fixture.database.value::<String>(outcome).await, "0 t, 0 t", "{:?}", mails.heard());
    assert_eq!(mails.count("mail"), 2);
}

#[tokio::test]
async fn a_server_that_replies_with_codes_alone_gets_each_mail_once() {
    let script = Script {
        greeting: b"220\r\n",
        hello: b"250\r\n",
        fine: b"250\r\n",
        recipient: b"250\r\n",
        go_on: b"354\r\n",
        taken: b"250\r\n",
        ..USUAL
    };
    two_mails_arrive(&OddServer::start(script, None).await, |server| server).await;
}

#[tokio::test]
async fn a_server_whose_last_line_alone_has_no_text_gets_each_mail_once() {
    let script = Script { hello: b"250-mail.test\r\n250-SIZE 1000\r\n250\r\n", taken: b"250-taken\r\n250-\r\n250\r\n", ..USUAL };
    two_mails_arrive(&OddServer::start(script, None).await, |server| server).await;
}

#[tokio::test]
async fn a_server_that_writes_latin_1_gets_each_mail_once() {
    let long: &[u8] = b"250 \xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\r\n";
    let script = Script {
        greeting: b"220 Gr\xfc\xdf Gott\r\n",
        hello: b"250-Sch\xf6n\r\n250 SIZE\r\n",
        fine: b"250 l\xe4uft\r\n",
        go_on: b"354 f\xfcr mich\r\n",
        taken: long,
        ..USUAL
    };
    two_mails_arrive(&OddServer::start(script, None).await, |server| server).await;
}

#[tokio::test]
async fn keywords_of_a_server_are_read_in_any_case() {
    let credentials = || Some(SmtpCredentials { user: "lectern".to_owned(), password: "correct horse".into() });
    let script = Script { hello: b"250-mail.test\r\n250-Size 1000\r\n250 Auth Plain\r\n", signed_in: b"235\r\n", ..USUAL };
    let mails = OddServer::start(script, None).await;
    two_mails_arrive(&mails, |server| SmtpSettings { credentials: credentials(), ..server }).await;
    assert_eq!(mails.count("AUTH PLAIN"), 1, "{:?}", mails.heard());

    // Without TLS it offers STARTTLS, and behind it it offers it again, which asks for nothing.
    let authority = Authority::new("localhost");
    let script = Script { hello: b"250-mail.test\r\n250-starttls\r\n250 auth login plain\r\n", ..script };
    let mails = OddServer::start(script, Some(&authority)).await;
    let extra_roots = tls::authorities(&std::fs::read(authority.file("ca.pem")).unwrap()).unwrap();
    let security = Security::StartTls;
    two_mails_arrive(&mails, |server| SmtpSettings {
        host: "localhost".into(),
        security,
        extra_roots,
        credentials: credentials(),
        ..server
    })
    .await;
    let beginning = ["EHLO cms.example.com", "STARTTLS", "EHLO cms.example.com", "AUTH PLAIN", "MAIL FROM:<no-reply@example.org>"];
    assert_eq!(mails.heard().get(..5), Some(beginning.map(str::to_owned).as_slice()));
}

#[tokio::test]
async fn a_refusal_is_understood_without_text_and_in_latin_1() {
    for (recipient, answer) in
        [(&b"550\r\n"[..], "Recipient: 550"), (b"550-Empf\xe4nger\r\n550 unbekannt\r\n", "Recipient: 550 Empfänger unbekannt")]
    {
        let mails = OddServer::start(Script { recipient, ..USUAL }, None).await;
        let fixture = MailFixture::with(settings(server(mails.port))).await;
        fixture.write("ann@example.org", link("abc")).await;
        fixture.until(DONE).await;
        assert_eq!(
            fixture.database.value::<String>("select concat_ws(' ', reason, deferrals, answer) from mails").await,
            format!("refused 0 {answer}")
        );
        assert_eq!((mails.count("MAIL FROM:<no-reply@example.org>"), mails.count("mail")), (1, 0));
    }
}
