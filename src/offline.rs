//! A server without doors: database, files and actors, for commands that work on a space and end.

use crate::{
    clock::SystemClock,
    compose,
    config::Config,
    data_dir::DataDir,
    embedded_postgres::Cluster,
    serve::{Opened, database},
};
use actors::{Tree, content::importer, tree};
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

/// What is open.
pub(crate) struct Offline {
    pub(crate) store: Store,
    pub(crate) blobs: Blobs,
    pub(crate) tree: Tree,
    pub(crate) keys: Keys,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) base_url: String,
    /// The space whose import from a folder is done here.
    pub(crate) imports_into: Arc<OnceLock<SpaceId>>,
    cluster: Option<Cluster>,
    _data: DataDir,
}

impl Offline {
    /// Opens everything. Imports from a folder into one space are done here, and no others.
    pub(crate) async fn open(config: &Config) -> Result<Self> {
        let data = DataDir::open(config.data_dir.as_deref(), config.database_url.is_none())?;
        let entropy: SharedEntropy = Arc::new(SystemEntropy);
        let keys = data.keys(config.secret.as_ref(), entropy.as_ref())?;
        let Opened { store, target, cluster } = database(config, &data).await?;
        let clock: SharedClock = Arc::new(SystemClock);
        let base_url = config.base_url(config.listen);
        let registry = prometheus::Registry::new();
        let outlet = compose::outlet(config, &base_url, &registry)?;
        let post = compose::post(config, &keys, outlet.client.clone());
        let blobs = Blobs::open(config.assets.below(data.path())).await.context("the directory of assets")?;
        let place = compose::imports(config, &keys, outlet, blobs.clone(), &base_url);
        let imports_into = Arc::new(OnceLock::new());
        let tree = tree::Params {
            blobs: Some(blobs.clone()),
            kept: config.kept,
            imports: importer::Settings::local(place, imports_into.clone()),
            ..tree::Params::new(store.clone(), target, clock.clone(), entropy.clone(), post)
        };
        let tree = Tree::start(tree, &registry).await?;
        Ok(Self { store, blobs, tree, keys, clock, entropy, base_url, imports_into, cluster, _data: data })
    }

    /// Closes everything.
    pub(crate) async fn close(self) {
        self.tree.drain(STOP).await;
        self.store.close();
        if let Some(cluster) = self.cluster {
            cluster.stop().await;
        }
    }
}
