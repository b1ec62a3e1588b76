//! `/admin/mail…`: the connection to the mail server, the mails that are not sent, how mails look, and a
//! test.

use super::{
    Console, ConsoleText, Section, done, layout,
    list::{Control, FilterField, Paging, Table, filters, page_links, why_empty},
    mail_text::MailText,
    number,
    operations_text::OperationsText,
};
use crate::{Problems, account::time, field};
use domain::identity::{
    admin::MailState,
    email::shown,
    mail::{RenderedMail, Template},
};
use jiff::Timestamp;
use maud::{Markup, html};
use strum::VariantArray;

/// The page.
#[derive(Debug, Clone)]
pub struct MailView<'a> {
    /// What was done just before.
    pub done: Option<String>,
    /// What is wrong with the filter, or with the act before.
    pub problems: Problems,
    /// Whether a mail server is configured.
    pub is_on: bool,
    /// The connection, if it was measured.
    pub connection: Option<Connection>,
    /// The state that is listed; empty for all.
    pub state: &'a str,
    pub mails: Vec<MailRow>,
    /// Which page of them it is.
    pub paging: Paging,
}

/// What was measured of the connection to the mail server.
#[derive(Debug, Clone)]
pub struct Connection {
    /// Its name and port.
    pub server: String,
    /// The sender of mails.
    pub from: String,
    /// Whether this server logs in.
    pub has_login: bool,
    /// The version of TLS; `None` without encryption.
    pub protocol: Option<String>,
    /// Whether the certificate is valid, if the connection is encrypted.
    pub is_authorized: Option<bool>,
    /// Why the connection cannot be used, if it cannot.
    pub error: Option<String>,
}

/// A mail that is not sent.
#[derive(Debug, Clone)]
pub struct MailRow {
    pub id: String,
    /// Where it is on its way.
    pub state: MailState,
    /// The kind of mail.
    pub template: Template,
    /// The account that it is about.
    pub user: Option<String>,
    pub recipient: Option<String>,
    /// How often it was tried.
    pub attempts: i32,
    /// Why the last attempt failed, and what the mail server said.
    pub error: Option<String>,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it is tried next.
    pub next_at: Option<Timestamp>,
    /// Whether it can be sent again.
    pub is_retryable: bool,
}

/// The page.
pub fn mail_page(console: &Console<'_>, view: &MailView<'_>) -> String {
    let t = |text: OperationsText| console.t(text);
    let content = html! {
        h1 { (console.t(ConsoleText::Mail)) }
        (done(view.done.as_deref()))
        (field::problems(console, &view.problems))
        (connection(console, view))
        section .panel {
            h2 { (t(OperationsText::Preview)) }
            p .muted { (t(OperationsText::PreviewLead)) }
            p { a href="/admin/mail/preview" { (t(OperationsText::Preview)) } }
            @if view.is_on { p { a href="/admin/mail/test" { (t(OperationsText::SendTest)) } } }
        }
        (queue(console, view))
    };
    layout(console, Section::Mail, console.t(ConsoleText::Mail), &view.problems, content)
}

fn connection(console: &Console<'_>, view: &MailView<'_>) -> Markup {
    let t = |text: OperationsText| console.t(text);
    html! {
        section .panel {
            div .panel-head {
                div .row-text {
                    h2 { (t(OperationsText::Connection)) }
                    p .muted { (t(if view.is_on { OperationsText::MeasureLead } else { OperationsText::NoMailServer })) }
                }
                @if view.is_on { a .button .quiet .small href="/admin/mail?measure=true" { (t(OperationsText::Measure)) } }
            }
            @if let Some(measured) = &view.connection {
                @match &measured.error {
                    Some(error) => { (field::notice("bad", &format!("{}: {error}", t(OperationsText::MailFails)))) }
                    None => { (field::notice("good", t(OperationsText::MailWorks))) }
                }
                dl .facts {
                    dt { (t(OperationsText::MailServer)) } dd { (measured.server) }
                    dt { (t(OperationsText::MailFrom)) } dd { (measured.from) }
                    dt { (t(OperationsText::MailLogin)) }
                    dd { (t(if measured.has_login { OperationsText::WithLogin } else { OperationsText::WithoutLogin })) }
                    dt { (t(OperationsText::Encrypted)) }
                    dd {
                        @match &measured.protocol { Some(protocol) => { (protocol) } None => { (t(OperationsText::NotEncrypted)) } }
                        @match measured.is_authorized {
                            Some(true) => { ", " (t(OperationsText::CertificateValid)) }
                            Some(false) => { ", " (t(OperationsText::CertificateInvalid)) }
                            None => {}
                        }
                    }
                }
            }
        }
    }
}

