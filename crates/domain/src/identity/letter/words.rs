//! What the letters say unless the operator says otherwise, in the languages that we speak. Each is a few blocks, of which the text and the
//! HTML are made; both are patterns like those of an operator.
//!
//! Whoever registers chooses a name and types an address that may be another person's. So a letter to an address that is not proved
//! does not repeat the name: nobody is to send words of their own with us for a postman.

use super::{Occasion, Template};
use std::fmt::Write;

/// A piece of a letter.
enum Block {
    /// A paragraph.
    Say(&'static str),
    /// A link that stands out: what it does, and the value that it leads to.
    Go(&'static str, &'static str),
    /// A value to be typed off.
    Show(&'static str),
    /// Facts, one a line: what it is, and the value.
    Facts(&'static [(&'static str, &'static str)]),
}

use Block::{Facts, Go, Say, Show};

/// A letter in a language.
pub(super) struct Words {
    language: &'static str,
    pub(super) subject: &'static str,
    blocks: &'static [Block],
    foot: &'static str,
}

/// The languages that we speak.
pub(super) const LANGUAGES: [&str; 2] = ["en", "de"];

/// What stands where a fact is not known.
pub(super) fn unknown(language: &str) -> &'static str {
    match language {
        "de" => "unbekannt",
        _ => "unknown",
    }
}

/// What happened, in a few words.
pub(super) fn event(occasion: Occasion, language: &str) -> &'static str {
    match (language, occasion) {
        ("de", Occasion::SignIn) => "Neue Anmeldung bei Ihrem Konto",
        ("de", Occasion::BackupCodeSignIn) => "Anmeldung mit einem Ersatzcode Ihres Kontos",
        ("de", Occasion::BackupCode) => "Ein Ersatzcode Ihres Kontos wurde benutzt",
        ("de", Occasion::AddressChange) => "Andere E-Mail-Adresse für Ihr Konto",
        (_, Occasion::SignIn) => "New sign-in to your account",
        (_, Occasion::BackupCodeSignIn) => "Sign-in with a backup code of your account",
        (_, Occasion::BackupCode) => "A backup code of your account was used",
        (_, Occasion::AddressChange) => "Another mail address for your account",
    }
}

/// What happened, as a sentence that goes on from one that names the account.
pub(super) fn explanation(occasion: Occasion, language: &str) -> &'static str {
    match (language, occasion) {
        ("de", Occasion::SignIn) => "jemand meldet sich auf ungewohnte Weise an, oder von einem bisher nicht bekannten Gerät aus",
        ("de", Occasion::BackupCodeSignIn) => "jemand hat sich mit einem Ersatzcode angemeldet; der Code gilt nun nicht mehr",
        ("de", Occasion::BackupCode) => "jemand hat mit einem Ersatzcode die Authentifizierungs-App entfernt",
        ("de", Occasion::AddressChange) => {
            "jemand möchte eine andere E-Mail-Adresse an die Stelle von dieser setzen; sie gilt, sobald sie bestätigt ist"
        }
        (_, Occasion::SignIn) => "somebody is signing in to it in an unusual way, or from a device that was not seen before",
        (_, Occasion::BackupCodeSignIn) => "somebody has signed in to it with a backup code, which works no more",
        (_, Occasion::BackupCode) => "somebody has taken its authenticator app away with a backup code",
        (_, Occasion::AddressChange) => {
            "somebody wants another mail address in the place of this one; it takes effect as soon as it is confirmed"
        }
    }
}

/// A letter in a language that we speak; English for any other.
pub(super) fn words(template: Template, language: &str) -> Words {
    match language {
        "de" => german(template),
        _ => english(template),
    }
}

fn english(template: Template) -> Words {
    let (subject, blocks): (_, &[Block]) = match template {
        Template::Verification => (
            "Confirm your mail address",
            &[
                Say("Hello,"),
                Say(
                    "somebody, most likely you, has given this address at {{site}}, for a new account or in the place of another address. This link confirms it:",
                ),
                Go("Confirm the address", "link"),
                Say("It works for 24 hours. If it was not you, do nothing: without it no account can be used with this address."),
            ],
        ),
        Template::Invite => (
            "Your account at {{site}}",
            &[
                Say("Hello {{name}},"),
                Say("an account at {{site}} has been made for you. Choose how you want to sign in, and it is yours:"),
                Go("Accept the invitation", "link"),
                Say("The link works once, within 7 days."),
            ],
        ),
        Template::PasswordReset => (
            "Set a new password",
            &[
                Say("Hello,"),
                Say(
                    "there is an account at {{site}} with this address, and somebody, most likely you, has asked for a new password, or tried to register once more. Here a new password can be set:",
                ),
                Go("Set a new password", "link"),
                Say("The link works once, within 60 minutes. If it was not you, do nothing: the password stays as it is."),
            ],
        ),
        Template::LoginCode => (
            "Your code to sign in",
            &[
                Say("Hello {{name}},"),
                Say("with this code you sign in at {{site}}:"),
                Show("code"),
                Say(
                    "It works once, within 10 minutes. Tell it nobody. If you are not just signing in, somebody else knows your password: set a new one.",
                ),
            ],
        ),
        Template::NewLogin => (
            "{{event}}",
            &[
                Say("Hello {{name}},"),
                Say("this is about your account at {{site}}: {{explanation}}."),
                Facts(&[("Time", "time"), ("Device", "device"), ("Address", "ip")]),
                Say("If it was you, there is nothing to do. If not, set a new password at once; that ends every session:"),
                Go("Set a new password", "resetLink"),
                Go("See the sessions", "sessionsLink"),
            ],
        ),
    };
    Words { language: "en", subject, blocks, foot: "Sent by {{baseUrl}} to {{email}}." }
}

