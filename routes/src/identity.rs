//! The endpoints of the identity service: a table for each of `/api/admin`, `/api/auth`, `/api/csrf-token`,
//! `/api/me`, `/api/webauthn`, `/api/apps` and `/api/provisioning`, and those of the OpenID provider,
//! `/.well-known` and `/oidc`.

pub mod admin;
mod apps;
pub(crate) mod auth;
mod csrf_token;
pub(crate) mod export;
mod limits;
pub(crate) mod me;
pub(crate) mod oidc;
mod profile;
mod provisioning;
mod reauth_body;
pub(crate) mod session_cookies;
mod webauthn;

use crate::{
    dispatch::Dispatch,
    ops::Metrics,
    web::{ApiRequest, Message, Sessions, cookie, csrf::Binding},
};
use actors::{Handles, identity::mail_diagnostics::MailDiagnostics};
use admin::ConfigVariable;
use domain::shared::SessionId;
use http::header;
use serde::Serialize;
use services::identity::{
    IdentityContext, RequestContext, RequestParts, admin::ActingAdministrator, oidc::OidcContext, provisioning::ProvisioningContext,
};
use std::sync::Arc;
use storage::shared::sessions::SessionClaims;

/// What the identity endpoints work with. Cheap to clone.
#[derive(Clone)]
pub struct Identity {
    /// What the use cases work with.
    pub ctx: IdentityContext,
    /// Finds out who is signed in.
    pub sessions: Sessions,
    /// What the OpenID provider works with.
    pub oidc: OidcContext,
    /// What provisioning works with.
    pub provisioning: ProvisioningContext,
    /// Looks at mail for administrators.
    pub mail: MailDiagnostics,
    /// The actors of this process.
    pub actors: Handles,
    /// The variables that the process was started with, for administrators.
    pub config: Arc<[ConfigVariable]>,
}

impl AsRef<Sessions> for Identity {
    fn as_ref(&self) -> &Sessions {
        &self.sessions
    }
}

impl Identity {
    /// Adds the endpoints of the identity service.
    pub fn add_endpoints(&self, dispatch: Dispatch, metrics: &Metrics) -> Dispatch {
        dispatch
            .with(admin::endpoints(self))
            .with(auth::endpoints(self))
            .with(csrf_token::endpoints(self))
            .with(me::endpoints(self))
            .with(webauthn::endpoints(self))
            .with(oidc::well_known(self, metrics))
            .with(oidc::endpoints(self, metrics))
            .with(oidc::interactions(self))
            .with(apps::endpoints(self))
            .with(provisioning::endpoints(self))
    }

    /// What a use case knows of a request. To be called when the body was read: its time is that of
    /// everything the request writes.
    pub(crate) fn request_context(&self, request: &ApiRequest) -> RequestContext {
        self.context(request, None)
    }

    /// The same for a request that may sign in: it comes from a browser that may hold a session.
    pub(crate) fn sign_in_context(&self, request: &ApiRequest, browser: &Binding) -> RequestContext {
        self.context(request, browser.session())
    }

    /// An administrator who does something by a request.
    pub(crate) fn acting<'a>(&'a self, request: &'a RequestContext, claims: SessionClaims) -> ActingAdministrator<'a> {
        ActingAdministrator { ctx: &self.ctx, request, claims }
    }

    fn context(&self, request: &ApiRequest, former_session: Option<SessionId>) -> RequestContext {
        RequestContext::new(RequestParts {
            ip: request.meta.ip,
            request_id: request.meta.request_id,
            user_agent: request.header(header::USER_AGENT),
            device_cookie: cookie::find(&request.headers, self.sessions.cookies().device()),
            former_session,
            at: self.ctx.clock.now(),
        })
    }
}

/// Bodies here are a handful of short fields.
const BODY_LIMIT: usize = 64 << 10;

/// The body that reports success, in the language of the request.
fn success(request: &ApiRequest, message: Message) -> SuccessBody {
    SuccessBody { message: message.in_language(request.meta.language) }
}

/// `{"message": …}`
#[derive(Serialize)]
struct SuccessBody {
    message: &'static str,
}
