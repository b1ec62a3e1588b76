//! What is remembered. The only crate with SQL, and the only one that knows PostgreSQL.
//!
//! Reads go through [`Connection`], writes through [`Tx`]; both come from [`Store`] and carry a name for traces. Lookups answer
//! `Option`; writes check how many rows they touched. What a write announces is written by the same transaction. What is too large for
//! a row lies beside the database: see [`blobs`].

pub mod blobs;
pub mod connect;
pub mod content;
pub mod error;
mod expiry;
pub mod identity;
pub mod listen;
pub mod migrate;
pub mod queue;
pub mod row;
pub mod shared;
pub mod store;

pub use error::{Error, Result};
pub use store::{Connection, Executor, SharedConnection, Store, Tx, TxOperation};
