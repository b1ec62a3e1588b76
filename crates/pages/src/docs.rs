//! `/docs…`: README.md and the documents of docs/ to read. The build has made HTML of them.

pub mod text;

use crate::{Frame, Problems, frame::skip};
use maud::{Markup, PreEscaped, html};
use text::DocsText;

/// A document. It is English.
#[derive(Debug)]
pub struct Document {
    /// The name of its file without `.md`, and the last segment of its path; empty for README.md, which is
    /// the first one.
    pub name: &'static str,
    pub title: &'static str,
    /// The anchors and the headings of its sections.
    sections: &'static [(&'static str, &'static str)],
    html: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/documents.rs"));

/// Every document, in the order of the navigation.
pub fn all() -> &'static [Document] {
    DOCUMENTS
}

impl Document {
    /// The path of its page.
    pub fn path(&self) -> String {
        if self.name.is_empty() { "/docs".to_owned() } else { format!("/docs/{}", self.name) }
    }
}

/// The page of a document.
pub fn docs_page(frame: &Frame<'_>, document: &Document) -> String {
    let body = html! {
        (skip(frame))
        header .top { (frame.mark()) }
        div .columns-frame {
            div .columns {
                nav aria-label=(frame.t(DocsText::Documents)) { (navigation(document)) }
                main #main tabindex="-1" {
                    @if document.sections.len() > 1 { (contents(frame, document)) }
                    article .document lang="en" { (PreEscaped(document.html)) }
                }
            }
        }
        (frame.bottom())
    };
    frame.document("docs account", document.title, &Problems::default(), body)
}

fn navigation(current: &Document) -> Markup {
    html! {
        ul .sections lang="en" {
            @for document in DOCUMENTS {
                li { a href=(document.path()) aria-current=[(document.name == current.name).then_some("page")] { (document.title) } }
            }
            li { a href="/api/docs" { "API" } }
        }
    }
}

fn contents(frame: &Frame<'_>, document: &Document) -> Markup {
    html! {
        details .contents {
            summary { (frame.t(DocsText::OnThisPage)) }
            ul lang="en" { @for (anchor, heading) in document.sections { li { a href=(format!("#{anchor}")) { (heading) } } } }
        }
    }
}
