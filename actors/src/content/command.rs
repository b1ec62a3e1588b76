//! What a write of a space is: work in one transaction, and what it announces.
//!
//! ```text
//! routes: spaces.execute(space, author, Publish { story })     -> the space's actor, in order of arrival
//! actor:  tx { ledger::open; write.run(ctx) -> (done, changes); ledger::record(changes) } commit -> cv -> news -> reply
//! ```

use domain::{
    content::Changes,
    shared::{Entropy, SpaceId},
};
use jiff::Timestamp;
use std::future::Future;
use storage::Tx;

/// What a write works with.
pub struct CommandContext<'a> {
    /// The transaction; the actor commits it.
    pub tx: &'a Tx<'a>,
    /// The space.
    pub space: SpaceId,
    /// When the write happens: one time for all its rows.
    pub now: Timestamp,
    /// Who writes (id as in the audit log).
    pub author_id: &'a str,
    /// The writer's name.
    pub author: &'a str,
    /// For new identifiers.
    pub entropy: &'a dyn Entropy,
}

/// A write. It may be run again when its transaction met another one, so it takes itself by reference.
pub trait SpaceCommand: Send + Sync + 'static {
    /// What the caller gets.
    type Output: Send + 'static;

    /// The name in traces, `noun.verb`.
    const NAME: &'static str;

    /// Does it: reads, asks the domain, writes. A [`domain::shared::Fault`] rolls everything back.
    fn run(&self, ctx: &CommandContext<'_>) -> impl Future<Output = storage::Result<(Self::Output, Changes)>> + Send;
}
