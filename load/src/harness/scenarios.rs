//! The scenarios. Each is a file with a function that prepares the server and returns the users.

mod admin_lists;
mod autosave;
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
    args::{RunArgs, Scenario},
    recorder::Recorder,
    result::Finding,
    site::Site,
    user::{Group, Pace, User},
};
use anyhow::Result;
use std::{future::Future, pin::Pin, sync::Arc};
use tokio::task::JoinSet;

impl Scenario {
    /// Prepares the server and returns the users.
    pub(super) async fn prepare(self, setup: &mut Setup<'_>) -> Result<Load> {
        match self {
            Self::DeliveryHot => delivery_hot::prepare(setup).await,
            Self::DeliveryMixed | Self::Overload => delivery_mixed::prepare(setup).await,
            Self::PublishRead => publish_read::prepare(setup).await,
            Self::Editors => editors::prepare(setup).await,
            Self::Autosave => autosave::prepare(setup).await,
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
