//! Deliveries: what is owed to receivers outside, the story of each attempt, and the queue between them.
//!
//! ```text
//! deliveries::add(tx, &[NewDelivery { .. }])   only inside the transaction that causes them; NOTIFY rides in it
//! deliveries::list_lanes(session, ..)          who has something open, and since when it is due
//! deliveries::claim(session, lanes, ..)        -> leased deliveries, several for each lane
//! deliveries::record(session, &[Record { .. }])  arrived, or due again: only the holder's writes anything
//! deliveries::bury(tx, &[Record { .. }])       dead: within the transaction that tells the owner
//! deliveries::redeliver(tx, ..)                again, with attempts counted anew
//! ```
//!
//! It is the mechanism of [`crate::queue`] with tables of its own. The rules are the same: a lease with a token that each statement
//! checks, due times by our clock, leases by the database's, the oldest unfinished of a key only. Three things differ, because
//! deliveries come by the hundred thousand. Claims and records are batches. A claim says how many it wants of which receiver, so that one
//! receiver's backlog hides nobody else's. And an attempt is counted when its outcome is recorded, not when it is claimed: one that
//! ended with its process is repeated, and a delivery that is given up has exactly five attempts that users can read.

mod add;
mod claim;
mod list;
mod record;
mod redeliver;
mod sweep;

pub use add::{NewDelivery, add};
pub use claim::{Lane, Leased, Quota, Searched, Token, claim, list_lanes};
pub use list::{Attempt, Delivery, find, list};
pub use record::{Record, bury, put_off, record};
pub use redeliver::{Range, redeliver, redeliver_range};
pub use sweep::{Backlog, backlog, expunge, remove_closed, remove_dead, remove_delivered};

use crate::queue::Queue;

/// Whom to wake when something is to be delivered.
pub const DELIVERIES: Queue = Queue("deliveries");
