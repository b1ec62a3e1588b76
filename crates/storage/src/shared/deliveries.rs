//! Deliveries: what is owed to receivers outside, the record of each attempt, and the queue between them.
//!
//! ```text
//! deliveries::add(tx, &[NewDelivery { .. }])         only inside the transaction that causes them; NOTIFY rides in it
//! deliveries::list_due_receivers(connection, ..)     the receivers with something open, and since when it is due
//! deliveries::claim(connection, quotas, ..)          -> leased deliveries, several of each receiver
//! deliveries::release(connection, &[leases])         claimed, and not attempted after all
//! deliveries::record_attempts(connection, &[..])     delivered, or due again; it checks the lease
//! deliveries::claim_expired(connection, ..)              -> leased deliveries that are too old, due or not
//! deliveries::write_dead_letters(tx, ..)             dead: within the transaction that tells the owner
//! deliveries::redeliver(tx, ..)                      once more, with attempts counted anew
//! deliveries::cancel(tx, &[receivers], ..)           nothing more is sent of what waits; processes that are sending it are told
//! ```
//!
//! It is the mechanism of [`crate::queue`] with tables of its own. The rules are the same: a lease with a
//! token that each statement checks, due times and leases by the clock of the database, only the oldest
//! unfinished delivery of a key. Three things differ, because deliveries come by the hundred thousand. Claims
//! and records are batches. A claim says how many it wants of which receiver, so that the backlog of one
//! receiver hides no other. And an attempt is counted when its outcome is recorded, not when it is claimed:
//! one that ended with its process is repeated, and what died of its attempts has exactly five of them that
//! users can read.

mod add;
mod age;
mod cancel;
mod claim;
mod dead_letter;
mod draw_back;
mod due_receivers;
mod list;
mod record;
mod redeliver;
mod sweep;

pub use add::{NewDelivery, add};
pub use age::claim_expired;
use age::mark_expired_dead;
pub use cancel::{cancel, list_cancelled};
pub use claim::{ClaimOrder, DeliveryLease, LeasedDelivery, Quota, claim, release};
pub use dead_letter::{DeadCause, DeadLetter, write_dead_letters};
pub use draw_back::draw_back;
pub use due_receivers::{Backlog, DueReceiver, DueReceivers, ScanMark, count_backlog, list_due_receivers};
pub use list::{Attempt, Delivery, find, list};
use record::mark_dead;
pub use record::{AttemptRecord, defer, record_attempts};
pub(in crate::shared) use redeliver::requeue_dead;
pub use redeliver::{Range, redeliver, redeliver_range};
pub use sweep::{purge_dead_bodies, remove_closed, remove_dead, remove_delivered};
