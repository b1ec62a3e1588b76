//! `lectern serve`: starts the server from its configuration, and stops it.

use crate::{
    VERSION,
    accept::{self, Limits, ServerState},
    allocator, banner,
    clock::SystemClock,
    components::{Components, Foundation},
    config::{Config, Unknown},
    data_dir::DataDir,
    embedded_postgres::{self, Cluster, Durability},
    lifecycle::Signals,
    telemetry::{self, MetricsExport},
    wiring,
};
use actors::ActorSystem;
use anyhow::{Context, Result, anyhow, bail};
use crypto::{passwords::Passwords, random::SystemEntropy};
use domain::shared::SharedEntropy;
use routes::{
    ops::{Metrics, Ops},
    web::ResponseMemory,
};
use std::{convert::Infallible, io::ErrorKind, sync::Arc, time::Duration};
use storage::{Store, connect, connect::DatabaseTarget, identity::account_list, leases, shared::sending};
use tokio::{net::TcpListener, sync::watch, task::JoinSet, time::sleep};

/// How long the database may take to answer before the server is not ready.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(1);

/// How long the actors may take to finish after the last request: a delivery in progress takes 10 seconds at
/// most.
const ACTORS_STOP: Duration = Duration::from_secs(13);

/// Serves until a signal arrives, or the actors have failed too often. A private PostgreSQL that ends is
/// started again.
pub async fn run(config: &Config, unknown: &[Unknown]) -> Result<()> {
    let metrics = Metrics::new(VERSION).context("metrics")?;
    let entropy: SharedEntropy = Arc::new(SystemEntropy);
    let telemetry = telemetry::start(config, metrics.dropped_lines.clone(), entropy.uuid())?;
    warn(config, unknown);
    let mut signals = Signals::new()?;
    // The port and the directory come first, so that a start that finds one of them taken fails before the
    // slow steps.
    let listener = listen(config).await?;
    let listening = listener.local_addr().context("the listening address")?;
    let data = DataDir::open(&config.data_dir, config.database_url.is_none())?;
    let presence = data.presence().clone();
    let keys = data.keys(config.secret.as_ref(), entropy.as_ref())?;
    let passwords = Passwords::start(config.identity.passwords, entropy.clone()).map_err(|what| anyhow!(what))?;
    let OpenedDatabase { store, mut cluster } = tokio::select! {
        opened = database(config, &data) => opened?,
        () = signals.next() => return Ok(()),
    };
    let starting = store.starting();
    let store = with_replicas(config, store).await?;
    check(config, &store).await?;
    let memory = response_memory(config)?;
    let (draining, drained) = watch::channel(false);
    let (stop, stopped) = watch::channel(false);
    let foundation = Foundation {
        base_url: config.base_url(listening),
        store: store.clone(),
        database_timeout: DATABASE_TIMEOUT,
        clock: Arc::new(SystemClock),
        entropy: entropy.clone(),
        keys,
        passwords,
        metrics: metrics.clone(),
        memory: memory.clone(),
        draining: drained,
        studio: wiring::studio_bundle(),
        data: data.path().to_owned(),
        data_is_there: presence.asked(),
    };
    let (components, actors) = Components::open(config, foundation, |_| ()).await?;
    let ops = wiring::operations(config, &components);
    let state = ServerState {
        dispatch: wiring::dispatch(config, &components)?,
        metrics,
        memory,
        entropy,
        trusted_proxies: config.trusted_proxies.clone(),
        limits: limits(config),
    };
    drop(starting);
    banner::show(&telemetry.log, config, listening, data.path());

    let mut serving = JoinSet::new();
    serving.spawn(accept::serve(listener, state, stopped));
    let outcome = tokio::select! {
        () = signals.next() => Ok(()),
        never = keep_running(cluster.as_mut(), &actors) => match never {},
        never = presence.watch() => match never {},
        never = export(telemetry.metrics.as_ref(), &ops) => match never {},
        () = actors.failed() => Err(anyhow!("actors failed again and again; the log says which, and why")),
    };
    // Before `/api/ready` says so: from its 503 on, no delivery is attempted any more.
    actors.begin_shutdown();
    draining.send_replace(true);
    tracing::info!("stopping");
    let delay = if outcome.is_ok() { config.stop_delay } else { Duration::ZERO };
    tokio::select! {
        () = finish(serving, &stop, &actors, (delay, config.stop_timeout)) => {}
        () = signals.next() => bail!("asked to stop a second time: running requests were cut off"),
    }
    store.close();
    if let Some(cluster) = cluster {
        cluster.stop().await;
    }
    tracing::info!("stopped");
    outcome
}

/// Waits, then ends the running requests and the actors within a time.
async fn finish(
    mut serving: JoinSet<bool>,
    stop: &watch::Sender<bool>,
    actors: &ActorSystem,
    (delay, within): (Duration, Duration),
) {
    sleep(delay).await;
    stop.send_replace(true);
    let _ = serving.join_next().await;
    // After the last request, so that the actors also finish what it has asked of them.
    actors.drain(within.min(ACTORS_STOP)).await;
}

/// The memory of responses, which has the allocator give back what a flood of them has left.
fn response_memory(config: &Config) -> Result<ResponseMemory> {
    let memory = ResponseMemory::new(config.response_memory);
    let trimming = allocator::start_trimming().context("the thread that gives memory back could not be started")?;
    // One that waits already is as good as another.
    memory.on_flood_over(move || {
        let _ = trimming.try_send(());
    });
    Ok(memory)
}

