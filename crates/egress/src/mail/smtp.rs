//! SMTP, spoken by lettre over connections of ours: they are encrypted before lettre says a word, or not at all when the operator wants it so.
//! There is no «encrypted if possible»: who stands in between would decide it.

use super::{
    Conversation, Failure, Message, Relay, Reply, Stage,
    greeting::{self, Refused},
    message,
    wire::Wire,
};
use crate::{
    dial::{self, Stream},
    dns::Resolver,
    tls,
};
use domain::identity::mailing::Trouble;
use futures_util::future::BoxFuture;
use lettre::transport::smtp::{
    authentication::{Credentials, Mechanism},
    client::AsyncSmtpConnection,
    commands::{Data, Mail, Rcpt, Rset},
    extension::ClientId,
};
use rustls::{
    ClientConfig,
    pki_types::{CertificateDer, ServerName},
};
use secrecy::{ExposeSecret, SecretString};
use std::{error::Error as _, future::Future, net::IpAddr, sync::Arc, time::Duration};
use tokio::time::timeout;

/// The longest piece of an answer that is kept, in characters.
const ANSWER: usize = 300;
/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_secs(2);

/// How the conversation is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// It begins in clear and is encrypted before anything is told; a server that cannot do so is told nothing.
    StartTls,
    /// It is encrypted from the first byte.
    Implicit,
    /// It is in clear.
    None,
}

/// Who we are to the server.
#[derive(Clone)]
pub struct Login {
    /// The user.
    pub user: String,
    /// The password.
    pub password: SecretString,
}

/// How long things may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// Until a conversation is open: name, connection, encryption, greetings, login.
    pub open: Duration,
    /// Each command.
    pub command: Duration,
    /// The content, and the server's word that it has it.
    pub content: Duration,
}

impl Default for Times {
    /// Servers that keep spammers waiting make them wait for up to half a minute. One that has all of a mail is given the time that it may
    /// take to look at it (RFC 5321, section 4.5.3.2.6): who gives up before sends it twice.
    fn default() -> Self {
        Self { open: Duration::from_secs(40), command: Duration::from_secs(30), content: Duration::from_mins(10) }
    }
}

/// What the operator says of the server.
#[derive(Clone)]
pub struct Settings {
    /// Name or address.
    pub host: String,
    /// The port.
    pub port: u16,
    /// How the conversation is protected.
    pub security: Security,
    /// Whether the server has to prove who it is.
    pub is_checked: bool,
    /// Who may vouch for it, beside those whom this machine trusts.
    pub authorities: Vec<CertificateDer<'static>>,
    /// Who we are, if the server wants to know.
    pub login: Option<Login>,
    /// How long things may take.
    pub times: Times,
}

/// The way to a server.
pub struct Smtp {
    settings: Settings,
    resolver: Option<Resolver>,
    tls: Arc<ClientConfig>,
    hello: ClientId,
}

impl Smtp {
    /// To a server, from one that is found at a URL. Nobody is called yet. The error is a sentence.
    pub fn new(settings: Settings, base_url: &str, resolver: Option<Resolver>) -> Result<Self, String> {
        let tls = if settings.is_checked {
            let mut roots = tls::system_roots();
            for authority in &settings.authorities {
                roots.add(authority.clone()).map_err(|error| format!("a certificate cannot be trusted: {error}"))?;
            }
            tls::client(roots, &[])?
        } else {
            tls::believing_client()?
        };
        Ok(Self { settings, resolver, tls, hello: hello(base_url) })
    }

