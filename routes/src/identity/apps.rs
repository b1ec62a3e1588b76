//! `/api/apps/…`: what a confidential client of the OpenID provider may do by itself.

mod roles;

use super::{Identity, oidc::client_credentials};
use crate::web::{Access, ApiRequest, ApiResponse, Endpoints, ErrorFormat, access::Security};
use domain::{
    identity::oidc::Client,
    shared::{Challenge, Code, Fault, Kind},
};
use http::{HeaderName, HeaderValue, Method, StatusCode};
use services::identity::oidc::client_auth::{self, ClientCredentials};
use std::{sync::Arc, time::Duration};
use storage::shared::rate_limits::Allowance;
use warp::reply::Response;

/// The endpoints below `/api/apps`.
pub(super) fn endpoints(identity: &Identity) -> Endpoints<Identity> {
    Endpoints::new(identity, ErrorFormat::Identity).get("/api/apps/roles", ByClientSecret, roles::read).put(
        "/api/apps/roles",
        ByClientSecret,
        roles::replace,
    )
}

/// An access rule: id and secret of a confidential client, by HTTP Basic. No session and no CSRF token counts
/// here.
#[derive(Clone, Copy)]
struct ByClientSecret;

/// A client that has proved who it is.
struct CallingApp {
    client: Arc<Client>,
}

impl Access<Identity> for ByClientSecret {
    type Scope = ();
    type Caller = CallingApp;

    fn security(&self, _: &Method) -> Security {
        &[&["clientSecret"]]
    }

    fn refusals(&self, _: &Method) -> Vec<StatusCode> {
        vec![StatusCode::UNAUTHORIZED, StatusCode::TOO_MANY_REQUESTS]
    }

    /// 401 `invalid_client`, the same whatever is wrong; 429 after too many wrong secrets of a client from
    /// one address.
    async fn authorize(&self, identity: &Identity, request: &ApiRequest, (): ()) -> Result<CallingApp, Fault> {
        let refused = || {
            let message = "Authenticate as a confidential client, with its id and secret";
            Fault::new(Code::InvalidClient, message).challenged(Challenge::Basic).in_realm("apps")
        };
        let basic = client_credentials::basic(request).ok().flatten().ok_or_else(refused)?;
        let credentials = ClientCredentials { basic: Some(basic), ..ClientCredentials::default() };
        let context = identity.request_context(request);
        match client_auth::authenticate(&identity.oidc, &context, &credentials).await {
            Ok(client) => Ok(CallingApp { client }),
            Err(fault) if fault.kind() == Kind::Unauthorized => Err(refused()),
            Err(fault) => Err(fault),
        }
    }
}

impl CallingApp {
    /// Counts the request against the rate of its client, answers it unless it is one too many, and tells in
    /// either case what is left.
    async fn within_limit(
        &self,
        identity: &Identity,
        request: ApiRequest,
        answer: impl AsyncFnOnce(&Client, ApiRequest) -> Result<ApiResponse, Fault>,
    ) -> Result<Response, Fault> {
        let errors = request.errors.clone();
        let allowance = identity.ctx.limits.app_api.count(&identity.ctx.store, &self.client.id).await?;
        let outcome = match allowance.and_then(|allowance| allowance.refused_for) {
            Some(wait) => Err(Fault::too_many(wait)),
            None => answer(&self.client, request).await,
        };
        let mut response = outcome.map_or_else(|fault| errors.response(&fault), Response::from);
        for (name, value) in allowance.into_iter().flat_map(|allowance| headers(&allowance)) {
            response.headers_mut().insert(name, value);
        }
        Ok(response)
    }
}

/// What is left of a limit: how many requests may come at once, how many now, and the seconds until that many
/// may come again.
fn headers(left: &Allowance) -> [(HeaderName, HeaderValue); 3] {
    let seconds = |time: Duration| time.as_millis().div_ceil(1000);
    let reset_after = u64::try_from(seconds(left.reset_after)).unwrap_or(u64::MAX);
    [
        (HeaderName::from_static("ratelimit-limit"), left.limit.into()),
        (HeaderName::from_static("ratelimit-remaining"), left.remaining.into()),
        (HeaderName::from_static("ratelimit-reset"), reset_after.into()),
    ]
}
