//! Connections whose caller left before the answer of a statement was there, such as the request of a client that hung up.
//!
//! ```text
//! dropped with a statement in flight -> cancel request -> everything that was sent is answered -> back into the pool
//!                                                      -> not answered in time                 -> closed
//! ```
//!
//! The rest of a result that is too large is mostly on its way already, so it is awaited for a moment before it is cancelled.
//!
//! The connection keeps its place in the pool meanwhile. Otherwise the pool would open another one in its place, and clients that ask and
//! hang up would have more statements running than the pool has connections.

use deadpool_postgres::Object;
use std::time::Duration;
use tokio::{runtime::Handle, time::timeout};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long PostgreSQL may take to answer before it is told again to cancel: a request cancels one statement, and several may have been sent.
const RETRY_AFTER: Duration = Duration::from_millis(200);
/// How long it may take in all. A statement has ended by then on its own, by the time limit of statements.
const PATIENCE: Duration = Duration::from_secs(35);

/// Cancels what runs on a connection and returns it to the pool, in a task of its own. `is_ending` when the answer has begun to come.
pub(super) fn recover(client: Object, is_ending: bool, tls: MakeRustlsConnect) {
    let mut client = ClosedOnDrop(Some(client));
    // Without a runtime, which has ended before its tasks did, there is nothing that could wait for the answer.
    let Ok(runtime) = Handle::try_current() else { return };
    runtime.spawn(async move {
        if let Some(waiting) = &client.0
            && timeout(PATIENCE, cancel(waiting, is_ending, tls)).await.is_ok_and(|answered| answered.is_ok())
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

/// Cancels one statement after the other until all that were sent are answered. A cancel request that comes too late cancels nothing: it has
/// arrived before the connection is used again.
async fn cancel(client: &Object, is_ending: bool, tls: MakeRustlsConnect) -> Result<(), tokio_postgres::Error> {
    // A statement whose preparation was abandoned is known to PostgreSQL only. So all are forgotten, on both sides.
    client.statement_cache.clear();
    let mut answered = std::pin::pin!(client.batch_execute("deallocate all"));
    if is_ending && let Ok(answered) = timeout(RETRY_AFTER, &mut answered).await {
        return answered;
    }
    loop {
        client.cancel_token().cancel_query(tls.clone()).await?;
        if let Ok(answered) = timeout(RETRY_AFTER, &mut answered).await {
            return answered;
        }
    }
}
