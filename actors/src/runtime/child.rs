//! What a supervisor starts, and starts again.

use super::Handle;
use futures_util::future::BoxFuture;
use ractor::{Actor, ActorCell, SpawnErr};
use std::sync::Arc;

/// What happens when a child ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restart {
    /// It is started again, however it ended.
    Permanent,
    /// It is started again when it failed; it may end by itself.
    OnFailure,
    /// It ends quietly.
    Temporary,
}

/// How to start one actor, as often as need be. Cheap to clone.
#[derive(Clone)]
pub struct Child {
    /// Unique among the children of a supervisor.
    pub name: String,
    /// For metrics: one of a closed set.
    pub kind: &'static str,
    /// What happens when it ends.
    pub restart: Restart,
    spawn: Arc<dyn Fn(ActorCell) -> BoxFuture<'static, Result<ActorCell, SpawnErr>> + Send + Sync>,
}

impl Child {
    /// A child that stands behind a handle. `make` builds the actor and its arguments anew for each start: nothing of the one
    /// that failed is carried over, what matters is in rows.
    pub fn new<A: Actor>(
        name: impl Into<String>,
        restart: Restart,
        handle: &Handle<A::Msg>,
        make: impl Fn() -> (A, A::Arguments) + Send + Sync + 'static,
    ) -> Self {
        let kind = handle.kind();
        let handle = handle.clone();
        let spawn = move |supervisor: ActorCell| -> BoxFuture<'static, Result<ActorCell, SpawnErr>> {
            let handle = handle.clone();
            let (actor, arguments) = make();
            Box::pin(async move {
                let (actor, _) = A::spawn_linked(None, actor, arguments, supervisor).await?;
                handle.set(actor.clone());
                Ok(actor.get_cell())
            })
        };
        Self { name: name.into(), kind, restart, spawn: Arc::new(spawn) }
    }

    /// Starts it below a supervisor.
    pub(super) async fn start(&self, supervisor: ActorCell) -> Result<ActorCell, SpawnErr> {
        (self.spawn)(supervisor).await
    }
}
