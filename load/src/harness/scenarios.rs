//! The scenarios. Each is a file with a function that prepares the server and returns the users.

mod admin_lists;
mod delivery_hot;
mod delivery_mixed;
mod editors;
mod everything;
mod import;
pub(super) mod logins;
pub(super) mod oidc_code;
pub(super) mod overload;
pub(super) mod publish_read;
pub(super) mod tokens;
mod webhooks;

use super::{
    args::RunArgs,
    recorder::Recorder,
    result::Finding,
    site::Site,
    user::{Group, Pace, User},
};
use anyhow::Result;
use clap::ValueEnum;
use std::{future::Future, pin::Pin, sync::Arc};
use tokio::task::JoinSet;

/// A scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scenario {
    /// Stories and a list that are asked for again and again, and come from the cache.
    DeliveryHot,
    /// Lists with random filters, orders, tags and searches, of which few come from the cache.
    DeliveryMixed,
    /// A story is published under a new name, and the very next read has to show it.
    PublishRead,
    /// Editors list, open, save, preview and publish stories, with pauses.
    Editors,
    /// Stories are published, and receivers in this process get a webhook for each.
    Webhooks,
    /// Imports from a source in this process, one after the other.
    Import,
    /// Sign-ins with a password, at a fixed rate.
    Logins,
    /// The code flow of people who are signed in: authorization, token, userinfo.
    OidcCode,
    /// Tokens for clients, introspection, userinfo and refreshing.
    Tokens,
    /// The lists of administrators and of the Management API.
    AdminLists,
    /// All scenarios above at once, each at a rate of its own.
    Everything,
    /// Three times as many uncached lists as the server can make: what it answers, what it refuses, and whether it recovers.
    Overload,
}

impl Scenario {
    /// Its name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// What it does, in a sentence.
    pub(crate) fn about(self) -> String {
        self.to_possible_value().and_then(|value| value.get_help().map(ToString::to_string)).unwrap_or_default()
    }

    /// Prepares the server and returns the users.
    pub(super) async fn prepare(self, setup: &mut Setup<'_>) -> Result<Load> {
        match self {
            Self::DeliveryHot => delivery_hot::prepare(setup).await,
            Self::DeliveryMixed | Self::Overload => delivery_mixed::prepare(setup).await,
            Self::PublishRead => publish_read::prepare(setup).await,
            Self::Editors => editors::prepare(setup).await,
            Self::Webhooks => webhooks::prepare(setup).await,
            Self::Import => import::prepare(setup).await,
            Self::Logins => logins::prepare(setup).await,
            Self::OidcCode => oidc_code::prepare(setup).await,
            Self::Tokens => tokens::prepare(setup).await,
            Self::AdminLists => admin_lists::prepare(setup).await,
            Self::Everything => Box::pin(everything::prepare(setup)).await,
        }
    }
}

/// What a scenario is prepared with.
pub(crate) struct Setup<'a> {
    pub(crate) site: &'a mut Site,
    pub(crate) args: &'a RunArgs,
    pub(crate) recorder: Arc<Recorder>,
    /// The number of users, and the turns a second, where they are not the scenario's own.
    pub(crate) users: Option<u32>,
    pub(crate) rate: Option<f64>,
}

impl Setup<'_> {
    /// The number of users: the scenario's own, unless the command line has one.
    fn users(&self, own: u32) -> u32 {
        self.users.unwrap_or(own)
    }

    /// A group of these users: at the scenario's own pace, unless the command line has a rate.
    fn group(&self, own: Pace, users: Vec<Box<dyn User>>) -> Group {
        Group { pace: self.rate.map_or(own, Pace::Open), users }
    }
}

/// Looks, behind the run, whether something holds.
type Check = Pin<Box<dyn Future<Output = Finding> + Send>>;

/// The users of a scenario, and what they need beside the server.
#[derive(Default)]
pub(crate) struct Load {
    pub(crate) groups: Vec<Group>,
    /// Receivers and sources in this process. They end with the run.
    pub(crate) servers: Vec<JoinSet<()>>,
    pub(crate) checks: Vec<Check>,
}

impl From<Group> for Load {
    fn from(group: Group) -> Self {
        Self { groups: vec![group], ..Self::default() }
    }
}