fn german(template: Template) -> Words {
    let (subject, blocks): (_, &[Block]) = match template {
        Template::Verification => (
            "Bestätigen Sie Ihre E-Mail-Adresse",
            &[
                Say("Guten Tag,"),
                Say(
                    "jemand, vermutlich Sie, hat bei {{site}} diese Adresse angegeben, für ein neues Konto oder an Stelle einer anderen Adresse. Dieser Link bestätigt sie:",
                ),
                Go("Adresse bestätigen", "link"),
                Say(
                    "Er gilt 24 Stunden. Wenn Sie es nicht waren, tun Sie nichts: ohne ihn ist kein Konto mit dieser Adresse zu benutzen.",
                ),
            ],
        ),
        Template::Invite => (
            "Ihr Konto bei {{site}}",
            &[
                Say("Guten Tag {{name}},"),
                Say(
                    "bei {{site}} wurde ein Konto für Sie angelegt. Wählen Sie, wie Sie sich anmelden möchten, und es gehört Ihnen:",
                ),
                Go("Einladung annehmen", "link"),
                Say("Der Link gilt einmal, innerhalb von 7 Tagen."),
            ],
        ),
        Template::PasswordReset => (
            "Neues Passwort festlegen",
            &[
                Say("Guten Tag,"),
                Say(
                    "bei {{site}} gibt es ein Konto mit dieser Adresse, und jemand, vermutlich Sie, hat ein neues Passwort angefordert oder wollte sich noch einmal registrieren. Hier lässt sich ein neues Passwort festlegen:",
                ),
                Go("Neues Passwort festlegen", "link"),
                Say(
                    "Der Link gilt einmal, innerhalb von 60 Minuten. Wenn Sie es nicht waren, tun Sie nichts: das Passwort bleibt, wie es ist.",
                ),
            ],
        ),
        Template::LoginCode => (
            "Ihr Code für die Anmeldung",
            &[
                Say("Guten Tag {{name}},"),
                Say("mit diesem Code melden Sie sich bei {{site}} an:"),
                Show("code"),
                Say(
                    "Er gilt einmal, innerhalb von 10 Minuten. Geben Sie ihn niemandem. Wenn Sie sich nicht gerade anmelden, kennt jemand anderes Ihr Passwort: legen Sie ein neues fest.",
                ),
            ],
        ),
        Template::NewLogin => (
            "{{event}}",
            &[
                Say("Guten Tag {{name}},"),
                Say("es geht um Ihr Konto bei {{site}}: {{explanation}}."),
                Facts(&[("Zeit", "time"), ("Gerät", "device"), ("Adresse", "ip")]),
                Say(
                    "Wenn Sie es waren, ist nichts zu tun. Wenn nicht, legen Sie sofort ein neues Passwort fest; das beendet alle Sitzungen:",
                ),
                Go("Neues Passwort festlegen", "resetLink"),
                Go("Sitzungen ansehen", "sessionsLink"),
            ],
        ),
    };
    Words { language: "de", subject, blocks, foot: "Gesendet von {{baseUrl}} an {{email}}." }
}

impl Words {
    /// The text, as a pattern.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        for block in self.blocks {
            let _ = match block {
                Say(words) => writeln!(text, "{words}\n"),
                Go(label, value) => writeln!(text, "{label}:\n{{{{{value}}}}}\n"),
                Show(value) => writeln!(text, "    {{{{{value}}}}}\n"),
                Facts(facts) => {
                    for (label, value) in *facts {
                        let _ = writeln!(text, "{label}: {{{{{value}}}}}");
                    }
                    writeln!(text)
                }
            };
        }
        let _ = writeln!(text, "-- \n{}", self.foot);
        text
    }

    /// The HTML, as a pattern. Nothing in it is fetched from anywhere.
    pub(super) fn html(&self) -> String {
        let mut body = String::new();
        for block in self.blocks {
            let _ = match block {
                Say(words) => writeln!(body, "<p>{words}</p>"),
                Go(label, value) => writeln!(
                    body,
                    "<p><a href=\"{{{{{value}}}}}\" style=\"display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none\">{label}</a></p>\n<p style=\"font-size:13px;word-break:break-all\">{{{{{value}}}}}</p>"
                ),
                Show(value) => writeln!(
                    body,
                    "<p style=\"font-size:30px;letter-spacing:6px;font-family:monospace\"><strong>{{{{{value}}}}}</strong></p>"
                ),
                Facts(facts) => {
                    let lines: Vec<_> = facts.iter().map(|(label, value)| format!("{label}: {{{{{value}}}}}")).collect();
                    writeln!(body, "<p>{}</p>", lines.join("<br>\n"))
                }
            };
        }
        let Self { language, subject, foot, .. } = self;
        format!(
            "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{subject}</title>\n</head>\n<body style=\"margin:0;padding:24px;font-family:sans-serif;font-size:16px;line-height:1.5;color:#1b1b1b;background:#ffffff\">\n<div style=\"max-width:560px;margin:0 auto\">\n{body}<p style=\"font-size:13px;color:#595959;border-top:1px solid #dddddd;padding-top:12px\">{foot}</p>\n</div>\n</body>\n</html>\n"
        )
    }
}
