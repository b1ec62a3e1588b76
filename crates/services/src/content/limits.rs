//! The limits of the content service: how often a caller may make this server look at another one.

use super::Authorized;
use crate::shared::SharedLimit;
use domain::shared::{Fault, Rate, SharedClock, SpaceId};
use prometheus::IntCounter;
use std::{sync::Arc, time::Duration};
use storage::Store;

/// How many previewed pages a caller may have looked at in a minute.
const LOOKS: u32 = 20;
/// How many lists of options may be read from other servers for a space in a minute.
const OPTION_READS: u32 = 20;

/// The limits.
pub struct ContentLimits {
    looks: SharedLimit,
    option_reads: SharedLimit,
}

impl ContentLimits {
    /// Those of a server on which limits are on or off. `rejections` answers the metric of a limit by its
    /// name.
    pub fn new(enabled: bool, clock: &SharedClock, rejections: impl Fn(&'static str) -> IntCounter) -> Self {
        let a_minute = |count| enabled.then(|| Rate::new(count, Duration::from_mins(1)));
        let limit = |name, count| SharedLimit::new(name, a_minute(count), rejections(name), Arc::clone(clock));
        Self { looks: limit("environment_checks", LOOKS), option_reads: limit("option_reads", OPTION_READS) }
    }

    /// Counts a look at a page that a space is previewed in, by its caller. 429 for one too many.
    pub async fn count_look(&self, store: &Store, caller: &Authorized) -> Result<(), Fault> {
        self.looks.acquire(store, &format!("{} {}", caller.space(), caller.actor().id)).await
    }

    /// Counts a list of options that is read from another server for a space. 429 for one too many.
    pub async fn count_option_read(&self, store: &Store, space: SpaceId) -> Result<(), Fault> {
        self.option_reads.acquire(store, &space.to_string()).await
    }
}
