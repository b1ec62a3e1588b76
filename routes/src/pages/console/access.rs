//! Who may open the console: the access rule of its pages.

use crate::{
    pages::{Pages, Visitor, account},
    web::{Access, ApiRequest, ApiResponse, HasSession, SignedIn, access::Security},
};
use domain::{
    identity::Account,
    shared::{Code, Fault, Kind},
};
use http::{Method, StatusCode};
use pages::{account::proof::Proof, console::Console};
use storage::{identity::accounts, shared::sessions::SessionClaims};

/// An access rule: an administrator who signed in not too long ago (`APP_ADMIN_SESSION_MAX_AGE`). Others are
/// led to the page to sign in with, or told that the console is not for them. A form needs a CSRF token as
/// well, which [`crate::pages::form::Form::read`] checks.
#[derive(Debug, Clone, Copy)]
pub(super) struct ByConsole;

/// An administrator at a page of the console.
pub(super) struct Administrator {
    pub(super) visitor: Visitor,
    pub(super) signed_in: SignedIn,
    account: Account,
    /// What the person proves with who they are, before an act.
    proof: Proof,
}

impl HasSession for Administrator {
    fn session(&self) -> Option<&SignedIn> {
        Some(&self.signed_in)
    }
}

impl Access<Pages> for ByConsole {
    type Scope = ();
    type Caller = Administrator;

    fn security(&self, method: &Method) -> Security {
        if *method == Method::GET { &[&["session"]] } else { &[&["session", "csrf"]] }
    }

    fn refusals(&self, _: &Method) -> Vec<StatusCode> {
        vec![StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN]
    }

    async fn authorize(&self, pages: &Pages, request: &ApiRequest, (): ()) -> Result<Administrator, Fault> {
        let sessions = &pages.identity.sessions;
        let signed_in = sessions.signed_in(request).await?;
        sessions.check_administrator(&signed_in).map_err(|fault| match fault.kind() {
            Kind::Forbidden => Fault::new(Code::AdministratorsOnly, fault.message),
            _ => fault,
        })?;
        let connection = pages.identity.ctx.store.shared("account.find").await?;
        let account = accounts::find(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
        let proof = if sessions.proofs().is_on() { account::proof(&account) } else { Proof::NotAsked };
        Ok(Administrator { visitor: Visitor::signed_in(pages, request, &signed_in)?, signed_in, account, proof })
    }
}

impl Administrator {
    /// A page.
    pub(super) fn page(self, pages: &Pages, status: StatusCode, render: impl FnOnce(&Console<'_>) -> String) -> ApiResponse {
        let name = self.account.display_name();
        self.visitor.page(pages, status, |frame| render(&Console { frame: *frame, administrator: &name }))
    }

    /// A page with status 200.
    pub(super) fn ok(self, pages: &Pages, render: impl FnOnce(&Console<'_>) -> String) -> ApiResponse {
        self.page(pages, StatusCode::OK, render)
    }

    /// The address of the account.
    pub(super) fn email(&self) -> &str {
        self.account.email.as_str()
    }

    /// What a later transaction checks again.
    pub(super) fn claims(&self) -> SessionClaims {
        self.signed_in.claims()
    }

    /// What the person proves with who they are.
    pub(super) fn proof(&self) -> Proof {
        self.proof
    }
}
