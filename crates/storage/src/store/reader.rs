//! Reads of the Delivery API: on a replica that has come far enough, and otherwise on the primary.
//!
//! ```text
//! store.reader(name, mark) -> a replica  -- first statement --> how far is the space there?  >= mark: its answer counts, and so do those of later statements
//!                                                               <  mark, or any error: this statement is run again on the primary, and so is all that follows
//!                          -> the primary, where there is no replica to ask
//! ```
//!
//! The question is sent right before the first statement, in the same packet, so it costs no round trip but
//! the one that prepares it, once on a connection. It is asked before and not in the same statement because
//! it then also counts for answers without rows. That is sound: the statements of one connection see a
//! replica that only goes forward (PostgreSQL replays its log in order, and each write of a space updates
//! `revision` in the transaction of its content), so what comes after the question has come at least as far
//! as the question saw.
//!
//! The number alone would not be enough: a standby that is promoted without the last writes comes to the same
//! numbers again with other content. So the replica must also have the row of the primary's timeline (see
//! [`crate::timelines`]); what has replayed that follows this primary.
//!
//! A replica may fall silent in the middle of a statement. One that takes long is not silent for that: unless
//! other statements are answered, the replica is asked by a new connection whether it is there.

use super::{Connection, Executor, Params, Replicas, Store, replicas::Replica, statement_log::note};
use crate::{Error, Result, TimelineId, row};
use futures_util::future::{BoxFuture, try_join};
use std::{
    future::Future,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::{sync::OnceCell, time::timeout};
use tokio_postgres::{Row, types::ToSql};

/// How long a replica may take to say how far it is. It says so before it begins with what is asked.
const ANSWER: Duration = Duration::from_secs(1);
/// How far a space has come at the replica, and whether that follows the primary of a timeline.
const QUESTION: &str =
    "select revision, exists (select from timelines where id = $2) as follows from space_counters where space_id = $1";
/// How long a statement may run before the replica is asked whether it is there, and again each time that it
/// was.
const WATCH: Duration = Duration::from_millis(500);

/// How far a space must have come where it is read. Its clones are one mark.
#[derive(Debug, Clone)]
pub struct ReadMark {
    space: i64,
    /// The revision of the space, `space_counters.revision`.
    revision: i64,
    /// The timeline of the primary; `None` when it has no row yet, and no replica can be told from one that
    /// follows another primary.
    timeline: Option<TimelineId>,
    is_passed: Arc<AtomicBool>,
}

impl ReadMark {
    /// A mark of a space at a revision of a timeline.
    pub fn new(space: i64, revision: i64, timeline: Option<TimelineId>) -> Self {
        Self { space, revision, timeline, is_passed: Arc::default() }
    }

    /// Whether a replica that was read had come further. What was read there is right, and is not what
    /// belongs to this revision.
    pub fn is_passed(&self) -> bool {
        self.is_passed.load(Relaxed)
    }
}

/// A connection for the statements of one read. It writes nothing.
pub struct Reader {
    store: Store,
    name: &'static str,
    replica: Option<OnReplica>,
    primary: OnceCell<Connection>,
}

struct OnReplica {
    connection: Connection,
    replica: Arc<Replica>,
    replicas: Arc<Replicas>,
    mark: ReadMark,
    /// Whether the replica has come far enough, once it has said so. All statements wait for that.
    has_come: OnceCell<bool>,
    /// Whether the replica is of no use any more.
    is_left: AtomicBool,
}

impl Reader {
    pub(super) async fn open(store: &Store, name: &'static str, mark: ReadMark) -> Result<Self> {
        let replica = match &store.replicas {
            Some(replicas) if mark.timeline.is_none() => {
                replicas.pass_over();
                None
            }
            Some(replicas) => replicas.get(mark.space).await.map(|(client, replica)| {
                let connection = store.connection_on(client, name, replica.connector());
                OnReplica {
                    connection,
                    replica,
                    replicas: replicas.clone(),
                    mark,
                    has_come: OnceCell::new(),
                    is_left: AtomicBool::new(false),
                }
            }),
            None => None,
        };
        let reader = Self { store: store.clone(), name, replica, primary: OnceCell::new() };
        if reader.replica.is_none() {
            reader.primary().await?;
        }
        Ok(reader)
    }

    /// Runs a query and visits each row as it arrives; see [`Connection::for_each_row`].
    #[track_caller]
    pub fn for_each_row<'a>(
        &'a self,
        sql: &'a str,
        params: Params<'a>,
        mut visit: impl FnMut(&Row) -> Result<()> + Send + 'a,
    ) -> impl Future<Output = Result<()>> + Send + 'a {
        note(sql);
        async move {
            let mut has_visited = false;
            if let Some(on) = self.on_replica() {
                let visiting = on.connection.for_each_row(sql, params, |row| {
                    has_visited = true;
                    visit(row)
                });
                // No row may be visited before the question is answered.
                let outcome = async { if on.has_come().await? { visiting.await } else { Err(Error::Behind) } };
                match on.outcome(on.watched(outcome).await) {
                    Err(error) if !has_visited && !is_of_caller(&error) => drop(error),
                    outcome => return outcome,
                }
            }
            self.primary().await?.for_each_row(sql, params, visit).await
        }
    }

    async fn primary(&self) -> Result<&Connection> {
        self.primary.get_or_try_init(|| self.store.connection(self.name)).await
    }

    fn on_replica(&self) -> Option<&OnReplica> {
        self.replica.as_ref().filter(|on| !on.is_left.load(Relaxed))
    }

    /// Runs a statement on the replica, and what it cannot answer on the primary.
    async fn run<'a, T, F>(&'a self, statement: impl Fn(&'a Connection) -> F + Send) -> Result<T>
    where
        F: Future<Output = Result<T>> + Send,
    {
        if let Some(on) = self.on_replica() {
            let answer = async {
                on.prepare_question().await?;
                let (has_come, answer) = try_join(on.has_come(), statement(&on.connection)).await?;
                if has_come { Ok(answer) } else { Err(Error::Behind) }
            };
            match on.outcome(on.watched(on.connection.in_flight().track(answer)).await) {
                Err(error) if !is_of_caller(&error) => drop(error),
                outcome => return outcome,
            }
        }
        statement(self.primary().await?).await
    }
}

