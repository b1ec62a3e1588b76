//! The texts of the mails: the built-in ones, and those that an operator configured instead (`APP_EMAIL_*`).
//! Rendering depends on nothing but its arguments.

use super::{
    MailContent, StoredMail, Template,
    builtin::{self, LANGUAGES},
    text_template::{Escaping, TextTemplate},
};
use crate::identity::locale::prefixes;
use std::collections::BTreeMap;
use strum::{IntoStaticStr, VariantArray};

/// The longest subject that an operator may set, in bytes.
const MAX_SUBJECT: usize = 200;
/// The longest body that an operator may set, in bytes.
const MAX_BODY: usize = 100 << 10;
/// The longest value that is inserted, in characters; longer ones are cut. A link with its token has about
/// 150.
const MAX_VALUE: usize = 1000;

/// A part of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub enum TemplatePart {
    /// The subject, one line.
    Subject,
    /// The HTML alternative of the body.
    Html,
    /// The plain text alternative of the body.
    Text,
}

/// Where the text of a part comes from. Its name is on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "camelCase")]
pub enum TextSource {
    /// It is built in.
    Builtin,
    /// The operator set it for every locale.
    Override,
    /// The operator set it for this locale.
    LocaleOverride,
}

/// The text of a mail with all values filled in.
#[derive(Clone, PartialEq, Eq)]
pub struct RenderedMail {
    /// One line without control characters.
    pub subject: String,
    /// The HTML alternative of the body.
    pub html: String,
    /// The plain text alternative of the body.
    pub text: String,
    /// Where subject, HTML and text come from, in this order.
    pub sources: [TextSource; 3],
}

/// A text that an operator configured.
#[derive(Debug, Clone)]
pub struct TemplateOverride {
    /// The kind of mail.
    pub template: Template,
    /// The part of the mail.
    pub part: TemplatePart,
    /// The locale that the text is for; `None` stands for every locale.
    pub locale: Option<String>,
    /// The text, with placeholders.
    pub text: String,
}

/// All texts, parsed and checked.
#[derive(Debug, Clone)]
pub struct MailTemplates {
    /// What the service is called in them: `APP_NAME`, as its pages name it.
    site: String,
    overrides: BTreeMap<(Template, TemplatePart, Option<String>), TextTemplate>,
}

/// The placeholders that every template may use.
const COMMON_PLACEHOLDERS: [&str; 4] = ["name", "email", "site", "baseUrl"];

/// The placeholders that only this template may use.
fn own_placeholders(template: Template) -> &'static [&'static str] {
    match template {
        Template::Verification | Template::Invite | Template::PasswordReset => &["link"],
        Template::SpaceInvite => &["link", "space", "inviter"],
        Template::LoginCode => &["code"],
        Template::NewLogin => &["event", "explanation", "time", "ip", "device", "sessionsLink", "resetLink"],
    }
}

/// Every placeholder that this template may use.
fn placeholders(template: Template) -> Vec<&'static str> {
    own_placeholders(template).iter().chain(&COMMON_PLACEHOLDERS).copied().collect()
}

/// The placeholder that a body must have, because the mail would be useless without it.
fn required_placeholder(template: Template) -> Option<&'static str> {
    match template {
        Template::Verification | Template::Invite | Template::PasswordReset | Template::SpaceInvite => Some("link"),
        Template::LoginCode => Some("code"),
        Template::NewLogin => None,
    }
}

impl MailTemplates {
    /// The built-in texts, for a service of this name.
    pub fn of_site(name: &str) -> Self {
        Self { site: name.to_owned(), overrides: BTreeMap::new() }
    }

    /// Adds a text of the operator. The error is a predicate that completes a sentence with the variable's
    /// name as its subject.
    pub fn add(&mut self, new: TemplateOverride) -> Result<(), String> {
        let TemplateOverride { template, part, locale, text } = new;
        let limit = if part == TemplatePart::Subject { MAX_SUBJECT } else { MAX_BODY };
        if text.len() > limit {
            return Err(format!("is longer than {limit} bytes"));
        }
        let parsed = TextTemplate::parse(&text, &placeholders(template))?;
        match required_placeholder(template) {
            _ if part == TemplatePart::Subject && text.contains(char::is_control) => return Err("is not one line".to_owned()),
            Some(name) if part != TemplatePart::Subject && !parsed.has_placeholder(name) => {
                return Err(format!("does not hold {{{{{name}}}}}, so nobody could use it"));
            }
            _ => {}
        }
        self.overrides.insert((template, part, locale), parsed);
        Ok(())
    }

