//! Opening connections: the address of the database, TLS, the pool and its limits.
//!
//! `connector` finds the host, `current_host` knows which one that was, `session` sets the limits, `manager`
//! keeps the connections of a pool.

mod address;
mod connector;
mod current_host;
mod failures;
mod last_answer;
mod manager;
mod session;
mod session_check;
mod stream;

pub use connector::Starting;
pub(crate) use connector::{Connector, Driver, Origin};
pub(crate) use last_answer::LastAnswer;
pub(crate) use manager::{Object, Pool, PooledClient};
pub use session::Timeline;
pub(crate) use session::{Session, is_read_only};
pub(crate) use session_check::check_session;

use crate::{
    Error, IsThere, Result, Store, migrate, row,
    store::{Executor, Replicas},
};
use deadpool::{Runtime, managed::QueueMode};
use futures_util::future::BoxFuture;
use manager::Manager;
use rustls::{ClientConfig, RootCertStore};
use secrecy::{ExposeSecret, SecretString};
use std::{str::FromStr, sync::Arc, time::Duration};
use tokio_postgres::{Client, Config, config::SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

/// The address of the database, how many connections may be open, and how long callers wait for one.
#[derive(Clone)]
pub struct DatabaseTarget {
    /// A `postgres://` URL or a key-value string. `sslmode=require`, `verify-ca` and `verify-full` all mean
    /// TLS with a certificate that is checked against the roots of the system, its name too: there is no
    /// encryption without authentication.
    pub url: SecretString,
    /// The size of the pool.
    pub pool_size: usize,
    /// How long a caller waits for a free connection, or for one to be opened, before it gets an error.
    /// Opening one to a replica has a shorter limit.
    pub acquire_timeout: Duration,
    /// For a socket below a data directory: whether that is still there. Else no connection is made.
    pub is_there: Option<IsThere>,
}

impl DatabaseTarget {
    /// A target whose callers wait for a connection as long as a server has them wait.
    pub fn new(url: impl Into<SecretString>, pool_size: usize) -> Self {
        Self { url: url.into(), pool_size, acquire_timeout: Duration::from_secs(2), is_there: None }
    }
}

/// How long connecting to a replica may take. The primary can do what it does.
const REPLICA_TIMEOUT: Duration = Duration::from_secs(1);
/// How long connecting outside of the pool may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Applies the migrations and opens the pool. Returns the store, and how many migrations were applied. The
/// database may be slow: it is waited for as in a start ([`Store::starting`]).
pub fn open(target: &DatabaseTarget) -> BoxFuture<'_, Result<(Store, usize)>> {
    Box::pin(async move {
        let connector = Arc::new(connector(target, "", target.acquire_timeout)?);
        let _starting = connector.starting();
        check_session(&connector, Session::Limited).await?;
        let mut opened = connector.open(Session::Plain).await?;
        let applied = migrate::run(&mut opened.client).await;
        opened.origin.close();
        Ok((store_of(connector, target)?, applied?))
    })
}

/// Opens the pool on the database of a running server, whose migrations must be those of this version.
pub fn open_beside(target: &DatabaseTarget) -> BoxFuture<'_, Result<Store>> {
    Box::pin(async move {
        let (client, driver) = single(target, "").await?;
        let is_current = migrate::is_current(&client).await;
        drop(client);
        driver.abort();
        if is_current? {
            pool(target)
        } else {
            Err(Error::Internal("the running server is of another version than this one".to_owned()))
        }
    })
}

/// Opens the pool on a database that is known to have the migrations of this version, such as a copy of one.
/// Nothing is asked before the first statement.
pub fn open_migrated(target: &DatabaseTarget) -> Result<Store> {
    pool(target)
}

/// The replicas of the database of a store that a URL names, each host with a pool of the same size. A
/// replica that does not answer is no error: it is asked again.
pub async fn replicas(store: &Store, target: &DatabaseTarget) -> Result<Replicas> {
    let identity: String = row::get(&store.connection("replicas.identity").await?.row(manager::IDENTITY, &[]).await?, "identity")?;
    let replicas = replicas_at(target, &identity)?;
    replicas.reach().await;
    Ok(replicas)
}

