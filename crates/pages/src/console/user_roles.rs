//! `/admin/users/{id}/roles`: the roles of a person, with a form for each group that has roles, and the page
//! that asks before those of a group change.
//!
//! While nothing is decided in a group, its default roles are ticked: they are what the person has, and the
//! first decision takes their place, so a role that is ticked beside them takes none away. What a choice
//! takes away is named before it is made.

use super::{
    Console, ConsoleText, Section,
    confirmation::{self, Confirmation},
    layout,
    role_text::RoleText,
};
use crate::{
    Problems,
    account::proof::Proof,
    field::{self, hidden},
};
use domain::shared::UserId;
use maud::{Markup, html};

/// The field that chooses the default roles, whatever is ticked beside it.
pub const DEFAULTS: &str = "defaults";

/// The roles of a person.
#[derive(Debug, Clone)]
pub struct UserRolesView {
    /// What is wrong with what was sent.
    pub problems: Problems,
    pub id: UserId,
    /// The name of the person.
    pub name: String,
    /// Every group with roles.
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
    /// The default roles of all its applications.
    pub default_roles: Vec<String>,
    /// The names of the applications with default roles, each with them.
    pub defaults: Vec<(String, Vec<String>)>,
}

impl GroupView {
    /// What the person has: what is assigned, or else the default roles.
    fn held(&self) -> &[String] {
        self.assigned.as_deref().unwrap_or(&self.default_roles)
    }

    /// Whether each application of the group has the same default roles.
    fn has_common_defaults(&self) -> bool {
        self.defaults.len() == self.clients.len() && self.defaults.iter().all(|(_, roles)| roles.len() == self.default_roles.len())
    }

    /// A sentence about the default roles: one for all applications where they have the same, or else one for
    /// each that has some.
    fn default_sentences(&self, console: &Console<'_>, [of_all, of_one]: [RoleText; 2]) -> Vec<String> {
        if self.defaults.is_empty() || self.has_common_defaults() {
            let roles =
                if self.defaults.is_empty() { console.t(ConsoleText::NoRole).to_owned() } else { self.default_roles.join(", ") };
            return vec![console.fill(of_all, &[("roles", &roles)])];
        }
        let sentence =
            |(client, roles): &(String, Vec<String>)| console.fill(of_one, &[("client", client), ("roles", &roles.join(", "))]);
        self.defaults.iter().map(sentence).collect()
    }
}

/// The page.
pub fn user_roles_page(console: &Console<'_>, view: &UserRolesView) -> String {
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
    let is_undecided = group.assigned.is_none();
    // Where a person has one role, several that they have are of several applications, and none of them is
    // the choice.
    let held = if group.is_single && group.held().len() > 1 { &[] } else { group.held() };
    let is_none = group.held().is_empty();
    let label = |role: &String| {
        html! {
            span {
                (role)
                @if group.default_roles.contains(role) { " " span .badge { (console.t(RoleText::Default)) } }
            }
        }
    };
    html! {
        section .panel {
            div {
                h2 { (group.name) }
                p .muted .small { (console.fill(ConsoleText::GroupOf, &[("clients", &group.clients.join(", "))])) }
            }
            @if is_undecided {
                p .message {
                    (console.t(RoleText::DefaultsApply))
                    @for sentence in group.default_sentences(console, [RoleText::DefaultsAre, RoleText::DefaultsAt]) { " " (sentence) }
                }
            }
            form method="get" action=(format!("{back}/roles/change")) {
                (hidden("group", &group.name))
                fieldset .stack {
                    legend .visually-hidden { (group.name) }
                    @if group.is_single {
                        label .check {
                            input type="radio" name="role" value="" checked[is_none] required;
                            span { (console.t(ConsoleText::NoRole)) }
                        }
                    }
                    @for role in &group.available {
                        label .check {
                            @if group.is_single {
                                input type="radio" name="role" value=(role) checked[held.contains(role)];
                            } @else {
                                input type="checkbox" name=(format!("role:{role}")) checked[held.contains(role)];
                            }
                            (label(role))
                        }
                    }
                }
                div .actions {
                    button .button .quiet .small aria-label=(console.fill(ConsoleText::ChangeGroup, &[("group", &group.name)])) {
                        (console.t(ConsoleText::Change))
                    }
                    @if !is_undecided {
                        button .button .quiet .small name=(DEFAULTS) value="on" formnovalidate
                            aria-label=(console.fill(RoleText::UseDefaultsOf, &[("group", &group.name)])) {
                            (console.t(RoleText::UseDefaults))
                        }
                    }
                }
            }
        }
    }
}

