//! `/admin/users/{id}/roles`: the roles of a person, with a form for each group, and the page that asks before those of a group change.

use super::{
    Console, ConsoleText, Section,
    confirmation::{self, Confirmation},
    layout,
};
use crate::{
    Problems,
    account::proof::Proof,
    field::{self, hidden},
};
use domain::shared::UserId;
use maud::{Markup, html};

/// The roles of a person.
#[derive(Debug, Clone)]
pub struct UserRolesView {
    /// What is wrong with what was sent.
    pub problems: Problems,
    /// The account.
    pub id: UserId,
    /// The name of the person.
    pub name: String,
    /// Every group.
    pub groups: Vec<GroupView>,
}

/// A group of roles.
#[derive(Debug, Clone)]
pub struct GroupView {
    /// The name of the group.
    pub name: String,
    /// The names of its applications.
    pub clients: Vec<String>,
    /// Whether a person has one of the roles at most.
    pub is_single: bool,
    /// The roles that can be assigned.
    pub available: Vec<String>,
    /// Those that are assigned; `None` while nothing was decided.
    pub assigned: Option<Vec<String>>,
}

/// The page.
pub fn page(console: &Console<'_>, view: &UserRolesView) -> String {
    let title = console.fill(ConsoleText::RolesOf, &[("name", &view.name)]);
    let back = format!("/admin/users/{}", view.id);
    let content = html! {
        p .crumbs { a href=(back) { (view.name) } }
        h1 { (title) }
        p .lead { (console.t(ConsoleText::RolesLead)) }
        (field::problems(console, &view.problems))
        @if view.groups.is_empty() { p .empty { (console.t(ConsoleText::NoRoleGroups)) } }
        div .grid { @for group in &view.groups { (form(console, &back, group)) } }
    };
    layout(console, Section::Users, &title, &view.problems, content)
}

fn form(console: &Console<'_>, back: &str, group: &GroupView) -> Markup {
    let is_assigned = |role: &String| group.assigned.as_ref().is_some_and(|assigned| assigned.contains(role));
    let none = group.assigned.as_ref().is_none_or(Vec::is_empty);
    html! {
        section .panel {
            div {
                h2 { (group.name) }
                p .muted .small { (console.fill(ConsoleText::GroupOf, &[("clients", &group.clients.join(", "))])) }
            }
            @if group.assigned.is_none() { p .message { (console.t(ConsoleText::RolesAreDefault)) } }
            form method="get" action=(format!("{back}/roles/change")) {
                (hidden("group", &group.name))
                fieldset .stack {
                    legend .visually-hidden { (group.name) }
                    @if group.is_single {
                        label .check { input type="radio" name="role" value="" checked[none]; span { (console.t(ConsoleText::NoRole)) } }
                        @for role in &group.available {
                            label .check { input type="radio" name="role" value=(role) checked[is_assigned(role)]; span { (role) } }
                        }
                    } @else {
                        @for role in &group.available { (field::check(&format!("role:{role}"), role, is_assigned(role), false)) }
                        @if group.available.is_empty() { p .muted { (console.t(ConsoleText::NoRole)) } }
                    }
                }
                div .actions {
                    button .button .quiet .small aria-label=(console.fill(ConsoleText::ChangeGroup, &[("group", &group.name)])) {
                        (console.t(ConsoleText::Change))
                    }
                }
            }
        }
    }
}

/// A change of the roles of a group.
#[derive(Debug, Clone, Copy)]
pub struct RolesChange<'a> {
    /// The account.
    pub id: UserId,
    /// The name of the person.
    pub name: &'a str,
    /// The group, with what is assigned now.
    pub group: &'a GroupView,
    /// What the person will have.
    pub roles: &'a [String],
}

/// The page that asks before the roles of a group change.
pub fn confirm(console: &Console<'_>, problems: &Problems, proof: Proof, change: &RolesChange<'_>) -> String {
    let RolesChange { id, name, group, roles } = change;
    let title = console.fill(ConsoleText::ChangeGroupOf, &[("name", name), ("group", &group.name)]);
    let back = format!("/admin/users/{id}/roles");
    let will_be = if roles.is_empty() { ConsoleText::RolesWillBeNone } else { ConsoleText::RolesWillBe };
    let were = match &group.assigned {
        None => console.t(ConsoleText::RolesWereDefault).to_owned(),
        Some(none) if none.is_empty() => console.fill(ConsoleText::RolesWere, &[("roles", console.t(ConsoleText::NoRole))]),
        Some(assigned) => console.fill(ConsoleText::RolesWere, &[("roles", &assigned.join(", "))]),
    };
    let fields = html! {
        (hidden("group", &group.name))
        @for role in *roles {
            @if group.is_single { (hidden("role", role)) } @else { (hidden(&format!("role:{role}"), "on")) }
        }
    };
    let confirmation = Confirmation {
        section: Section::Users,
        title: &title,
        consequences: vec![
            console.fill(will_be, &[("clients", &group.clients.join(", ")), ("name", name), ("roles", &roles.join(", "))]),
            were,
            console.t(ConsoleText::RolesTold).to_owned(),
        ],
        is_harmful: true,
        action: &format!("{back}/change"),
        fields,
        button: console.t(ConsoleText::Change),
        back: &back,
    };
    confirmation::page(console, problems, proof, &confirmation)
}
