//! The built-in texts of the mails, in English and German. Each mail is a list of blocks that its plain text
//! and its HTML are generated from; both are templates with placeholders, like an operator's.
//!
//! The name of an account that is being registered is typed by a person who may not own the address. So a
//! mail to an address that is not proved does not repeat the name: otherwise this server would deliver a
//! stranger's text.

mod notices;

pub(super) use notices::{event, explanation};

use super::{ABOUT, Template};
use crate::identity::device::Browser;
use std::fmt::Write;

/// A part of a body.
enum Block {
    /// A paragraph of text.
    Paragraph(&'static str),
    /// A prominent link: its label, and the placeholder of its URL.
    Link(&'static str, &'static str),
    /// A code in large type: its placeholder.
    Code(&'static str),
    /// Lines of a label and a placeholder each.
    Facts(&'static [(&'static str, &'static str)]),
}

use Block::{Code, Facts, Link, Paragraph};

/// A mail in one language.
pub(super) struct BuiltinMail {
    language: &'static str,
    pub(super) subject: &'static str,
    blocks: &'static [Block],
    footer: &'static str,
}

/// The languages that have built-in texts.
pub(super) const LANGUAGES: [&str; 2] = ["en", "de"];

/// The word for a value that is not known.
pub(super) fn unknown(language: &str) -> &'static str {
    match language {
        "de" => "unbekannt",
        _ => "unknown",
    }
}

/// Where a notice came from, as it is stored, in the words of the mail.
pub(super) fn device(stored: &str, language: &str) -> String {
    match stored.split_once(ABOUT) {
        Some((from, about)) => format!("{}{ABOUT}{about}", browser(from, language)),
        None => browser(stored, language),
    }
}

/// A browser in words, or a name as it is.
fn browser(stored: &str, language: &str) -> String {
    let Ok(Browser { family, system }) = stored.parse() else { return stored.to_owned() };
    let (on, unknown_browser) = match language {
        "de" => ("auf", "unbekannter Browser"),
        _ => ("on", "unknown browser"),
    };
    match (family, system) {
        (None, None) => unknown(language).to_owned(),
        (Some(family), None) => family.to_owned(),
        (family, Some(system)) => format!("{} {on} {system}", family.unwrap_or(unknown_browser)),
    }
}

/// A mail in one of [`LANGUAGES`], or in English for any other.
pub(super) fn mail(template: Template, language: &str) -> BuiltinMail {
    match language {
        "de" => german(template),
        _ => english(template),
    }
}

fn english(template: Template) -> BuiltinMail {
    let (subject, blocks): (_, &[Block]) = match template {
        Template::Verification => (
            "Confirm your e-mail address",
            &[
                Paragraph("Hello,"),
                Paragraph(
                    "you have entered this address at {{site}}, for a new account or to replace another address. Please confirm that it is yours:",
                ),
                Link("Confirm the address", "link"),
                Paragraph(
                    "The link works for 24 hours. If it was not you, just ignore this e-mail: nobody can use an account with this address without the link.",
                ),
            ],
        ),
        Template::Invite => (
            "Your account at {{site}}",
            &[
                Paragraph("Hello {{name}},"),
                Paragraph("we have set up an account for you at {{site}}. Choose a password, and you can use it:"),
                Link("Accept the invitation", "link"),
                Paragraph("The link works once, within 7 days."),
            ],
        ),
        Template::PasswordReset => (
            "Set a new password",
            &[
                Paragraph("Hello,"),
                Paragraph(
                    "somebody, most likely you, has asked for a new password for your account at {{site}}, or has tried to register this address again. You can set a new password here:",
                ),
                Link("Set a new password", "link"),
                Paragraph(
                    "The link works once, within 60 minutes. If it was not you, just ignore this e-mail: your password stays as it is.",
                ),
            ],
        ),
        Template::SpaceInvite => (
            "{{inviter}} invites you to {{space}}",
            &[
                Paragraph("Hello,"),
                Paragraph(
                    "{{inviter}} would like you to work on “{{space}}” at {{site}}. Sign in or register there with this address:",
                ),
                Link("Look at the invitation", "link"),
                Paragraph("The link works once, within 7 days. If you do not know who this is, just ignore this e-mail."),
            ],
        ),
        Template::LoginCode => (
            "Your code to sign in",
            &[
                Paragraph("Hello {{name}},"),
                Paragraph("this is your code to sign in at {{site}}:"),
                Code("code"),
                Paragraph(
                    "It works once, within 10 minutes. Do not give it to anybody. If you are not signing in right now, somebody else knows your password: set a new one.",
                ),
            ],
        ),
        Template::NewLogin => (
            "{{event}}",
            &[
                Paragraph("Hello {{name}},"),
                Paragraph("this is about your account at {{site}}: {{explanation}}."),
                Facts(&[("Time", "time"), ("Device", "device"), ("Address", "ip")]),
                Paragraph("If it was you, there is nothing to do. If not, set a new password right away, which ends all sessions:"),
                Link("Set a new password", "resetLink"),
                Link("Look at your sessions", "sessionsLink"),
            ],
        ),
    };
    BuiltinMail { language: "en", subject, blocks, footer: "Sent by {{site}} ({{baseUrl}}) to {{email}}." }
}

fn german(template: Template) -> BuiltinMail {
    let (subject, blocks): (_, &[Block]) = match template {
        Template::Verification => (
            "Bestätigen Sie Ihre E-Mail-Adresse",
            &[
                Paragraph("Guten Tag,"),
                Paragraph(
                    "Sie haben bei {{site}} diese Adresse angegeben, für ein neues Konto oder anstelle einer anderen Adresse. Bitte bestätigen Sie, dass es Ihre ist:",
                ),
                Link("Adresse bestätigen", "link"),
                Paragraph(
                    "Der Link ist 24 Stunden gültig. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail einfach: Ohne den Link kann niemand ein Konto mit dieser Adresse benutzen.",
                ),
            ],
        ),
        Template::Invite => (
            "Ihr Konto bei {{site}}",
            &[
                Paragraph("Guten Tag {{name}},"),
                Paragraph(
                    "wir haben bei {{site}} ein Konto für Sie angelegt. Wählen Sie ein Passwort, dann können Sie es benutzen:",
                ),
                Link("Einladung annehmen", "link"),
                Paragraph("Der Link funktioniert einmal, innerhalb von 7 Tagen."),
            ],
        ),
        Template::PasswordReset => (
            "Neues Passwort festlegen",
            &[
                Paragraph("Guten Tag,"),
                Paragraph(
                    "jemand, vermutlich Sie, hat für Ihr Konto bei {{site}} ein neues Passwort angefordert oder wollte diese Adresse noch einmal registrieren. Hier können Sie ein neues Passwort festlegen:",
                ),
                Link("Neues Passwort festlegen", "link"),
                Paragraph(
                    "Der Link funktioniert einmal, innerhalb von 60 Minuten. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail einfach: Ihr Passwort bleibt, wie es ist.",
                ),
            ],
        ),
        Template::SpaceInvite => (
            "{{inviter}} lädt Sie zu {{space}} ein",
            &[
                Paragraph("Guten Tag,"),
                Paragraph(
                    "{{inviter}} möchte, dass Sie bei {{site}} an „{{space}}“ mitarbeiten. Melden Sie sich dort mit dieser Adresse an, oder registrieren Sie sich:",
                ),
                Link("Einladung ansehen", "link"),
                Paragraph(
                    "Der Link funktioniert einmal, innerhalb von 7 Tagen. Wenn Sie nicht wissen, wer das ist, ignorieren Sie diese E-Mail einfach.",
                ),
            ],
        ),
        Template::LoginCode => (
            "Ihr Code für die Anmeldung",
            &[
                Paragraph("Guten Tag {{name}},"),
                Paragraph("das ist Ihr Code für die Anmeldung bei {{site}}:"),
                Code("code"),
                Paragraph(
                    "Er funktioniert einmal, innerhalb von 10 Minuten. Geben Sie ihn nicht weiter. Wenn Sie sich gerade gar nicht anmelden, kennt jemand anderes Ihr Passwort: Legen Sie ein neues fest.",
                ),
            ],
        ),
        Template::NewLogin => (
            "{{event}}",
            &[
                Paragraph("Guten Tag {{name}},"),
                Paragraph("es geht um Ihr Konto bei {{site}}: {{explanation}}."),
                Facts(&[("Zeit", "time"), ("Gerät", "device"), ("Adresse", "ip")]),
                Paragraph(
                    "Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, legen Sie sofort ein neues Passwort fest; damit enden alle Sitzungen:",
                ),
                Link("Neues Passwort festlegen", "resetLink"),
                Link("Sitzungen ansehen", "sessionsLink"),
            ],
        ),
    };
    BuiltinMail { language: "de", subject, blocks, footer: "Gesendet von {{site}} ({{baseUrl}}) an {{email}}." }
}

impl BuiltinMail {
    /// The template of the plain text.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        for block in self.blocks {
            let _ = match block {
                Paragraph(paragraph) => writeln!(text, "{paragraph}\n"),
                Link(label, placeholder) => writeln!(text, "{label}:\n{{{{{placeholder}}}}}\n"),
                Code(placeholder) => writeln!(text, "    {{{{{placeholder}}}}}\n"),
                Facts(facts) => {
                    for (label, placeholder) in *facts {
                        let _ = writeln!(text, "{label}: {{{{{placeholder}}}}}");
                    }
                    writeln!(text)
                }
            };
        }
        let _ = writeln!(text, "-- \n{}", self.footer);
        text
    }

