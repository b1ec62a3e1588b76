//! The pages to sign in with, of the account, and of the console: HTML endpoints. A form posts to the path of
//! its page and is answered by a redirect (303), or by the same page when something is wrong with it.
//! Handlers call the use cases that the JSON endpoints call, and fill the views of the crate `pages`.
//!
//! A page whose URL holds a secret moves the secret into a cookie and redirects to itself before it is shown,
//! so that no `Referer`, history or screen shows it.

pub(crate) mod account;
mod console;
mod device;
pub(crate) mod files;
mod form;
mod interaction;
pub(crate) mod language;
mod mailed_link;
mod registration;
mod second_factor;
mod sign_in;
pub(crate) mod sign_out;
mod start;
mod typed;
mod visitor;

use crate::{
    dispatch::Dispatch,
    identity::Identity,
    ops::Ops,
    web::{ApiResponse, Endpoints, ErrorFormat, Sessions, endpoint::Opener, error_format, problem, proved},
};
use domain::shared::{Fault, Kind, Language};
pub(crate) use form::Form;
use pages::{Frame, Problems, Site};
use services::identity::SiteLinks;
use std::sync::Arc;
use visitor::{Anyone, return_to};
pub(crate) use visitor::{Member, Visitor};

/// What the pages work with. Cheap to clone.
#[derive(Clone)]
pub struct Pages {
    identity: Identity,
    ops: Ops,
    site: Arc<Site>,
    /// The streams of the console.
    streams: console::Streams,
    /// Whether this process has the studio as well, which needs both services.
    has_studio: bool,
}

impl AsRef<Pages> for Pages {
    fn as_ref(&self) -> &Pages {
        self
    }
}

impl AsRef<Sessions> for Pages {
    fn as_ref(&self) -> &Sessions {
        &self.identity.sessions
    }
}

impl Pages {
    /// The pages of an identity service; `ops` knows the state of the process.
    pub fn new(identity: Identity, ops: Ops) -> Self {
        let settings = &identity.ctx.settings;
        let mut languages: Vec<Language> = Vec::new();
        for language in settings.locales.supported().iter().filter_map(|locale| Language::exactly(locale)) {
            if !languages.contains(&language) {
                languages.push(language);
            }
        }
        let SiteLinks { help, privacy, imprint } = settings.links.clone();
        let site = Site { name: settings.name.clone(), languages, help, privacy, imprint };
        Self { identity, ops, site: Arc::new(site), streams: console::Streams::default(), has_studio: false }
    }

    /// The same where the process has the studio.
    #[must_use]
    pub fn with_studio(self) -> Self {
        Self { has_studio: true, ..self }
    }

    /// Adds the pages.
    pub fn add_endpoints(&self, dispatch: Dispatch) -> Dispatch {
        let table = Endpoints::new(self, ErrorFormat::Page)
            .get("/", Anyone, start::start)
            .get("/login", Anyone, sign_in::show)
            .keeping_opener(Opener::Kept)
            .post("/login", Anyone, sign_in::with_password)
            .keeping_opener(Opener::Kept)
            .get("/login/passkey", Anyone, sign_in::show)
            .keeping_opener(Opener::Kept)
            .post("/login/passkey", Anyone, sign_in::with_passkey)
            .keeping_opener(Opener::Kept)
            .get("/login/2fa", Anyone, second_factor::show)
            .keeping_opener(Opener::Kept)
            .post("/login/2fa", Anyone, second_factor::verify)
            .keeping_opener(Opener::Kept)
            .get("/register", Anyone, registration::show)
            .keeping_opener(Opener::KeptInInteraction)
            .post("/register", Anyone, registration::register)
            .keeping_opener(Opener::KeptInInteraction)
            .get("/verify-email", Anyone, mailed_link::verification::show)
            .keeping_opener(Opener::KeptInInteraction)
            .post("/verify-email", Anyone, mailed_link::verification::send)
            .keeping_opener(Opener::KeptInInteraction)
            .get("/verify-email/confirm", Anyone, mailed_link::verification::show_link)
            .keeping_opener(Opener::KeptInInteraction)
            .post("/verify-email/confirm", Anyone, mailed_link::verification::confirm)
            .keeping_opener(Opener::KeptInInteraction)
            .get("/forgot-password", Anyone, mailed_link::reset::show_request)
            .keeping_opener(Opener::KeptInInteraction)
            .post("/forgot-password", Anyone, mailed_link::reset::send)
            .keeping_opener(Opener::KeptInInteraction)
            .get("/reset-password", Anyone, mailed_link::reset::show)
            .post("/reset-password", Anyone, mailed_link::reset::reset)
            .get("/accept-invite", Anyone, mailed_link::invite::show)
            .post("/accept-invite", Anyone, mailed_link::invite::accept)
            .get("/join", Anyone, mailed_link::join::show)
            .post("/join", Anyone, mailed_link::join::join)
            .get("/confirm-email", Anyone, mailed_link::address::show)
            .post("/confirm-email", Anyone, mailed_link::address::confirm)
            .get("/device", Anyone, device::show)
            .post("/device", Member, device::decide)
            .get("/interaction/{uid}", Anyone, interaction::show)
            .keeping_opener(Opener::Kept)
            .post("/interaction/{uid}", Anyone, interaction::decide)
            .keeping_opener(Opener::Kept)
            .get("/logout", Anyone, sign_out::show)
            .post("/logout", Anyone, sign_out::sign_out);
        dispatch.with_site(self.site.as_ref().clone()).with(table).with(self.account()).with(console::endpoints(self))
    }

