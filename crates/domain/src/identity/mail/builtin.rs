//! The built-in texts of the mails, in English and German. Each mail is a list of blocks that its plain text and its HTML are generated from;
//! both are templates with placeholders, like an operator's.
//!
//! The name of an account that is being registered is typed by a person who may not own the address. So a mail to an address that is not
//! proved does not repeat the name: otherwise this server would deliver a stranger's text.

mod notices;

pub(super) use notices::{event, explanation};

use super::Template;
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
            "Confirm your mail address",
            &[
                Paragraph("Hello,"),
                Paragraph(
                    "somebody, most likely you, has given this address at {{site}}, for a new account or in the place of another address. This link confirms it:",
                ),
                Link("Confirm the address", "link"),
                Paragraph(
                    "It works for 24 hours. If it was not you, do nothing: without it no account can be used with this address.",
                ),
            ],
        ),
        Template::Invite => (
            "Your account at {{site}}",
            &[
                Paragraph("Hello {{name}},"),
                Paragraph("an account at {{site}} has been made for you. Choose how you want to sign in, and it is yours:"),
                Link("Accept the invitation", "link"),
                Paragraph("The link works once, within 7 days."),
            ],
        ),
        Template::PasswordReset => (
            "Set a new password",
            &[
                Paragraph("Hello,"),
                Paragraph(
                    "there is an account at {{site}} with this address, and somebody, most likely you, has asked for a new password, or tried to register once more. Here a new password can be set:",
                ),
                Link("Set a new password", "link"),
                Paragraph("The link works once, within 60 minutes. If it was not you, do nothing: the password stays as it is."),
            ],
        ),
        Template::LoginCode => (
            "Your code to sign in",
            &[
                Paragraph("Hello {{name}},"),
                Paragraph("with this code you sign in at {{site}}:"),
                Code("code"),
                Paragraph(
                    "It works once, within 10 minutes. Tell it nobody. If you are not just signing in, somebody else knows your password: set a new one.",
                ),
            ],
        ),
        Template::NewLogin => (
            "{{event}}",
            &[
                Paragraph("Hello {{name}},"),
                Paragraph("this is about your account at {{site}}: {{explanation}}."),
                Facts(&[("Time", "time"), ("Device", "device"), ("Address", "ip")]),
                Paragraph("If it was you, there is nothing to do. If not, set a new password at once; that ends every session:"),
                Link("Set a new password", "resetLink"),
                Link("See the sessions", "sessionsLink"),
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
                    "jemand, vermutlich Sie, hat bei {{site}} diese Adresse angegeben, für ein neues Konto oder an Stelle einer anderen Adresse. Dieser Link bestätigt sie:",
                ),
                Link("Adresse bestätigen", "link"),
                Paragraph(
                    "Er gilt 24 Stunden. Wenn Sie es nicht waren, tun Sie nichts: ohne ihn ist kein Konto mit dieser Adresse zu benutzen.",
                ),
            ],
        ),
        Template::Invite => (
            "Ihr Konto bei {{site}}",
            &[
                Paragraph("Guten Tag {{name}},"),
                Paragraph(
                    "bei {{site}} wurde ein Konto für Sie angelegt. Wählen Sie, wie Sie sich anmelden möchten, und es gehört Ihnen:",
                ),
                Link("Einladung annehmen", "link"),
                Paragraph("Der Link gilt einmal, innerhalb von 7 Tagen."),
            ],
        ),
        Template::PasswordReset => (
            "Neues Passwort festlegen",
            &[
                Paragraph("Guten Tag,"),
                Paragraph(
                    "bei {{site}} gibt es ein Konto mit dieser Adresse, und jemand, vermutlich Sie, hat ein neues Passwort angefordert oder wollte sich noch einmal registrieren. Hier lässt sich ein neues Passwort festlegen:",
                ),
                Link("Neues Passwort festlegen", "link"),
                Paragraph(
                    "Der Link gilt einmal, innerhalb von 60 Minuten. Wenn Sie es nicht waren, tun Sie nichts: das Passwort bleibt, wie es ist.",
                ),
            ],
        ),
        Template::LoginCode => (
            "Ihr Code für die Anmeldung",
            &[
                Paragraph("Guten Tag {{name}},"),
                Paragraph("mit diesem Code melden Sie sich bei {{site}} an:"),
                Code("code"),
                Paragraph(
                    "Er gilt einmal, innerhalb von 10 Minuten. Geben Sie ihn niemandem. Wenn Sie sich nicht gerade anmelden, kennt jemand anderes Ihr Passwort: legen Sie ein neues fest.",
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
                    "Wenn Sie es waren, ist nichts zu tun. Wenn nicht, legen Sie sofort ein neues Passwort fest; das beendet alle Sitzungen:",
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

    /// The template of the HTML. It refers to no image, style sheet or script, so opening the mail fetches nothing.
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
