//! Attempts that are cut off because their delivery was cancelled. A process learns of it by a notification,
//! and looks from time to time as well.

use domain::shared::DeliveryId;
use futures_util::future::{AbortHandle, AbortRegistration};
use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use storage::shared::deliveries::DeliveryLease;

/// Whether deliveries were cancelled since the dispatcher looked. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct CancellationSignal(Arc<AtomicBool>);

impl CancellationSignal {
    /// Some were.
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether some were. Asked before the database is, so that a later one is not missed.
    pub(super) fn take(&self) -> bool {
        self.0.swap(false, Ordering::AcqRel)
    }
}

/// The attempts in flight, each with the way to cut it off.
#[derive(Debug, Default)]
pub(super) struct InFlight(HashMap<DeliveryId, (DeliveryLease, AbortHandle)>);

impl InFlight {
    /// An attempt begins.
    pub(super) fn insert(&mut self, id: DeliveryId, lease: DeliveryLease) -> AbortRegistration {
        let (handle, registration) = AbortHandle::new_pair();
        self.0.insert(id, (lease, handle));
        registration
    }

    /// An attempt has ended.
    pub(super) fn remove(&mut self, id: DeliveryId) {
        self.0.remove(&id);
    }

    /// Their leases.
    pub(super) fn leases(&self) -> Vec<DeliveryLease> {
        self.0.values().map(|(lease, _)| *lease).collect()
    }

    /// Cuts off those with these leases.
    pub(super) fn abort(&self, leases: &[DeliveryLease]) {
        for (_, handle) in self.0.values().filter(|(lease, _)| leases.contains(lease)) {
            handle.abort();
        }
    }
}
