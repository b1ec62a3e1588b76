//! The metrics of provisioning.

use domain::identity::provisioning::Status;
use prometheus::{IntCounterVec, Opts, Registry};

/// The label of accounts that were checked and not made.
const DRY_RUN: &str = "dry_run";

/// Counts the accounts of requests by what came of them (`svc_provisioning_users_total`). Cheap to clone.
#[derive(Clone)]
pub struct ProvisioningCounters(IntCounterVec);

impl ProvisioningCounters {
    /// All at zero.
    ///
    /// # Errors
    /// Only when there is one of that name already.
    pub fn new(registry: &Registry) -> prometheus::Result<Self> {
        let about =
            Opts::new("svc_provisioning_users_total", "Accounts that were handed over to provisioning, by what came of them");
        let counters = IntCounterVec::new(about, &["result"])?;
        let all = [Status::Created, Status::Skipped, Status::Conflict, Status::Invalid, Status::Failed];
        for result in all.map(<&str>::from).into_iter().chain([DRY_RUN]) {
            counters.with_label_values(&[result]);
        }
        registry.register(Box::new(counters.clone()))?;
        Ok(Self(counters))
    }

    pub(super) fn processed(&self, status: Status, is_dry_run: bool) {
        self.0.with_label_values(&[if is_dry_run { DRY_RUN } else { status.into_str() }]).inc();
    }
}
