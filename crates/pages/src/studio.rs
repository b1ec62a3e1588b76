//! `/studio`: the spaces of a person, a new space, and the shell of the content studio below
//! `/studio/{space}`, which is a single-page application.

pub mod shell;
pub mod text;

use crate::{
    Frame, Problems,
    account::{DoneNotice, done, time, who},
    field::{self, Field, heading},
    frame::skip,
};
use domain::shared::{MemberSpace, Role};
use maud::{Markup, html};
use text::StudioText;

/// Where the list of spaces is.
pub const HOME: &str = "/studio";
/// Where a space is made.
pub const NEW_SPACE: &str = "/studio/new";

/// The list of the spaces of a person.
#[derive(Debug, Clone, Copy)]
pub struct SpacesView<'a> {
    /// What was done just before.
    pub done: Option<DoneNotice>,
    /// The spaces, the one that was changed last first.
    pub spaces: &'a [MemberSpace],
    /// Whether the server has the studio; otherwise the page says how to build it.
    pub is_built: bool,
}

/// A person has this role in a space.
fn role(role: Role) -> StudioText {
    match role {
        Role::Admin => StudioText::Admin,
        Role::Editor => StudioText::Editor,
        Role::Viewer => StudioText::Viewer,
    }
}

/// The page.
pub fn spaces_page(frame: &Frame<'_>, view: SpacesView<'_>) -> String {
    let title = frame.t(StudioText::Spaces);
    let content = html! {
        div .panel-head {
            h1 { (title) }
            @if !view.spaces.is_empty() { a .button .small href=(NEW_SPACE) { (frame.t(StudioText::NewSpace)) } }
        }
        (done(frame, view.done))
        @if !view.is_built { (missing(frame)) }
        section .panel {
            @if view.spaces.is_empty() {
                h2 { (frame.t(StudioText::NoSpaceTitle)) }
                p .muted { (frame.t(StudioText::NoSpaceLead)) }
                p { a .button href=(NEW_SPACE) { (frame.t(StudioText::NewSpace)) } }
            } @else {
                ul .rows { @for space in view.spaces { li { (row(frame, space)) } } }
            }
        }
    };
    layout(frame, title, &Problems::default(), content)
}

fn row(frame: &Frame<'_>, space: &MemberSpace) -> Markup {
    let (before, after) = frame.t(StudioText::Changed).split_once("{time}").unwrap_or_default();
    html! {
        div .row-text {
            a .space-name href=(format!("{HOME}/{}", space.id)) { (space.name) }
            span .muted .small { (before) (time(frame.language, space.changed_at)) (after) }
        }
        span .badge { (frame.t(role(space.role))) }
    }
}

/// The server was built without the studio.
fn missing(frame: &Frame<'_>) -> Markup {
    html! {
        div .message .bad role="status" {
            p { strong { (frame.t(StudioText::MissingTitle)) } }
            p { (frame.t(StudioText::MissingLead)) " " code { "make build" } }
        }
    }
}

/// The page of a space when the server has no studio.
pub fn missing_page(frame: &Frame<'_>) -> String {
    let title = frame.t(StudioText::MissingTitle);
    let lead = frame.t(StudioText::MissingLead);
    let content = html! {
        header { h1 { (title) } p .lead { (lead) " " code { "make build" } } }
        div .actions { a href=(HOME) { (frame.t(StudioText::ToSpaces)) } }
    };
    frame.single(title, &Problems::default(), content)
}

/// The form that makes a space.
pub fn new_space_page(frame: &Frame<'_>, problems: &Problems, name: &str) -> String {
    let title = frame.t(StudioText::NewSpace);
    let hint = frame.t(StudioText::NameHint);
    let name = Field { hint: Some(hint), ..Field::text("name", crate::Text::Name, "off", name) };
    let content = html! {
        h1 { (title) }
        (field::problems(frame, problems))
        section .panel {
            form method="post" action=(NEW_SPACE) {
                (frame.csrf())
                (name.first(problems).render(frame, problems))
                div .actions {
                    button .button { (frame.t(StudioText::MakeSpace)) }
                    a href=(HOME) { (frame.t(crate::Text::Cancel)) }
                }
            }
        }
    };
    layout(frame, title, problems, content)
}

/// The tokens of a space that was made just before.
#[derive(Debug, Clone, Copy)]
pub struct NewTokens<'a> {
    pub space: i64,
    pub name: &'a str,
    /// Each token by its kind: `public`, `preview`, `private`.
    pub tokens: &'a [(String, String)],
}

/// The page that shows them, this one time.
pub fn tokens_page(frame: &Frame<'_>, view: NewTokens<'_>) -> String {
    let title = frame.fill(StudioText::SpaceMade, &[("space", view.name)]);
    let what = |kind: &str| match kind {
        "public" => Some((StudioText::PublicToken, StudioText::PublicTokenLead)),
        "preview" => Some((StudioText::PreviewToken, StudioText::PreviewTokenLead)),
        "private" => Some((StudioText::PrivateToken, StudioText::PrivateTokenLead)),
        _ => None,
    };
    let content = html! {
        h1 { (title) }
        (field::notice("", frame.t(StudioText::TokensLead)))
        section .panel {
            ul .rows {
                @for (kind, token) in view.tokens {
                    @if let Some((name, lead)) = what(kind) {
                        li {
                            div .row-text {
                                h2 { (frame.t(name)) }
                                p .muted .small { (frame.t(lead)) }
                                p .secret { (token) }
                            }
                        }
                    }
                }
            }
        }
        div .actions { a .button href=(format!("{HOME}/{}", view.space)) { (frame.t(StudioText::OpenSpace)) } }
    };
    layout(frame, &title, &Problems::default(), content)
}

/// The page of tokens that were shown already, or too long ago.
pub fn tokens_gone_page(frame: &Frame<'_>) -> String {
    let title = frame.t(StudioText::TokensGoneTitle);
    let content = html! {
        (heading(title, Some(frame.t(StudioText::TokensGoneLead))))
        div .actions { a href=(HOME) { (frame.t(StudioText::ToSpaces)) } }
    };
    frame.single(title, &Problems::default(), content)
}

/// The end of a sign-in in a window of its own. The script of the page tells the studio, and closes it.
pub fn signed_in_page(frame: &Frame<'_>) -> String {
    let title = frame.t(StudioText::SignedInTitle);
    let content = html! {
        div data-signed-in { (heading(title, Some(frame.t(StudioText::SignedInLead)))) }
        div .actions { a href=(HOME) { (frame.t(StudioText::ToSpaces)) } }
    };
    frame.single(title, &Problems::default(), content)
}

/// A page with the head of the account, and nothing beside it.
fn layout(frame: &Frame<'_>, title: &str, problems: &Problems, content: Markup) -> String {
    let body = html! {
        (skip(frame))
        header .top {
            (frame.mark())
            div .actions {
                @if frame.is_administrator { a .only-unfolded href="/admin" { (frame.t(crate::Text::ToConsole)) } }
                a href="/account" { (frame.t(crate::Text::Account)) }
                @if let Some(person) = frame.person { (who(person)) }
                (frame.sign_out())
            }
        }
        div .columns-frame { main #main tabindex="-1" { div .page { (content) } } }
        (frame.bottom())
    };
    frame.document("account", title, problems, body)
}
