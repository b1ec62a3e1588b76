//! The actors on a real database. Several actor systems on one database are several processes.

mod commands;
mod faults;
mod janitor;
mod notifications;

use actors::content::SpaceRouter;
use domain::{
    content::{Changes, Right},
    shared::{Fault, Kind, SpaceId},
};
use services::content::{Authorized, CommandContext, SpaceCommand};
use std::sync::{
    Mutex,
    atomic::{AtomicU32, Ordering},
};
use support::prelude::*;
use tokio::sync::oneshot;

/// A space with nothing in it.
async fn space(database: &Database) -> SpaceId {
    let insert = "with space as (
                      insert into spaces (name, created_at, updated_at) values ('Test', $1, $1) returning id
                  ), counters as (
                      insert into space_counters (space_id, cv) select id, 0 from space
                  )
                  select id from space";
    SpaceId(database.row(insert, &[&support::clock().now()]).await.get("id"))
}

/// The labels of the audit log, in order; their numbers have no gap.
async fn notes(database: &Database, space: SpaceId) -> Vec<String> {
    let rows = database.rows("select seq, target_label from audit_log where space_id = $1 order by seq", &[&space.0]).await;
    let numbers: Vec<i64> = rows.iter().map(|row| row.get("seq")).collect();
    assert_eq!(numbers, (1..).take(rows.len()).collect::<Vec<_>>());
    rows.iter().map(|row| row.get("target_label")).collect()
}

/// A command that leaves a note in the audit log and returns its time.
struct Note(String);

impl SpaceCommand for Note {
    type Output = Timestamp;

    const NAME: &'static str = "test.note";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Timestamp, Changes)> {
        Ok((ctx.now, Changes::audited("test.note", "note", &self.0, self.0.as_str()).visible()))
    }
}

/// A command that panics, and counts it.
struct Panic(Arc<AtomicU32>);

impl SpaceCommand for Panic {
    type Output = ();

    const NAME: &'static str = "test.panic";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<((), Changes)> {
        // In the middle of the transaction: what it wrote so far must be rolled back.
        ctx.tx.execute("update spaces set name = 'half done' where id = $1", &[&ctx.space.0]).await?;
        self.0.fetch_add(1, Ordering::Relaxed);
        panic!("wanted by the test");
    }
}

/// A command that reports when it has begun, and goes on when its gate opens.
struct Gated {
    begun: Mutex<Option<oneshot::Sender<()>>>,
    gate: Mutex<Option<oneshot::Receiver<()>>>,
}

impl SpaceCommand for Gated {
    type Output = ();

    const NAME: &'static str = "test.gated";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, _: &CommandContext<'_>) -> storage::Result<((), Changes)> {
        let (begun, gate) = (self.begun.lock().unwrap().take(), self.gate.lock().unwrap().take());
        let _ = begun.unwrap().send(());
        let _ = gate.unwrap().await;
        Ok(((), Changes::audited("test.gated", "note", "gated", "gated")))
    }
}

/// A gated command, the report of its begin, and its gate.
fn gated() -> (Gated, oneshot::Receiver<()>, oneshot::Sender<()>) {
    let (started, begun) = oneshot::channel();
    let (open, gate) = oneshot::channel();
    (Gated { begun: Mutex::new(Some(started)), gate: Mutex::new(Some(gate)) }, begun, open)
}

async fn execute<C: SpaceCommand>(spaces: &SpaceRouter, space: SpaceId, command: C) -> Result<C::Output, Fault> {
    spaces.execute(Authorized::for_command_line(space), command).await
}

async fn note(spaces: &SpaceRouter, space: SpaceId, text: impl ToString) -> Result<Timestamp, Fault> {
    execute(spaces, space, Note(text.to_string())).await
}

/// Tries until the space's actor is running again.
async fn note_when_back(spaces: &SpaceRouter, space: SpaceId, text: &str) {
    let noted = async {
        while let Err(fault) = note(spaces, space, text).await {
            assert_eq!(fault.kind(), Kind::Unavailable);
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, noted).await.expect("it comes back");
}

fn kind<T: std::fmt::Debug>(outcome: Result<T, Fault>) -> Kind {
    outcome.unwrap_err().kind()
}

/// A clock that moves a second each time it is read.
struct Ticking(Arc<support::TestClock>);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        self.0.advance(jiff::SignedDuration::from_secs(1));
        self.0.now()
    }
}
