//! Looking at mail for an administrator: what the server is like, how a mail looks, and whether one arrives.
//! This goes past the queue of mails: one attempt, no row, and not counted in the metric of sent mails.
//!
//! ```text
//! MailDiagnostics::status     connects, encrypts and authenticates as the mail sender does, and says what it saw
//! MailDiagnostics::preview    a template with sample values
//! MailDiagnostics::send_test  sends that to an address
//! ```

use super::mail_sender::MailSenderSettings;
use domain::{
    identity::{
        Email,
        mail::{MailTemplates, RenderedMail, Template, sample},
    },
    shared::{Code, Fault, MailId, SharedClock, SharedEntropy},
};
use egress::mail::{Failure, Message, Security, Stage, TlsFacts};
use std::{sync::Arc, time::Duration};
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, timeout_at},
};

/// How long an answer takes at most: less than the request that waits for it may take. A server that says
/// nothing is then told as such.
const PATIENCE: Duration = Duration::from_secs(20);
/// How many connections to the mail server are open for this at a time.
const MAX_CONNECTIONS: usize = 2;
/// The address that a preview is for.
const SAMPLE_ADDRESS: &str = "ann@example.org";

/// The diagnostics. Cheap to clone.
#[derive(Clone)]
pub struct MailDiagnostics {
    inner: Arc<Inner>,
    patience: Duration,
}

struct Inner {
    /// `None` while mail is off.
    settings: Option<MailSenderSettings>,
    templates: MailTemplates,
    base_url: String,
    clock: SharedClock,
    entropy: SharedEntropy,
    turns: Semaphore,
}

/// The mail server, as it is configured and as it was found.
#[derive(Debug, Clone)]
pub struct MailStatus {
    /// The host name or IP address.
    pub host: String,
    pub port: u16,
    /// `implicit`, `starttls` or `none`.
    pub mode: &'static str,
    /// The `From` of every mail.
    pub from: String,
    /// Whether this server authenticates.
    pub has_credentials: bool,
    /// Whether the certificate has to be valid.
    pub verify_certificate: bool,
    /// The version of TLS; `None` when the connection was not encrypted.
    pub protocol: Option<&'static str>,
    /// Whether the certificate is valid; `None` when the connection was not encrypted, also because the
    /// handshake failed.
    pub is_authorized: Option<bool>,
    /// What is wrong with the encryption.
    pub tls_problem: Option<String>,
    /// Why no mail could be sent now.
    pub problem: Option<String>,
    /// How long it took to find out.
    pub took: Duration,
}

/// A sent mail.
#[derive(Debug, Clone)]
pub struct SentTest {
    pub message_id: String,
    /// How long sending took.
    pub took: Duration,
}

/// What the mail server has against a mail.
#[derive(Debug, Clone)]
pub struct RefusedTest {
    /// A code for programs: `EAUTH`, `ECONNECTION`, `ETLS`, `EENVELOPE`, `EMESSAGE`, `EPROTOCOL`,
    /// `ETIMEDOUT`.
    pub code: &'static str,
    /// The SMTP command that failed.
    pub command: &'static str,
    /// The code of the reply, if there was one.
    pub reply_code: Option<u16>,
    /// The reply, or the cause where there was none.
    pub response: String,
}

impl MailDiagnostics {
    /// `settings` are those of the mail sender; `None` while mail is off.
    pub fn new(
        settings: Option<MailSenderSettings>,
        templates: MailTemplates,
        base_url: &str,
        clock: SharedClock,
        entropy: SharedEntropy,
    ) -> Self {
        let (base_url, turns) = (base_url.to_owned(), Semaphore::new(MAX_CONNECTIONS));
        Self { inner: Arc::new(Inner { settings, templates, base_url, clock, entropy, turns }), patience: PATIENCE }
    }

    /// The same with another patience.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Whether there is a mail server.
    pub fn is_on(&self) -> bool {
        self.inner.settings.is_some()
    }

