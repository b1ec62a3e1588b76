//! How this process runs imports, and how it reaches their sources.

use super::{
    source::{Source, SourceError, directory::Directory, vendor::VendorSource},
    throttle::MAX_PAGE,
};
use crate::content::importer::{end_code::EndCode, retries::RetryHandle};
use crypto::seal::Seal;
use domain::{
    content::import::{ImportPayload, SourceId, SourceRef},
    shared::SpaceId,
};
use egress::{
    clients::EgressClients,
    fetch::FetchLimits,
    vendor::{ImportMemory, Region, Vendor},
};
use secrecy::{ExposeSecret, SecretString};
use services::content::import::source_token::seal_context;
use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};
use storage::{
    blobs::Blobs,
    content::imports::jobs::{IMPORT, IMPORT_LOCAL},
    queue::Queue,
};

/// The default duration of a lease.
const LEASE: Duration = Duration::from_secs(15);

/// How this process runs imports.
#[derive(Clone)]
pub struct Settings {
    /// The queues from which it claims jobs.
    pub queues: Vec<Queue<ImportPayload>>,
    /// How many imports run concurrently, in all processes together.
    pub slots: usize,
    /// How long a lease lasts without a heartbeat.
    pub lease: Duration,
    /// The maximum number of records that are written in one transaction.
    pub max_page: usize,
    /// What imports need; without it this process claims none.
    pub env: Option<ImportEnv>,
    /// The only space whose jobs are claimed, once it is known. The command line uses it to run the requested
    /// import and no other.
    pub only: Option<Arc<OnceLock<SpaceId>>>,
}

/// What imports need to reach sources and to store files.
#[derive(Clone)]
pub struct ImportEnv {
    /// The HTTP clients for Storyblok's API and for files.
    pub clients: EgressClients,
    /// Origins of the management and the delivery API that replace those of the region.
    pub origins: (Option<String>, Option<String>),
    /// Decrypts the tokens of sources.
    pub seal: Seal,
    /// Where files are stored.
    pub blobs: Blobs,
    /// The public URL of this server, with which the URLs of files begin.
    pub base_url: String,
    /// How much of its source one import may hold in memory, in bytes.
    pub memory: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { queues: vec![IMPORT], slots: 4, lease: LEASE, max_page: MAX_PAGE, env: None, only: None }
    }
}

impl Settings {
    /// For the command line, which imports a folder of this machine into one space.
    pub fn local(env: ImportEnv, space: Arc<OnceLock<SpaceId>>) -> Self {
        Self { queues: vec![IMPORT_LOCAL], env: Some(env), only: Some(space), ..Self::default() }
    }
}

impl ImportEnv {
    /// The client of a source, whose failed requests are reported to `retries`.
    pub(super) fn source(
        &self,
        retries: &RetryHandle,
        source: &SourceRef,
        token: Option<SecretString>,
    ) -> Result<Arc<dyn Source>, SourceError> {
        match source {
            SourceRef::Directory { path } => Ok(Arc::new(Directory::new(path, ImportMemory::new(self.memory)))),
            SourceRef::Vendor { region, space_id } => {
                let unknown = || SourceError::new(EndCode::RegionUnknown, format!("There is no region {region}"));
                let region: Region = region.parse().map_err(|()| unknown())?;
                let lost =
                    || SourceError::new(EndCode::TokenLost, "The source's token cannot be read any more: start the import again");
                let origins = region.origins(self.origins.0.as_deref(), self.origins.1.as_deref());
                let memory = ImportMemory::new(self.memory);
                let vendor = Vendor::new(self.clients.pool.clone(), origins, token.ok_or_else(lost)?, *space_id, memory);
                let limits = FetchLimits { bytes: self.blobs.max_bytes(), ..FetchLimits::default() };
                let fetcher = self.clients.fetcher.clone();
                Ok(Arc::new(VendorSource::new(retries.clone(), vendor, (region, SourceId::of(*space_id)), fetcher, limits)))
            }
        }
    }

    /// Decrypts the token of an import; `None` if the key has changed.
    pub(super) fn token(&self, space: SpaceId, sealed: &[u8]) -> Option<SecretString> {
        let token = self.seal.open(&seal_context(space), sealed).ok()?;
        std::str::from_utf8(token.expose_secret()).ok().map(SecretString::from)
    }
}
