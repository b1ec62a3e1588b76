//! What the pool does with connections: making them, and seeing whether one can be used again.

use super::{
    connector::{Connector, Origin},
    session::{self, Session},
};
use crate::{Error, Result};
use deadpool::managed::{self, Metrics, RecycleError, RecycleResult};
use deadpool_postgres::ClientWrapper;
use std::{ops::Deref, sync::Arc, time::Duration};
use tokio::time::timeout;

/// The pool of a store.
pub(crate) type Pool = managed::Pool<Manager>;
/// A connection of the pool. It goes back when it is dropped.
pub(crate) type Object = managed::Object<Manager>;

/// Makes the connections of a pool.
pub(crate) struct Manager {
    connector: Arc<Connector>,
    /// The identity of the database that every connection must lead to, where it is a replica; see
    /// [`IDENTITY`].
    replica_of: Option<String>,
}

/// The identity of a database, which its physical replicas have too.
pub(super) const IDENTITY: &str = "select concat_ws('/', cluster.system_identifier, base.oid) as identity
     from pg_control_system() cluster, pg_database base where base.datname = current_database()";

/// How long a replica may take to answer that.
const IDENTITY_LIMIT: Duration = Duration::from_secs(1);

/// A connection with the statements that are prepared on it.
pub(crate) struct PooledClient {
    client: ClientWrapper,
    origin: Origin,
}

impl Manager {
    /// Makes connections that read and write.
    pub(super) fn new(connector: Arc<Connector>) -> Self {
        Self { connector, replica_of: None }
    }

    /// Makes connections to a replica, which only read.
    pub(super) fn of_replica(connector: Arc<Connector>, identity: String) -> Self {
        Self { connector, replica_of: Some(identity) }
    }
}

impl PooledClient {
    /// Where the connection leads.
    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Whether the connection was ended by neither side.
    pub(crate) fn is_usable(&self) -> bool {
        !self.is_closed() && !self.origin.is_closing()
    }
}

impl Deref for PooledClient {
    type Target = ClientWrapper;

    fn deref(&self) -> &ClientWrapper {
        &self.client
    }
}

impl managed::Manager for Manager {
    type Type = PooledClient;
    type Error = Error;

    async fn create(&self) -> Result<PooledClient> {
        let session = if self.replica_of.is_some() { Session::ReadOnly } else { Session::Limited };
        // On the heap, so that the future of everything that asks for a connection stays small.
        let opened = Box::pin(self.connector.open(session)).await?;
        if let Some(expected) = &self.replica_of {
            let answer = timeout(IDENTITY_LIMIT, opened.client.simple_query(IDENTITY)).await;
            if !matches!(&answer, Ok(Ok(answer)) if session::value(answer) == Some(expected)) {
                opened.driver.abort();
                return Err(match answer {
                    Err(_) => Error::TimedOut,
                    Ok(Err(error)) => error.into(),
                    Ok(Ok(_)) => Error::Unavailable("it is no replica of the database of APP_DATABASE_URL".to_owned()),
                });
            }
        }
        Ok(PooledClient { client: ClientWrapper::new(opened.client, opened.driver), origin: opened.origin })
    }

    async fn recycle(&self, client: &mut PooledClient, _: &Metrics) -> RecycleResult<Error> {
        if client.is_usable() { Ok(()) } else { Err(RecycleError::message("the connection ended")) }
    }
}
