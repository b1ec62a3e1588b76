//! Who comes to a page: the access rules of pages, and what each page needs of its request.

use super::Pages;
use crate::web::{
    Access, ApiRequest, ApiResponse, HasSession, SignedIn,
    access::Security,
    cookie,
    csrf::Binding,
    headers::{self, source_of},
};
use domain::{
    identity::{Account, ReturnTo},
    shared::{Fault, Language},
};
use http::{HeaderValue, Method, StatusCode, header};
use pages::{Frame, OwnPath, Person};
use storage::identity::accounts;

/// A browser that asked for a page, or sent a form.
pub(crate) struct Visitor {
    /// What its CSRF tokens are bound to.
    pub(super) binding: Binding,
    csrf_token: String,
    /// Cookies that the browser does not have yet.
    cookies: Vec<HeaderValue>,
    language: Language,
    path: OwnPath,
    /// Whether the person has chosen the language by the language switch.
    has_chosen_language: bool,
    /// Whether the person may open the console.
    is_administrator: bool,
    /// The name and the address of the person, where the head of the page shows them.
    person: Option<(String, String)>,
    /// Where redirects after its forms may lead, beside this server.
    leads_to: Option<String>,
    /// Where its images come from, beside this server.
    images: Option<String>,
}

/// An access rule: everybody. A form needs the CSRF token of its page, which [`super::Form::read`] checks,
/// because it is in the body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anyone;

impl Access<Pages> for Anyone {
    type Scope = ();
    type Caller = Visitor;

    fn security(&self, method: &Method) -> Security {
        if *method == Method::GET { &[] } else { &[&["csrf"]] }
    }

    fn refusals(&self, method: &Method) -> Vec<StatusCode> {
        if *method == Method::GET { Vec::new() } else { vec![StatusCode::FORBIDDEN] }
    }

    async fn authorize(&self, pages: &Pages, request: &ApiRequest, (): ()) -> Result<Visitor, Fault> {
        let binding = pages.identity.sessions.binding(request).await?;
        Visitor::new(pages, request, binding)
    }
}

/// An access rule: the person is signed in; otherwise the page of the error leads to the page to sign in
/// with. A form needs a CSRF token as well.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member;

impl<S: AsRef<Pages> + Sync> Access<S> for Member {
    type Scope = ();
    type Caller = (Visitor, SignedIn);

    fn security(&self, method: &Method) -> Security {
        if *method == Method::GET { &[&["session"]] } else { &[&["session", "csrf"]] }
    }

    fn refusals(&self, method: &Method) -> Vec<StatusCode> {
        if *method == Method::GET { vec![StatusCode::UNAUTHORIZED] } else { vec![StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN] }
    }

    async fn authorize(&self, state: &S, request: &ApiRequest, (): ()) -> Result<(Visitor, SignedIn), Fault> {
        let pages = state.as_ref();
        let signed_in = pages.identity.sessions.signed_in(request).await?;
        let connection = pages.identity.ctx.store.shared("account.find").await?;
        let account = accounts::find(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
        Ok((Visitor::signed_in(pages, request, &signed_in)?.named(&account), signed_in))
    }
}

impl HasSession for (Visitor, SignedIn) {
    fn session(&self) -> Option<&SignedIn> {
        Some(&self.1)
    }
}

impl Visitor {
    /// A browser with neither a session nor a pre-session gets a pre-session.
    fn new(pages: &Pages, request: &ApiRequest, binding: Option<Binding>) -> Result<Self, Fault> {
        let csrf = pages.identity.sessions.csrf();
        let (binding, mut cookies) = if let Some(binding) = binding {
            (binding, Vec::new())
        } else {
            let (binding, cookie) = csrf.new_pre_session(pages.identity.ctx.entropy.as_ref())?;
            (binding, vec![cookie])
        };
        let (csrf_token, cookie) = csrf.issue(&binding)?;
        if cookie::find(&request.headers, cookie::CSRF) != Some(csrf_token.as_str()) {
            cookies.push(cookie);
        }
        let path = request.own_path();
        let has_chosen_language = cookie::find(&request.headers, cookie::LANGUAGE).and_then(Language::exactly).is_some();
        let language = request.meta.language;
        let (is_administrator, person, leads_to, images) = (false, None, None, None);
        Ok(Self { binding, csrf_token, cookies, language, path, has_chosen_language, is_administrator, person, leads_to, images })
    }