/// Replicas of the database with an identity.
pub(crate) fn replicas_at(target: &DatabaseTarget, identity: &str) -> Result<Replicas> {
    let connectors = Connector::of_each_host(&config(target, "")?, &tls()?, REPLICA_TIMEOUT)?;
    let pools = connectors
        .into_iter()
        .map(Arc::new)
        .map(|connector| Ok((pool_of(Manager::of_replica(Arc::clone(&connector), identity.to_owned()), target)?, connector)));
    Ok(Replicas::new(pools.collect::<Result<Vec<_>>>()?))
}

fn pool(target: &DatabaseTarget) -> Result<Store> {
    store_of(Arc::new(connector(target, "", target.acquire_timeout)?), target)
}

fn store_of(connector: Arc<Connector>, target: &DatabaseTarget) -> Result<Store> {
    Ok(Store::new(pool_of(Manager::new(Arc::clone(&connector)), target)?, connector))
}

fn pool_of(manager: Manager, target: &DatabaseTarget) -> Result<Pool> {
    Pool::builder(manager)
        .max_size(target.pool_size)
        // The connection that was used last comes first: its process has plans and pages in its caches, and
        // the others stay idle.
        .queue_mode(QueueMode::Lifo)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(target.acquire_timeout))
        .build()
        .map_err(|error| Error::Internal(error.to_string()))
}

/// Opens a connection outside of the pool, without its limits. The task drives the connection and ends with
/// it.
pub async fn single(target: &DatabaseTarget, options: &str) -> Result<(Client, tokio::task::JoinHandle<()>)> {
    let opened = connector(target, options, CONNECT_TIMEOUT)?.open(Session::Plain).await?;
    Ok((opened.client, opened.driver))
}

fn connector(target: &DatabaseTarget, options: &str, limit: Duration) -> Result<Connector> {
    Ok(Connector::new(config(target, options)?, tls()?, limit)?.only_while(target.is_there.clone()))
}

/// The parsed URL with the limits of this process.
fn config(target: &DatabaseTarget, options: &str) -> Result<Config> {
    // tokio-postgres does not know these two modes. With our TLS settings, `require` does what they mean.
    let url = ["verify-full", "verify-ca"]
        .into_iter()
        .fold(target.url.expose_secret().to_owned(), |url, word| url.replace(&format!("sslmode={word}"), "sslmode=require"));
    let mut config = Config::from_str(&url).map_err(|error| Error::Internal(format!("database URL: {error}")))?;
    config.application_name("lectern");
    // A database whose machine is gone is detected within 25 seconds, whether something was sent to it or
    // not.
    config.keepalives_idle(Duration::from_secs(10)).keepalives_interval(Duration::from_secs(5)).keepalives_retries(3);
    config.tcp_user_timeout(Duration::from_secs(25));
    if !options.is_empty() {
        config.options(options);
    }
    if config.get_ssl_mode() == SslMode::Prefer {
        // `prefer` would silently fall back to clear text. TLS is used when the URL requires it.
        config.ssl_mode(SslMode::Disable);
    }
    Ok(config)
}

/// TLS with the roots of the system.
fn tls() -> Result<MakeRustlsConnect> {
    let mut roots = RootCertStore::empty();
    for certificate in rustls_native_certs::load_native_certs().certs {
        // A root that rustls cannot parse is skipped; without any root the handshake fails.
        let _ = roots.add(certificate);
    }
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Internal(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

#[cfg(test)]
mod tests {
    use super::{DatabaseTarget, config};
    use tokio_postgres::config::SslMode;

    #[test]
    fn tls_is_used_when_it_is_required_and_never_optional() {
        let mode = |url: &str| config(&DatabaseTarget::new(url, 1), "").map(|c| c.get_ssl_mode());
        for word in ["require", "verify-ca", "verify-full"] {
            assert_eq!(mode(&format!("postgres://u:p@db.example/x?sslmode={word}")).unwrap(), SslMode::Require, "{word}");
            assert_eq!(mode(&format!("host=db.example sslmode={word} user=u")).unwrap(), SslMode::Require, "{word}");
        }
        for url in ["postgres://db.example/x", "postgres://db.example/x?sslmode=prefer", "postgres://db.example/x?sslmode=disable"]
        {
            assert_eq!(mode(url).unwrap(), SslMode::Disable, "{url}");
        }
        let refused = mode("postgres://u:hunter2@db.example/x?sslmode=perhaps").unwrap_err().to_string();
        assert!(!refused.contains("hunter2"), "{refused}");
    }
}
