//! The variables of mail: the server and the templates.

use super::{
    problem::{Problem, problem},
    reader::Reader,
    variables::{accounts, email},
};
use domain::identity::{
    Locales,
    mail::{MailTemplates, Sender, TemplateOverride},
};
use egress::{
    mail::{Security, SmtpCredentials, SmtpSettings, Timeouts},
    tls,
};
use std::{net::IpAddr, path::PathBuf};

/// The configuration of mail.
pub struct MailConfig {
    /// `APP_SMTP_*`; `None` without `APP_SMTP_HOST`.
    pub smtp: Option<Smtp>,
    /// `APP_EMAIL_*`.
    pub templates: MailTemplates,
}

/// The mail server.
pub struct Smtp {
    /// Its address, security and login.
    pub server: SmtpSettings,
    /// `APP_SMTP_FROM`.
    pub from: Sender,
}

impl MailConfig {
    pub(super) fn from(reader: &Reader<'_>, locales: &Locales, base_url: Option<&str>) -> Result<Self, Problem> {
        Ok(Self { smtp: smtp(reader, base_url)?, templates: templates(reader, locales)? })
    }
}

fn smtp(reader: &Reader<'_>, base_url: Option<&str>) -> Result<Option<Smtp>, Problem> {
    let host = reader.optional(email::APP_SMTP_HOST);
    let port = reader.optional(email::APP_SMTP_PORT);
    let security = reader.value(email::APP_SMTP_SECURITY)?;
    let verify_certificate = reader.value(email::APP_SMTP_TLS_REJECT_UNAUTHORIZED)?;
    let extra_roots = reader.optional(email::APP_SMTP_CA_FILE);
    let user = reader.optional(email::APP_SMTP_USER);
    let password = reader.optional(email::APP_SMTP_PASSWORD);
    let from = reader.optional(email::APP_SMTP_FROM);
    let Some(host) = host else { return Ok(None) };
    let credentials = match (user, password) {
        (Some(user), Some(password)) => Some(SmtpCredentials { user, password }),
        (None, None) => None,
        (None, Some(_)) => {
            reader.note(email::APP_SMTP_USER.variable.problem("is needed with APP_SMTP_PASSWORD"));
            None
        }
        (Some(_), None) => {
            reader.note(email::APP_SMTP_PASSWORD.variable.problem("is needed with APP_SMTP_USER"));
            None
        }
    };
    if security == Security::None && credentials.is_some() && !is_this_machine(&host) {
        let what = "none would send the password in clear: take starttls or implicit";
        reader.note(email::APP_SMTP_SECURITY.variable.problem(what));
    }
    let extra_roots = extra_roots.map(read_roots).transpose().unwrap_or_else(|problem| {
        reader.note(problem);
        None
    });
    let Some(from) = from.or_else(|| default_sender(base_url)) else {
        let what = "is needed with APP_SMTP_HOST, because APP_BASE_URL has no domain that mail could come from";
        reader.note(email::APP_SMTP_FROM.variable.problem(what));
        return Ok(None);
    };
    let default_port = match security {
        Security::StartTls => 587,
        Security::Implicit => 465,
        Security::None => 25,
    };
    let server = SmtpSettings {
        host,
        port: port.unwrap_or(default_port),
        security,
        verify_certificate,
        extra_roots: extra_roots.unwrap_or_default(),
        credentials,
        timeouts: Timeouts::default(),
    };
    Ok(Some(Smtp { server, from }))
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn default_sender(base_url: Option<&str>) -> Option<Sender> {
    let uri: http::Uri = base_url?.parse().ok()?;
    format!("no-reply@{}", uri.host()?).parse().ok()
}

fn read_roots(path: PathBuf) -> Result<Vec<egress::mail::CertificateDer<'static>>, Problem> {
    let wrong = |what: String| email::APP_SMTP_CA_FILE.variable.problem(format!("{} {what}", path.display()));
    let pem = std::fs::read(&path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    tls::authorities(&pem).map_err(wrong)
}

/// Reads the texts that the operator set, for every locale and for single ones.
fn templates(reader: &Reader<'_>, locales: &Locales) -> Result<MailTemplates, Problem> {
    let mut templates = MailTemplates::of_site(&reader.value(accounts::APP_NAME)?);
    for (template, part, variable) in email::TEMPLATES {
        let name = variable.variable.name;
        let mut add = |name: &str, locale: Option<&String>, text: String| {
            let new = TemplateOverride { template, part, locale: locale.cloned(), text };
            if let Err(what) = templates.add(new) {
                reader.note(problem(name, what));
            }
        };
        if let Some(text) = reader.optional(variable) {
            add(name, None, text);
        }
        for (suffix, text) in reader.variants(name) {
            let name = format!("{name}_{suffix}");
            if let Some(locale) = locales.supported().iter().find(|locale| as_suffix(locale) == suffix) {
                add(&name, Some(locale), text.to_owned());
            } else {
                let supported = locales.supported().join(", ");
                let what = format!("is for a language that is not among APP_SUPPORTED_LOCALES ({supported})");
                reader.note(problem(&name, what));
            }
        }
    }
    Ok(templates)
}

/// A locale as it stands in names of variables: `pt-BR` as `PT_BR`.
fn as_suffix(locale: &str) -> String {
    locale.to_ascii_uppercase().replace('-', "_")
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Environment};
    use domain::identity::{
        Email, MailContent,
        mail::{RenderedMail, StoredMail, TextSource},
    };
    use egress::mail::Security;

    fn read(pairs: &[(&str, &str)]) -> Result<super::MailConfig, String> {
        Config::read(&Environment::of(pairs.iter().copied())).map(|value| value.mail).map_err(|error| error.to_string())
    }

    const HOST: (&str, &str) = ("APP_SMTP_HOST", "smtp.example.org");
    const FROM: (&str, &str) = ("APP_SMTP_FROM", "Lectern <no-reply@example.org>");

    #[test]
    fn without_a_host_mail_is_off() {
        assert!(read(&[]).unwrap().smtp.is_none());
        assert!(read(&[("APP_SMTP_HOST", ""), ("APP_SMTP_PORT", "25"), FROM]).unwrap().smtp.is_none());
    }

    #[test]
    fn the_connection_is_encrypted_unless_configured_otherwise() {
        let smtp = |more: &[(&str, &str)]| read(&[&[HOST, FROM], more].concat()).unwrap().smtp.unwrap().server;
        let usual = smtp(&[]);
        assert_eq!((usual.security, usual.port, usual.verify_certificate), (Security::StartTls, 587, true));
        assert_eq!(smtp(&[("APP_SMTP_SECURITY", "implicit")]).port, 465);
        assert_eq!(smtp(&[("APP_SMTP_SECURITY", "none")]).port, 25);
        assert_eq!(smtp(&[("APP_SMTP_PORT", "2525")]).port, 2525);
    }

    #[test]
    fn mail_comes_from_the_servers_own_domain() {
        let from = |pairs: &[(&str, &str)]| read(pairs).map(|value| value.smtp.unwrap().from.address.as_str().to_owned());
        assert_eq!(from(&[HOST, ("APP_BASE_URL", "https://cms.example.com:8443")]).unwrap(), "no-reply@cms.example.com");
        assert_eq!(from(&[HOST, FROM]).unwrap(), "no-reply@example.org");
        assert!(from(&[HOST]).unwrap_err().starts_with("APP_SMTP_FROM: "));
        assert!(from(&[HOST, ("APP_BASE_URL", "http://127.0.0.1:8080")]).unwrap_err().starts_with("APP_SMTP_FROM: "));
    }

    #[test]
    fn a_password_is_not_sent_in_clear_but_to_this_machine() {
        let login = [("APP_SMTP_USER", "u"), ("APP_SMTP_PASSWORD", "hunter2"), ("APP_SMTP_SECURITY", "none"), FROM];
        let problem = read(&[&login[..], &[HOST]].concat()).err().unwrap();
        assert!(problem.starts_with("APP_SMTP_SECURITY: ") && !problem.contains("hunter2"), "{problem}");
        assert!(read(&[&login[..], &[("APP_SMTP_HOST", "127.0.0.1")]].concat()).is_ok());
        for one in [("APP_SMTP_USER", "u"), ("APP_SMTP_PASSWORD", "p")] {
            assert!(read(&[HOST, FROM, one]).is_err());
        }
    }

    #[test]
    fn bad_values_name_their_variable() {
        for (name, value) in [
            ("APP_SMTP_HOST", "smtp://example.org"),
            ("APP_SMTP_PORT", "0"),
            ("APP_SMTP_SECURITY", "opportunistic"),
            ("APP_SMTP_TLS_REJECT_UNAUTHORIZED", "0"),
            ("APP_SMTP_FROM", "nobody"),
            ("APP_SMTP_CA_FILE", "/nowhere"),
            ("APP_EMAIL_INVITE_SUBJECT", "a\nBcc: b@example.org"),
            ("APP_EMAIL_INVITE_HTML", "<p>hello</p>"),
            ("APP_EMAIL_LOGIN_CODE_TEXT", "{{kode}}"),
            ("APP_EMAIL_LOGIN_CODE_TEXT_DE", "{{code"),
            ("APP_EMAIL_LOGIN_CODE_TEXT_FR", "{{code}}"),
        ] {
            let problem = read(&[HOST, FROM, (name, value)]).err().unwrap();
            assert!(problem.starts_with(&format!("{name}: ")) && problem.lines().count() == 1, "{problem}");
        }
    }

    #[test]
    fn words_can_be_set_for_all_languages_and_for_one() {
        let locales = ("APP_SUPPORTED_LOCALES", "en,de,pt-BR");
        let pairs =
            [locales, ("APP_EMAIL_LOGIN_CODE_SUBJECT", "Code"), ("APP_EMAIL_LOGIN_CODE_SUBJECT_PT_BR", "Código de {{name}}")];
        assert_eq!(Environment::of(pairs).unknown(), []);
        let templates = read(&pairs).unwrap().templates;
        let content = MailContent::LoginCode { code: "123456".into() };
        let mail = StoredMail { to: Email::parse("ann@example.org").unwrap(), name: "Ann".into(), content };
        let subject = |locale| {
            let RenderedMail { subject, sources, .. } = templates.render(&mail, locale, "https://x.example");
            (subject, sources[0])
        };
        assert_eq!(subject("pt-BR"), ("Código de Ann".into(), TextSource::LocaleOverride));
        assert_eq!(subject("de"), ("Code".into(), TextSource::Override));
        let unknown = Environment::of([("APP_EMAIL_LOGIN_CODES_SUBJECT", "x")]).unknown();
        assert_eq!(unknown.len(), 1);
    }
}
