//! The runtime as its users see it, in paused time and without a database.

mod admission;
mod probe;
mod stopping;
mod supervision;

use super::{Budget, Handle, Policy, Runtime, Supervisor, handle::DEADLINE, supervisor};
use domain::shared::{Backoff, Entropy, Fault, Kind};
use ractor::{Actor, ActorRef};
use std::{sync::Arc, time::Duration};

const SECOND: Duration = Duration::from_secs(1);
const QUICK: Backoff = Backoff { first: Duration::from_millis(10), cap: SECOND, jitter: 20 };
const PATIENT: Policy = Policy { backoff: QUICK, forgiven_after: Duration::from_mins(1), budget: None };

/// Randomness that is always the same.
struct Fixed;

impl Entropy for Fixed {
    fn fill(&self, buffer: &mut [u8]) {
        buffer.fill(0x80);
    }
}

fn runtime() -> Runtime {
    Runtime::new(Arc::new(Fixed), &prometheus::Registry::new()).unwrap()
}

fn probe_handle(runtime: &Runtime, permits: usize) -> Handle<probe::Message> {
    Handle::new(runtime, "probe", permits, DEADLINE)
}

/// A supervisor at the top of a tree of its own.
async fn root(runtime: &Runtime, policy: Policy, children: Vec<super::Child>) -> ActorRef<supervisor::Message> {
    let params = supervisor::Params { runtime: runtime.clone(), policy, children };
    Supervisor::spawn(None, Supervisor, params).await.unwrap().0
}

fn limited(restarts: usize) -> Policy {
    Policy { budget: Some(Budget { restarts, within: Duration::from_mins(1) }), ..PATIENT }
}

fn assert_unavailable<T: std::fmt::Debug>(outcome: Result<T, Fault>) {
    let fault = outcome.unwrap_err();
    assert_eq!((fault.kind, fault.retry_after.is_some()), (Kind::Unavailable, true), "{fault:?}");
}
