//! SMTP (RFC 5321) through lettre, over connections that this module opens. They are encrypted before lettre
//! sends a command, or not at all if the operator chose that. There is no opportunistic encryption, which an
//! attacker on the path could prevent.

use super::{
    Failure, MailConnection, MailTransport, Message, Probe, Reply, Security, ServerDescription, Stage, TlsFacts, message,
    starttls::{self, StartTlsError},
    stream::SmtpStream,
};
use crate::{
    dial::{self, Stream},
    dns::Resolver,
    tls,
};
use domain::identity::mail_retry::SendError;
use futures_util::future::BoxFuture;
use lettre::transport::smtp::{
    authentication::{Credentials, Mechanism},
    client::AsyncSmtpConnection,
    commands::{Data, Mail, Rcpt, Rset},
    extension::ClientId,
};
use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, ServerName},
};
use secrecy::{ExposeSecret, SecretString};
use std::{error::Error as _, future::Future, net::IpAddr, sync::Arc, time::Duration};
use tokio::time::timeout;

/// How much of a reply's text is kept, in characters.
const MAX_REPLY_TEXT: usize = 300;
/// How long `QUIT` may take.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

/// What this server authenticates with.
#[derive(Clone)]
pub struct SmtpCredentials {
    pub user: String,
    pub password: SecretString,
}

/// The time limits of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For opening a session: name resolution, connection, TLS, greeting, authentication.
    pub connect: Duration,
    pub command: Duration,
    /// For the content and the reply that accepts it.
    pub content: Duration,
}

impl Default for Timeouts {
    /// Servers that delay their greeting against spam do so for up to 30 seconds. The time for the content is
    /// that of RFC 5321, section 4.5.3.2.6: a client that gives up earlier sends the mail twice.
    fn default() -> Self {
        Self { connect: Duration::from_secs(40), command: Duration::from_secs(30), content: Duration::from_mins(10) }
    }
}

/// The configuration of the mail server.
#[derive(Clone)]
pub struct SmtpSettings {
    /// The host name or IP address.
    pub host: String,
    pub port: u16,
    /// How the connection is protected.
    pub security: Security,
    /// Whether the server's certificate is verified.
    pub verify_certificate: bool,
    /// Root certificates that are trusted in addition to those of the operating system.
    pub extra_roots: Vec<CertificateDer<'static>>,
    /// The credentials, if the server requires them.
    pub credentials: Option<SmtpCredentials>,
    pub timeouts: Timeouts,
}

/// How far opening a session has come.
#[derive(Debug, Clone, Copy)]
struct Progress {
    /// What is waited for.
    stage: Stage,
    /// The version of TLS, once the connection is encrypted.
    protocol: Option<&'static str>,
}

/// Where it begins.
const BEGIN: Progress = Progress { stage: Stage::Connect, protocol: None };

/// Opens SMTP sessions with the configured server.
pub struct SmtpTransport {
    settings: SmtpSettings,
    resolver: Option<Resolver>,
    roots: RootCertStore,
    tls: Arc<ClientConfig>,
    hello: ClientId,
}

impl SmtpTransport {
    /// Prepares TLS and the name for `EHLO`, which is the host of `base_url`. It does not connect yet. The
    /// error is a sentence.
    pub fn new(settings: SmtpSettings, base_url: &str, resolver: Option<Resolver>) -> Result<Self, String> {
        let mut roots = tls::system_roots();
        for root in &settings.extra_roots {
            roots.add(root.clone()).map_err(|error| format!("a certificate cannot be trusted: {error}"))?;
        }
        let tls = if settings.verify_certificate { tls::client(roots.clone(), &[])? } else { tls::insecure_client()? };
        Ok(Self { settings, resolver, roots, tls, hello: hello(base_url) })
    }

