//! Options of fields that other servers have, kept for a minute in this process: a form asks for them with
//! each key of a search. What is wrong with a URL is kept for some seconds, so that a server that is down
//! does not take the reads of all other fields.
//!
//! ```text
//! get -> kept for less than a minute                              no request
//!     -> a read of the same URL under way, for the same space     its result
//!     -> counted, read through the guard, parsed, kept, also when it failed
//! ```

use super::{Content, delivery::cache::SingleFlight};
use domain::{
    content::external_options::{self, ExternalOption, URL},
    shared::{Fault, Kind, SpaceId},
};
use futures_util::FutureExt;
use jiff::{SignedDuration, Timestamp};
use quick_cache::{Weighter, sync::Cache};
use std::sync::Arc;

/// How long a list is kept.
const KEPT_FOR: SignedDuration = SignedDuration::from_mins(1);
/// How long it is kept that a URL has no list.
const FAILURE_KEPT_FOR: SignedDuration = SignedDuration::from_secs(10);
/// How many bytes all lists may have that are kept.
const MAX_BYTES: u64 = 32 << 20;
/// About how many lists that are. It only gives the tables their first size.
const USUAL_LISTS: usize = 64;
/// About how many bytes an option takes beside its texts.
const OVERHEAD: usize = 64;

type Key = (SpaceId, String);
type Options = Arc<Vec<ExternalOption>>;

/// The lists of a process. Cheap to clone.
#[derive(Clone)]
pub struct ExternalOptions {
    kept: Arc<Cache<Key, KeptOptions, InBytes>>,
    reads: Arc<SingleFlight<Key, Result<Options, Fault>>>,
}

#[derive(Clone)]
struct KeptOptions {
    options: Result<Options, Fault>,
    until: Timestamp,
}

#[derive(Clone)]
struct InBytes;

impl Weighter<Key, KeptOptions> for InBytes {
    fn weight(&self, (_, url): &Key, kept: &KeptOptions) -> u64 {
        let options = kept.options.as_ref().map(|options| options.as_slice()).unwrap_or_default();
        let texts: usize = options.iter().map(|option| option.name.len() + option.value.len() + OVERHEAD).sum();
        u64::try_from(url.len() + OVERHEAD + texts).unwrap_or(u64::MAX)
    }
}

impl Default for ExternalOptions {
    fn default() -> Self {
        Self { kept: Arc::new(Cache::with_weighter(USUAL_LISTS, MAX_BYTES, InBytes)), reads: Arc::default() }
    }
}

impl ExternalOptions {
    /// What a URL answers to a space. 422 for anything but options, 429 when the space has read too often.
    pub(super) async fn get(&self, content: &Content, space: SpaceId, url: String) -> Result<Options, Fault> {
        let key = (space, url);
        if let Some(kept) = self.kept.get(&key).filter(|kept| content.clock.now() < kept.until) {
            return kept.options;
        }
        let (kept, content) = (self.kept.clone(), content.clone());
        let read = self.reads.run(key.clone(), move || {
            async move {
                let options = read(&content, &key).await.map(Arc::new);
                let kept_for = match &options {
                    Ok(_) => KEPT_FOR,
                    Err(fault) if fault.kind() == Kind::Invalid => FAILURE_KEPT_FOR,
                    // The place of another field, or of another process, is free in a moment.
                    Err(_) => return options,
                };
                kept.insert(key, KeptOptions { options: options.clone(), until: content.clock.now() + kept_for });
                options
            }
            .boxed()
        });
        read.await
    }
}

async fn read(content: &Content, (space, url): &Key) -> Result<Vec<ExternalOption>, Fault> {
    content.limits.count_option_read(&content.store, *space).await?;
    external_options::parse(&content.remote_files.read(URL, url).await?)
}
