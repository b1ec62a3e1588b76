//! Commands: each write of a space is one, and runs in one transaction that [`execute`] opens, records and
//! commits.
//!
//! ```text
//! routes:  router.execute(authorized, Publish { id })   -> the space's actor, which takes commands in order of arrival
//! actor:   execute(store, entropy, authorized, now, command)
//!            require the right -> begin -> lock the space -> command.run(ctx) -> (output, changes) -> append changes to the commit log -> commit
//! ```

use super::Authorized;
use domain::{
    content::{Changes, Right},
    shared::{Entropy, SpaceId},
};
use futures_util::future::BoxFuture;
use jiff::Timestamp;
use std::{
    future::Future,
    sync::{Mutex, PoisonError},
};
use storage::{
    Store, Tx,
    content::commit_log::{self, AuditContext, LockedSpace, SpaceVersion},
    transact,
};

/// A write of a space. It may be run again when its transaction conflicts with another one, so it takes
/// itself by reference.
pub trait SpaceCommand: Send + Sync + 'static {
    /// What the caller gets.
    type Output: Send + 'static;

    /// The name in traces, `noun.verb`.
    const NAME: &'static str;

    /// The right without which it is refused.
    const NEEDS: Right;

    /// Reads, decides with the domain, and writes. An error rolls everything back; a
    /// [`domain::shared::Fault`] is one.
    fn run(&self, ctx: &CommandContext<'_>) -> impl Future<Output = storage::Result<(Self::Output, Changes)>> + Send;
}

/// A command of any type, which keeps its output. What carries commands (queue, transaction, reply) takes
/// this one, because the compiler would make one of each.
pub trait AnyCommand: Send + Sync {
    /// [`SpaceCommand::NAME`].
    fn name(&self) -> &'static str;

    /// [`SpaceCommand::NEEDS`].
    fn needs(&self) -> Right;

    /// [`SpaceCommand::run`].
    fn run<'a>(&'a self, ctx: &'a CommandContext<'_>) -> BoxFuture<'a, storage::Result<Changes>>;
}

/// A command with the place for its output.
pub struct Capture<C: SpaceCommand> {
    command: C,
    output: Mutex<Option<C::Output>>,
}

impl<C: SpaceCommand> Capture<C> {
    /// A command that has not run yet.
    pub fn new(command: C) -> Self {
        Self { command, output: Mutex::new(None) }
    }

    /// The output of the last run, once. It counts only when [`execute`] has committed.
    pub fn take_output(&self) -> storage::Result<C::Output> {
        let output = self.output.lock().unwrap_or_else(PoisonError::into_inner).take();
        output.ok_or_else(|| storage::Error::Internal(format!("{} ended without an output", C::NAME)))
    }
}

impl<C: SpaceCommand> AnyCommand for Capture<C> {
    fn name(&self) -> &'static str {
        C::NAME
    }

    fn needs(&self) -> Right {
        C::NEEDS
    }

    fn run<'a>(&'a self, ctx: &'a CommandContext<'_>) -> BoxFuture<'a, storage::Result<Changes>> {
        Box::pin(async move {
            let (output, changes) = self.command.run(ctx).await?;
            *self.output.lock().unwrap_or_else(PoisonError::into_inner) = Some(output);
            Ok(changes)
        })
    }
}

/// What a command works with.
pub struct CommandContext<'a> {
    /// The transaction, which [`execute`] commits.
    pub tx: &'a Tx<'a>,
    /// The space that is written.
    pub space: SpaceId,
    /// What was read of it when it was locked.
    pub locked: LockedSpace,
    /// The time of the command: all rows that it writes carry the same one.
    pub now: Timestamp,
    /// On whose behalf the command runs, and what they may do.
    pub authorized: &'a Authorized,
    /// The source of new identifiers.
    pub entropy: &'a dyn Entropy,
}

/// Runs a command in a transaction: locks the space, runs it, appends what it changed to the commit log, and
/// commits.
///
/// Returns the version of the space that the commit made; the output is in the command's [`Capture`]. 403
/// when the caller has not the right that the command needs, or only reads; 404 when there is no such space,
/// or it is deleted.
pub async fn execute(
    store: &Store,
    entropy: &dyn Entropy,
    authorized: &Authorized,
    now: Timestamp,
    command: &dyn AnyCommand,
) -> storage::Result<SpaceVersion> {
    authorized.require_change(command.needs())?;
    let space = authorized.space();
    transact!(store, command.name(), async |tx| {
        let locked = commit_log::lock_space(tx, space).await?;
        let changes = command.run(&CommandContext { tx, space, locked, now, authorized, entropy }).await?;
        let audit = AuditContext { actor: authorized.actor().clone(), origin: authorized.origin(), at: now };
        commit_log::append(tx, space, &audit, &changes).await
    })
    .await
}
