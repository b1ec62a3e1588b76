//! `/account/apps`: the applications that the account has signed in to.

use super::{DoneNotice, Section, done, layout, with_time};
use crate::{Frame, Problems, Text, field, interaction::scope_in_words};
use jiff::Timestamp;
use maud::html;

/// An application.
#[derive(Debug, Clone)]
pub struct AppRow {
    pub client_id: String,
    pub name: String,
    /// What it may do.
    pub scopes: Vec<String>,
    pub since: Timestamp,
}

/// The page.
pub fn apps_page(frame: &Frame<'_>, apps: &[AppRow], told: Option<DoneNotice>) -> String {
    let content = html! {
        h1 { (frame.t(Text::Apps)) }
        p .lead { (frame.t(Text::AppsLead)) }
        (done(frame, told))
        section .panel {
            @if apps.is_empty() { p { (frame.t(Text::NoApps)) } } @else {
                ul .rows {
                    @for app in apps {
                        li {
                            div .row-text {
                                strong { (app.name) }
                                span .muted .small {
                                    (app.scopes.iter().map(|scope| scope_in_words(frame, scope)).collect::<Vec<_>>().join(", "))
                                }
                                span .muted .small { (with_time(frame, Text::AppSince, app.since)) }
                            }
                            form method="post" action="/account/apps" {
                                (frame.csrf())
                                (field::hidden("client_id", &app.client_id))
                                button .button .quiet .small aria-label=(frame.fill(Text::WithdrawFrom, &[("client", &app.name)])) {
                                    (frame.t(Text::Withdraw))
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    layout(frame, Section::Apps, frame.t(Text::Apps), &Problems::default(), content)
}
