//! Puts the rooms together: from what is configured and opened to the table of endpoints.

use crate::{VERSION, config::Config};
use crypto::keys::Keys;
use domain::shared::{SharedClock, SharedEntropy};
use routes::{
    dispatch::{Area, Dispatch},
    ops::{self, Facts, Metrics, Ops},
    web::Dialect,
};
use storage::Store;
use tokio::sync::watch;

/// What is open and running.
pub struct Parts {
    /// Where the server is found, see [`Config::base_url`].
    pub base_url: String,
    /// The database.
    pub store: Store,
    /// The time.
    pub clock: SharedClock,
    /// Randomness.
    pub entropy: SharedEntropy,
    /// Every key.
    pub keys: Keys,
    /// What is measured.
    pub metrics: Metrics,
    /// Whether the server is stopping.
    pub draining: watch::Receiver<bool>,
}

/// Every endpoint that this process serves.
pub fn dispatch(config: &Config, parts: &Parts) -> Dispatch {
    operations(Dispatch::default(), config, parts)
}

fn operations(dispatch: Dispatch, config: &Config, parts: &Parts) -> Dispatch {
    let ops = Ops {
        store: parts.store.clone(),
        draining: parts.draining.clone(),
        metrics: parts.metrics.clone(),
        metrics_token: config.metrics_token.clone(),
        facts: Facts {
            version: VERSION,
            registration_enabled: true,
            cookie_secure: config.cookie_secure,
            password_rules: ops::ready::PasswordRules {
                min_length: 8,
                require_uppercase: false,
                require_lowercase: false,
                require_digit: false,
                require_symbol: false,
            },
        },
    };
    dispatch
        .with(Area::Api("health"), "ops.health", Dialect::Identity, ops::health())
        .with(Area::Api("ready"), "ops.ready", Dialect::Identity, ops::ready(&ops))
        .with(Area::Root("metrics"), "ops.metrics", Dialect::Identity, ops::metrics(&ops))
}