    /// Renders a mail in a locale. `base_url` is the address that this server is reached at.
    pub fn render(&self, mail: &StoredMail, locale: &str, base_url: &str) -> RenderedMail {
        let template = mail.content.template();
        let language = language(locale);
        let values = values(mail, language, &self.site, base_url);
        let fill = |part, escaping| {
            let (text, source) = self.text_template(template, part, locale, language);
            (text.fill(&values, escaping), source)
        };
        let (subject, subject_source) = fill(TemplatePart::Subject, Escaping::None);
        let (html, html_source) = fill(TemplatePart::Html, Escaping::Html);
        let (text, text_source) = fill(TemplatePart::Text, Escaping::None);
        RenderedMail { subject, html, text, sources: [subject_source, html_source, text_source] }
    }

    /// The text of a part: the operator's for this locale or for its language, else the operator's for every
    /// locale, else the built-in one.
    fn text_template(&self, template: Template, part: TemplatePart, locale: &str, language: &str) -> (TextTemplate, TextSource) {
        let find = |locale: Option<String>| self.overrides.get(&(template, part, locale)).cloned();
        if let Some(text) = prefixes(locale).find_map(|locale| find(Some(locale.to_owned()))) {
            return (text, TextSource::LocaleOverride);
        }
        if let Some(text) = find(None) {
            return (text, TextSource::Override);
        }
        let builtin = builtin::mail(template, language);
        let text = match part {
            TemplatePart::Subject => builtin.subject.to_owned(),
            TemplatePart::Html => builtin.html(),
            TemplatePart::Text => builtin.text(),
        };
        // A test parses every built-in text, so the fallback is never taken.
        let parsed = TextTemplate::parse(&text, &placeholders(template)).unwrap_or_else(|_| TextTemplate::verbatim(text));
        (parsed, TextSource::Builtin)
    }
}

/// The built-in language for a locale: `de-AT` is written to in German, and a locale without built-in texts
/// in English.
fn language(locale: &str) -> &'static str {
    let wanted = locale.split('-').next().unwrap_or_default();
    LANGUAGES.into_iter().find(|language| *language == wanted).unwrap_or("en")
}

/// The value of every placeholder.
fn values(mail: &StoredMail, language: &str, site: &str, base_url: &str) -> Vec<(&'static str, String)> {
    let mut values = vec![
        ("name", mail.name.clone()),
        ("email", mail.to.as_str().to_owned()),
        ("site", site.to_owned()),
        ("baseUrl", base_url.to_owned()),
    ];
    match &mail.content {
        MailContent::Verification { link } | MailContent::Invite { link } | MailContent::PasswordReset { link } => {
            values.push(("link", link.clone()));
        }
        MailContent::SpaceInvite { link, space, inviter } => {
            values.extend([("link", link.clone()), ("space", space.clone()), ("inviter", inviter.clone())]);
        }
        MailContent::LoginCode { code } => values.push(("code", code.clone())),
        MailContent::NewLogin { notice, at, ip, device, sessions_link, reset_link } => values.extend([
            ("event", builtin::event(*notice, language).to_owned()),
            ("explanation", builtin::explanation(*notice, language).to_owned()),
            ("time", format!("{} UTC", at.strftime("%Y-%m-%d %H:%M"))),
            ("ip", ip.map_or_else(|| builtin::unknown(language).to_owned(), |ip| ip.to_string())),
            ("device", builtin::device(device, language)),
            ("sessionsLink", sessions_link.clone()),
            ("resetLink", reset_link.clone()),
        ]),
    }
    values.into_iter().map(|(name, value)| (name, value.chars().take(MAX_VALUE).collect())).collect()
}

#[cfg(test)]
mod tests;
