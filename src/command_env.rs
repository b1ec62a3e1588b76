//! The environment of commands that work on a space and exit: database, files and actors, without the endpoints.

use crate::{
    clock::SystemClock,
    config::Config,
    data_dir::DataDir,
    embedded_postgres::Cluster,
    serve::{Opened, database},
    wiring,
};
use actors::{ActorSystem, actor_system, content::importer};
use anyhow::{Context, Result};
use crypto::{keys::Keys, random::SystemEntropy};
use domain::shared::{SharedClock, SharedEntropy, SpaceId};
use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};
use storage::{Store, blobs::Blobs};

/// How long the actors may take to finish.
const STOP: Duration = Duration::from_secs(10);

/// Everything that such a command uses.
pub(crate) struct CommandEnv {
    pub(crate) store: Store,
    pub(crate) blobs: Blobs,
    pub(crate) actors: ActorSystem,
    pub(crate) keys: Keys,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) base_url: String,
    /// The space whose import from a folder runs in this process, once it is known.
    pub(crate) imports_into: Arc<OnceLock<SpaceId>>,
    cluster: Option<Cluster>,
    _data: DataDir,
}

impl CommandEnv {
    /// Opens everything. Of all imports only those from a folder into `imports_into` run in this process.
    pub(crate) async fn open(config: &Config) -> Result<Self> {
        let data = DataDir::open(config.data_dir.as_deref(), config.database_url.is_none())?;
        let entropy: SharedEntropy = Arc::new(SystemEntropy);
        let keys = data.keys(config.secret.as_ref(), entropy.as_ref())?;
        let Opened { store, target, cluster } = database(config, &data).await?;
        let clock: SharedClock = Arc::new(SystemClock);
        let base_url = config.base_url(config.listen);
        let registry = prometheus::Registry::new();
        let clients = wiring::egress_clients(config, &base_url, &registry)?;
        let post = wiring::post(config, &keys, clients.client.clone());
        let blobs = Blobs::open(config.assets.below(data.path())).await.context("the directory of assets")?;
        let import_env = wiring::imports(config, &keys, clients, blobs.clone(), &base_url);
        let imports_into = Arc::new(OnceLock::new());
        let actors = actor_system::Params {
            blobs: Some(blobs.clone()),
            retention: config.retention,
            imports: importer::Settings::local(import_env, imports_into.clone()),
            ..actor_system::Params::new(store.clone(), target, clock.clone(), entropy.clone(), post)
        };
        let actors = ActorSystem::start(actors, &registry).await?;
        Ok(Self { store, blobs, actors, keys, clock, entropy, base_url, imports_into, cluster, _data: data })
    }

    /// Closes everything.
    pub(crate) async fn close(self) {
        self.actors.drain(STOP).await;
        self.store.close();
        if let Some(cluster) = self.cluster {
            cluster.stop().await;
        }
    }
}
