//! `/admin/configuration`: the variables that the process was started with, without what is secret.

use super::{
    Console, ConsoleText, Section, duration, layout,
    list::{Control, FilterField, Table, filters},
    markdown,
    settings_text::SettingsText,
};
use crate::Problems;
use maud::{Markup, html};

/// A variable.
#[derive(Debug, Clone)]
pub struct VariableRow<'a> {
    pub name: &'a str,
    /// The syntax of its value, in English.
    pub form: &'a str,
    /// The value that is in effect; stars in the place of a secret.
    pub value: Option<&'a str>,
    pub default: Option<&'a str>,
    /// Whether it was set.
    pub is_set: bool,
    /// Whether a change needs a restart.
    pub requires_restart: bool,
    pub description: &'a str,
}

/// The catalogue.
#[derive(Debug, Clone)]
pub struct ConfigurationView<'a> {
    /// The text that is searched for.
    pub search: &'a str,
    /// The group that is shown; all without one.
    pub group: &'a str,
    /// `true` or `false`: whether only set ones are shown, or only others.
    pub set: &'a str,
    pub all_groups: &'a [&'a str],
    /// The variables that are shown, by group.
    pub groups: Vec<(&'a str, Vec<VariableRow<'a>>)>,
}

/// The page.
pub fn configuration_page(console: &Console<'_>, view: &ConfigurationView<'_>) -> String {
    let t = |text: ConsoleText| console.t(text);
    let mut groups = vec![("", t(ConsoleText::Any))];
    groups.extend(view.all_groups.iter().map(|group| (*group, group_name(console, group))));
    let form = [
        FilterField { name: "search", label: t(ConsoleText::SearchVariables), control: Control::Text("search", view.search) },
        FilterField { name: "group", label: t(ConsoleText::Group), control: Control::Choice(view.group, groups) },
        FilterField {
            name: "set",
            label: t(ConsoleText::Value),
            control: Control::Choice(
                view.set,
                vec![("", t(ConsoleText::Any)), ("true", t(ConsoleText::IsSet)), ("false", t(ConsoleText::IsDefault))],
            ),
        },
    ];
    let content = html! {
        h1 { (t(ConsoleText::Configuration)) }
        p .lead {
            (console.t(SettingsText::ConfigurationLead)) " "
            a href="/docs/configuration" hreflang="en" { (console.t(SettingsText::AllVariables)) } "."
        }
        (filters(console, &Problems::default(), "/admin/configuration", &form))
        @if view.groups.is_empty() { p .empty role="status" { (t(ConsoleText::NoVariables)) } }
        @for (group, variables) in &view.groups {
            section .panel {
                h2 { (group_name(console, group)) }
                (table(console, group, variables))
            }
        }
    };
    layout(console, Section::Configuration, t(ConsoleText::Configuration), &Problems::default(), content)
}

fn group_name<'a>(console: &Console<'_>, group: &'a str) -> &'a str {
    console.t(match group {
        "server" => ConsoleText::GroupServer,
        "network" => ConsoleText::GroupNetwork,
        "email" => ConsoleText::Mail,
        "accounts" => ConsoleText::GroupAccounts,
        "oidc" => ConsoleText::Provider,
        "limits" => ConsoleText::GroupLimits,
        "content" => ConsoleText::GroupContent,
        "webhooks" => ConsoleText::GroupWebhooks,
        _ => return group,
    })
}

/// A number of seconds in words.
fn time(console: &Console<'_>, variable: &VariableRow<'_>, value: &str) -> Option<String> {
    let seconds = value.parse().ok().filter(|_| variable.form.starts_with("seconds"))?;
    Some(duration::in_words(console.language, seconds))
}

fn table(console: &Console<'_>, group: &str, variables: &[VariableRow<'_>]) -> Markup {
    let t = |text: ConsoleText| console.t(text);
    let row = |variable: &VariableRow<'_>| {
        vec![
            html! {
                code { (variable.name) }
                // The catalogue is in English.
                span .muted .small .line lang="en" { (markdown::line(variable.description)) }
            },
            html! {
                @match variable.value.filter(|value| !value.is_empty()) {
                    Some(value) => {
                        span .value { code { (value) } }
                        @if let Some(words) = time(console, variable, value) { span .muted .small .line { (words) } }
                    }
                    None => { "–" }
                }
                @if variable.is_set && variable.default.is_some_and(|default| !default.is_empty() && variable.value != Some(default)) {
                    @let default = variable.default.unwrap_or_default();
                    span .muted .small .line {
                        (t(ConsoleText::Default)) " " code { (default) }
                        @if let Some(words) = time(console, variable, default) { " (" (words) ")" }
                    }
                }
            },
            html! { @if variable.is_set { span .badge .good { (t(ConsoleText::IsSet)) } } @else { span .badge { (t(ConsoleText::IsDefault)) } } },
            html! { (t(if variable.requires_restart { ConsoleText::Yes } else { ConsoleText::No })) },
        ]
    };
    let table = Table {
        caption: &console.fill(ConsoleText::VariablesOf, &[("group", group_name(console, group))]),
        columns: &[t(ConsoleText::Variable), t(ConsoleText::Value), t(ConsoleText::State), t(ConsoleText::NeedsRestart)],
        rows: variables.iter().map(row).collect(),
        empty: t(ConsoleText::NoVariables),
    };
    table.render()
}
