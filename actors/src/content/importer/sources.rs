//! How imports are done in this process, and how the source of a job is reached.

use super::source::{Source, SourceError, directory::Directory, vendor::Hosted};
use crate::runtime::Runtime;
use crypto::seal::Seal;
use domain::{content::import::SourceRef, shared::SpaceId};
use egress::{
    clients::EgressClients,
    fetch::Limits,
    vendor::{Region, Vendor},
};
use secrecy::{ExposeSecret, SecretString};
use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};
use storage::{
    blobs::Blobs,
    queue::{IMPORT, IMPORT_LOCAL, Queue},
};

/// How long a job is held without a sign of life, where nothing else is said.
const LEASE: Duration = Duration::from_secs(15);

/// How imports are done.
#[derive(Clone)]
pub struct Settings {
    /// Which jobs this process takes.
    pub queues: Vec<Queue>,
    /// How many run at a time, on all processes together.
    pub slots: usize,
    /// How long a job is held without a sign of life.
    pub lease: Duration,
    /// What a process needs that takes any; without it, it takes none.
    pub place: Option<Place>,
    /// The only space whose jobs are taken, once it is known: a command does what it was asked for, and not what another one left behind.
    pub only: Option<Arc<OnceLock<SpaceId>>>,
}

/// Where imports come from and go to.
#[derive(Clone)]
pub struct Place {
    /// The way to the hosted service, and to its files.
    pub clients: EgressClients,
    /// Its origins, where they are not those of the region: management and delivery.
    pub origins: (Option<String>, Option<String>),
    /// What tokens are sealed with.
    pub seal: Seal,
    /// Where files are kept.
    pub blobs: Blobs,
    /// Where this server is found: before the paths of files.
    pub base_url: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self { queues: vec![IMPORT], slots: 4, lease: LEASE, place: None, only: None }
    }
}

impl Settings {
    /// For a process on the machine that has the folder: it takes the jobs of that one space, and no others.
    pub fn local(place: Place, space: Arc<OnceLock<SpaceId>>) -> Self {
        Self { queues: vec![IMPORT_LOCAL], place: Some(place), only: Some(space), ..Self::default() }
    }
}

impl Place {
    /// The source that is meant.
    pub(super) fn source(
        &self,
        runtime: &Runtime,
        source: &SourceRef,
        token: Option<SecretString>,
    ) -> Result<Arc<dyn Source>, SourceError> {
        match source {
            SourceRef::Directory { path } => Ok(Arc::new(Directory::new(path))),
            SourceRef::Vendor { region, space_id } => {
                let unknown = || SourceError::new("regionUnknown", format!("There is no region {region}"));
                let region: Region = region.parse().map_err(|()| unknown())?;
                let lost = || SourceError::new("tokenLost", "The source's token cannot be read any more: start the import again");
                let origins = region.origins(self.origins.0.as_deref(), self.origins.1.as_deref());
                let vendor = Vendor::new(self.clients.pool.clone(), origins, token.ok_or_else(lost)?, *space_id);
                let limits = Limits { bytes: self.blobs.max_bytes(), ..Limits::default() };
                Ok(Arc::new(Hosted::new(runtime.clone(), vendor, (region, *space_id), self.clients.fetcher.clone(), limits)))
            }
        }
    }

    /// The token of a job.
    pub(super) fn token(&self, space: SpaceId, sealed: &[u8]) -> Option<SecretString> {
        let token = self.seal.open(&sealed_for(space), sealed).ok()?;
        std::str::from_utf8(token.expose_secret()).ok().map(SecretString::from)
    }
}

/// The label of the key that tokens of sources are sealed with.
pub const SEAL: &str = "import-token/1";

/// What a token is sealed for: another space's job cannot be given it.
pub fn sealed_for(space: SpaceId) -> String {
    format!("import into space {space}")
}