    fn account(&self) -> Endpoints<Self> {
        Endpoints::new(self, ErrorFormat::Page)
            .get("/account", Member, account::profile::show)
            .post("/account", Member, account::profile::save)
            .get("/account/email", Member, account::email::show)
            .post("/account/email", Member, account::email::change)
            .get("/account/prove", Member, account::prove::show)
            .post("/account/prove", Member, account::prove::prove)
            .get("/account/security", Member, account::security::show)
            .get("/account/security/password", Member, account::password::show)
            .post("/account/security/password", Member, account::password::change)
            .get("/account/security/password/remove", Member, account::password::show_removal)
            .post("/account/security/password/remove", Member, account::password::remove)
            .get("/account/security/passkeys", Member, account::passkeys::show)
            .post("/account/security/passkeys", proved(Member), account::passkeys::add)
            .get("/account/security/passkeys/{id}", Member, account::passkeys::show_one)
            .post("/account/security/passkeys/{id}", Member, account::passkeys::rename)
            .get("/account/security/passkeys/{id}/remove", proved(Member), account::passkeys::show_removal)
            .post("/account/security/passkeys/{id}/remove", proved(Member), account::passkeys::remove)
            // It may make a new secret.
            .get_that_writes("/account/security/app", proved(Member), account::app::show)
            .post("/account/security/app", proved(Member), account::app::confirm)
            .get("/account/security/app/remove", Member, account::app::show_removal)
            .post("/account/security/app/remove", Member, account::app::remove)
            .get("/account/security/backup-codes", Member, account::backup_codes::show)
            .post("/account/security/backup-codes", Member, account::backup_codes::renew)
            .get("/account/sessions", Member, account::sessions::show)
            .post("/account/sessions", Member, account::sessions::end)
            .get("/account/activity", Member, account::activity::show)
            .get("/account/apps", Member, account::apps::show)
            .post("/account/apps", Member, account::apps::withdraw)
            .get("/account/data", Member, account::data::show)
            .post("/account/data", Member, account::data::export)
            .get("/account/delete", Member, account::delete::show)
            .post("/account/delete", Member, account::delete::delete)
    }
}

/// Whether a fault belongs into the form that caused it. A defect of the server and a request that no page
/// sends are pages of their own.
fn is_of_form(fault: &Fault) -> bool {
    !matches!(fault.kind(), Kind::Internal | Kind::MethodNotAllowed | Kind::TooLarge | Kind::UnsupportedMedia)
        && !fault.is_unauthorized()
}

/// The page again, with what is wrong with its form. `fields` are those that the form has.
pub(crate) fn refuse(
    pages: &Pages,
    visitor: Visitor,
    fault: Fault,
    fields: &[&str],
    render: impl FnOnce(&Frame<'_>, Problems) -> String,
) -> Result<ApiResponse, Fault> {
    if !is_of_form(&fault) {
        return Err(fault);
    }
    let problems = Problems::of(visitor.language(), &fault, fields);
    Ok(with_retry(visitor.page(pages, status(&fault), |frame| render(frame, problems)), &fault))
}

/// The status of a form that is shown again.
fn status(fault: &Fault) -> http::StatusCode {
    error_format::status(fault.kind(), ErrorFormat::Page)
}

/// Adds when to try again.
fn with_retry(response: ApiResponse, fault: &Fault) -> ApiResponse {
    problem::with_hints(response, fault, ErrorFormat::Page)
}
