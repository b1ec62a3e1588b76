//! The count of round trips, see [`Store::round_trips`](super::Store::round_trips).

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Round trips by the name of the connection or transaction. Cheap to clone; clones count together.
#[derive(Clone, Default)]
pub(super) struct RoundTrips(Arc<Mutex<HashMap<&'static str, u64>>>);

impl RoundTrips {
    pub(super) fn add(&self, name: &'static str) {
        *self.lock().entry(name).or_default() += 1;
    }

    pub(super) fn total(&self) -> u64 {
        self.lock().values().sum()
    }

    pub(super) fn of(&self, name: &str) -> u64 {
        self.lock().get(name).copied().unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<&'static str, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