/// Says what is odd about the configuration.
fn warn(config: &Config, unknown: &[Unknown]) {
    for variable in unknown {
        tracing::warn!("{variable}");
    }
    if let Some(warning) = config.warning() {
        tracing::warn!("{warning}");
    }
}

/// What is to be known of a database before it is used.
async fn check(config: &Config, store: &Store) -> Result<()> {
    recognise(store).await?;
    if config.services.identity {
        check_search(store).await?;
    }
    Ok(())
}

/// Pauses sending in a database that is a copy of another one, and says when it is paused.
async fn recognise(store: &Store) -> Result<()> {
    let state = sending::recognise(&store.connection("sending.recognise").await?).await?;
    if state.is_paused {
        let why = if state.is_copy { "this database is a copy of another one" } else { "it was paused before" };
        tracing::warn!("webhooks and mails are not sent, because {why}: `lectern sending resume` sends them from now on");
    }
    Ok(())
}

/// Says when searches for people are slow.
async fn check_search(store: &Store) -> Result<()> {
    if !account_list::has_search_index(&store.connection("account.search_index").await?).await? {
        tracing::warn!(
            "people are searched without an index, because the extension pg_trgm is missing; docs/administration.md says how to add both"
        );
    }
    Ok(())
}

/// The limits of connections and requests.
fn limits(config: &Config) -> Limits {
    Limits {
        connections: config.max_connections,
        connections_per_address: config.max_connections_per_address,
        drain: config.stop_timeout,
        ..Limits::default()
    }
}

async fn listen(config: &Config) -> Result<TcpListener> {
    let address = config.listen;
    let refused = match TcpListener::bind(address).await {
        Ok(listener) => return Ok(listener),
        Err(error) => error,
    };
    // Most often it is this server, started before.
    if refused.kind() == ErrorKind::AddrInUse
        && let Some(process) = DataDir::holder(&config.data_dir)
    {
        bail!(
            "it runs already, as process {process}, with the same data directory, and {address} is in use: {} shows it; a second one needs an \
             APP_LISTEN and an APP_DATA_DIR of its own",
            config.base_url(address)
        );
    }
    Err(refused).with_context(|| format!("cannot listen on {address} (set APP_LISTEN to another address)"))
}

/// A database that is migrated and connected.
pub(crate) struct OpenedDatabase {
    pub(crate) store: Store,
    /// The private PostgreSQL; `None` for a configured database.
    pub(crate) cluster: Option<Cluster>,
}

/// Opens the configured database, or starts the private one, and migrates it. In a data directory that
/// another process has locked, it opens the database of that process.
pub(crate) async fn database(config: &Config, data: &DataDir) -> Result<OpenedDatabase> {
    let (target, cluster) = if let Some(url) = &config.database_url {
        (DatabaseTarget::new(url.clone(), config.db_pool_size), None)
    } else if data.is_shared() {
        (embedded_postgres::running(data.presence(), config.db_pool_size)?, None)
    } else {
        let cluster = embedded_postgres::start(data.presence(), Durability::Safe, &|step| tracing::info!("{step}")).await?;
        (cluster.target("postgres", config.db_pool_size), Some(cluster))
    };
    if config.database_url.is_some() {
        // This may take a while: the database is far away, or another process is migrating it.
        tracing::info!("opening the database");
    }
    match store(&target, data.is_shared(), cluster.is_some()).await {
        Ok(store) => Ok(OpenedDatabase { store, cluster }),
        Err(error) => {
            if let Some(cluster) = cluster {
                cluster.stop().await;
            }
            let whose = if config.database_url.is_some() { "APP_DATABASE_URL" } else { "the private PostgreSQL" };
            Err(anyhow!("the database cannot be used ({whose}): {error}"))
        }
    }
}

async fn store(target: &DatabaseTarget, is_shared: bool, is_private: bool) -> storage::Result<Store> {
    if is_shared {
        return connect::open_beside(target).await;
    }
    let (store, applied) = connect::open(target).await?;
    if applied > 0 {
        tracing::info!(migrations = applied, "database brought up to date");
    }
    if is_private {
        // PostgreSQL has just been started, so whatever process took them is not connected any more.
        let ended = leases::end_all(&store.connection("leases.end_all").await?).await?;
        if ended > 0 {
            tracing::info!(leases = ended, "work that a killed process left is due again");
        }
    }
    Ok(store)
}

/// Reads of the Delivery API go to the replicas, where there are any.
async fn with_replicas(config: &Config, store: Store) -> Result<Store> {
    let Some(url) = &config.database_read_url else { return Ok(store) };
    let target = DatabaseTarget::new(url.clone(), config.db_pool_size);
    let replicas = connect::replicas(&store, &target).await;
    Ok(store.with_replicas(replicas.map_err(|error| anyhow!("the replicas cannot be used (APP_DATABASE_READ_URL): {error}"))?))
}

/// Sends metrics to the operator's collector, where there is one.
async fn export(metrics: Option<&MetricsExport>, ops: &Ops) -> Infallible {
    match metrics {
        Some(metrics) => metrics.run(|| ops.gather(), &SystemClock).await,
        None => std::future::pending().await,
    }
}

/// Keeps the private PostgreSQL running, and lets reads be answered from memory while it does not.
async fn keep_running(cluster: Option<&mut Cluster>, actors: &ActorSystem) -> Infallible {
    let notifications = &actors.handles().notifications;
    match cluster {
        Some(cluster) => {
            let stopped = |is_stopped| notifications.set_database_stopped(is_stopped);
            cluster.keep_running(stopped).await
        }
        None => std::future::pending().await,
    }
}
