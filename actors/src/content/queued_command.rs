//! A command in the mailbox of its space's actor, with the place for its reply.

use super::{SpaceEvent, SpaceEvents};
use crate::runtime::Reply;
use domain::shared::{Fault, SharedClock, SharedEntropy};
use services::content::{
    Authorized,
    command::{self, AnyCommand},
};
use std::sync::Arc;
use storage::Store;
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
pub(super) struct QueuedCommand {
    pub(super) authorized: Authorized,
    pub(super) command: Arc<dyn AnyCommand>,
    pub(super) reply: Reply<Result<(), Fault>>,
    /// The caller's span, in which the command's traces belong.
    pub(super) span: Span,
}

impl QueuedCommand {
    /// Executes the command, publishes the event of its commit, and answers the caller. Returns the space's
    /// `cv` when it was committed.
    pub(super) async fn execute(self, deps: &CommandDeps) -> Option<i64> {
        let Self { authorized, command, reply, span } = self;
        let executed = async {
            if !reply.is_wanted() {
                // The caller got its 503, or hung up: the command must not be executed any more.
                return None;
            }
            // The time is taken here and not by the caller, so that commits of a space have ascending times.
            let now = deps.clock.now();
            match command::execute(&deps.store, deps.entropy.as_ref(), &authorized, now, command.as_ref()).await {
                Ok(version) => {
                    // Before the reply: a caller that knows of its commit reads nothing older from this
                    // process.
                    deps.events.publish(SpaceEvent::Committed { space: authorized.space(), version });
                    reply.send(Ok(()));
                    Some(version.cv)
                }
                Err(error) => {
                    reply.send(Err(error.into()));
                    None
                }
            }
        };
        executed.instrument(span).await
    }
}