    async fn open(&self) -> Result<AsyncSmtpConnection, Failure> {
        let away = |stage| move |error: std::io::Error| failure(stage, None, error.to_string());
        let Settings { host, port, security, login, .. } = &self.settings;
        let connected = async { dial::tcp(&dial::addresses(self.resolver.as_ref(), host, *port).await?).await };
        let mut stream = connected.await.map_err(away(Stage::Connect))?;
        let peer = stream.peer_addr().map_err(away(Stage::Connect))?;
        let mut greeting: &[u8] = b"";
        if *security == Security::StartTls {
            greeting::start_tls(&mut stream, &self.hello.to_string()).await.map_err(refused)?;
            greeting = b"220 encrypted\r\n";
        }
        let stream = if *security == Security::None {
            Stream::Plain(stream)
        } else {
            let name = ServerName::try_from(host.clone()).map_err(|error| failure(Stage::Tls, None, error.to_string()))?;
            dial::tls(stream, self.tls.clone(), name).await.map_err(away(Stage::Tls))?
        };
        let wire = Box::new(Wire::new(stream, peer, greeting));
        let mut open =
            AsyncSmtpConnection::connect_with_transport(wire, &self.hello).await.map_err(|error| said(Stage::Hello, &error))?;
        if let Some(Login { user, password }) = login {
            let credentials = Credentials::new(user.clone(), password.expose_secret().to_owned());
            open.auth(&[Mechanism::Plain, Mechanism::Login], &credentials).await.map_err(|error| said(Stage::Auth, &error))?;
        }
        Ok(open)
    }
}

impl Relay for Smtp {
    fn connect(&self) -> BoxFuture<'_, Result<Box<dyn Conversation>, Failure>> {
        Box::pin(async {
            let times = self.settings.times;
            let inner = timeout(times.open, self.open()).await.map_err(|_| late(Stage::Hello))??;
            Ok(Box::new(Open { inner, times, is_usable: true }) as Box<dyn Conversation>)
        })
    }
}

struct Open {
    inner: AsyncSmtpConnection,
    times: Times,
    /// Not after something went wrong that leaves unknown where the conversation is.
    is_usable: bool,
}

impl Open {
    async fn hand_over(&mut self, message: &Message) -> Result<(), Failure> {
        let unsendable = |what| Failure { trouble: Trouble::Refused, stage: Stage::Content, reply: None, cause: what };
        let bytes = message::bytes(message).map_err(unsendable)?;
        let from = message::address(&message.from.address).map_err(unsendable)?;
        let to = message::address(&message.to).map_err(unsendable)?;
        let Times { command, content, .. } = self.times;
        in_time(Stage::From, command, self.inner.command(Mail::new(Some(from), Vec::new()))).await?;
        in_time(Stage::Recipient, command, self.inner.command(Rcpt::new(to, Vec::new()))).await?;
        in_time(Stage::Content, command, self.inner.command(Data)).await?;
        in_time(Stage::Content, content, self.inner.message(&bytes)).await
    }
}

impl Conversation for Open {
    fn send<'a>(&'a mut self, message: &'a Message) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            // Should this future be dropped half way, nobody knows where the conversation is.
            self.is_usable = false;
            let sent = self.hand_over(message).await;
            self.is_usable = match &sent {
                Ok(()) => true,
                Err(failure) if failure.trouble == Trouble::Away || failure.reply.is_none() => false,
                Err(_) => in_time(Stage::Content, self.times.command, self.inner.command(Rset)).await.is_ok(),
            };
            sent
        })
    }

    fn is_alive(&mut self) -> BoxFuture<'_, bool> {
        Box::pin(async { self.is_usable && timeout(self.times.command, self.inner.test_connected()).await.unwrap_or(false) })
    }

    fn is_usable(&self) -> bool {
        self.is_usable
    }

    fn close(mut self: Box<Self>) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            if self.is_usable {
                // What is closed is closed, whatever the other side says to it.
                let _ = timeout(GOODBYE, self.inner.quit()).await;
            }
        })
    }
}

/// What we call ourselves: where we are found.
fn hello(base_url: &str) -> ClientId {
    let uri: Option<http::Uri> = base_url.parse().ok();
    let host = uri.as_ref().and_then(http::Uri::host).unwrap_or("localhost").trim_matches(['[', ']']);
    match host.parse() {
        Ok(IpAddr::V4(address)) => ClientId::Ipv4(address),
        Ok(IpAddr::V6(address)) => ClientId::Ipv6(address),
        Err(_) => ClientId::Domain(host.to_owned()),
    }
}

