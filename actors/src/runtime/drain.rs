//! Stopping without losing what was admitted: mailboxes are worked off from the leaves up.

use super::Runtime;
use futures_util::future::{BoxFuture, join_all};
use ractor::ActorCell;
use std::time::Duration;

/// Drains an actor and everything below it, then the tracked tasks. Returns whether that was done before the
/// deadline. What was not is cut off: it goes on at the next start, from its rows, and nothing that was
/// acknowledged is lost.
pub async fn drain(runtime: &Runtime, root: &ActorCell, deadline: Duration) -> bool {
    runtime.begin_drain();
    let all = async {
        leaves_first(root.clone()).await;
        runtime.tasks().wait_idle().await;
    };
    if tokio::time::timeout(deadline, all).await.is_ok() {
        return true;
    }
    tracing::warn!(deadline.seconds = deadline.as_secs(), "actors did not finish in time and are cut off");
    root.kill();
    false
}

/// Children end first, because a supervisor that ends kills its children.
fn leaves_first(actor: ActorCell) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        loop {
            // Once more until none is left: a child may have been starting during the last round.
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
