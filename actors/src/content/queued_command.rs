//! A write on its way to its space: erased, so that one mailbox takes them all, and with its typed reply.

use super::{CommandContext, News, SpaceCommand, SpaceNews};
use crate::runtime::Reply;
use domain::{
    content::Changes,
    shared::{Actor, Fault, Origin, SharedClock, SharedEntropy, SpaceId},
};
use futures_util::{FutureExt, future::BoxFuture};
use storage::{
    Store, Tx, TxOperation,
    content::ledger::{self, Author, Mark},
};
use tracing::{Instrument, Span};

/// What writes are done with. Cheap to clone.
#[derive(Clone)]
pub(super) struct Bench {
    pub(super) store: Store,
    pub(super) clock: SharedClock,
    pub(super) entropy: SharedEntropy,
    pub(super) news: SpaceNews,
}

/// A write of any type.
pub(super) trait Pending: Send {
    /// Does it, tells the news, and answers the caller. Answers the space's `cv` when it was committed.
    fn run(self: Box<Self>, bench: &Bench) -> BoxFuture<'_, Option<i64>>;
}

/// A write of one type.
pub(super) struct Task<W: SpaceCommand> {
    pub(super) space: SpaceId,
    pub(super) by: Actor,
    pub(super) origin: Origin,
    pub(super) write: W,
    pub(super) reply: Reply<Result<W::Output, Fault>>,
    /// The caller's span, so that its traces go on here.
    pub(super) span: Span,
}

impl<W: SpaceCommand> Pending for Task<W> {
    fn run(self: Box<Self>, bench: &Bench) -> BoxFuture<'_, Option<i64>> {
        let Self { space, by, origin, write, reply, span } = *self;
        async move {
            if !reply.is_wanted() {
                // The caller was told 503, or went away: the write must not happen behind its back.
                return None;
            }
            // The time is taken here, not by the caller: the order of times is the order of writes.
            let author = Author { actor: by, origin, at: bench.clock.now() };
            let work = Recorded { space, author, write, entropy: bench.entropy.clone() };
            match bench.store.transact(&work).await {
                Ok((done, mark)) => {
                    // Before the answer: whoever was told that it is done reads nothing older in this process.
                    bench.news.tell(News::Moved { space, mark });
                    reply.send(Ok(done));
                    Some(mark.cv)
                }
                Err(error) => {
                    reply.send(Err(error.into()));
                    None
                }
            }
        }
        .instrument(span)
        .boxed()
    }
}

/// A write together with the record of it.
struct Recorded<W> {
    space: SpaceId,
    author: Author,
    write: W,
    entropy: SharedEntropy,
}

impl<W: SpaceCommand> TxOperation for Recorded<W> {
    type Output = (W::Output, Mark);

    const NAME: &'static str = W::NAME;

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<Self::Output> {
        ledger::open(tx, self.space).await?;
        let ctx = CommandContext {
            tx,
            space: self.space,
            now: self.author.at,
            author_id: &self.author.actor.id,
            author: &self.author.actor.label,
            entropy: self.entropy.as_ref(),
        };
        let (done, changes): (W::Output, Changes) = self.write.run(&ctx).await?;
        let mark = ledger::record(tx, self.space, &self.author, &changes).await?;
        Ok((done, mark))
    }
}