    /// The state of the mail server; `None` while mail is off.
    pub async fn status(&self) -> Result<Option<MailStatus>, Fault> {
        let Some(settings) = &self.inner.settings else { return Ok(None) };
        let deadline = self.deadline();
        let _turn = self.turn(deadline).await?;
        let (server, begun) = (settings.transport.describe(), Instant::now());
        let probe = settings.transport.probe(deadline.saturating_duration_since(begun)).await;
        let took = begun.elapsed();
        let TlsFacts { protocol, certificate } = probe.tls;
        let failed_handshake = probe.failure.as_ref().filter(|failure| failure.stage == Stage::Tls);
        let tls_problem = match &certificate {
            Some(Err(problem)) => Some(problem.clone()),
            _ => failed_handshake.map(|failure| failure.cause.clone()),
        };
        Ok(Some(MailStatus {
            host: server.host,
            port: server.port,
            mode: match server.security {
                Security::Implicit => "implicit",
                Security::StartTls => "starttls",
                Security::None => "none",
            },
            from: settings.from.to_string(),
            has_credentials: server.has_credentials,
            verify_certificate: server.verify_certificate,
            protocol,
            is_authorized: protocol.and(certificate).map(|certificate| certificate.is_ok()),
            tls_problem,
            problem: probe.failure.map(|failure| failure.to_string()),
            took,
        }))
    }

    /// A mail with sample values.
    pub fn preview(&self, template: Template, locale: &str) -> Result<RenderedMail, Fault> {
        let to = Email::parse(SAMPLE_ADDRESS).ok_or_else(|| Fault::internal("the address of previews is none"))?;
        Ok(self.render(template, to, locale))
    }

    /// Sends a mail with sample values. The inner error is the mail server's. 409 `smtp_not_configured` while
    /// mail is off.
    pub async fn send_test(&self, template: Template, to: Email, locale: &str) -> Result<Result<SentTest, RefusedTest>, Fault> {
        let settings = self.inner.settings.as_ref().ok_or_else(not_configured)?;
        let deadline = self.deadline();
        let _turn = self.turn(deadline).await?;
        let RenderedMail { subject, html, text, .. } = self.render(template, to.clone(), locale);
        let (id, at) = (MailId(self.inner.entropy.uuid()), self.inner.clock.now());
        let message = Message { id, from: settings.from.clone(), to, subject, text, html, at };
        let begun = Instant::now();
        let late = |_| RefusedTest { code: "ETIMEDOUT", command: "CONN", reply_code: None, response: self.no_answer() };
        let mut connection = match timeout_at(deadline, settings.transport.connect()).await.map_err(late) {
            Ok(Ok(connection)) => connection,
            Ok(Err(failure)) => return Ok(Err(RefusedTest::of(failure))),
            Err(refused) => return Ok(Err(refused)),
        };
        let sent = timeout_at(deadline, connection.send(&message)).await.map_err(late);
        let took = begun.elapsed();
        Ok(match sent {
            Ok(sent) => {
                connection.close().await;
                sent.map(|()| SentTest { message_id: message.message_id(), took }).map_err(RefusedTest::of)
            }
            // The server may have accepted the mail without saying so.
            Err(refused) => Err(RefusedTest { command: Stage::Content.command(), ..refused }),
        })
    }

    fn render(&self, template: Template, to: Email, locale: &str) -> RenderedMail {
        let mail = sample(template, to, &self.inner.base_url, self.inner.clock.now());
        self.inner.templates.render(&mail, locale, &self.inner.base_url)
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.patience
    }

    /// Waits for a connection to be free. 503 when others have them for as long as the answer may take.
    async fn turn(&self, deadline: Instant) -> Result<SemaphorePermit<'_>, Fault> {
        let busy = || Fault::unavailable("others are looking at the mail server").retry(self.patience);
        let turn = timeout_at(deadline, self.inner.turns.acquire()).await.map_err(|_| busy())?;
        turn.map_err(|_| Fault::internal("the turns of mail diagnostics are closed"))
    }

    fn no_answer(&self) -> String {
        format!("no answer in {} s", self.patience.as_secs())
    }
}

/// 409 `smtp_not_configured`.
pub fn not_configured() -> Fault {
    Fault::of(Code::SmtpNotConfigured)
}

impl RefusedTest {
    fn of(failure: Failure) -> Self {
        let code = match failure.stage {
            Stage::Connect => "ECONNECTION",
            Stage::Tls => "ETLS",
            Stage::Hello => "EPROTOCOL",
            Stage::Auth => "EAUTH",
            Stage::From | Stage::Recipient => "EENVELOPE",
            Stage::Content => "EMESSAGE",
        };
        let command = failure.stage.command();
        let reply_code = failure.reply.as_ref().map(|reply| reply.code);
        let response = failure.reply.map_or(failure.cause, |reply| format!("{} {}", reply.code, reply.text));
        Self { code, command, reply_code, response }
    }
}
