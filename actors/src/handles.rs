//! What the rest of the house holds of the actors.

use crate::{
    content::{SpaceRouter, fan_out, importer, scheduler},
    deliveries::{self, Gate},
    identity::{
        mail_sender,
        session_touch::{self, Touches},
    },
    runtime::{Handle, Observable, supervisor},
    traffic::Traffic,
    upkeep::{Notifications, janitor, notifications},
};
use serde_json::Value;
use std::collections::BTreeMap;

/// The ways in. Cheap to clone.
#[derive(Clone)]
pub struct Handles {
    /// Writes of spaces.
    pub spaces: SpaceRouter,
    /// What deliveries may be made of.
    pub deliveries: Gate,
    /// News from other processes.
    pub notifications: Notifications,
    /// Sessions that were seen.
    pub touches: Touches,
    /// Reads of this process: long work gives way to them.
    pub traffic: Traffic,
    pub(crate) spaces_supervisor: Handle<supervisor::Message>,
    pub(crate) importer: Handle<importer::Message>,
    pub(crate) ear: Handle<notifications::Message>,
    pub(crate) janitor: Handle<janitor::Message>,
    pub(crate) fan_out: Handle<fan_out::Message>,
    pub(crate) scheduler: Handle<scheduler::Message>,
    pub(crate) dispatcher: Handle<deliveries::Message>,
    pub(crate) mail_sender: Handle<mail_sender::Message>,
    pub(crate) session_touch: Handle<session_touch::Message>,
}

impl Handles {
    /// What each permanent actor is doing, by name; null for one that is away. SpaceRouter come and go, and are asked one by one:
    /// [`SpaceRouter::observe`].
    ///
    /// The question stands in line like any message: the answer proves that what came before it was handled.
    pub async fn observe_all(&self) -> BTreeMap<&'static str, Value> {
        let (spaces, importer, notifications, janitor, fan_out, scheduler, dispatcher, mail_sender, session_touch) = tokio::join!(
            observe(&self.spaces_supervisor),
            observe(&self.importer),
            observe(&self.ear),
            observe(&self.janitor),
            observe(&self.fan_out),
            observe(&self.scheduler),
            observe(&self.dispatcher),
            observe(&self.mail_sender),
            observe(&self.session_touch)
        );
        BTreeMap::from([spaces, importer, notifications, janitor, fan_out, scheduler, dispatcher, mail_sender, session_touch])
    }
}

async fn observe<M: Observable>(handle: &Handle<M>) -> (&'static str, Value) {
    (handle.kind(), handle.observe().await.unwrap_or_default())
}
