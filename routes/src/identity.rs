//! The identity service on the wire.

pub mod auth;
pub mod csrf_token;
pub mod me;
pub mod signing_in;
pub mod webauthn;

mod browser;
mod ceremony;
mod export;
mod guarding;
mod profile;
mod proving;
mod typed_code;

use crate::web::{ApiRequest, ApiResponse, ErrorFormat, Message, RequestMeta, Sessions, cookie, legacy};
use domain::shared::{Fault, UserId};
use http::{HeaderValue, header};
use serde::Serialize;
use services::identity::{IdentityContext, RequestContext, RequestParts};
use std::future::Future;
use storage::identity::{Source, guesses, sign_in::RefuseSignIn};
use warp::reply::Response;

/// What the identity endpoints work with. Cheap to clone.
#[derive(Clone)]
pub struct Identity {
    /// What the use cases work with.
    pub ctx: IdentityContext,
    /// Finds out who is signed in.
    pub sessions: Sessions,
}

impl AsRef<Sessions> for Identity {
    fn as_ref(&self) -> &Sessions {
        &self.sessions
    }
}

impl Identity {
    /// What a use case knows of a request. To be called when the body was read: its time is that of everything the request writes.
    fn request_context(&self, request: &ApiRequest) -> RequestContext {
        RequestContext::new(RequestParts {
            ip: request.meta.ip,
            request_id: request.meta.request_id,
            user_agent: request.header(header::USER_AGENT),
            device_cookie: cookie::find(&request.headers, self.sessions.cookies().device()),
            at: self.ctx.clock.now(),
        })
    }

    /// Where a call comes from, for the audit trail; and the time.
    fn source(&self, request: &ApiRequest) -> Source {
        let user_agent = request.header(header::USER_AGENT).map(|h| h.chars().take(USER_AGENT).collect());
        Source { origin: request.origin(), user_agent, at: self.ctx.clock.now() }
    }

    /// Notes a sign-in that is refused, for those who read the trail. `forgiven` is whose failures are: only where the password was right.
    async fn refuse_sign_in(
        &self,
        request: &ApiRequest,
        user: Option<UserId>,
        reason: &'static str,
        forgiven: Option<guesses::Key>,
    ) -> Result<(), Fault> {
        Ok(self.ctx.store.transact(&RefuseSignIn { user, reason, forgiven, source: self.source(request) }).await?)
    }
}

/// Bodies here are a handful of short fields.
const BODY_LIMIT: usize = 64 << 10;
/// The longest `User-Agent` that is kept.
const USER_AGENT: usize = 300;

/// Answers in this wing's words; nothing of it may be kept by a cache.
async fn respond(meta: RequestMeta, handler: impl Future<Output = Result<ApiResponse, Fault>>) -> Response {
    let mut response = legacy::respond(ErrorFormat::Identity, meta, handler).await;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The body that reports success, in the language of the request.
fn success(request: &ApiRequest, message: Message) -> SuccessBody {
    SuccessBody { message: request.meta.language.text(message) }
}

/// `{"message": …}`
#[derive(Serialize)]
struct SuccessBody {
    message: &'static str,
}