    /// The template of the HTML. It refers to no image, style sheet or script, so opening the mail fetches
    /// nothing.
    pub(super) fn html(&self) -> String {
        let mut body = String::new();
        for block in self.blocks {
            let _ = match block {
                Paragraph(paragraph) => writeln!(body, "<p>{paragraph}</p>"),
                Link(label, placeholder) => writeln!(
                    body,
                    "<p><a href=\"{{{{{placeholder}}}}}\" style=\"display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none\">{label}</a></p>\n<p style=\"font-size:13px;word-break:break-all\">{{{{{placeholder}}}}}</p>"
                ),
                Code(placeholder) => writeln!(
                    body,
                    "<p style=\"font-size:30px;letter-spacing:6px;font-family:monospace\"><strong>{{{{{placeholder}}}}}</strong></p>"
                ),
                Facts(facts) => {
                    let lines: Vec<_> =
                        facts.iter().map(|(label, placeholder)| format!("{label}: {{{{{placeholder}}}}}")).collect();
                    writeln!(body, "<p>{}</p>", lines.join("<br>\n"))
                }
            };
        }
        let Self { language, subject, footer, .. } = self;
        format!(
            "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{subject}</title>\n</head>\n<body style=\"margin:0;padding:24px;font-family:sans-serif;font-size:16px;line-height:1.5;color:#1b1b1b;background:#ffffff\">\n<div style=\"max-width:560px;margin:0 auto\">\n{body}<p style=\"font-size:13px;color:#595959;border-top:1px solid #dddddd;padding-top:12px\">{footer}</p>\n</div>\n</body>\n</html>\n"
        )
    }
}