fn queue(console: &Console<'_>, view: &MailView<'_>) -> Markup {
    let t = |text: OperationsText| console.t(text);
    let states = [
        ("", console.t(ConsoleText::Any)),
        (MailState::Waiting.into_str(), t(OperationsText::MailWaiting)),
        (MailState::Retrying.into_str(), t(OperationsText::MailRetrying)),
        (MailState::Dead.into_str(), t(OperationsText::MailDead)),
    ];
    let form =
        [FilterField { name: "state", label: t(OperationsText::MailState), control: Control::Choice(view.state, states.to_vec()) }];
    let table = Table {
        caption: &console.fill(OperationsText::MailsFound, &[("count", &number(console.language, view.paging.total))]),
        columns: &[
            t(OperationsText::MailKind),
            t(OperationsText::MailState),
            t(OperationsText::Recipient),
            t(OperationsText::Attempts),
            t(OperationsText::LastError),
            t(OperationsText::Written),
            t(OperationsText::SendAgain),
        ],
        rows: view.mails.iter().map(|mail| row(console, mail)).collect(),
        empty: &why_empty(console, view.paging, OperationsText::NoMails),
    };
    html! {
        h2 { (t(OperationsText::MailQueue)) }
        (filters(console, &view.problems, "/admin/mail", &form))
        @if view.is_on && view.mails.iter().any(|mail| mail.is_retryable) {
            div .actions { a .button .quiet .small href="/admin/mail/retry" { (t(OperationsText::SendAllAgain)) } }
        }
        (table.render())
        (page_links(console, view.paging))
    }
}

/// What a template is called.
pub(super) fn name(template: Template) -> OperationsText {
    match template {
        Template::Verification => OperationsText::Verification,
        Template::Invite => OperationsText::Invite,
        Template::PasswordReset => OperationsText::PasswordReset,
        Template::SpaceInvite => OperationsText::SpaceInvite,
        Template::LoginCode => OperationsText::LoginCode,
        Template::NewLogin => OperationsText::NewLogin,
    }
}

fn row(console: &Console<'_>, mail: &MailRow) -> Vec<Markup> {
    let (state, class) = match mail.state {
        MailState::Waiting => (OperationsText::MailWaiting, "badge"),
        MailState::Retrying => (OperationsText::MailRetrying, "badge"),
        MailState::Dead => (OperationsText::MailDead, "badge bad"),
    };
    let recipient = mail.recipient.as_deref().map(shown);
    let recipient = recipient.as_deref().unwrap_or(console.t(OperationsText::Erased));
    vec![
        html! { (console.t(name(mail.template))) },
        html! { span class=(class) { (console.t(state)) } },
        html! {
            @match &mail.user {
                Some(user) => a href=(format!("/admin/users/{user}")) { (recipient) },
                None => (recipient),
            }
        },
        html! { (mail.attempts) },
        html! { (mail.error.as_deref().unwrap_or("–")) },
        html! {
            (time(console.language, mail.created_at))
            @if let Some(at) = mail.next_at {
                span .muted .small .line { (console.t(OperationsText::NextAttempt)) ": " (time(console.language, at)) }
            }
        },
        html! {
            @if mail.is_retryable {
                form .inline method="post" action=(console.path.in_list(None).as_str()) {
                    (console.csrf())
                    (field::hidden("id", &mail.id))
                    button .button .quiet .small aria-label=(console.fill(OperationsText::SendAgainTo, &[("who", recipient)])) {
                        (console.t(OperationsText::SendAgain))
                    }
                }
            } @else { "–" }
        },
    ]
}

