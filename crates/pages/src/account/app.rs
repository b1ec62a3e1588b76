//! `/account/security/app` and `/account/security/backup-codes`: the authenticator app and its backup codes.

use super::{Section, layout};
use crate::{
    Frame, Problems, Text,
    field::{self, hidden},
};
use maud::{Markup, html};
use qrcodegen::{QrCode, QrCodeEcc};
use std::fmt::Write;

/// What allows a new app in the place of one that is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replacement {
    /// No app is in use.
    First,
    /// A code of the app that is in use.
    OldApp,
    /// The password and a backup code, when that app is lost.
    Lost,
}

/// A new app that waits for its first code.
#[derive(Debug, Clone)]
pub struct AppView<'a> {
    /// What is wrong with what was sent.
    pub problems: Problems,
    /// The secret in base32, to be typed.
    pub secret: &'a str,
    /// The secret as an `otpauth:` URI, to be scanned.
    pub uri: &'a str,
    pub replacement: Replacement,
}

/// The page that sets an app up.
pub fn setup_page(frame: &Frame<'_>, view: &AppView<'_>) -> String {
    let problems = &view.problems;
    let title = frame.t(if view.replacement == Replacement::First { Text::SetUpApp } else { Text::ReplaceApp });
    let content = html! {
        h1 { (title) }
        (field::problems(frame, problems))
        section .panel {
            ol .steps {
                li {
                    p .on-touch { a .button .quiet href=(view.uri) { (frame.t(Text::OpenInApp)) } }
                    p { (frame.t(Text::ScanLead)) }
                    div .qr role="img" aria-label=(frame.t(Text::ScanAlt)) { (qr_code(view.uri)) }
                    p .muted .small { (frame.t(Text::TypeInstead)) }
                    p .secret { (grouped(view.secret)) }
                }
                li {
                    p { (frame.t(Text::EnterFirstCode)) }
                    form method="post" action="/account/security/app" {
                        (frame.csrf())
                        (field::later_code(frame, problems, "code", Text::NewAppCode, false))
                        (proof(frame, problems, view.replacement))
                        div .actions {
                            button .button { (frame.t(Text::TurnOn)) }
                            a href="/account/security" { (frame.t(Text::Cancel)) }
                        }
                    }
                }
            }
        }
    };
    layout(frame, Section::Security, title, problems, content)
}

fn proof(frame: &Frame<'_>, problems: &Problems, replacement: Replacement) -> Markup {
    match replacement {
        Replacement::First => html! {},
        Replacement::OldApp => html! {
            (field::later_code(frame, problems, "currentCode", Text::CurrentAppCode, false))
            p { a href="/account/security/app?lost=1" { (frame.t(Text::LostApp)) } }
        },
        Replacement::Lost => html! {
            (hidden("lost", "1"))
            (field::password(frame, problems, "password", Text::ConfirmWithPassword, None))
            (field::later_code(frame, problems, "backupCode", Text::BackupCodeLabel, true))
            p { a href="/account/security/app" { (frame.t(Text::HaveOldApp)) } }
        },
    }
}

/// The secret in groups of four, which are easier to type.
fn grouped(secret: &str) -> String {
    let characters: Vec<char> = secret.chars().collect();
    characters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}

/// The QR code (ISO/IEC 18004) of a text as SVG: one path of unit squares, with the quiet zone of four of
/// them. Empty for a text that is too long for one.
fn qr_code(text: &str) -> Markup {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Medium) else { return html! {} };
    let size = code.size();
    let mut path = String::new();
    for (x, y) in (0..size).flat_map(|y| (0..size).map(move |x| (x, y))).filter(|(x, y)| code.get_module(*x, *y)) {
        // Writing into a text never fails.
        let _ = write!(path, "M{} {}h1v1h-1z", x + 4, y + 4);
    }
    let edge = size + 8;
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {edge} {edge}")) shape-rendering="crispEdges" aria-hidden="true" {
            path fill="#fff" d=(format!("M0 0h{edge}v{edge}H0z")) {}
            path fill="#000" d=(path) {}
        }
    }
}

/// The page that shows new backup codes, this one time.
pub fn backup_codes_page(frame: &Frame<'_>, codes: &[&str]) -> String {
    let content = html! {
        h1 { (frame.t(Text::BackupCodesTitle)) }
        p .lead { (frame.t(Text::BackupCodesLead)) }
        section .panel {
            ol .backup-codes #codes { @for code in codes { li { (code) } } }
            div .actions .no-print {
                button .button .quiet .small type="button" hidden data-print { (frame.t(Text::Print)) }
                button .button .quiet .small type="button" hidden data-copy="codes" data-done=(frame.t(Text::Copied)) { (frame.t(Text::Copy)) }
            }
            form .no-print method="get" action="/account/security" {
                (field::check("stored", frame.t(Text::BackupCodesStored), false, true))
                div .actions { button .button { (frame.t(Text::Continue)) } }
            }
        }
    };
    layout(frame, Section::Security, frame.t(Text::BackupCodesTitle), &Problems::default(), content)
}

/// The page that asks for a code before new backup codes are made.
pub fn renew_page(frame: &Frame<'_>, problems: &Problems) -> String {
    let text = (Text::NewBackupCodes, Text::NewBackupCodesLead, Text::AppCodeLabel);
    ask(frame, problems, text, "/account/security/backup-codes", ("", Text::MakeBackupCodes))
}

/// The page that asks for a code before the app is turned off.
pub fn remove_page(frame: &Frame<'_>, problems: &Problems) -> String {
    let text = (Text::TurnOffApp, Text::TurnOffAppLead, Text::AppOrBackupCode);
    ask(frame, problems, text, "/account/security/app/remove", ("danger", Text::TurnOffApp))
}

fn ask(
    frame: &Frame<'_>,
    problems: &Problems,
    (title, lead, label): (Text, Text, Text),
    action: &str,
    (class, button): (&str, Text),
) -> String {
    let content = html! {
        h1 { (frame.t(title)) }
        p .lead { (frame.t(lead)) }
        (field::problems(frame, problems))
        section .panel {
            form method="post" action=(action) {
                (frame.csrf())
                (field::code(frame, problems, "code", label, label == Text::AppOrBackupCode))
                div .actions {
                    button class=(format!("button {class}")) { (frame.t(button)) }
                    a href="/account/security" { (frame.t(Text::Cancel)) }
                }
            }
        }
    };
    layout(frame, Section::Security, frame.t(title), problems, content)
}

#[cfg(test)]
mod tests {
    use super::{grouped, qr_code};

    #[test]
    fn a_qr_code_has_its_quiet_zone_and_its_corners() {
        let uri = "otpauth://totp/Lectern:ann%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Lectern";
        let svg = qr_code(uri).into_string();
        assert!(svg.contains(r#"d="M4 4h1v1h-1z"#), "the first square is that of the first corner");
        assert!(!svg.contains("M3 ") && !svg.contains(" 3h1"), "nothing is in the quiet zone");
        assert!(svg.len() < 24_000, "{}", svg.len());
        assert!(qr_code(&"x".repeat(10_000)).into_string().is_empty());
    }

    #[test]
    fn a_secret_is_shown_in_groups() {
        assert_eq!(grouped("GEZDGNBVGY"), "GEZD GNBV GY");
    }
}
