//! What the rest of the process holds of the actors.

use super::Params;
use crate::{
    content::{SpaceEvents, SpaceRouter, space_router},
    deliveries::{CancellationSignal, ReceiverGuard},
    identity::{key_rotator::KeyRotations, last_seen_writer::LastSeenBuffer},
    notifications::{self, Notifications},
    read_load::ReadLoad,
    runtime::{Handle, Runtime, handle::DEADLINE, polling, supervisor},
};
use domain::content::import::ImportPayload;
use serde_json::Value;
use std::collections::BTreeMap;
use storage::{
    content::{fan_out::STORY_EVENTS, schedulings::SCHEDULES},
    identity::oidc::signing_keys::SIGNING_KEYS,
    queue::{self, Queue},
};

/// How many callers may ask one of the permanent actors at the same time.
const PERMITS: usize = 1024;

/// The ways in. Cheap to clone.
#[derive(Clone)]
pub struct Handles {
    /// Runs commands of spaces.
    pub spaces: SpaceRouter,
    /// Checks where deliveries may go, and seals their secrets.
    pub deliveries: ReceiverGuard,
    /// Notifications from other processes.
    pub notifications: Notifications,
    /// Sessions that were seen.
    pub last_seen: LastSeenBuffer,
    /// Rotates signing keys for administrators.
    pub key_rotations: KeyRotations,
    /// How much is read just now: long work gives way to reads.
    pub read_load: ReadLoad,
    pub(crate) spaces_supervisor: Handle<supervisor::Message>,
    pub(crate) importer: Handle<polling::Message>,
    pub(crate) listener: Handle<notifications::Message>,
    pub(crate) janitor: Handle<polling::Message>,
    pub(crate) fan_out: Handle<polling::Message>,
    pub(crate) scheduler: Handle<polling::Message>,
    pub(crate) dispatcher: Handle<polling::Message>,
    pub(crate) cancelled_deliveries: CancellationSignal,
    pub(crate) mail_sender: Handle<polling::Message>,
    pub(crate) last_seen_writer: Handle<polling::Message>,
    pub(crate) key_rotator: Handle<polling::Message>,
}

impl Handles {
    /// The handles of a system whose actors are not started yet.
    pub(crate) fn new(runtime: &Runtime, params: &Params) -> Self {
        let events = SpaceEvents::default();
        let polling = |kind| Handle::polling(runtime, kind, PERMITS);
        let spaces_supervisor = Handle::new(runtime, "spaces", PERMITS, DEADLINE, supervisor::Message::Observe);
        let last_seen_writer = polling("last_seen_writer");
        let key_rotator = polling("key_rotator");
        Self {
            spaces: SpaceRouter::new(space_router::Params {
                runtime: runtime.clone(),
                store: params.store.clone(),
                clock: params.clock.clone(),
                entropy: params.entropy.clone(),
                events: events.clone(),
                limits: params.limits,
                supervisor: spaces_supervisor.clone(),
            }),
            deliveries: ReceiverGuard {
                transport: params.deliveries.transport.clone(),
                seal: params.deliveries.seal.clone(),
                entropy: params.entropy.clone(),
            },
            notifications: Notifications::new(events),
            last_seen: LastSeenBuffer::new(last_seen_writer.wake_sender()),
            key_rotations: KeyRotations::new(key_rotator.wake_sender()),
            read_load: ReadLoad::default(),
            spaces_supervisor,
            importer: polling("importer"),
            listener: Handle::new(runtime, "notifications", PERMITS, DEADLINE, notifications::Message::Observe),
            janitor: polling("janitor"),
            fan_out: polling("fan_out"),
            scheduler: polling("scheduler"),
            dispatcher: polling("dispatcher"),
            cancelled_deliveries: CancellationSignal::default(),
            mail_sender: polling("mail_sender"),
            key_rotator,
            last_seen_writer,
        }
    }

    /// Wakes each actor when another process, or a request, announces work for its queue.
    pub(crate) fn wake_on_notifications(&self, import_queues: &[Queue<ImportPayload>]) {
        for queue in import_queues {
            self.notifications.wake_on(*queue, self.importer.wake_sender());
        }
        self.notifications.wake_on(queue::JANITOR, self.janitor.wake_sender());
        self.notifications.wake_on(STORY_EVENTS, self.fan_out.wake_sender());
        self.notifications.wake_on(SCHEDULES, self.scheduler.wake_sender());
        self.notifications.wake_on(queue::DELIVERIES, self.dispatcher.wake_sender());
        let cancelled = self.cancelled_deliveries.clone();
        self.notifications.wake_on(queue::CANCELLED_DELIVERIES, self.dispatcher.wake_sender().noting(move || cancelled.set()));
        self.notifications.wake_on(queue::MAIL, self.mail_sender.wake_sender());
        self.notifications.wake_on(SIGNING_KEYS, self.key_rotator.wake_sender());
    }

    /// What each permanent actor is doing, by name; null for one that does not run. Spaces come and go, and
    /// are asked one by one: [`SpaceRouter::observe`].
    ///
    /// The question stands in line like any message: the answer proves that what came before it was handled.
    pub async fn observe_all(&self) -> BTreeMap<&'static str, Value> {
        let (runners, keepers) = tokio::join!(
            async {
                tokio::join!(
                    observe(&self.spaces_supervisor),
                    observe(&self.importer),
                    observe(&self.fan_out),
                    observe(&self.scheduler),
                    observe(&self.dispatcher),
                    observe(&self.mail_sender)
                )
            },
            async {
                tokio::join!(
                    observe(&self.listener),
                    observe(&self.janitor),
                    observe(&self.last_seen_writer),
                    observe(&self.key_rotator)
                )
            }
        );
        let (spaces, importer, fan_out, scheduler, dispatcher, mail_sender) = runners;
        let (notifications, janitor, last_seen_writer, key_rotator) = keepers;
        let runners = [spaces, importer, fan_out, scheduler, dispatcher, mail_sender];
        runners.into_iter().chain([notifications, janitor, last_seen_writer, key_rotator]).collect()
    }
}

async fn observe<M: ractor::Message>(handle: &Handle<M>) -> (&'static str, Value) {
    (handle.kind(), handle.observe().await.unwrap_or_default())
}
