//! `/admin/roles`: the groups of roles, and moving what is assigned from one name of a group to another.

use super::{
    Console, ConsoleText, Section,
    confirmation::{self, Confirmation},
    counted, done, layout,
    list::Table,
};
use crate::{
    Problems, Text,
    account::proof::Proof,
    field::{self, hidden},
};
use maud::{Markup, html};

/// A group of roles.
#[derive(Debug, Clone)]
pub struct RoleGroupRow {
    pub name: String,
    pub roles: Vec<String>,
    /// Whether a person has one of them at most.
    pub is_single: bool,
    /// The ids and the names of its applications.
    pub clients: Vec<(String, String)>,
}

/// The page.
pub fn roles_page(console: &Console<'_>, told: Option<&str>, groups: &[RoleGroupRow]) -> String {
    let t = |text: ConsoleText| console.t(text);
    let table = Table {
        caption: t(ConsoleText::RoleGroups),
        columns: &[t(ConsoleText::Group), t(ConsoleText::Roles), t(ConsoleText::RolesAtOnce), console.t(Text::Apps)],
        rows: groups.iter().map(|group| row(console, group)).collect(),
        empty: t(ConsoleText::NoRoleGroups),
    };
    let content = html! {
        h1 { (t(ConsoleText::Roles)) }
        (done(told))
        p .lead { (t(ConsoleText::RolesPageLead)) }
        (table.render())
        section .panel {
            div .panel-head {
                div .row-text {
                    h2 { (t(ConsoleText::Rekey)) }
                    p .muted { (t(ConsoleText::RekeyLead)) }
                }
                a .button .quiet .small href="/admin/roles/rekey" { (t(ConsoleText::Rekey)) }
            }
        }
    };
    layout(console, Section::Roles, t(ConsoleText::Roles), &Problems::default(), content)
}

fn row(console: &Console<'_>, group: &RoleGroupRow) -> Vec<Markup> {
    vec![
        html! { strong { (group.name) } },
        html! { @if group.roles.is_empty() { "–" } @else { (group.roles.join(", ")) } },
        html! { (console.t(if group.is_single { ConsoleText::OneRole } else { ConsoleText::AnyRoles })) },
        html! {
            ul .plain { @for (id, name) in &group.clients { li { a href=(format!("/admin/clients/{id}")) { (name) } } } }
        },
    ]
}

/// The move of what is assigned.
#[derive(Debug, Clone, Copy)]
pub struct RekeyView<'a> {
    /// The name that it is assigned under.
    pub from: &'a str,
    /// The group that it goes to.
    pub to: &'a str,
    /// The groups that applications have.
    pub groups: &'a [String],
    /// How many people have a role under the old name; `None` while the names are not chosen.
    pub people: Option<i64>,
}

/// The page: the choice of both names first, and then what follows.
pub fn rekey_page(console: &Console<'_>, problems: &Problems, proof: Proof, view: &RekeyView<'_>) -> String {
    match view.people {
        Some(people) => confirm(console, problems, proof, (view, people)),
        None => choose(console, problems, view),
    }
}

fn choose(console: &Console<'_>, problems: &Problems, view: &RekeyView<'_>) -> String {
    let title = console.t(ConsoleText::Rekey);
    let content = html! {
        h1 { (title) }
        p .lead { (console.t(ConsoleText::RekeyLead)) }
        (field::problems(console, problems))
        section .panel .narrow {
            form method="get" action="/admin/roles/rekey" {
                div .field {
                    label for="from" { (console.t(ConsoleText::OldGroup)) }
                    input #from name="from" type="text" value=(view.from) required maxlength="200" autocomplete="off" spellcheck="false" autocapitalize="none";
                }
                div .field {
                    label for="to" { (console.t(ConsoleText::NewGroup)) }
                    select #to name="to" {
                        @for group in view.groups { option value=(group) selected[group == view.to] { (group) } }
                    }
                }
                div .actions { button .button { (console.t(Text::Continue)) } a href="/admin/roles" { (console.t(Text::Cancel)) } }
            }
        }
    };
    layout(console, Section::Roles, title, problems, content)
}

fn confirm(console: &Console<'_>, problems: &Problems, proof: Proof, (view, people): (&RekeyView<'_>, i64)) -> String {
    let names = [("from", view.from), ("to", view.to)];
    let title = console.fill(ConsoleText::RekeyTitle, &names);
    let confirmation = Confirmation {
        section: Section::Roles,
        title: &title,
        consequences: vec![
            counted(console, people, [ConsoleText::RekeyNone, ConsoleText::RekeyOne, ConsoleText::RekeyMore]),
            console.fill(ConsoleText::RekeyMeans, &names),
            console.t(ConsoleText::RekeySingle).to_owned(),
        ],
        is_harmful: true,
        action: "/admin/roles/rekey",
        fields: html! { (hidden("from", view.from)) (hidden("to", view.to)) },
        button: console.t(ConsoleText::Rekey),
        back: "/admin/roles",
    };
    confirmation::confirmation_page(console, problems, proof, &confirmation)
}