    /// Opens a session with this TLS configuration, and notes how far it has come.
    async fn open(&self, tls: &Arc<ClientConfig>, progress: &mut Progress) -> Result<AsyncSmtpConnection, Failure> {
        let io_failure = |stage| move |error: std::io::Error| failure(stage, None, error.to_string());
        let SmtpSettings { host, port, security, credentials, .. } = &self.settings;
        let connected = async { dial::tcp(&dial::addresses(self.resolver.as_ref(), host, *port).await?).await };
        let mut stream = connected.await.map_err(io_failure(Stage::Connect))?;
        let peer = stream.peer_addr().map_err(io_failure(Stage::Connect))?;
        let mut greeting: &[u8] = b"";
        progress.stage = Stage::Hello;
        if *security == Security::StartTls {
            starttls::start_tls(&mut stream, &self.hello.to_string()).await.map_err(starttls_failure)?;
            greeting = b"220 encrypted\r\n";
        }
        let stream = if *security == Security::None {
            Stream::Plain(stream)
        } else {
            progress.stage = Stage::Tls;
            let name = ServerName::try_from(host.clone()).map_err(|error| failure(Stage::Tls, None, error.to_string()))?;
            dial::tls(stream, tls.clone(), name).await.map_err(io_failure(Stage::Tls))?
        };
        *progress = Progress { stage: Stage::Hello, protocol: stream.tls_version() };
        let stream = Box::new(SmtpStream::new(stream, peer, greeting));
        let mut connection = AsyncSmtpConnection::connect_with_transport(stream, &self.hello)
            .await
            .map_err(|error| smtp_failure(Stage::Hello, &error))?;
        if let Some(SmtpCredentials { user, password }) = credentials {
            progress.stage = Stage::Auth;
            let credentials = Credentials::new(user.clone(), password.expose_secret().to_owned());
            connection
                .auth(&[Mechanism::Plain, Mechanism::Login], &credentials)
                .await
                .map_err(|error| smtp_failure(Stage::Auth, &error))?;
        }
        Ok(connection)
    }
}

impl MailTransport for SmtpTransport {
    fn connect(&self) -> BoxFuture<'_, Result<Box<dyn MailConnection>, Failure>> {
        Box::pin(async {
            let timeouts = self.settings.timeouts;
            let mut progress = BEGIN;
            let opened = timeout(timeouts.connect, self.open(&self.tls, &mut progress)).await;
            let inner = opened.map_err(|_| timed_out(progress.stage))??;
            Ok(Box::new(SmtpConnection { inner, timeouts, is_usable: true }) as Box<dyn MailConnection>)
        })
    }

    fn probe(&self, patience: Duration) -> BoxFuture<'_, Probe> {
        Box::pin(async move {
            let SmtpSettings { timeouts, verify_certificate, .. } = self.settings;
            let (tls, verdict) = match tls::measuring_client(self.roots.clone(), verify_certificate) {
                Ok(measuring) => measuring,
                Err(cause) => return Probe { failure: Some(failure(Stage::Tls, None, cause)), ..Probe::default() },
            };
            let mut progress = BEGIN;
            let opened = timeout(timeouts.connect.min(patience), self.open(&tls, &mut progress)).await;
            let failure = match opened.map_err(|_| timed_out(progress.stage)).and_then(|opened| opened) {
                Ok(inner) => {
                    Box::new(SmtpConnection { inner, timeouts, is_usable: true }).close().await;
                    None
                }
                Err(failure) => Some(failure),
            };
            Probe { tls: TlsFacts { protocol: progress.protocol, certificate: verdict.get().cloned() }, failure }
        })
    }

    fn describe(&self) -> ServerDescription {
        let SmtpSettings { host, port, security, verify_certificate, credentials, .. } = &self.settings;
        ServerDescription {
            host: host.clone(),
            port: *port,
            security: *security,
            verify_certificate: *verify_certificate,
            has_credentials: credentials.is_some(),
        }
    }
}

/// An open session.
struct SmtpConnection {
    inner: AsyncSmtpConnection,
    timeouts: Timeouts,
    /// `false` after an error that leaves the state of the session unknown.
    is_usable: bool,
}

impl SmtpConnection {
    async fn deliver(&mut self, message: &Message) -> Result<(), Failure> {
        let unsendable = |cause| Failure { error: SendError::Rejected, stage: Stage::Content, reply: None, cause };
        let bytes = message::bytes(message).map_err(unsendable)?;
        let from = message::address(&message.from.address).map_err(unsendable)?;
        let to = message::address(&message.to).map_err(unsendable)?;
        let Timeouts { command, content, .. } = self.timeouts;
        with_timeout(Stage::From, command, self.inner.command(Mail::new(Some(from), Vec::new()))).await?;
        with_timeout(Stage::Recipient, command, self.inner.command(Rcpt::new(to, Vec::new()))).await?;
        with_timeout(Stage::Content, command, self.inner.command(Data)).await?;
        with_timeout(Stage::Content, content, self.inner.message(&bytes)).await
    }
}

impl MailConnection for SmtpConnection {
    fn send<'a>(&'a mut self, message: &'a Message) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            // If this future is dropped before it ends, the state of the session is unknown.
            self.is_usable = false;
            let sent = self.deliver(message).await;
            self.is_usable = match &sent {
                Ok(()) => true,
                Err(failure) if failure.error == SendError::Unavailable || failure.reply.is_none() => false,
                Err(_) => with_timeout(Stage::Content, self.timeouts.command, self.inner.command(Rset)).await.is_ok(),
            };
            sent
        })
    }

    fn is_alive(&mut self) -> BoxFuture<'_, bool> {
        Box::pin(async { self.is_usable && timeout(self.timeouts.command, self.inner.test_connected()).await.unwrap_or(false) })
    }

    fn is_usable(&self) -> bool {
        self.is_usable
    }

    fn close(mut self: Box<Self>) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            if self.is_usable {
                // The session is over, whatever the server replies.
                let _ = timeout(QUIT_TIMEOUT, self.inner.quit()).await;
            }
        })
    }
}

