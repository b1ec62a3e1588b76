//! The metrics of tokens.

use domain::identity::oidc::GrantType;
use prometheus::{IntCounterVec, Opts, Registry};
use strum::VariantArray;

/// Counts the token requests that were granted.
#[derive(Clone)]
pub struct TokenCounters(IntCounterVec);

impl TokenCounters {
    /// Registers `svc_tokens_issued_total`.
    pub fn new(registry: &Registry) -> Result<Self, prometheus::Error> {
        let about = Opts::new("svc_tokens_issued_total", "Token requests of OIDC clients that were granted, by grant type");
        let counters = IntCounterVec::new(about, &["grant"])?;
        for &grant in GrantType::VARIANTS {
            counters.with_label_values(&[grant.into_str()]);
        }
        registry.register(Box::new(counters.clone()))?;
        Ok(Self(counters))
    }

    pub(super) fn issued(&self, grant: GrantType) {
        self.0.with_label_values(&[grant.into_str()]).inc();
    }
}
