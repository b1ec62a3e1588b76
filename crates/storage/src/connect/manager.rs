//! What the pool does with connections: making them, and seeing whether one can be used again.

use super::{
    connector::{Connector, Origin},
    session::{self, Session},
};
use crate::{Error, Result};
use deadpool::managed::{self, Metrics, RecycleError, RecycleResult};
use deadpool_postgres::ClientWrapper;
use std::{ops::Deref, sync::Arc};

/// The pool of a store.
pub(crate) type Pool = managed::Pool<Manager>;
/// A connection of the pool. It goes back when it is dropped.
pub(crate) type Object = managed::Object<Manager>;

/// Makes the connections of a pool.
pub(crate) struct Manager {
    connector: Arc<Connector>,
    /// The identity of the database that every connection must lead to, where it is a replica; see [`IDENTITY`].
    copy_of: Option<String>,
}

/// The identity of a database, which its physical replicas have too.
pub(super) const IDENTITY: &str = "select concat_ws('/', cluster.system_identifier, base.oid) as identity
     from pg_control_system() cluster, pg_database base where base.datname = current_database()";

/// A connection with the statements that are prepared on it.
pub(crate) struct PooledClient {
    client: ClientWrapper,
    origin: Origin,
}

impl Manager {
    /// Makes connections that read and write.
    pub(super) fn new(connector: Arc<Connector>) -> Self {
        Self { connector, copy_of: None }
    }

    /// Makes connections to a replica, which only read.
    pub(super) fn of_copy(connector: Arc<Connector>, identity: String) -> Self {
        Self { connector, copy_of: Some(identity) }
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
        let session = if self.copy_of.is_some() { Session::ReadOnly } else { Session::Limited };
        // On the heap, so that the future of everything that asks for a connection stays small.
        let opened = Box::pin(self.connector.open(session)).await?;
        if let Some(expected) = &self.copy_of
            && session::value(&opened.client.simple_query(IDENTITY).await?) != Some(expected)
        {
            opened.driver.abort();
            return Err(Error::Unavailable("it is no copy of the database of APP_DATABASE_URL".to_owned()));
        }
        Ok(PooledClient { client: ClientWrapper::new(opened.client, opened.driver), origin: opened.origin })
    }

    async fn recycle(&self, client: &mut PooledClient, _: &Metrics) -> RecycleResult<Error> {
        if client.is_usable() { Ok(()) } else { Err(RecycleError::message("the connection ended")) }
    }
}