/// A change of the roles of a group.
#[derive(Debug, Clone, Copy)]
pub struct RolesChange<'a> {
    pub id: UserId,
    /// The name of the person.
    pub name: &'a str,
    /// The group, with what is assigned now.
    pub group: &'a GroupView,
    /// What the person will have; `None` for the default roles.
    pub roles: Option<&'a [String]>,
}

/// The page that asks before the roles of a group change.
pub fn confirm(console: &Console<'_>, problems: &Problems, proof: Proof, change: &RolesChange<'_>) -> String {
    let RolesChange { id, name, group, roles } = change;
    let names = [("name", *name), ("group", &group.name)];
    let (title, button) = match roles {
        Some(_) => (console.fill(ConsoleText::ChangeGroupOf, &names), console.t(ConsoleText::Change)),
        None => (console.fill(RoleText::UseDefaultsFor, &names), console.t(RoleText::UseDefaults)),
    };
    let back = format!("/admin/users/{id}/roles");
    let fields = html! {
        (hidden("group", &group.name))
        @if roles.is_none() { (hidden(DEFAULTS, "on")) }
        @for role in roles.unwrap_or_default() {
            @if group.is_single { (hidden("role", role)) } @else { (hidden(&format!("role:{role}"), "on")) }
        }
    };
    let confirmation = Confirmation {
        section: Section::Users,
        title: &title,
        consequences: consequences(console, change),
        is_harmful: true,
        action: &format!("{back}/change"),
        fields,
        button,
        back: &back,
    };
    confirmation::confirmation_page(console, problems, proof, &confirmation)
}

fn consequences(console: &Console<'_>, change: &RolesChange<'_>) -> Vec<String> {
    let RolesChange { name, group, roles: chosen, .. } = change;
    let list = |text: RoleText, roles: &[&str]| console.fill(text, &[("roles", &roles.join(", "))]);
    let mut all = match chosen {
        Some(roles) => {
            let will_be = if roles.is_empty() { ConsoleText::RolesWillBeNone } else { ConsoleText::RolesWillBe };
            let (clients, wanted) = (group.clients.join(", "), roles.join(", "));
            vec![console.fill(will_be, &[("clients", &clients), ("name", name), ("roles", &wanted)])]
        }
        None => group.default_sentences(console, [RoleText::WillBeDefault, RoleText::WillBeDefaultAt]),
    };
    let roles = chosen.unwrap_or(&group.default_roles);
    match &group.assigned {
        None => all.extend(group.default_sentences(console, [RoleText::UntilNow, RoleText::UntilNowAt])),
        Some(none) if none.is_empty() => {
            all.push(console.fill(ConsoleText::RolesWere, &[("roles", console.t(ConsoleText::NoRole))]));
        }
        Some(assigned) => all.push(console.fill(ConsoleText::RolesWere, &[("roles", &assigned.join(", "))])),
    }
    let gained: Vec<&str> = roles.iter().filter(|role| !group.held().contains(role)).map(String::as_str).collect();
    let taken: Vec<&str> = group.held().iter().filter(|role| !roles.contains(role)).map(String::as_str).collect();
    if !gained.is_empty() {
        all.push(list(RoleText::Gained, &gained));
    }
    all.push(if taken.is_empty() { console.t(RoleText::NothingLost).to_owned() } else { list(RoleText::Lost, &taken) });
    match (chosen, &group.assigned) {
        (None, _) => all.push(console.t(RoleText::Undecided).to_owned()),
        (Some(_), None) => all.push(console.t(RoleText::Decided).to_owned()),
        (Some(_), Some(_)) => {}
    }
    all.push(console.t(ConsoleText::RolesTold).to_owned());
    all
}
