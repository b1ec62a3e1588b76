//! A command in the mailbox of its space's actor: erased, so that one mailbox takes all of them, and with its typed reply.

use super::{SpaceEvent, SpaceEvents};
use crate::runtime::Reply;
use domain::shared::{Actor, Fault, RequestOrigin, SharedClock, SharedEntropy, SpaceId};
use futures_util::{FutureExt, future::BoxFuture};
use services::content::command::{self, SpaceCommand};
use storage::{Store, content::commit_log::AuditContext};
use tracing::{Instrument, Span};

/// What commands are executed with. Cheap to clone.
#[derive(Clone)]
pub(super) struct CommandDeps {
    pub(super) store: Store,
    pub(super) clock: SharedClock,
    pub(super) entropy: SharedEntropy,
    pub(super) events: SpaceEvents,
}

/// A command that waits for its turn, with the caller's end of it.
pub(super) struct QueuedCommand<C: SpaceCommand> {
    pub(super) space: SpaceId,
    pub(super) actor: Actor,
    pub(super) origin: RequestOrigin,
    pub(super) command: C,
    pub(super) reply: Reply<Result<C::Output, Fault>>,
    /// The caller's span, in which the command's traces belong.
    pub(super) span: Span,
}

/// A queued command of any type.
pub(super) trait ErasedCommand: Send {
    /// Executes the command, publishes the event of its commit, and answers the caller. Returns the space's `cv` when it was committed.
    fn execute(self: Box<Self>, deps: &CommandDeps) -> BoxFuture<'_, Option<i64>>;
}

impl<C: SpaceCommand> ErasedCommand for QueuedCommand<C> {
    fn execute(self: Box<Self>, deps: &CommandDeps) -> BoxFuture<'_, Option<i64>> {
        let Self { space, actor, origin, command, reply, span } = *self;
        async move {
            if !reply.is_wanted() {
                // The caller got its 503, or hung up: the command must not be executed any more.
                return None;
            }
            // The time is taken here and not by the caller, so that commits of a space have ascending times.
            let audit = AuditContext { actor, origin, at: deps.clock.now() };
            match command::execute(&deps.store, deps.entropy.as_ref(), space, &audit, &command).await {
                Ok((output, version)) => {
                    // Before the reply: a caller that knows of its commit reads nothing older from this process.
                    deps.events.publish(SpaceEvent::Committed { space, version });
                    reply.send(Ok(output));
                    Some(version.cv)
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
