//! Stopping without losing what was admitted: mailboxes are worked off from the leaves up.

use super::Runtime;
use futures_util::future::{BoxFuture, join_all};
use ractor::ActorCell;
use std::time::Duration;

/// Drains everything below and including an actor, then the tracked tasks. Answers whether that was done before the deadline;
/// what was not is cut off, which is slow but loses nothing that was acknowledged.
pub async fn drain(runtime: &Runtime, root: &ActorCell, deadline: Duration) -> bool {
    runtime.start_draining();
    let all = async {
        leaves_first(root.clone()).await;
        runtime.tasks().settled().await;
    };
    if tokio::time::timeout(deadline, all).await.is_ok() {
        return true;
    }
    tracing::warn!(deadline.seconds = deadline.as_secs(), "actors did not finish in time and are cut off");
    root.kill();
    false
}

/// A supervisor that ends kills its children, so they end first.
fn leaves_first(actor: ActorCell) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        loop {
            // Once more until none is left: a child may have been starting while we looked.
            let children = actor.get_children();
            if children.is_empty() {
                break;
            }
            join_all(children.into_iter().map(leaves_first)).await;
        }
        // It fails when the actor has ended by itself, and then the wait returns at once.
        let _ = actor.drain();
        let _ = actor.wait(None).await;
    })
}
