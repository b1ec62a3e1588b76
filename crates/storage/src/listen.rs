//! A connection that LISTENs: it receives what any process announces by NOTIFY.

use crate::{
    Error, Result,
    connect::{self, Target},
};
use std::{collections::VecDeque, future::poll_fn, pin::pin, time::Duration};
use tokio_postgres::{AsyncMessage, Client, Connection, Socket, tls::MakeTlsConnect};
use tokio_postgres_rustls::MakeRustlsConnect;

type Polled = std::result::Result<AsyncMessage, tokio_postgres::Error>;
type Stream = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream;

/// How long the database may take to answer on this connection.
const TIMEOUT: Duration = Duration::from_secs(5);

/// A notification of PostgreSQL's NOTIFY.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    /// The channel it was sent on.
    pub channel: String,
    /// Its payload.
    pub payload: String,
}

/// A connection that LISTENs. There is no task behind it: it works only while a caller awaits [`Listener::next`].
pub struct Listener {
    client: Client,
    connection: Connection<Socket, Stream>,
    received: VecDeque<Notification>,
}

impl Listener {
    /// Connects and listens. Whatever is announced after this returns will be received.
    pub async fn connect(target: &Target, channels: &[&str]) -> Result<Self> {
        let mut config = connect::config(target, "")?;
        // A name of its own in pg_stat_activity, so that an operator can tell it from the connections of the pool.
        config.application_name("lectern listener");
        let connecting = async { Ok::<_, Error>(config.connect(connect::tls()?).await?) };
        let (client, connection) = tokio::time::timeout(TIMEOUT, connecting)
            .await
            .map_err(|_| Error::Unavailable("connecting took too long".to_owned()))??;
        let mut listener = Self { client, connection, received: VecDeque::new() };
        for channel in channels {
            listener.run(&format!("listen {channel}")).await?;
        }
        Ok(listener)
    }

    /// The next notification. An error means that the connection is gone, and notifications with it.
    pub async fn next(&mut self) -> Result<Notification> {
        loop {
            if let Some(notification) = self.received.pop_front() {
                return Ok(notification);
            }
            let message = poll_fn(|context| self.connection.poll_message(context)).await;
            self.received.extend(notification(message)?);
        }
    }

    /// Asks the database whether it is still there: a connection that broke without a word looks like one without notifications.
    pub async fn ping(&mut self) -> Result<()> {
        self.run("select").await
    }

    /// Runs a statement, and receives notifications meanwhile.
    async fn run(&mut self, sql: &str) -> Result<()> {
        let Self { client, connection, received } = self;
        let mut statement = pin!(tokio::time::timeout(TIMEOUT, client.batch_execute(sql)));
        loop {
            tokio::select! {
                done = &mut statement => {
                    return done.map_err(|_| Error::TimedOut)?.map_err(Error::from);
                }
                message = poll_fn(|context| connection.poll_message(context)) => received.extend(notification(message)?),
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
