//! What `ops/`, `docker-compose.yml` and `Dockerfile` hold, as far as it can be run without containers: the
//! proxy in front of two real servers, the rules in promtool, the unit in systemd's own checks, the shell of
//! the files, and a backup that is restored.

mod backup;
mod compose;
mod event_streams;
mod first_steps;
mod image;
mod monitoring;
mod package;
mod proxy;
mod rolling_restart;
mod sbom;
mod service_unit;

use support::{database, free_address::FreeAddress, prelude::*, proxy::Proxy};

const SECRET: &str = "0123456789abcdef0123456789abcdef";
const METRICS_TOKEN: &str = "0123456789abcdef";

/// Two servers on one database behind the proxy, as in `docker-compose.yml`.
struct Pair {
    /// Where each server listens itself.
    addresses: [SocketAddr; 2],
    /// Their own handles; the `address` of both is that of the proxy.
    servers: [Server; 2],
    data: [Scratch; 2],
    database: Database,
    proxy: Proxy,
    /// A server is started again at its address.
    _reserved: [FreeAddress; 3],
}

impl Pair {
    async fn start() -> Self {
        Self::with(&[]).await
    }

    /// The same with further settings of both servers.
    async fn with(more: &[(&str, &str)]) -> Self {
        let reserved = [(); 3].map(|()| FreeAddress::new());
        let [proxy, first, second] = reserved.each_ref().map(|reserved| reserved.address);
        let addresses = [first, second];
        let (database, data) = (database().await, [scratch(), scratch()]);
        let servers = [
            start(&database, &data[0], addresses[0], proxy, more).await,
            start(&database, &data[1], addresses[1], proxy, more).await,
        ];
        Self { addresses, servers, data, database, proxy: Proxy::start(proxy, &addresses).await, _reserved: reserved }
    }
}

/// Starts one of the servers. Three seconds are many of the proxy's health checks.
async fn start(database: &Database, data: &Scratch, address: SocketAddr, proxy: SocketAddr, more: &[(&str, &str)]) -> Server {
    let (address, base_url) = (address.to_string(), format!("http://{proxy}"));
    let variables = [
        ("APP_LISTEN", address.as_str()),
        ("APP_BASE_URL", &base_url),
        ("APP_DATABASE_URL", database.target.url.expose_secret()),
        ("APP_SECRET", SECRET),
        ("APP_METRICS_TOKEN", METRICS_TOKEN),
        ("APP_TRUSTED_PROXIES", "127.0.0.1"),
        ("APP_RATE_LIMITS", "off"),
        ("APP_STOP_DELAY", "3"),
    ];
    let variables: Vec<_> = variables.iter().chain(more).copied().collect();
    Server::start(data.path(), &variables).await
}

/// The metrics of a server.
async fn metrics(address: SocketAddr) -> String {
    let request = support::browser().get(format!("http://{address}/metrics")).bearer_auth(METRICS_TOKEN);
    request.send().await.unwrap().text().await.unwrap()
}
