//! Mail to people: a use case composes a sealed row for the transaction that causes the mail. The mail sender
//! does the rest.

use crypto::{keys::Keys, seal::Seal};
use domain::{
    identity::{MailContent, Recipient, mail::StoredMail},
    shared::{Email, Fault, MailId, SharedClock, SharedEntropy, UserId},
};
use secrecy::ExposeSecret;
use std::{net::IpAddr, sync::Arc};
use storage::identity::NewMail;

/// Composes mails. Cheap to clone.
#[derive(Clone)]
pub struct MailQueue {
    /// `None` while mail is off.
    seal: Option<Seal>,
    base_url: Arc<str>,
    clock: SharedClock,
    entropy: SharedEntropy,
}

impl MailQueue {
    /// A queue for a server at `base_url`; while mail is off, nothing is queued.
    pub fn new(is_on: bool, base_url: &str, keys: &Keys, clock: SharedClock, entropy: SharedEntropy) -> Self {
        let seal = is_on.then(|| Seal::new(keys.derive(StoredMail::KEY_LABEL)));
        Self { seal, base_url: base_url.into(), clock, entropy }
    }

    /// Whether mail is sent at all (`APP_SMTP_HOST`).
    pub fn is_on(&self) -> bool {
        self.seal.is_some()
    }

    /// A whole URL of this server, for a link in a mail. It is always at the configured address
    /// (`APP_BASE_URL`), whatever a request says.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base_url)
    }

    /// A mail for [`storage::identity::mails::add`]; `None` while mail is off.
    pub fn compose(&self, to: &Recipient, content: MailContent) -> Result<Option<NewMail>, Fault> {
        self.compose_row(Some(to.user), (&to.email, &to.name, &to.locale), content)
    }

    /// The same to an address that need not have an account.
    pub fn compose_to_address(&self, email: &Email, locale: &str, content: MailContent) -> Result<Option<NewMail>, Fault> {
        self.compose_row(None, (email, email.as_str(), locale), content)
    }

    fn compose_row(
        &self,
        user: Option<UserId>,
        (email, name, locale): (&Email, &str, &str),
        content: MailContent,
    ) -> Result<Option<NewMail>, Fault> {
        let Some(seal) = &self.seal else {
            self.log_reset_link(&content);
            return Ok(None);
        };
        let id = MailId(self.entropy.uuid());
        let template = content.template();
        let mail = StoredMail { to: email.clone(), name: name.to_owned(), content };
        let sealed = seal.seal(&StoredMail::seal_context(id), &mail.to_bytes()?, self.entropy.as_ref())?;
        Ok(Some(NewMail { id, user, template, locale: locale.to_owned(), sealed, at: self.clock.now() }))
    }

    /// Opens what [`MailQueue::compose`] has sealed; `None` while mail is off, and for what was sealed with
    /// another `APP_SECRET`.
    pub fn open(&self, id: MailId, sealed: &[u8]) -> Option<StoredMail> {
        let opened = self.seal.as_ref()?.open(&StoredMail::seal_context(id), sealed).ok()?;
        StoredMail::from_bytes(opened.expose_secret()).ok()
    }

    /// Without mail, a server on a developer's own machine writes reset links to its log.
    fn log_reset_link(&self, content: &MailContent) {
        if let MailContent::PasswordReset { link } = content
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
    use super::{MailQueue, is_loopback};
    use crypto::{keys::Keys, random::SystemEntropy};
    use domain::{
        identity::{Email, MailContent, Recipient},
        shared::{Clock, UserId},
    };
    use jiff::Timestamp;
    use std::sync::Arc;
    use storage::identity::NewMail;

    #[test]
    fn only_loopback_urls_are_local() {
        for url in ["http://localhost:8080", "http://127.0.0.1:1", "http://[::1]:8080", "https://127.9.9.9"] {
            assert!(is_loopback(url), "{url}");
        }
        for url in ["https://cms.example.com", "http://localhost.example.com", "http://192.168.0.1", "http://[2001:db8::1]", ""] {
            assert!(!is_loopback(url), "{url}");
        }
    }

    struct Noon;

    impl Clock for Noon {
        fn now(&self) -> Timestamp {
            "2026-03-01T12:00:00Z".parse().unwrap()
        }
    }

    fn queue(is_on: bool, root: u8) -> MailQueue {
        let keys = Keys::new(vec![root; 32].into());
        MailQueue::new(is_on, "https://id.example", &keys, Arc::new(Noon), Arc::new(SystemEntropy))
    }

    fn compose(queue: &MailQueue) -> Option<NewMail> {
        let user = UserId(uuid::Uuid::nil());
        let to = Recipient { email: Email::parse("ann@example.org").unwrap(), name: "Ann".into(), locale: "de".into(), user };
        queue.compose(&to, MailContent::PasswordReset { link: "https://id.example/reset#t".into() }).unwrap()
    }

    #[test]
    fn a_mail_is_sealed_and_opened_again_by_the_same_secret_only() {
        let on = queue(true, 7);
        assert!(on.is_on());
        let mail = compose(&on).unwrap();
        assert_eq!((mail.locale.as_str(), mail.at), ("de", Noon.now()));
        assert!(!mail.sealed.windows(5).any(|bytes| bytes == b"reset"));
        let opened = on.open(mail.id, &mail.sealed).unwrap();
        assert_eq!((opened.to.as_str(), opened.name.as_str()), ("ann@example.org", "Ann"));
        assert!(queue(true, 8).open(mail.id, &mail.sealed).is_none(), "another secret");
        assert!(on.open(domain::shared::MailId(uuid::Uuid::nil()), &mail.sealed).is_none(), "another mail");
        assert!(on.open(mail.id, b"short").is_none());
    }

    #[test]
    fn while_mail_is_off_nothing_is_queued() {
        let off = queue(false, 7);
        assert!(!off.is_on() && compose(&off).is_none());
        assert!(off.open(domain::shared::MailId(uuid::Uuid::nil()), b"").is_none());
    }

    #[test]
    fn a_link_leads_to_the_configured_address() {
        assert_eq!(queue(true, 7).url("/reset#t"), "https://id.example/reset#t");
    }
}
