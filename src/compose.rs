//! Puts the rooms together: from what is configured and opened to the table of endpoints.

use crate::{VERSION, config::Config};
use actors::Handles;
use crypto::keys::Keys;
use domain::shared::{SharedClock, SharedEntropy};
use routes::{
    content::{Content, TokenKeys, delivery, management},
    dispatch::{Area, Dispatch},
    ops::{self, Facts, Metrics, Ops},
    web::{
        Dialect,
        session::{Sessions, SiteSettings},
    },
};
use std::sync::Arc;
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
    /// Who writes, and who hears.
    pub actors: Handles,
    /// Every key.
    pub keys: Keys,
    /// What is measured.
    pub metrics: Metrics,
    /// Whether the server is stopping.
    pub draining: watch::Receiver<bool>,
}

/// Every endpoint that this process serves.
pub fn dispatch(config: &Config, parts: &Parts) -> Dispatch {
    let dispatch = operations(Dispatch::default(), config, parts);
    let site = SiteSettings { base_url: parts.base_url.clone(), cookie_secure: config.cookie_secure };
    let sessions = Sessions::new(parts.store.clone(), &parts.keys, parts.clock.clone(), &site);
    if config.services.content { content(dispatch, parts, sessions) } else { dispatch }
}

fn content(dispatch: Dispatch, parts: &Parts, sessions: Sessions) -> Dispatch {
    let content = Content {
        store: parts.store.clone(),
        spaces: parts.actors.spaces.clone(),
        sessions,
        clock: parts.clock.clone(),
        entropy: parts.entropy.clone(),
        token_keys: Arc::new(TokenKeys::new(&parts.keys)),
    };
    let dispatch = dispatch.with(Area::Delivery, "content.delivery", Dialect::Delivery, delivery::group(&content)).with(
        Area::Spaces,
        "content.spaces",
        Dialect::Management,
        management::spaces::group(&content),
    );
    [
        ("api_keys", "content.api_keys", management::api_keys::group(&content)),
        ("audit_log", "content.audit_log", management::audit_log::group(&content)),
        ("component_groups", "content.component_groups", management::component_groups::group(&content)),
        ("components", "content.components", management::components::group(&content)),
        ("presets", "content.presets", management::presets::group(&content)),
        ("stories", "content.stories", management::stories::group(&content)),
        ("story_versions", "content.story_versions", management::stories::group(&content)),
        ("tokens", "content.tokens", management::tokens::group(&content)),
    ]
    .into_iter()
    .fold(dispatch, |dispatch, (resource, name, group)| dispatch.with(Area::Space(resource), name, Dialect::Management, group))
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
