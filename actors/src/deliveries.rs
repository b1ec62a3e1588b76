//! Sending deliveries to receivers outside, whichever wing owes them.
//!
//! ```text
//! storage::shared::deliveries::add(tx, ..)   the wing's transaction; NOTIFY wakes
//!   Dispatcher   plans whose turn it is ([`lanes`]), claims in batches, sends each in a task, records in batches
//!     Courier    puts a signed parcel on the wire, behind the guard
//!     Undertaker the owner's side of a fifth failure: the dead letter and its audit entry in one transaction
//! ```
//!
//! What is in memory is a cache of rows. An attempt that ends with its process is repeated when its lease has run out; it was not counted.

pub mod courier;
pub(crate) mod dispatcher;
mod gate;
mod guarded;
mod lanes;
mod metrics;
mod outbox;
mod parcel;
pub mod undertaker;

pub use courier::{Answer, Courier, Failure, Parcel};
pub(crate) use dispatcher::SEALED_FOR;
pub(crate) use dispatcher::{Dispatcher, Message, Params};
pub use gate::Gate;
pub use guarded::GuardedCourier;
pub(crate) use metrics::Metrics;
pub use undertaker::{Dead, Undertaker};

use crypto::{keys::Keys, seal::Seal};
use domain::shared::delivery::RetrySchedule;
use std::sync::Arc;

/// What deliveries are made and sent with.
#[derive(Clone)]
pub struct Post {
    /// The way out.
    pub courier: Arc<dyn Courier>,
    /// What secrets of receivers are kept with.
    pub seal: Seal,
    /// When what failed is due again.
    pub schedule: RetrySchedule,
}

impl Post {
    /// With a courier, the house's keys, and a schedule.
    pub fn new(courier: Arc<dyn Courier>, keys: &Keys, schedule: RetrySchedule) -> Self {
        Self { courier, seal: Seal::new(keys.derive("receiver-secret/1")), schedule }
    }
}
