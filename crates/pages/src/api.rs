//! `/api/docs…`: the description of the API to read, and to try. Everything is there without JavaScript but
//! the form that sends a request.

pub mod text;

use crate::{Frame, Problems, frame::skip, licenses::text::LicensesText};
use maud::{Markup, html};
use openapi::operation::{Group, Media, Member, Operation, Parameter, Response};
use text::ApiText;

/// The list of all operations. `about` is what holds for all of them.
pub fn overview(frame: &Frame<'_>, about: &str, groups: &[Group]) -> String {
    let title = frame.t(ApiText::Title);
    let content = html! {
        h1 { (title) }
        p .lead { (frame.t(ApiText::Lead)) }
        ul .plain {
            li { a href="/api/openapi.json" { (frame.t(ApiText::Document)) } }
            li { a href="/docs" { (frame.t(ApiText::Documents)) } }
            li { a href="/licenses" { (frame.t(LicensesText::Title)) } }
        }
        details .panel { summary { (frame.t(ApiText::About)) } (prose(about)) }
        div .field .narrow hidden data-filter="operation" {
            label for="find" { (frame.t(ApiText::Find)) }
            input #find type="search" autocomplete="off" spellcheck="false" aria-describedby="found";
        }
        p #found .message hidden role="status" { (frame.t(ApiText::NothingFound)) }
        @for group in groups {
            section .group aria-labelledby=(group.name) {
                h2 id=(group.name) { (group.name) }
                (prose(&group.description))
                ul .operations {
                    @for operation in &group.operations { li data-operation { (link_to(operation)) } }
                }
            }
        }
    };
    layout(frame, title, content)
}

/// One operation.
pub fn operation(frame: &Frame<'_>, operation: &Operation) -> String {
    let content = html! {
        p .crumbs { a href="/api/docs" { (frame.t(ApiText::AllOperations)) } }
        h1 { (operation.summary) }
        p .operation-path { (method(&operation.method)) code { (operation.path) } }
        (prose(&operation.description))
        section .panel aria-labelledby="who" {
            h2 #who { (frame.t(ApiText::WhoMayCall)) }
            (who(frame, operation))
        }
        @if !operation.parameters.is_empty() {
            section .panel aria-labelledby="parameters" {
                h2 #parameters { (frame.t(ApiText::Parameters)) }
                (parameters(frame, &operation.parameters))
            }
        }
        @if !operation.bodies.is_empty() {
            section .panel aria-labelledby="body" {
                h2 #body { (frame.t(ApiText::Body)) }
                @for media in &operation.bodies { (body(frame, media)) }
            }
        }
        section .panel aria-labelledby="answers" {
            h2 #answers { (frame.t(ApiText::Answers)) }
            @for response in &operation.responses { (answer(frame, response)) }
        }
        section .panel aria-labelledby="try" {
            h2 #try { (frame.t(ApiText::TryIt)) }
            (form(frame, operation))
        }
    };
    layout(frame, &operation.summary, content)
}