impl OnReplica {
    /// The answer of the replica, for as long as the replica is there.
    async fn watched<T>(&self, answer: impl Future<Output = Result<T>>) -> Result<T> {
        let mut answer = pin!(answer);
        loop {
            if let Ok(answer) = timeout(WATCH, &mut answer).await {
                return answer;
            }
            tokio::select! {
                biased;
                answer = &mut answer => return answer,
                is_silent = self.replica.connector().is_silent() => if is_silent { return Err(Error::TimedOut) },
            }
        }
    }

    /// Makes the question ready to be sent. While it has to be prepared it would be sent after a statement
    /// that is prepared already, and say nothing of it. That is one round trip for each connection.
    async fn prepare_question(&self) -> Result<()> {
        timeout(ANSWER, self.connection.prepare(QUESTION)).await.map_err(|_| Error::TimedOut)?.map(drop)
    }

    /// Whether the replica has come far enough. It is asked once.
    async fn has_come(&self) -> Result<bool> {
        self.has_come.get_or_try_init(|| self.ask()).await.copied()
    }

    async fn ask(&self) -> Result<bool> {
        let params: [&(dyn ToSql + Sync); 2] =
            [/* space_id */ &self.mark.space, /* timeline */ &self.mark.timeline.map(|id| id.0)];
        let question = self.connection.row_opt(QUESTION, &params);
        let Some(found) = timeout(ANSWER, question).await.map_err(|_| Error::TimedOut)?? else { return Ok(false) };
        if !row::get::<bool>(&found, "follows")? {
            return Err(Error::Unavailable("it does not follow the present primary, or not yet".to_owned()));
        }
        let revision: i64 = row::get(&found, "revision")?;
        if revision > self.mark.revision {
            self.mark.is_passed.store(true, Relaxed);
        }
        Ok(revision >= self.mark.revision)
    }

    /// Takes note of how a statement ended.
    fn outcome<T>(&self, outcome: Result<T>) -> Result<T> {
        match &outcome {
            Ok(_) => self.replicas.has_read(&self.replica),
            Err(error) if is_of_caller(error) => {}
            Err(error) => {
                self.is_left.store(true, Relaxed);
                self.replicas.has_failed(&self.replica, self.mark.space, error);
            }
        }
        outcome
    }
}

/// Whether an error is the caller's, who would get it from the primary as well: it refuses what it reads, or
/// reads too much.
fn is_of_caller(error: &Error) -> bool {
    matches!(error, Error::TooLarge { .. } | Error::Fault(_))
}

impl Executor for Reader {
    fn rows<'a>(&'a self, sql: &'a str, params: Params<'a>) -> BoxFuture<'a, Result<Vec<Row>>> {
        note(sql);
        match self.primary.get() {
            Some(primary) => primary.rows(sql, params),
            None => Box::pin(self.run(move |connection| connection.rows(sql, params))),
        }
    }

    fn execute<'a>(&'a self, sql: &'a str, params: Params<'a>) -> BoxFuture<'a, Result<u64>> {
        note(sql);
        match self.primary.get() {
            Some(primary) => primary.execute(sql, params),
            None => Box::pin(self.run(move |connection| connection.execute(sql, params))),
        }
    }
}
