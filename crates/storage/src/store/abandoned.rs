//! Connections whose caller left before the answer of a statement was there, such as the request of a client
//! that hung up.
//!
//! ```text
//! dropped with a statement in flight -> everything that was sent is answered soon -> back into the pool
//!                                    -> cancel requests until it is answered      -> ended
//!                                    -> not answered in time                      -> closed
//! ```
//!
//! The rest of a result that is too large is mostly on its way already, so it is awaited for a moment before
//! it is cancelled.
//!
//! A cancel request goes to PostgreSQL by a connection of its own, so it may arrive after the statement that
//! it is meant for has ended by itself, and cancel the next one. A connection for which one was sent is
//! therefore never used again.
//!
//! The connection keeps its place in the pool meanwhile. Otherwise the pool would open another one in its
//! place, and clients that ask and hang up would have more statements running than the pool has connections.

use crate::{
    Result,
    connect::{Connector, Object},
};
use std::{sync::Arc, time::Duration};
use tokio::{runtime::Handle, time::timeout};

/// How long PostgreSQL may take to answer before it is told to cancel. Most statements end by themselves in
/// this time.
const CANCEL_AFTER: Duration = Duration::from_millis(30);
/// How long it may take then before it is told again: a request cancels one statement, and several may have
/// been sent.
const RETRY_AFTER: Duration = Duration::from_millis(200);
/// How long it may take in all. A statement has ended by then on its own, by the time limit of statements.
const PATIENCE: Duration = Duration::from_secs(35);

/// Waits until nothing runs on a connection any more, and returns it to the pool or ends it, in a task of its
/// own. `is_ending` when an answer has begun to come.
pub(super) fn recover(client: Object, is_ending: bool, connector: Arc<Connector>) {
    let mut client = ClosedOnDrop(Some(client));
    // Without a runtime, which has ended before its tasks did, there is nothing that could wait for the
    // answer.
    let Ok(runtime) = Handle::try_current() else { return };
    runtime.spawn(async move {
        if let Some(waiting) = &client.0
            && let Ok(Ok(Settled::ByItself)) = timeout(PATIENCE, drain(waiting, is_ending, &connector)).await
        {
            drop(client.0.take());
        }
    });
}

/// A connection that is taken out of the pool and closed when it is dropped.
struct ClosedOnDrop(Option<Object>);

impl Drop for ClosedOnDrop {
    fn drop(&mut self) {
        if let Some(client) = self.0.take() {
            drop(Object::take(client));
        }
    }
}

/// How the statements of a connection came to an end.
enum Settled {
    /// All were answered soon. The connection can be used again.
    ByItself,
    /// Some were cancelled, and the connection is ended.
    ByCancel,
}

/// Waits until all statements that were sent are answered, and cancels one after the other of those that take
/// long.
async fn drain(client: &Object, is_ending: bool, connector: &Connector) -> Result<Settled> {
    // A statement whose preparation was abandoned is known to PostgreSQL only. So all are forgotten, on both
    // sides.
    client.statement_cache.clear();
    let mut answered = std::pin::pin!(client.batch_execute("deallocate all"));
    let cancel_after = if is_ending { RETRY_AFTER } else { CANCEL_AFTER };
    if let Ok(answered) = timeout(cancel_after, &mut answered).await {
        return Ok(answered.map(|()| Settled::ByItself)?);
    }
    loop {
        connector.cancel(&client.cancel_token(), client.origin()).await?;
        if timeout(RETRY_AFTER, &mut answered).await.is_ok() {
            end(client).await;
            return Ok(Settled::ByCancel);
        }
    }
}

/// Ends the process of PostgreSQL that serves a connection, and waits until it has gone: only then may the
/// pool open another one in its place.
async fn end(client: &Object) {
    // The first is answered by an error as soon as the process is told to end, the second one when it has
    // closed the connection.
    for statement in ["select pg_terminate_backend(pg_backend_pid())", ""] {
        let _ = client.batch_execute(statement).await;
    }
}