pub(crate) fn layout(frame: &Frame<'_>, title: &str, content: Markup) -> String {
    let body = html! {
        (skip(frame))
        header .top { (frame.mark()) }
        div .columns-frame { main #main tabindex="-1" { div .page { (content) } } }
        (frame.bottom())
    };
    frame.document("api account console", title, &Problems::default(), body)
}

fn link_to(operation: &Operation) -> Markup {
    html! {
        a .operation href=(format!("/api/docs/{}", operation.id)) {
            (method(&operation.method))
            span .operation-text { code { (operation.path) } span .muted { (operation.summary) } }
        }
    }
}

fn method(name: &str) -> Markup {
    let class = format!("method {}", name.to_lowercase());
    html! { span class=(class) { (name) } }
}

fn who(frame: &Frame<'_>, operation: &Operation) -> Markup {
    html! {
        @if operation.security.is_empty() {
            p { (frame.t(ApiText::Everybody)) }
        } @else {
            ul .stack { @for names in &operation.security { li { code { (names.join(" + ")) } } } }
        }
        @if !operation.roles.is_empty() {
            p .muted { (frame.fill(ApiText::Roles, &[("roles", &operation.roles.join(", "))])) }
        }
    }
}

fn parameters(frame: &Frame<'_>, parameters: &[Parameter]) -> Markup {
    let [name, place, kind, meaning] = [ApiText::Name, ApiText::Place, ApiText::Kind, ApiText::Meaning].map(|text| frame.t(text));
    html! {
        table .list {
            thead { tr { th scope="col" { (name) } th scope="col" { (place) } th scope="col" { (kind) } th scope="col" { (meaning) } } }
            tbody {
                @for parameter in parameters {
                    tr {
                        th scope="row" { code { (parameter.name) } @if parameter.is_required { " " (required(frame)) } }
                        td data-label=(place) { span { (parameter.place) } }
                        td data-label=(kind) { span { (parameter.kind) } }
                        td data-label=(meaning) { span { (inline(&parameter.description)) } }
                    }
                }
            }
        }
    }
}

fn required(frame: &Frame<'_>) -> Markup {
    html! { span .badge { (frame.t(ApiText::Required)) } }
}

fn body(frame: &Frame<'_>, media: &Media) -> Markup {
    html! {
        p { code { (media.media_type) } }
        @if !media.members.is_empty() { (members(frame, &media.members)) }
        @if !media.example.is_empty() {
            p .label { (frame.t(ApiText::Example)) }
            pre tabindex="0" { (media.example) }
        }
    }
}

fn members(frame: &Frame<'_>, members: &[Member]) -> Markup {
    let [name, kind, meaning] = [ApiText::Name, ApiText::Kind, ApiText::Meaning].map(|text| frame.t(text));
    html! {
        details {
            summary { (frame.t(ApiText::Members)) }
            table .list {
                thead { tr { th scope="col" { (name) } th scope="col" { (kind) } th scope="col" { (meaning) } } }
                tbody {
                    @for member in members {
                        tr {
                            th scope="row" class=(format!("depth-{}", member.depth)) {
                                code { (member.name) } @if member.is_required { " " (required(frame)) }
                            }
                            td data-label=(kind) { span { (member.kind) } }
                            td data-label=(meaning) { span { (inline(&member.description)) } }
                        }
                    }
                }
            }
        }
    }
}

fn answer(frame: &Frame<'_>, response: &Response) -> Markup {
    let class = if response.status.starts_with(['2', '3']) { "badge good" } else { "badge bad" };
    html! {
        details .answer open[class == "badge good"] {
            summary { span class=(class) { (response.status) } " " (inline(&response.description)) }
            @for media in &response.bodies { (body(frame, media)) }
        }
    }
}

/// The form that sends a request; the script makes it work.
fn form(frame: &Frame<'_>, operation: &Operation) -> Markup {
    let has = |scheme: &str| operation.security.iter().flatten().any(|name| name == scheme);
    let media = operation.bodies.first();
    let by_bearer = ["managementToken", "accessToken", "provisioningToken", "metricsToken"].into_iter().find(|scheme| has(scheme));
    html! {
        noscript { p .message { (frame.t(ApiText::NeedsScript)) } }
        form #try-form .stack hidden data-method=(operation.method) data-path=(operation.path) data-media=(media.map_or("", |media| &media.media_type))
            data-csrf[has("csrf")] data-unreachable=(frame.t(ApiText::Unreachable)) {
            p .message { (frame.t(ApiText::TryLead)) }
            @if let Some(scheme) = by_bearer {
                (credential(frame, "authorization", ApiText::Token, scheme))
            }
            @if has("deliveryToken") { (credential(frame, "delivery-token", ApiText::Token, "deliveryToken")) }
            @if has("clientSecret") {
                (credential(frame, "client-id", ApiText::ClientId, "clientId"))
                (credential(frame, "client-secret", ApiText::ClientSecret, "clientSecret"))
            }
            @if has("session") || has("csrf") { p .hint { (frame.t(ApiText::BySession)) } }
            @for parameter in operation.parameters.iter().filter(|parameter| parameter.place != "cookie") {
                div .field {
                    label for=(format!("p-{}", parameter.name)) { (parameter.name) }
                    input id=(format!("p-{}", parameter.name)) data-parameter=(parameter.name) data-place=(parameter.place)
                        required[parameter.is_required] autocomplete="off" spellcheck="false";
                }
            }
            @if let Some(media) = media {
                div .field {
                    label for="try-body" { (frame.t(ApiText::Body)) " (" (media.media_type) ")" }
                    textarea #try-body rows="10" spellcheck="false" { (media.example) }
                }
            }
            div .actions { button .button type="submit" { (frame.t(ApiText::Send)) } }
            div #try-answer hidden role="status" {
                p .label { (frame.t(ApiText::Answer)) " " span #try-status .badge {} }
                pre #try-text tabindex="0" {}
            }
        }
    }
}

fn credential(frame: &Frame<'_>, id: &str, label: ApiText, kept: &str) -> Markup {
    html! {
        div .field {
            label for=(id) { (frame.t(label)) }
            input id=(id) type="password" autocomplete="off" data-kept=(kept) aria-describedby=(format!("{id}-hint"));
            p .hint id=(format!("{id}-hint")) { (frame.t(ApiText::TokenHint)) }
        }
    }
}

/// A description: paragraphs, with code between backticks and bold words between double asterisks.
fn prose(text: &str) -> Markup {
    html! {
        @for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) { p .prose { (inline(paragraph)) } }
    }
}

fn inline(text: &str) -> Markup {
    html! {
        // Every second piece stands between marks.
        @for (index, piece) in text.split('`').enumerate() {
            @if index % 2 == 1 {
                code { (piece) }
            } @else {
                @for (index, piece) in piece.split("**").enumerate() {
                    @if index % 2 == 1 { strong { (piece) } } @else { (piece) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{inline, prose};

    #[test]
    fn code_and_bold_words_are_marked_and_nothing_else_is_html() {
        assert_eq!(inline("**Roles.** `a<b>` & more").into_string(), "<strong>Roles.</strong> <code>a&lt;b&gt;</code> &amp; more");
        assert_eq!(prose("One\n\nTwo\n").into_string(), "<p class=\"prose\">One</p><p class=\"prose\">Two\n</p>");
    }
}