/// The name for `EHLO`: the host of the URL that this server is reached at.
fn hello(base_url: &str) -> ClientId {
    let uri: Option<http::Uri> = base_url.parse().ok();
    let host = uri.as_ref().and_then(http::Uri::host).unwrap_or("localhost").trim_matches(['[', ']']);
    match host.parse() {
        Ok(IpAddr::V4(address)) => ClientId::Ipv4(address),
        Ok(IpAddr::V6(address)) => ClientId::Ipv6(address),
        Err(_) => ClientId::Domain(host.to_owned()),
    }
}

async fn with_timeout<T>(
    stage: Stage,
    limit: Duration,
    exchange: impl Future<Output = Result<T, lettre::transport::smtp::Error>>,
) -> Result<(), Failure> {
    match timeout(limit, exchange).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(smtp_failure(stage, &error)),
        Err(_) => Err(timed_out(stage)),
    }
}

fn timed_out(stage: Stage) -> Failure {
    failure(stage, None, "no answer in time".to_owned())
}

fn starttls_failure(error: StartTlsError) -> Failure {
    match error {
        StartTlsError::Io(error) => failure(Stage::Hello, None, error.to_string()),
        StartTlsError::UnexpectedReply(code, text) => failure(Stage::Hello, Some(reply(code, &text)), String::new()),
        StartTlsError::NotOffered => failure(Stage::Tls, None, "the server does not offer STARTTLS".to_owned()),
        StartTlsError::Injected => failure(Stage::Tls, None, "the server sends data before the TLS handshake".to_owned()),
    }
}

fn smtp_failure(stage: Stage, error: &lettre::transport::smtp::Error) -> Failure {
    let code = error.status().and_then(|s| s.to_string().parse().ok());
    let text = error.source().map(ToString::to_string).unwrap_or_default();
    match code {
        Some(code) => failure(stage, Some(reply(code, &text)), String::new()),
        None => failure(stage, None, error.to_string()),
    }
}

fn reply(code: u16, text: &str) -> Reply {
    let text = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_REPLY_TEXT).collect();
    Reply { code, text }
}

fn failure(stage: Stage, reply: Option<Reply>, cause: String) -> Failure {
    Failure { error: classify(stage, reply.as_ref().map(|reply| reply.code)), stage, reply, cause }
}

/// Classifies a failure. Before `RCPT TO` a failure cannot be about a single mail. A content that gets no
/// reply may be the cause of the silence.
fn classify(stage: Stage, code: Option<u16>) -> SendError {
    match (stage, code) {
        // 421 closes the session, and 530 to 538 are about authentication (RFC 4954), at any stage.
        (Stage::Recipient | Stage::Content, Some(code)) if code != 421 && !(530..=538).contains(&code) => match stage {
            _ if code >= 500 => SendError::Rejected,
            Stage::Recipient => SendError::RecipientDeferred,
            _ => SendError::Deferred,
        },
        (Stage::Content, None) => SendError::Unconfirmed,
        _ => SendError::Unavailable,
    }
}

#[cfg(test)]
mod tests {
    use super::{SendError, Stage, classify, hello};

    #[test]
    fn only_replies_to_recipient_and_content_are_about_one_mail() {
        for (stage, code, expected) in [
            (Stage::Recipient, Some(550), SendError::Rejected),
            (Stage::Content, Some(554), SendError::Rejected),
            (Stage::Recipient, Some(450), SendError::RecipientDeferred),
            (Stage::Content, Some(452), SendError::Deferred),
            (Stage::Recipient, Some(421), SendError::Unavailable),
            (Stage::Recipient, Some(530), SendError::Unavailable),
            (Stage::Content, None, SendError::Unconfirmed),
            (Stage::Recipient, None, SendError::Unavailable),
            (Stage::From, Some(550), SendError::Unavailable),
            (Stage::Auth, Some(535), SendError::Unavailable),
            (Stage::Hello, Some(554), SendError::Unavailable),
            (Stage::Connect, None, SendError::Unavailable),
        ] {
            assert_eq!(classify(stage, code), expected, "{stage:?} {code:?}");
        }
    }

    #[test]
    fn ehlo_names_the_host_of_the_base_url() {
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
