//! PostgreSQL and the store of objects: the only crate with SQL.
//!
//! [`Store`] gives connections and transactions, each with a name for traces; [`Executor`] runs statements on
//! them. A function that finds something returns an `Option`; one that writes checks how many rows it
//! touched. Events and jobs are rows that are written in the transaction of their cause. Bytes that are too
//! large for a row are kept beside the database, see [`blobs`].

pub mod blobs;
pub mod connect;
pub mod content;
pub mod error;
mod expiry;
pub mod identity;
pub mod leases;
pub mod listen;
pub mod migrate;
pub mod queue;
pub mod row;
pub mod shared;
pub mod store;
mod timelines;

pub use error::{Error, Result};
pub use store::{Connection, End, Executor, ReadMark, Reader, SharedConnection, Store, Tx};
pub use timelines::TimelineId;

use std::sync::Arc;

/// Asks whether the data directory of this process is still in its place. When it was deleted or moved away,
/// what is found there may be another server's.
pub type IsThere = Arc<dyn Fn() -> bool + Send + Sync>;

/// What is said when it is not.
const GONE: &str = "the data directory was deleted or moved away";
