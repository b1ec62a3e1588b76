//! Mail to people: a use case composes a sealed row for the transaction that causes the mail. The mail sender does the rest.

use crypto::{keys::Keys, seal::Seal};
use domain::{
    identity::{Addressee, Letter, letter::Envelope},
    shared::{Fault, MailId, SharedClock, SharedEntropy},
};
use std::{net::IpAddr, sync::Arc};
use storage::identity::NewMail;

/// The label of the key that mails are sealed with until they are sent.
pub const MAIL_SEAL: &str = "mail/1";

/// Composes mails. Cheap to clone.
#[derive(Clone)]
pub struct MailQueue {
    seal: Option<Seal>,
    base_url: Arc<str>,
    clock: SharedClock,
    entropy: SharedEntropy,
}

impl MailQueue {
    /// A queue for a server at `base_url`; while mail is off, nothing is queued.
    pub fn new(is_on: bool, base_url: &str, keys: &Keys, clock: SharedClock, entropy: SharedEntropy) -> Self {
        let seal = is_on.then(|| Seal::new(keys.derive(MAIL_SEAL)));
        Self { seal, base_url: base_url.into(), clock, entropy }
    }

    /// Whether mail is sent at all (`APP_SMTP_HOST`).
    pub fn is_on(&self) -> bool {
        self.seal.is_some()
    }

    /// A whole URL of this server, for a link in a mail. It is always at the configured address (`APP_BASE_URL`), whatever a request says.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base_url)
    }

    /// A mail for [`storage::identity::mails::add`]; `None` while mail is off.
    pub fn compose(&self, to: &Addressee, letter: Letter) -> Result<Option<NewMail>, Fault> {
        let Some(seal) = &self.seal else {
            self.log_reset_link(&letter);
            return Ok(None);
        };
        let id = MailId(self.entropy.uuid());
        let template = letter.template();
        let envelope = Envelope { to: to.email.clone(), name: to.name.clone(), letter };
        let sealed = seal.seal(&Envelope::sealed_for(id), &envelope.to_bytes()?, self.entropy.as_ref())?;
        Ok(Some(NewMail { id, user: to.user, template, locale: to.locale.clone(), sealed, at: self.clock.now() }))
    }

    /// Without mail, a server on a developer's own machine writes reset links to its log.
    fn log_reset_link(&self, letter: &Letter) {
        if let Letter::PasswordReset { link } = letter
            && is_loopback(&self.base_url)
        {
            tracing::debug!(link, "mail is off: a password can be reset here");
        }
    }
}

/// Whether the host of a URL is this machine.
fn is_loopback(url: &str) -> bool {
    let authority = url.split_once("://").map_or("", |(_, rest)| rest).split('/').next().unwrap_or_default();
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn only_a_server_on_this_machine_is_a_local_one() {
        for url in ["http://localhost:8080", "http://127.0.0.1:1", "http://[::1]:8080", "https://127.9.9.9"] {
            assert!(is_loopback(url), "{url}");
        }
        for url in ["https://cms.example.com", "http://localhost.example.com", "http://192.168.0.1", "http://[2001:db8::1]", ""] {
            assert!(!is_loopback(url), "{url}");
        }
    }
}
