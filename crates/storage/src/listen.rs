//! Hearing what other processes announce: a connection that LISTENs.

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
const PATIENCE: Duration = Duration::from_secs(5);

/// Something was announced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// On which channel.
    pub channel: String,
    /// What.
    pub payload: String,
}

/// A connection that LISTENs. There is no task behind it: it works while somebody waits for [`Listener::next`].
pub struct Listener {
    client: Client,
    connection: Connection<Socket, Stream>,
    heard: VecDeque<Heard>,
}

impl Listener {
    /// Connects and listens. Whatever is announced after the answer will be heard.
    pub async fn connect(target: &Target, channels: &[&str]) -> Result<Self> {
        let mut config = connect::config(target, "")?;
        // Told apart from the pool's, for whoever looks at the database's sessions.
        config.application_name("lectern listener");
        let connecting = async { Ok::<_, Error>(config.connect(connect::tls()?).await?) };
        let (client, connection) = tokio::time::timeout(PATIENCE, connecting)
            .await
            .map_err(|_| Error::Unavailable("connecting took too long".to_owned()))??;
        let mut listener = Self { client, connection, heard: VecDeque::new() };
        for channel in channels {
            listener.run(&format!("listen {channel}")).await?;
        }
        Ok(listener)
    }

    /// The next announcement. An error means that the connection is gone, and announcements with it.
    pub async fn next(&mut self) -> Result<Heard> {
        loop {
            if let Some(heard) = self.heard.pop_front() {
                return Ok(heard);
            }
            let message = poll_fn(|context| self.connection.poll_message(context)).await;
            self.heard.extend(announcement(message)?);
        }
    }

    /// Asks the database whether it is still there: a connection that broke without a word looks like one without news.
    pub async fn ping(&mut self) -> Result<()> {
        self.run("select").await
    }

    /// Runs a statement, and hears meanwhile.
    async fn run(&mut self, sql: &str) -> Result<()> {
        let Self { client, connection, heard } = self;
        let mut work = pin!(tokio::time::timeout(PATIENCE, client.batch_execute(sql)));
        loop {
            tokio::select! {
                done = &mut work => {
                    return done.map_err(|_| Error::TimedOut)?.map_err(Error::from);
                }
                message = poll_fn(|context| connection.poll_message(context)) => heard.extend(announcement(message)?),
            }
        }
    }
}

/// What a message announces, if anything.
fn announcement(message: Option<Polled>) -> Result<Option<Heard>> {
    match message {
        None => Err(Error::Unavailable("the connection ended".to_owned())),
        Some(Err(error)) => Err(error.into()),
        Some(Ok(AsyncMessage::Notification(it))) => {
            Ok(Some(Heard { channel: it.channel().to_owned(), payload: it.payload().to_owned() }))
        }
        Some(Ok(_)) => Ok(None),
    }
}
