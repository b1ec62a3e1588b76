//! The way into a space's writes.

use super::write::{Desk, Write};
use domain::{
    content::Changes,
    shared::{Fault, SharedClock, SharedEntropy, SpaceId},
};
use storage::{
    Store, Tx, Work,
    content::ledger::{self, Author},
};

/// Hands writes to the actor of their space.
#[derive(Clone)]
pub struct Spaces {
    store: Store,
    clock: SharedClock,
    entropy: SharedEntropy,
}

impl Spaces {
    /// For a store.
    pub fn new(store: Store, clock: SharedClock, entropy: SharedEntropy) -> Self {
        Self { store, clock, entropy }
    }

    /// Runs a write in the order of its space. When it answers `Ok`, it is committed.
    ///
    /// 503 with `Retry-After` when the space has too many writes waiting, or the write did not end in time.
    pub async fn write<W: Write>(
        &self,
        space: SpaceId,
        by: domain::shared::Actor,
        origin: domain::shared::Origin,
        write: W,
    ) -> Result<W::Done, Fault> {
        let author = Author { actor: by, origin, at: self.clock.now() };
        let work = Recorded { space, author, write, entropy: self.entropy.clone() };
        let (done, _cv) = self.store.run(&work).await?;
        Ok(done)
    }
}

/// A write together with the record of it.
struct Recorded<W> {
    space: SpaceId,
    author: Author,
    write: W,
    entropy: SharedEntropy,
}

impl<W: Write> Work for Recorded<W> {
    type Done = (W::Done, i64);

    const NAME: &'static str = W::NAME;

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<Self::Done> {
        ledger::open(tx, self.space).await?;
        let desk = Desk {
            tx,
            space: self.space,
            now: self.author.at,
            author_id: &self.author.actor.id,
            author: &self.author.actor.label,
            entropy: self.entropy.as_ref(),
        };
        let (done, changes): (W::Done, Changes) = self.write.run(&desk).await?;
        let cv = ledger::record(tx, self.space, &self.author, &changes).await?;
        Ok((done, cv))
    }
}
