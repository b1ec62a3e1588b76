//! The identity service on the wire.

pub mod auth;
pub mod csrf_token;
pub mod me;
pub mod webauthn;

mod export;
mod profile;
mod reauth_body;
mod session_cookies;

use crate::web::{ApiRequest, ApiResponse, ErrorFormat, Message, RequestMeta, Sessions, cookie, legacy};
use domain::shared::Fault;
use http::{HeaderValue, header};
use serde::Serialize;
use services::identity::{IdentityContext, RequestContext, RequestParts};
use std::future::Future;
use storage::identity::Source;
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

    /// Where a request comes from, for the audit trail; and the time.
    fn source(&self, request: &ApiRequest) -> Source {
        self.request_context(request).source
    }
}

/// Bodies here are a handful of short fields.
const BODY_LIMIT: usize = 64 << 10;

/// Awaits a handler and answers in the identity service's error format. No cache may store the answer.
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
