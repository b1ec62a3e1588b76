//! Opening connections: where the database is, TLS when asked for, the pool with its limits.

use crate::{Error, Result, Store, migrate};
use deadpool_postgres::{Manager, ManagerConfig, Pool, QueueMode, RecyclingMethod, Runtime};
use rustls::{ClientConfig, RootCertStore};
use secrecy::{ExposeSecret, SecretString};
use std::{str::FromStr, sync::Arc, time::Duration};
use tokio_postgres::{Client, Config, config::SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Where the database is and how many connections we may hold.
#[derive(Clone)]
pub struct Target {
    /// A `postgres://` URL or a key-value string. `sslmode=require`, `verify-ca` and `verify-full` all mean TLS with the certificate
    /// checked against the system's roots, its name too: we never encrypt to somebody unknown.
    pub url: SecretString,
    /// The size of the pool.
    pub pool_size: usize,
}

/// How long a caller waits for a free connection before it is told that we are busy.
const ACQUIRE: Duration = Duration::from_secs(2);
/// The server's own limits on what a session may do; a statement that needs longer is a defect.
/// No JIT: it costs more than any statement here takes. One plan a statement, whatever its values are: statements are written so that there is
/// one good way, and to plan anew costs more than most of them take. Pages are read at random about as fast as in order: the disks are solid.
const OPTIONS: &str = "-c statement_timeout=30000 -c idle_in_transaction_session_timeout=10000 -c lock_timeout=5000 -c timezone=UTC \
     -c jit=off -c random_page_cost=1.1 -c plan_cache_mode=force_generic_plan";

/// Applies the migrations and opens the pool. Answers the store and how many migrations were applied.
pub async fn open(target: &Target) -> Result<(Store, usize)> {
    let (mut client, driver) = single(target, "").await?;
    let applied = migrate::run(&mut client).await;
    drop(client);
    driver.abort();
    let applied = applied?;

    let manager = Manager::from_config(config(target, OPTIONS)?, tls()?, ManagerConfig { recycling_method: RecyclingMethod::Fast });
    let pool = Pool::builder(manager)
        .max_size(target.pool_size)
        // The connection that was used last: its process has the plans and the pages at hand, and the others are left asleep.
        .queue_mode(QueueMode::Lifo)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(ACQUIRE))
        .create_timeout(Some(ACQUIRE))
        .build()
        .map_err(|error| Error::Internal(error.to_string()))?;
    Ok((Store::new(pool), applied))
}

/// One connection outside of the pool: for migrations and for LISTEN. The task drives it; it ends when the connection does.
pub async fn single(target: &Target, options: &str) -> Result<(Client, tokio::task::JoinHandle<()>)> {
    let (client, connection) = config(target, options)?.connect(tls()?).await?;
    #[expect(clippy::disallowed_methods, reason = "the connection's own driver: it ends with the connection, nothing to supervise")]
    let driver = tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "connection ended");
        }
    });
    Ok((client, driver))
}

/// The parsed URL with our limits.
pub(crate) fn config(target: &Target, options: &str) -> Result<Config> {
    // The driver knows these two words not; what it does for `require` with our TLS is what they ask for.
    let url = ["verify-full", "verify-ca"]
        .into_iter()
        .fold(target.url.expose_secret().to_owned(), |url, word| url.replace(&format!("sslmode={word}"), "sslmode=require"));
    let mut config = Config::from_str(&url).map_err(|error| Error::Internal(format!("database URL: {error}")))?;
    config.application_name("lectern").connect_timeout(Duration::from_secs(5));
    // A machine that is gone without a word is known to be within 25 seconds, whether something was sent to it or not.
    config.keepalives_idle(Duration::from_secs(10)).keepalives_interval(Duration::from_secs(5)).keepalives_retries(3);
    config.tcp_user_timeout(Duration::from_secs(25));
    if !options.is_empty() {
        config.options(options);
    }
    if config.get_ssl_mode() == SslMode::Prefer {
        // «Prefer» would fall back to clear text in silence. Whoever wants TLS asks for it.
        config.ssl_mode(SslMode::Disable);
    }
    Ok(config)
}

/// TLS against the system's roots.
pub(crate) fn tls() -> Result<MakeRustlsConnect> {
    let mut roots = RootCertStore::empty();
    for certificate in rustls_native_certs::load_native_certs().certs {
        // A root that rustls cannot read is skipped, as every TLS client does; an empty store fails at the handshake.
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
    use super::{Target, config};
    use tokio_postgres::config::SslMode;

    #[test]
    fn encryption_is_as_asked_for_and_never_perhaps() {
        let mode = |url: &str| config(&Target { url: url.into(), pool_size: 1 }, "").map(|c| c.get_ssl_mode());
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
