//! `/admin/users`: the list of people.

use super::{
    Console, ConsoleText, Section, done, layout,
    list::{Control, FilterField, Paging, Table, filters, page_links, why_empty},
    number,
    user::PersonText,
};
use crate::{Problems, Text, account::time};
use domain::identity::{Account, invite::check_invitable};
use maud::{Markup, html};

/// The list of people.
#[derive(Debug, Clone)]
pub struct UsersView<'a> {
    /// What was done just before.
    pub done: Option<String>,
    /// What is wrong with the filter.
    pub problems: Problems,
    /// The text that is searched for.
    pub search: &'a str,
    /// `true`, `false` or nothing: whether the address is verified.
    pub email_verified: &'a str,
    /// The same of the right to administer.
    pub is_admin: &'a str,
    /// The same of a suspension.
    pub suspended: &'a str,
    pub sort: &'a str,
    /// The people of this page.
    pub accounts: &'a [Account],
    /// Which page it is.
    pub paging: Paging,
}

/// The page.
pub fn users_page(console: &Console<'_>, view: &UsersView<'_>) -> String {
    let t = |text: ConsoleText| console.t(text);
    let kinds = |yes, no| vec![("", t(ConsoleText::Any)), ("true", t(yes)), ("false", t(no))];
    let orders =
        vec![("", t(ConsoleText::NewestFirst)), ("createdAt", t(ConsoleText::OldestFirst)), ("email", t(ConsoleText::ByAddress))];
    let form = [
        FilterField { name: "search", label: t(ConsoleText::SearchPeople), control: Control::Text("search", view.search) },
        FilterField {
            name: "emailVerified",
            label: console.t(Text::Email),
            control: Control::Choice(view.email_verified, kinds(ConsoleText::Verified, ConsoleText::Unverified)),
        },
        FilterField {
            name: "isAdmin",
            label: t(ConsoleText::Right),
            control: Control::Choice(view.is_admin, kinds(ConsoleText::Administrators, ConsoleText::Others)),
        },
        FilterField {
            name: "suspended",
            label: t(ConsoleText::State),
            control: Control::Choice(view.suspended, kinds(ConsoleText::Suspended, ConsoleText::NotSuspended)),
        },
        FilterField { name: "sort", label: t(ConsoleText::Order), control: Control::Choice(view.sort, orders) },
    ];
    let is_filtered = [view.search, view.email_verified, view.is_admin, view.suspended].iter().any(|value| !value.is_empty());
    let total = number(console.language, view.paging.total);
    let total = if view.paging.is_exact { total } else { console.fill(ConsoleText::About, &[("count", &total)]) };
    let table = Table {
        caption: &console.fill(ConsoleText::UsersFound, &[("count", &total)]),
        columns: &[
            t(ConsoleText::Person),
            t(ConsoleText::State),
            t(ConsoleText::SignsInWith),
            t(ConsoleText::Created),
            t(ConsoleText::LastSignIn),
        ],
        rows: view.accounts.iter().map(|account| row(console, account)).collect(),
        empty: &why_empty(console, view.paging, if is_filtered { ConsoleText::NobodyFound } else { ConsoleText::NobodyHere }),
    };
    let content = html! {
        div .panel-head {
            h1 { (t(ConsoleText::Users)) }
            a .button .small href="/admin/users/new" { (t(ConsoleText::NewPerson)) }
        }
        (done(view.done.as_deref()))
        (crate::field::problems(console, &view.problems))
        (filters(console, &view.problems, "/admin/users", &form))
        (table.render())
        (page_links(console, view.paging))
    };
    layout(console, Section::Users, t(ConsoleText::Users), &view.problems, content)
}

fn row(console: &Console<'_>, account: &Account) -> Vec<Markup> {
    vec![
        html! {
            a href=(format!("/admin/users/{}", account.id)) { (account.display_name()) }
            span .muted .small .line .address { (account.email.shown()) }
        },
        badges(console, account),
        html! { (ways(console, account)) },
        html! { (time(console.language, account.created_at)) },
        html! { @match account.last_login_at {
            Some(at) => { (time(console.language, at)) }
            None => { (console.t(ConsoleText::Never)) }
        } },
    ]
}

/// The state of an account.
pub(super) fn badges(console: &Console<'_>, account: &Account) -> Markup {
    html! {
        span .badges {
            @if account.suspended_at.is_some() { span .badge .bad { (console.t(ConsoleText::Suspended)) } }
            @else if check_invitable(account).is_ok() { span .badge { (console.t(PersonText::Invited)) } }
            @else { span .badge .good { (console.t(ConsoleText::Active)) } }
            @if account.is_admin { span .badge { (console.t(ConsoleText::Administrator)) } }
            @if !account.email_verified { span .badge { (console.t(ConsoleText::Unverified)) } }
        }
    }
}

/// What the person signs in with, in one line.
fn ways(console: &Console<'_>, account: &Account) -> String {
    let ways = [(account.has_password, Text::Password), (account.passkeys > 0, Text::Passkeys), (account.has_totp, Text::AppTitle)];
    let ways: Vec<&str> = ways.into_iter().filter(|(is_there, _)| *is_there).map(|(_, text)| console.t(text)).collect();
    if ways.is_empty() { console.t(ConsoleText::NothingYet).to_owned() } else { ways.join(", ") }
}
