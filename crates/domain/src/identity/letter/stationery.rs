//! The words of the letters: ours, and over them those of the operator. What is rendered depends on nothing but what is passed in.

use super::{
    Envelope, Letter, Template,
    pattern::{Pattern, Writing},
    words::{self, LANGUAGES},
};
use std::collections::BTreeMap;

/// The longest subject and the longest body that an operator may set, in bytes.
const MAX_SUBJECT: usize = 200;
const MAX_BODY: usize = 100 << 10;
/// The longest value that is put in, in characters. A link with its token has about 150.
const MAX_VALUE: usize = 1000;

/// A part of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// One line.
    Subject,
    /// The body for who sees HTML.
    Html,
    /// The body for everybody else.
    Text,
}

impl Part {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Subject, Self::Html, Self::Text];
}

/// Where the words of a part come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// From us.
    Builtin,
    /// From the operator, for every language.
    Override,
    /// From the operator, for this language.
    LocaleOverride,
}

impl Source {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Override => "override",
            Self::LocaleOverride => "localeOverride",
        }
    }
}

/// A mail in words.
#[derive(Clone, PartialEq, Eq)]
pub struct Rendered {
    /// One line, without control characters.
    pub subject: String,
    /// For who sees HTML.
    pub html: String,
    /// For everybody else.
    pub text: String,
    /// Where the words of subject, HTML and text come from.
    pub sources: [Source; 3],
}

/// What an operator says instead of us: for a language, or for all.
#[derive(Debug, Clone)]
pub struct Override {
    /// Of which letter.
    pub template: Template,
    /// Which part of it.
    pub part: Part,
    /// For which locale; for all without.
    pub locale: Option<String>,
    /// The words.
    pub text: String,
}

type Words = (Pattern, Source);

/// All words, read and checked.
#[derive(Debug, Clone, Default)]
pub struct Stationery {
    overrides: BTreeMap<(Template, Part, Option<String>), Pattern>,
}

/// What a letter may name, beside what it is about.
const COMMON: [&str; 4] = ["name", "email", "site", "baseUrl"];

/// What a letter may name of what it is about.
fn own(template: Template) -> &'static [&'static str] {
    match template {
        Template::Verification | Template::Invite | Template::PasswordReset => &["link"],
        Template::LoginCode => &["code"],
        Template::NewLogin => &["event", "explanation", "time", "ip", "device", "sessionsLink", "resetLink"],
    }
}

/// All that a letter may name.
fn known(template: Template) -> Vec<&'static str> {
    own(template).iter().chain(&COMMON).copied().collect()
}

/// Without what a letter is of no use.
fn needed(template: Template) -> Option<&'static str> {
    match template {
        Template::Verification | Template::Invite | Template::PasswordReset => Some("link"),
        Template::LoginCode => Some("code"),
        Template::NewLogin => None,
    }
}

impl Stationery {
    /// Adds words of the operator. The error completes the sentence «"…" …».
    pub fn add(&mut self, new: Override) -> Result<(), String> {
        let Override { template, part, locale, text } = new;
        let limit = if part == Part::Subject { MAX_SUBJECT } else { MAX_BODY };
        if text.len() > limit {
            return Err(format!("is longer than {limit} bytes"));
        }
        let pattern = Pattern::parse(&text, &known(template))?;
        match needed(template) {
            _ if part == Part::Subject && text.contains(char::is_control) => return Err("is not one line".to_owned()),
            Some(value) if part != Part::Subject && !pattern.names(value) => {
                return Err(format!("does not hold {{{{{value}}}}}, so nobody could use it"));
            }
            _ => {}
        }
        self.overrides.insert((template, part, locale), pattern);
        Ok(())
    }

    /// A letter in words: for its addressee, in a locale, from a server that is found at an address.
    pub fn render(&self, envelope: &Envelope, locale: &str, base_url: &str) -> Rendered {
        let template = envelope.letter.template();
        let language = language(locale);
        let values = values(envelope, language, base_url);
        let fill = |part, writing| {
            let (pattern, source) = self.words(template, part, locale, language);
            (pattern.fill(&values, writing), source)
        };
        let (subject, subject_source) = fill(Part::Subject, Writing::Plain);
        let (html, html_source) = fill(Part::Html, Writing::Html);
        let (text, text_source) = fill(Part::Text, Writing::Plain);
        Rendered { subject, html, text, sources: [subject_source, html_source, text_source] }
    }

    fn words(&self, template: Template, part: Part, locale: &str, language: &str) -> Words {
        let find = |locale: Option<String>| self.overrides.get(&(template, part, locale)).cloned();
        if let Some(pattern) = find(Some(locale.to_owned())) {
            return (pattern, Source::LocaleOverride);
        }
        if let Some(pattern) = find(None) {
            return (pattern, Source::Override);
        }
        let words = words::words(template, language);
        let text = match part {
            Part::Subject => words.subject.to_owned(),
            Part::Html => words.html(),
            Part::Text => words.text(),
        };
        // A test reads them all: ours can be filled.
        (Pattern::parse(&text, &known(template)).unwrap_or_else(|_| Pattern::verbatim(text)), Source::Builtin)
    }
}

/// The language of ours that a locale is spoken to in: `de-AT` in German, and English where we speak none.
fn language(locale: &str) -> &'static str {
    let wanted = locale.split('-').next().unwrap_or_default();
    LANGUAGES.into_iter().find(|value| *value == wanted).unwrap_or("en")
}

fn values(envelope: &Envelope, language: &str, base_url: &str) -> Vec<(&'static str, String)> {
    let site = base_url.split_once("://").map_or(base_url, |(_, site)| site);
    let mut values = vec![
        ("name", envelope.name.clone()),
        ("email", envelope.to.as_str().to_owned()),
        ("site", site.to_owned()),
        ("baseUrl", base_url.to_owned()),
    ];
    match &envelope.letter {
        Letter::Verification { link } | Letter::Invite { link } | Letter::PasswordReset { link } => {
            values.push(("link", link.clone()));
        }
        Letter::LoginCode { code } => values.push(("code", code.clone())),
        Letter::NewLogin { occasion, at, ip, device, sessions_link, reset_link } => values.extend([
            ("event", words::event(*occasion, language).to_owned()),
            ("explanation", words::explanation(*occasion, language).to_owned()),
            ("time", format!("{} UTC", at.strftime("%Y-%m-%d %H:%M"))),
            ("ip", ip.map_or_else(|| words::unknown(language).to_owned(), |ip| ip.to_string())),
            ("device", device.clone()),
            ("sessionsLink", sessions_link.clone()),
            ("resetLink", reset_link.clone()),
        ]),
    }
    values.into_iter().map(|(name, value)| (name, value.chars().take(MAX_VALUE).collect())).collect()
}

#[cfg(test)]
mod tests;