async fn in_time<T>(
    stage: Stage,
    limit: Duration,
    asked: impl Future<Output = Result<T, lettre::transport::smtp::Error>>,
) -> Result<(), Failure> {
    match timeout(limit, asked).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(said(stage, &error)),
        Err(_) => Err(late(stage)),
    }
}

fn late(stage: Stage) -> Failure {
    failure(stage, None, "no answer in time".to_owned())
}

fn refused(refused: Refused) -> Failure {
    match refused {
        Refused::Broken(error) => failure(Stage::Hello, None, error.to_string()),
        Refused::Answer(code, text) => failure(Stage::Hello, Some(reply(code, &text)), String::new()),
        Refused::NotOffered => failure(Stage::Tls, None, "the server does not offer STARTTLS".to_owned()),
        Refused::Injected => failure(Stage::Tls, None, "the server talks while TLS begins".to_owned()),
    }
}

fn said(stage: Stage, error: &lettre::transport::smtp::Error) -> Failure {
    let code = error.status().and_then(|s| s.to_string().parse().ok());
    let text = error.source().map(ToString::to_string).unwrap_or_default();
    match code {
        Some(code) => failure(stage, Some(reply(code, &text)), String::new()),
        None => failure(stage, None, error.to_string()),
    }
}

fn reply(code: u16, text: &str) -> Reply {
    let text = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(ANSWER).collect();
    Reply { code, text }
}

fn failure(stage: Stage, reply: Option<Reply>, cause: String) -> Failure {
    Failure { trouble: trouble(stage, reply.as_ref().map(|reply| reply.code)), stage, reply, cause }
}

/// Whose trouble it is. Before it is said to whom a mail goes, nothing can be about that one mail. A content that nothing is said of any
/// more may well be what the server stumbles over.
fn trouble(stage: Stage, code: Option<u16>) -> Trouble {
    match (stage, code) {
        // 421 closes the conversation; 530 to 538 are about the login, wherever they come.
        (Stage::Recipient | Stage::Content, Some(code)) if code != 421 && !(530..=538).contains(&code) => match stage {
            _ if code >= 500 => Trouble::Refused,
            Stage::Recipient => Trouble::Unwanted,
            _ => Trouble::Deferred,
        },
        (Stage::Content, None) => Trouble::Unsure,
        _ => Trouble::Away,
    }
}

#[cfg(test)]
mod tests {
    use super::{Stage, Trouble, hello, trouble};

    #[test]
    fn only_what_is_said_of_a_recipient_or_a_content_is_about_one_mail() {
        for (stage, code, expected) in [
            (Stage::Recipient, Some(550), Trouble::Refused),
            (Stage::Content, Some(554), Trouble::Refused),
            (Stage::Recipient, Some(450), Trouble::Unwanted),
            (Stage::Content, Some(452), Trouble::Deferred),
            (Stage::Recipient, Some(421), Trouble::Away),
            (Stage::Recipient, Some(530), Trouble::Away),
            (Stage::Content, None, Trouble::Unsure),
            (Stage::Recipient, None, Trouble::Away),
            (Stage::From, Some(550), Trouble::Away),
            (Stage::Auth, Some(535), Trouble::Away),
            (Stage::Hello, Some(554), Trouble::Away),
            (Stage::Connect, None, Trouble::Away),
        ] {
            assert_eq!(trouble(stage, code), expected, "{stage:?} {code:?}");
        }
    }

    #[test]
    fn we_are_called_what_we_are_found_at() {
        for (url, name) in [
            ("https://cms.example.com", "cms.example.com"),
            ("http://127.0.0.1:8080", "[127.0.0.1]"),
            ("http://[::1]:8080", "[IPv6:::1]"),
            ("", "localhost"),
        ] {
            assert_eq!(hello(url).to_string(), name);
        }
    }
}
