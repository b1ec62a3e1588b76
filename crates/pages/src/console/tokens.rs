//! `/admin/tokens`: the tokens of all spaces that act for people or read drafts, and the page before one is
//! taken away.

use super::{
    Console, Section,
    confirmation::{self, Confirmation},
    done, layout,
    list::{Control, FilterField, Paging, Table, filters, page_links, why_empty},
    number,
    text::ConsoleText,
    token_text::TokenText,
};
use crate::{
    Problems,
    account::{proof::Proof, time},
    field::hidden,
};
use domain::shared::{ListedToken, TokenId, TokenKind};
use maud::{Markup, html};

/// Where a token is taken away.
const REVOKE: &str = "/admin/tokens/revoke";

/// The list of tokens.
#[derive(Debug, Clone)]
pub struct TokensView<'a> {
    /// What was done just before.
    pub done: Option<String>,
    /// What is wrong with the filter.
    pub problems: Problems,
    /// The person whose tokens are wanted, by address or id, as it was typed.
    pub person: &'a str,
    /// `true`, `false` or nothing: whether they act for no account.
    pub without_person: &'a str,
    /// The tokens of this page.
    pub tokens: &'a [ListedToken],
    /// Which page it is.
    pub paging: Paging,
}

/// The page.
pub fn tokens_page(console: &Console<'_>, view: &TokensView<'_>) -> String {
    let t = |text: TokenText| console.t(text);
    let kinds = vec![("", console.t(ConsoleText::Any)), ("false", t(TokenText::WithPerson)), ("true", t(TokenText::NoPerson))];
    let form = [
        FilterField { name: "person", label: console.t(ConsoleText::PersonFilter), control: Control::Text("search", view.person) },
        FilterField { name: "withoutPerson", label: t(TokenText::ActsFor), control: Control::Choice(view.without_person, kinds) },
    ];
    let is_filtered = !view.person.is_empty() || !view.without_person.is_empty();
    let found = console.fill(TokenText::TokensFound, &[("count", &number(console.language, view.paging.total))]);
    let empty = why_empty(console, view.paging, if is_filtered { TokenText::NoTokenFound } else { TokenText::NoTokenHere });
    let content = html! {
        h1 { (console.t(ConsoleText::SpaceTokens)) }
        p .lead { (t(TokenText::TokensLead)) }
        (done(view.done.as_deref()))
        (crate::field::problems(console, &view.problems))
        (filters(console, &view.problems, "/admin/tokens", &form))
        (table(console, &found, &empty, view.tokens, true))
        (page_links(console, view.paging))
    };
    layout(console, Section::Tokens, console.t(ConsoleText::SpaceTokens), &view.problems, content)
}

/// The path of the page that takes a token away.
fn path(kind: TokenKind, id: TokenId) -> String {
    format!("{REVOKE}?kind={}&id={id}", kind.into_str())
}

/// A table of tokens; on the page of a person without the column that names them.
pub(super) fn table(console: &Console<'_>, caption: &str, empty: &str, tokens: &[ListedToken], has_person: bool) -> Markup {
    let t = |text: TokenText| console.t(text);
    let person = has_person.then(|| t(TokenText::ActsFor));
    let others = [console.t(ConsoleText::Created), t(TokenText::LastUsed), console.t(ConsoleText::Acts)];
    let columns: Vec<&str> = [t(TokenText::Token), t(TokenText::May)].into_iter().chain(person).chain(others).collect();
    let table =
        Table { caption, columns: &columns, rows: tokens.iter().map(|token| row(console, token, has_person)).collect(), empty };
    table.render()
}

fn row(console: &Console<'_>, token: &ListedToken, has_person: bool) -> Vec<Markup> {
    let t = |text: TokenText| console.t(text);
    let person = html! { @match &token.user {
        Some((id, email)) => { a .address href=(format!("/admin/users/{id}")) { (email) } }
        None => { (t(TokenText::NoPerson)) }
    } };
    let used = html! { @match (token.last_used_at, token.kind) {
        (Some(at), _) => { (time(console.language, at)) }
        (None, TokenKind::Management) => { (t(TokenText::NeverUsed)) }
        (None, TokenKind::Delivery) => { (t(TokenText::NotKnown)) }
    } };
    let own = [
        html! { (token.name) span .muted .small .line { (token.space_name) } },
        html! { (may(console, token)) @if token.is_suspended { span .badge .bad .line { (t(TokenText::Stopped)) } } },
    ];
    let others = [
        html! { (time(console.language, token.created_at)) },
        used,
        html! { a href=(path(token.kind, token.id)) { (t(TokenText::Revoke)) span .visually-hidden { ": " (token.name) } } },
    ];
    own.into_iter().chain(has_person.then_some(person)).chain(others).collect()
}

fn may(console: &Console<'_>, token: &ListedToken) -> &'static str {
    console.t(match (token.kind, token.access.as_str()) {
        (TokenKind::Delivery, _) => TokenText::ReadsDrafts,
        (TokenKind::Management, "admin") => TokenText::RoleAdmin,
        (TokenKind::Management, "editor") => TokenText::RoleEditor,
        (TokenKind::Management, _) => TokenText::RoleViewer,
    })
}

/// The page that asks before a token is taken away.
pub fn revoke_page(console: &Console<'_>, problems: &Problems, proof: Proof, token: &ListedToken) -> String {
    let fill = |text: TokenText| console.fill(text, &[("name", &token.name), ("space", &token.space_name)]);
    let acts = token.user.as_ref().map(|(_, email)| console.fill(TokenText::RevokeActs, &[("email", email)]));
    let notice = [fill(TokenText::RevokeTold)];
    let confirmation = Confirmation {
        section: Section::Tokens,
        title: &fill(TokenText::RevokeTitle),
        consequences: [fill(TokenText::RevokeMeans)].into_iter().chain(acts).chain(notice).collect(),
        is_harmful: true,
        action: REVOKE,
        fields: html! { (hidden("kind", token.kind.into_str())) (hidden("id", &token.id.to_string())) },
        button: console.t(TokenText::Revoke),
        back: "/admin/tokens",
    };
    confirmation::confirmation_page(console, problems, proof, &confirmation)
}