/// A preview: what is chosen, and the mail.
#[derive(Clone, Copy)]
pub struct PreviewView<'a> {
    pub template: Template,
    pub locale: &'a str,
    /// The locales that there are.
    pub locales: &'a [String],
    pub mail: &'a RenderedMail,
}

/// The page that shows how a mail looks. The mail is a document of its own, in a frame: nothing in it can
/// reach this page.
pub fn preview(console: &Console<'_>, view: &PreviewView<'_>) -> String {
    let t = |text: OperationsText| console.t(text);
    let frame = format!("/admin/mail/preview/frame?template={}&locale={}", view.template.into_str(), view.locale);
    let content = html! {
        h1 { (t(OperationsText::Preview)) }
        p .muted { (t(OperationsText::PreviewLead)) }
        form .filters method="get" action="/admin/mail/preview" {
            (choices(console, Some(view.template), view.locale, view.locales))
            div .actions { button .button .quiet { (t(OperationsText::ShowPreview)) } }
        }
        section .panel {
            h2 { (t(name(view.template))) }
            dl .facts { dt { (t(OperationsText::Subject)) } dd { (view.mail.subject) } }
            div .grid {
                div .stack {
                    h3 { (console.t(MailText::Rendered)) }
                    iframe .mail src=(frame) title=(console.fill(MailText::FrameTitle, &[("subject", &view.mail.subject)])) sandbox {}
                }
                div .stack {
                    h3 { (t(OperationsText::PlainText)) }
                    pre tabindex="0" { (view.mail.text) }
                }
            }
            details {
                summary { (console.t(MailText::Source)) }
                pre tabindex="0" { (view.mail.html) }
            }
        }
        p { a href="/admin/mail" { (console.t(ConsoleText::Mail)) } }
    };
    layout(console, Section::Mail, t(OperationsText::Preview), &Problems::default(), content)
}

fn choices(console: &Console<'_>, template: Option<Template>, locale: &str, locales: &[String]) -> Markup {
    html! {
        div .field {
            label for="template" { (console.t(OperationsText::MailKind)) }
            select #template name="template" {
                @for &option in Template::VARIANTS {
                    option value=(option.into_str()) selected[template == Some(option)] { (console.t(name(option))) }
                }
            }
        }
        div .field {
            label for="locale" { (console.t(OperationsText::Language)) }
            select #locale name="locale" { @for option in locales { option value=(option) selected[option == locale] { (option) } } }
        }
    }
}

/// A test: what is filled in.
#[derive(Debug, Clone)]
pub struct TestView<'a> {
    /// What was done just before.
    pub done: Option<String>,
    pub problems: Problems,
    pub to: &'a str,
    pub template: Option<Template>,
    pub locale: &'a str,
    /// The locales that there are.
    pub locales: &'a [String],
}

/// The page that sends a test mail.
pub fn test(console: &Console<'_>, view: &TestView<'_>) -> String {
    let t = |text: OperationsText| console.t(text);
    let content = html! {
        h1 { (t(OperationsText::Test)) }
        (done(view.done.as_deref()))
        (field::problems(console, &view.problems))
        section .panel .narrow {
            p .muted { (t(OperationsText::TestLead)) }
            form method="post" action="/admin/mail/test" {
                (console.csrf())
                (to(console, view))
                (choices(console, view.template, view.locale, view.locales))
                div .actions { button .button { (t(OperationsText::SendTest)) } }
            }
        }
        p { a href="/admin/mail" { (console.t(ConsoleText::Mail)) } }
    };
    layout(console, Section::Mail, t(OperationsText::Test), &view.problems, content)
}

fn to(console: &Console<'_>, view: &TestView<'_>) -> Markup {
    let error = view.problems.of_field("to");
    html! {
        div .field {
            label for="to" { (console.t(OperationsText::Recipient)) }
            input #to name="to" type="email" value=(view.to) maxlength="254" autocomplete="email" required
                aria-invalid=[error.map(|_| "true")] aria-describedby=[error.map(|_| "to-error")];
            @if let Some(error) = error { p #to-error .field-error { (error) } }
        }
    }
}
