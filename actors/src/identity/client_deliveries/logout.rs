//! How logout tokens are sent (OpenID Connect Back-Channel Logout 1.0, section 2.5): as a form, with a fresh
//! token for each attempt.

use crate::deliveries::{OutboundRequest, Protocol, USER_AGENT};
use bytes::Bytes;
use domain::{
    identity::oidc::LogoutNotice,
    shared::{
        Fault,
        delivery::{AttemptOutcome, Next},
    },
};
use futures_util::{FutureExt, future::BoxFuture};
use jiff::Timestamp;
use prometheus::{IntCounterVec, Opts, Registry};
use services::identity::oidc::LogoutTokens;
use std::time::Duration;
use storage::shared::deliveries::LeasedDelivery;

/// The counter of attempts. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Metrics {
    attempts: IntCounterVec,
}

impl Metrics {
    /// Makes and registers it.
    pub(crate) fn register(registry: &Registry) -> prometheus::Result<Self> {
        let options = Opts::new("svc_backchannel_logout_total", "Attempts to deliver a logout token, by what followed");
        let attempts = IntCounterVec::new(options, &["result"])?;
        for result in ["delivered", "retried", "failed"] {
            attempts.with_label_values(&[result]).inc_by(0);
        }
        registry.register(Box::new(attempts.clone()))?;
        Ok(Self { attempts })
    }
}

/// Sends logout tokens.
pub(crate) struct LogoutProtocol {
    pub(crate) tokens: LogoutTokens,
    pub(crate) metrics: Metrics,
}

impl Protocol for LogoutProtocol {
    fn request<'a>(&'a self, delivery: &'a LeasedDelivery, at: Timestamp) -> BoxFuture<'a, Result<OutboundRequest, Fault>> {
        async move {
            let notice: LogoutNotice = serde_json::from_slice(&delivery.body)
                .map_err(|error| Fault::internal(format!("a stored logout notice cannot be read: {error}")))?;
            let token = self.tokens.make(&notice, at).await?;
            let headers =
                vec![("content-type", "application/x-www-form-urlencoded".to_owned()), ("user-agent", USER_AGENT.to_owned())];
            // A token has only characters that need no encoding in a form.
            Ok(OutboundRequest { url: delivery.url.clone(), headers, body: Bytes::from(format!("logout_token={token}")) })
        }
        .boxed()
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(5)
    }

    /// The specification has 200 for success, and 204 is what several libraries answer; 400 means that the
    /// client refuses the token, which another one of the same content would not change.
    fn outcome(&self, status: u16, retry_after: Option<Duration>) -> AttemptOutcome {
        match status {
            200 | 204 => AttemptOutcome::Delivered,
            400 => AttemptOutcome::Refused,
            _ => AttemptOutcome::Rejected { retry_after },
        }
    }

    fn count(&self, next: Next) {
        let result = match next {
            Next::Delivered => "delivered",
            Next::Again(_) => "retried",
            Next::Dead(_) => "failed",
        };
        self.metrics.attempts.with_label_values(&[result]).inc();
    }
}
