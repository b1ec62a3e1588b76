//! A worker: a task that sends one mail and reports. It decides nothing.

use super::{
    MailSenderSettings,
    in_flight::{Claimed, Report, Reporter, Sent},
};
use domain::{identity::mail::StoredMail, shared::Fault};
use egress::mail::{Failure, MailConnection, Message};
use futures_util::future::{AbortRegistration, Abortable, Aborted};
use secrecy::ExposeSecret;
use std::sync::Arc;
use storage::identity::mails::Mail;

/// Sends a mail over the idle connection, if there is one and the server still answers on it, or else over a
/// new one.
pub(super) async fn send(
    settings: MailSenderSettings,
    claimed: Arc<Claimed>,
    idle: Option<Box<dyn MailConnection>>,
    (reporter, abort): (Reporter, AbortRegistration),
) {
    let message = match message(&settings, &claimed.mail) {
        Ok(message) => message,
        Err(fault) => {
            tracing::error!(mail.id = %claimed.mail.id, cause = fault.cause.as_deref(), "a mail cannot be opened");
            return reporter.report(Report { sent: Sent::Unreadable, connection: idle, has_connected: false });
        }
    };
    // The cancelled exchange leaves the state of its connection unknown, so it takes that along.
    let report = Abortable::new(deliver(&settings, idle, &message), abort).await;
    reporter.report(report.unwrap_or_else(|Aborted| Report { sent: Sent::Stopped, connection: None, has_connected: false }));
}

/// Opens and renders a mail.
fn message(settings: &MailSenderSettings, mail: &Mail) -> Result<Message, Fault> {
    let opened = settings.seal.open(&StoredMail::seal_context(mail.id), &mail.sealed)?;
    let stored = StoredMail::from_bytes(opened.expose_secret())?;
    let rendered = settings.templates.render(&stored, &mail.locale, &settings.base_url);
    Ok(Message {
        id: mail.id,
        from: settings.from.clone(),
        to: stored.to,
        subject: rendered.subject,
        text: rendered.text,
        html: rendered.html,
        at: mail.created_at,
    })
}

async fn deliver(settings: &MailSenderSettings, idle: Option<Box<dyn MailConnection>>, message: &Message) -> Report {
    let (mut connection, has_connected) = match connect(settings, idle).await {
        Ok(connected) => connected,
        Err(failure) => return Report { sent: Sent::Failed(failure), connection: None, has_connected: false },
    };
    let sent = connection.send(message).await.map_or_else(Sent::Failed, |()| Sent::Accepted);
    let connection = Some(connection).filter(|connection| connection.is_usable());
    Report { sent, connection, has_connected }
}

/// A connection that works, and whether it is a new one.
async fn connect(
    settings: &MailSenderSettings,
    idle: Option<Box<dyn MailConnection>>,
) -> Result<(Box<dyn MailConnection>, bool), Failure> {
    if let Some(mut idle) = idle
        && idle.is_alive().await
    {
        return Ok((idle, false));
    }
    Ok((settings.transport.connect().await?, true))
}
