//! A connection that LISTENs: it receives what any process announces by NOTIFY.

use crate::{
    Error, Result, Store,
    connect::{Connector, Driver, Origin, Session, is_read_only},
    timelines,
};
use std::{collections::VecDeque, future::poll_fn, pin::pin, sync::Arc, time::Duration};
use tokio_postgres::{AsyncMessage, Client, SimpleQueryMessage};

type Polled = std::result::Result<AsyncMessage, tokio_postgres::Error>;

/// How long the database may take to answer on this connection.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The same where another host may have taken over. A standby that is asked in vain costs nothing, so this
/// may be short.
const TIMEOUT_OF_SEVERAL: Duration = Duration::from_millis(500);
/// How often the database is asked whether it is there.
const PING_INTERVAL: Duration = Duration::from_secs(5);
/// The same where another host may take over.
const PING_INTERVAL_OF_SEVERAL: Duration = Duration::from_millis(500);

/// A notification of PostgreSQL's NOTIFY.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    /// The channel it was sent on.
    pub channel: String,
    pub payload: String,
}

/// A connection that LISTENs. There is no task behind it: it works only while a caller awaits
/// [`Listener::next`].
pub struct Listener {
    client: Client,
    connection: Driver,
    origin: Origin,
    connector: Arc<Connector>,
    received: VecDeque<Notification>,
    timeline_row: TimelineRow,
}

/// Whether the timeline of the database has its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TimelineRow {
    NotTried,
    /// It could not be written, and a warning was logged.
    Missing,
    Written,
}

impl Listener {
    /// Connects and listens. Whatever is announced after this returns will be received.
    pub async fn connect(store: &Store, channels: &[&str]) -> Result<Self> {
        let (client, connection, origin) = store.connector().connect(Session::Plain).await?;
        let connector = Arc::clone(store.connector());
        let mut listener =
            Self { client, connection, origin, connector, received: VecDeque::new(), timeline_row: TimelineRow::NotTried };
        // A name of its own in pg_stat_activity, so that an operator can tell it from the connections of the
        // pool.
        listener.run("set application_name = 'lectern listener'").await?;
        for channel in channels {
            listener.run(&format!("listen {channel}")).await?;
        }
        listener.add_timeline().await?;
        Ok(listener)
    }

    /// How often to ask whether the database is still there. A database that can move to another host is
    /// asked often, because this is how a host that has fallen silent is noticed.
    pub fn ping_interval(&self) -> Duration {
        if self.connector.has_several_hosts() { PING_INTERVAL_OF_SEVERAL } else { PING_INTERVAL }
    }

    /// The next notification. An error means that the connection is gone, and notifications with it.
    pub async fn next(&mut self) -> Result<Notification> {
        loop {
            if let Some(notification) = self.received.pop_front() {
                return Ok(notification);
            }
            let message = tokio::select! {
                message = poll_fn(|context| self.connection.poll_message(context)) => message,
                () = self.origin.closed() => None,
            };
            self.received.extend(notification(message)?);
        }
    }

    /// Asks the database whether it is still there: a connection that broke without a word looks like one
    /// without notifications. A host that does not answer is the last to be tried for new connections, by
    /// everything in this process; for one that can only be read, another one is looked for.
    pub async fn ping(&mut self) -> Result<()> {
        let outcome = self.ask().await;
        match &outcome {
            Ok(answer) if is_read_only(answer) => self.connector.look_for_another(),
            Err(Error::TimedOut) => self.connector.distrust(&self.origin),
            _ => {}
        }
        outcome.map(drop)
    }

    async fn ask(&mut self) -> Result<Vec<SimpleQueryMessage>> {
        if self.timeline_row == TimelineRow::Missing {
            self.add_timeline().await?;
            if self.timeline_row == TimelineRow::Written {
                // What was looked up before does not know the row. It is looked up again after a new
                // connection.
                return Err(Error::Unavailable("the timeline of the database has its row now".to_owned()));
            }
        }
        self.run("show transaction_read_only").await
    }

    /// Adds the row of the timeline that the database writes on, from which on what belongs to it can be told
    /// from what belongs to another one. When it cannot be written, the next ping tries again.
    async fn add_timeline(&mut self) -> Result<()> {
        let Some(timeline) = self.origin.timeline() else { return Ok(()) };
        match self.run(&timelines::addition(timeline)).await {
            Ok(_) => self.timeline_row = TimelineRow::Written,
            Err(error @ (Error::TimedOut | Error::Unavailable(_))) => return Err(error),
            Err(error) => {
                if self.timeline_row == TimelineRow::NotTried {
                    tracing::warn!(%error, "no response is kept in memory, and no replica read, until the timeline of the database has its row");
                }
                self.timeline_row = TimelineRow::Missing;
            }
        }
        Ok(())
    }

    /// Runs a statement, and receives notifications meanwhile.
    async fn run(&mut self, sql: &str) -> Result<Vec<SimpleQueryMessage>> {
        let limit = if self.connector.has_several_hosts() { TIMEOUT_OF_SEVERAL } else { TIMEOUT };
        let Self { client, connection, origin, received, .. } = self;
        let mut statement = pin!(tokio::time::timeout(limit, client.simple_query(sql)));
        loop {
            tokio::select! {
                // An answer that is there already counts, however late this is polled.
                biased;
                () = origin.closed() => return Err(Error::Unavailable("the connection ended".to_owned())),
                message = poll_fn(|context| connection.poll_message(context)) => received.extend(notification(message)?),
                done = &mut statement => return done.map_err(|_| Error::TimedOut)?.map_err(Error::from),
            }
        }
    }
}

/// The notification in a message of the server, if it is one.
fn notification(message: Option<Polled>) -> Result<Option<Notification>> {
    match message {
        None => Err(Error::Unavailable("the connection ended".to_owned())),
        Some(Err(error)) => Err(error.into()),
        Some(Ok(AsyncMessage::Notification(sent))) => {
            Ok(Some(Notification { channel: sent.channel().to_owned(), payload: sent.payload().to_owned() }))
        }
        Some(Ok(_)) => Ok(None),
    }
}
