//! What commands work with that read or write the database and exit. They run beside the server of their data
//! directory, on the PostgreSQL that it runs; without a server they start and stop a private one themselves.

use crate::{
    clock::SystemClock,
    config::Config,
    data_dir::DataDir,
    embedded_postgres::Cluster,
    serve::{OpenedDatabase, database},
};
use anyhow::{Context, Result};
use crypto::{keys::Keys, random::SystemEntropy};
use domain::shared::{SharedClock, SharedEntropy};
use std::sync::Arc;
use storage::{Store, blobs::Blobs};

/// The open database, and what everything is derived from.
pub(crate) struct CommandEnv {
    pub(crate) store: Store,
    pub(crate) keys: Keys,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) base_url: String,
    cluster: Option<Cluster>,
    data: DataDir,
}

impl CommandEnv {
    /// Opens the database.
    pub(crate) async fn open(config: &Config) -> Result<Self> {
        let data = DataDir::open_for_command(&config.data_dir, config.database_url.is_none())?;
        let entropy: SharedEntropy = Arc::new(SystemEntropy);
        let keys = data.keys(config.secret.as_ref(), entropy.as_ref())?;
        let OpenedDatabase { store, cluster } = database(config, &data).await?;
        let base_url = config.base_url(config.listen);
        Ok(Self { store, keys, clock: Arc::new(SystemClock), entropy, base_url, cluster, data })
    }

    /// Opens the files of assets.
    pub(crate) async fn blobs(&self, config: &Config) -> Result<Blobs> {
        let settings = config.assets.below(self.data.path(), self.data.presence().asked());
        let opened = if self.data.is_shared() { Blobs::open_beside(settings).await } else { Blobs::open(settings).await };
        opened.context("the directory of assets")
    }

    /// Closes the database.
    pub(crate) async fn close(self) {
        self.store.close();
        if let Some(cluster) = self.cluster {
            cluster.stop().await;
        }
    }
}
