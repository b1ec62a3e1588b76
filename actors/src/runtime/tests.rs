//! The runtime as its users see it, in paused time and without a database.

mod admission;
mod polling;
mod probe;
mod stopping;
mod supervision;
mod watchdog;

use super::{Budget, Handle, Policy, Runtime, Supervisor, handle::DEADLINE, supervisor};
use domain::shared::{Backoff, Entropy, Fault, Kind};
use ractor::{Actor, ActorRef};
use std::{sync::Arc, time::Duration};

const SECOND: Duration = Duration::from_secs(1);
const QUICK: Backoff = Backoff { first: Duration::from_millis(10), cap: SECOND, jitter: 20 };
const MINUTE: Duration = Duration::from_mins(1);
const PATIENT: Policy = Policy { backoff: QUICK, reset_after: MINUTE, frozen_after: MINUTE, budget: None };

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
    Handle::new(runtime, "probe", permits, DEADLINE, probe::Message::Observe)
}

/// A supervisor without a parent.
async fn root(runtime: &Runtime, policy: Policy, children: Vec<super::Child>) -> ActorRef<supervisor::Message> {
    let params = supervisor::Params { runtime: runtime.clone(), policy, children };
    Supervisor::spawn(None, Supervisor, params).await.unwrap().0
}

fn supervisor_handle(runtime: &Runtime) -> Handle<supervisor::Message> {
    Handle::new(runtime, "supervisor", 8, DEADLINE, supervisor::Message::Observe)
}

fn limited(restarts: usize) -> Policy {
    Policy { budget: Some(Budget { restarts, within: MINUTE }), ..PATIENT }
}

fn assert_unavailable<T: std::fmt::Debug>(outcome: Result<T, Fault>) {
    let fault = outcome.unwrap_err();
    assert_eq!((fault.kind(), fault.retry_after.is_some()), (Kind::Unavailable, true), "{fault:?}");
}
