//! Opening connections: the address of the database, TLS, the pool and its limits.

use crate::{Error, Result, Store, migrate};
use deadpool_postgres::{Manager, ManagerConfig, Pool, QueueMode, RecyclingMethod, Runtime};
use rustls::{ClientConfig, RootCertStore};
use secrecy::{ExposeSecret, SecretString};
use std::{str::FromStr, sync::Arc, time::Duration};
use tokio_postgres::{Client, Config, config::SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

/// The address of the database, and how many connections may be open.
#[derive(Clone)]
pub struct Target {
    /// A `postgres://` URL or a key-value string. `sslmode=require`, `verify-ca` and `verify-full` all mean TLS with a certificate that is checked
    /// against the roots of the system, its name too: there is no encryption without authentication.
    pub url: SecretString,
    /// The size of the pool.
    pub pool_size: usize,
}

/// How long a caller waits for a free connection before it gets an error.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);
/// Settings of every session. A statement that takes longer than these limits is a defect, and ends within two seconds of the process that sent it.
/// JIT compilation is off, because it takes longer than any statement here. Each statement has one plan for all values (`force_generic_plan`):
/// statements are written so that one plan is good for all, and planning takes longer than running most of them. Random reads cost about as much as
/// sequential ones on solid-state disks.
const OPTIONS: &str = "-c statement_timeout=30000 -c idle_in_transaction_session_timeout=10000 -c lock_timeout=5000 \
     -c client_connection_check_interval=2000 -c timezone=UTC -c jit=off -c random_page_cost=1.1 -c plan_cache_mode=force_generic_plan";

/// Applies the migrations and opens the pool. Returns the store, and how many migrations were applied.
pub async fn open(target: &Target) -> Result<(Store, usize)> {
    let (mut client, driver) = single(target, "").await?;
    let applied = migrate::run(&mut client).await;
    drop(client);
    driver.abort();
    Ok((pool(target)?, applied?))
}

/// Opens the pool on the database of a running server, whose migrations must be those of this version.
pub async fn open_beside(target: &Target) -> Result<Store> {
    let (client, driver) = single(target, "").await?;
    let is_current = migrate::is_current(&client).await;
    drop(client);
    driver.abort();
    if is_current? {
        pool(target)
    } else {
        Err(Error::Internal("the running server is of another version than this one".to_owned()))
    }
}

fn pool(target: &Target) -> Result<Store> {
    let tls = tls()?;
    let manager =
        Manager::from_config(config(target, OPTIONS)?, tls.clone(), ManagerConfig { recycling_method: RecyclingMethod::Fast });
    let pool = Pool::builder(manager)
        .max_size(target.pool_size)
        // The connection that was used last comes first: its process has plans and pages in its caches, and the others stay idle.
        .queue_mode(QueueMode::Lifo)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(ACQUIRE_TIMEOUT))
        .create_timeout(Some(ACQUIRE_TIMEOUT))
        .build()
        .map_err(|error| Error::Internal(error.to_string()))?;
    Ok(Store::new(pool, tls))
}

/// Opens a connection outside of the pool, for migrations and for LISTEN. The task drives the connection and ends with it.
pub async fn single(target: &Target, options: &str) -> Result<(Client, tokio::task::JoinHandle<()>)> {
    let (client, connection) = config(target, options)?.connect(tls()?).await?;
    #[expect(clippy::disallowed_methods, reason = "the driver of the connection ends with it, so there is nothing to supervise")]
    let driver = tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "connection ended");
        }
    });
    Ok((client, driver))
}

/// The parsed URL with the limits of this process.
pub(crate) fn config(target: &Target, options: &str) -> Result<Config> {
    // tokio-postgres does not know these two modes. With our TLS settings, `require` does what they mean.
    let url = ["verify-full", "verify-ca"]
        .into_iter()
        .fold(target.url.expose_secret().to_owned(), |url, word| url.replace(&format!("sslmode={word}"), "sslmode=require"));
    let mut config = Config::from_str(&url).map_err(|error| Error::Internal(format!("database URL: {error}")))?;
    config.application_name("lectern").connect_timeout(Duration::from_secs(5));
    // A database whose machine is gone is detected within 25 seconds, whether something was sent to it or not.
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
pub(crate) fn tls() -> Result<MakeRustlsConnect> {
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
    use super::{Target, config};
    use tokio_postgres::config::SslMode;

    #[test]
    fn tls_is_used_when_it_is_required_and_never_optional() {
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
