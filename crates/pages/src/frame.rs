//! The frame of every page: head, product mark, signing out, and the foot with help and languages.

use crate::{OwnPath, Problems, Text, files, text::Words};
use domain::shared::Language;
use maud::{DOCTYPE, Markup, html};

/// What all pages of a server share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The name that people know the service by (`APP_NAME`).
    pub name: String,
    /// The languages that can be chosen.
    pub languages: Vec<Language>,
    /// Where people find help (`APP_HELP_URL`).
    pub help: Option<String>,
    /// The privacy policy (`APP_PRIVACY_URL`).
    pub privacy: Option<String>,
    /// Who is responsible for the service (`APP_IMPRINT_URL`).
    pub imprint: Option<String>,
}

impl Default for Site {
    fn default() -> Self {
        let languages = vec![Language::English, Language::German];
        Self { name: "Lectern".to_owned(), languages, help: None, privacy: None, imprint: None }
    }
}

/// The person who is signed in, as the head of the account names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Person<'a> {
    /// The name that others see.
    pub name: &'a str,
    pub email: &'a str,
}

/// What a page knows of its request.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    pub site: &'a Site,
    /// The language of the page.
    pub language: Language,
    /// The path and query of the page, for links to itself in another language.
    pub path: &'a OwnPath,
    /// The CSRF token of its forms; empty on a page without forms.
    pub csrf_token: &'a str,
    /// Whether the person may open the console.
    pub is_administrator: bool,
    /// The person who is signed in, on the pages of an account.
    pub person: Option<Person<'a>>,
}

impl Frame<'_> {
    /// A text in the language of the page.
    pub(crate) fn t(&self, text: impl Words) -> &'static str {
        text.in_language(self.language)
    }

    /// A text with values in its places.
    pub(crate) fn fill(&self, text: impl Words, values: &[(&str, &str)]) -> String {
        text.fill(self.language, values)
    }

    /// The hidden field that each form needs.
    pub(crate) fn csrf(&self) -> Markup {
        html! { input type="hidden" name="csrf_token" value=(self.csrf_token); }
    }

    /// The button that signs out at once, for the head of a page.
    pub(crate) fn sign_out(&self) -> Markup {
        html! {
            form .sign-out method="post" action="/logout" {
                (self.csrf())
                button .button .quiet .small { (self.t(Text::SignOut)) }
            }
        }
    }

    /// The button that unfolds the navigation on a phone, for the head of a page; `id` is that of the
    /// navigation.
    pub(crate) fn unfold(&self, id: &str) -> Markup {
        html! { button .button .quiet .small .unfold type="button" popovertarget=(id) { (self.t(Text::Menu)) } }
    }

    /// A page of one column: a card with a heading.
    pub(crate) fn single(&self, title: &str, problems: &Problems, content: Markup) -> String {
        let body = html! {
            (skip(self))
            header .top { (self.mark()) }
            main #main tabindex="-1" { div .card { (content) } }
            (self.bottom())
        };
        self.document("single", title, problems, body)
    }

    pub(crate) fn document(&self, class: &str, title: &str, problems: &Problems, body: Markup) -> String {
        // The title is what a screen reader says first, so that it tells of a form that came back.
        let title = if problems.is_empty() { title.to_owned() } else { self.fill(Text::ErrorInTitle, &[("title", title)]) };
        let document = html! {
            (DOCTYPE)
            html lang=(self.language.tag()) class=(class) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="robots" content="noindex";
                    title { (title) " · " (self.site.name) }
                    link rel="icon" href=(files::url("icon.svg")) type="image/svg+xml";
                    link rel="stylesheet" href=(files::url("pages.css"));
                    script type="module" src=(files::url("pages.js")) {}
                    @if class.ends_with("console") {
                        link rel="stylesheet" href=(files::url("console.css"));
                        script type="module" src=(files::url("console.js")) {}
                    }
                    @if class.starts_with("docs ") { link rel="stylesheet" href=(files::url("docs.css")); }
                    @if class.starts_with("api ") {
                        link rel="stylesheet" href=(files::url("api.css"));
                        script type="module" src=(files::url("api.js")) {}
                    }
                }
                body { (body) }
            }
        };
        document.into_string()
    }

    /// The product mark, which leads to the start.
    pub(crate) fn mark(&self) -> Markup {
        html! {
            a .mark href="/" {
                svg viewBox="0 0 24 24" aria-hidden="true" {
                    path d="M3 4.5 12 2l9 2.5v6L12 13 3 10.5zM10.5 14.5h3V19H17v3H7v-3h3.5z" {}
                }
                (self.site.name)
            }
        }
    }

    /// The foot of every page, with help and the language switch in the same place (WCAG 2.2, success
    /// criterion 3.2.6).
    pub(crate) fn bottom(&self) -> Markup {
        let Site { help, privacy, imprint, .. } = self.site;
        let links = [(help, Text::Help), (privacy, Text::Privacy), (imprint, Text::Imprint)];
        let links: Vec<(&str, Text)> = links.into_iter().filter_map(|(url, text)| Some((url.as_deref()?, text))).collect();
        html! {
            footer .bottom {
                @if !links.is_empty() {
                    nav .about aria-label=(self.t(Text::AboutSite)) { @for (url, text) in links { a href=(url) { (self.t(text)) } } }
                }
                @if self.site.languages.len() > 1 {
                    nav .languages aria-label=(self.t(Text::LanguageOfPage)) {
                        @for language in &self.site.languages {
                            @if *language == self.language {
                                span aria-current="true" lang=(language.tag()) { (language.name()) }
                            } @else {
                                a lang=(language.tag()) hreflang=(language.tag()) rel="nofollow"
                                    href=(self.path.with(&format!("lang={}", language.tag())).as_str()) { (language.name()) }
                            }
                        }
                    }
                }
            }
        }
    }
}

pub(crate) fn skip(frame: &Frame<'_>) -> Markup {
    html! { a .skip href="#main" { (frame.t(Text::SkipToContent)) } }
}
