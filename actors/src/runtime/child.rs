//! What a supervisor starts, and starts again.

use super::Handle;
use futures_util::future::BoxFuture;
use ractor::{Actor, ActorCell, ActorId, SpawnErr};
use std::{sync::Arc, time::Duration};

/// What happens when a child ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restart {
    /// It is started again, however it ended.
    Permanent,
    /// It is started again if it failed; it may end by itself.
    OnFailure,
    /// It is not started again.
    Temporary,
}

type Spawn = dyn Fn(ActorCell) -> BoxFuture<'static, Result<ActorCell, SpawnErr>> + Send + Sync;
type FindFrozen = dyn Fn(Duration) -> BoxFuture<'static, Option<ActorId>> + Send + Sync;

/// How to start one actor any number of times. Cheap to clone.
#[derive(Clone)]
pub struct Child {
    /// Unique among the children of a supervisor.
    pub name: String,
    /// For metrics: one of a closed set.
    pub kind: &'static str,
    /// What happens when it ends.
    pub restart: Restart,
    spawn: Arc<Spawn>,
    find_frozen: Arc<FindFrozen>,
}

impl Child {
    /// A child behind a handle. `make` builds the actor and its arguments anew for each start: no state of a
    /// failed actor is carried over, what must survive is in the database.
    pub fn new<A: Actor>(
        name: impl Into<String>,
        restart: Restart,
        handle: &Handle<A::Msg>,
        make: impl Fn() -> (A, A::Arguments) + Send + Sync + 'static,
    ) -> Self {
        let (kind, asked, started) = (handle.kind(), handle.clone(), handle.clone());
        let spawn = move |supervisor: ActorCell| -> BoxFuture<'static, Result<ActorCell, SpawnErr>> {
            let handle = started.clone();
            let (actor, arguments) = make();
            Box::pin(async move {
                let (actor, _) = A::spawn_linked(None, actor, arguments, supervisor).await?;
                handle.set(actor.clone());
                Ok(actor.get_cell())
            })
        };
        let find_frozen = move |within: Duration| -> BoxFuture<'static, Option<ActorId>> {
            let handle = asked.clone();
            Box::pin(async move { handle.find_frozen(within).await })
        };
        Self { name: name.into(), kind, restart, spawn: Arc::new(spawn), find_frozen: Arc::new(find_frozen) }
    }

    /// Starts it below a supervisor.
    pub(super) async fn start(&self, supervisor: ActorCell) -> Result<ActorCell, SpawnErr> {
        (self.spawn)(supervisor).await
    }

    /// The actor, if it does not answer `Observe` within that time.
    pub(super) async fn find_frozen(&self, within: Duration) -> Option<ActorId> {
        (self.find_frozen)(within).await
    }
}