    /// The browser of a person who is signed in.
    pub(super) fn signed_in(pages: &Pages, request: &ApiRequest, signed_in: &SignedIn) -> Result<Self, Fault> {
        let visitor = Self::new(pages, request, Some(Binding::Session(signed_in.session)))?;
        Ok(Self { is_administrator: signed_in.is_admin, ..visitor })
    }

    /// Names the person in the head of the page.
    fn named(self, account: &Account) -> Self {
        Self { person: Some((account.display_name(), account.email.as_str().to_owned())), ..self }
    }

    /// The token that the requests of its page need.
    pub(crate) fn csrf_token(&self) -> &str {
        &self.csrf_token
    }

    /// The name and the address of the person who is signed in.
    pub(crate) fn person(&self) -> Option<(&str, &str)> {
        self.person.as_ref().map(|(name, email)| (name.as_str(), email.as_str()))
    }

    /// The language of the page.
    pub(crate) fn language(&self) -> Language {
        self.language
    }

    /// Whether the person is signed in.
    pub(super) fn is_signed_in(&self) -> bool {
        self.binding.session().is_some()
    }

    /// At another address, to which the language switch leads: that of the form's own page, where it is the
    /// answer to the form.
    pub(super) fn at(self, path: OwnPath) -> Self {
        Self { path, ..self }
    }

    /// Lets redirects after the forms of the page lead to a URI of a client: browsers apply `form-action` to
    /// each of them.
    pub(super) fn leading_to(self, uri: &str) -> Self {
        Self { leads_to: source_of(uri), ..self }
    }

    /// Prefers the first of these locales that the pages have a language for, unless the person has chosen
    /// one.
    pub(super) fn preferring(self, pages: &Pages, locales: &[String]) -> Self {
        let mut languages = locales.iter().filter_map(|locale| Language::exactly(locale));
        let language = languages.find(|language| !self.has_chosen_language && pages.site.languages.contains(language));
        Self { language: language.unwrap_or(self.language), ..self }
    }

    /// Lets the page show a client's logo, which the client's own server serves.
    pub(super) fn showing(self, logo: Option<&str>) -> Self {
        Self { images: logo.and_then(source_of), ..self }
    }

    /// A page.
    pub(crate) fn page(self, pages: &Pages, status: StatusCode, render: impl FnOnce(&Frame<'_>) -> String) -> ApiResponse {
        let frame = Frame {
            site: &pages.site,
            language: self.language,
            path: &self.path,
            csrf_token: &self.csrf_token,
            is_administrator: self.is_administrator,
            person: self.person.as_ref().map(|(name, email)| Person { name, email }),
        };
        let response = ApiResponse::bytes(status, "text/html; charset=utf-8", render(&frame));
        let (images, leads_to) = (self.images.as_deref(), self.leads_to.as_deref());
        let policy = headers::page_policy(images, leads_to).filter(|_| images.is_some() || leads_to.is_some());
        let response = match policy {
            Some(policy) => response.with(header::CONTENT_SECURITY_POLICY, policy),
            None => response,
        };
        self.cookies.into_iter().fold(response, |response, cookie| response.with(header::SET_COOKIE, cookie))
    }

    /// A page with status 200.
    pub(crate) fn ok(self, pages: &Pages, render: impl FnOnce(&Frame<'_>) -> String) -> ApiResponse {
        self.page(pages, StatusCode::OK, render)
    }
}

/// The page that a query, a form or the cookie of a registration names.
pub(super) fn return_to(pages: &Pages, request: &ApiRequest, sent: Option<&str>) -> Option<ReturnTo> {
    let kept = || cookie::find(&request.headers, pages.identity.sessions.cookies().return_to());
    sent.or_else(kept).and_then(|path| path.parse().ok())
}
