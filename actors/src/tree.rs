//! Starts every actor below one root, and stops them.
//!
//! ```text
//! root                    its failure is the process's failure
//! ├─ spaces               a supervisor; it never gives up, because its children are tenants
//! │  └─ space <id> …      started by their first write, gone when idle
//! ├─ importer
//! │  └─ one actor a running import
//! ├─ notifications
//! ├─ scheduler           what was planned happens
//! ├─ fan_out             events of stories become deliveries
//! ├─ dispatcher          deliveries reach their receivers
//! ├─ mail_sender         mails reach the mail server
//! ├─ session_touch       when sessions were last seen is noted
//! └─ janitor
//! ```

use crate::{
    content::{
        Limits, SpaceEvents, SpaceRouter,
        fan_out::{self, FanOut},
        importer::{self, Importer, Tools},
        scheduler::{self, Scheduler},
        space_router,
        undertaker::WebhookUndertaker,
    },
    deliveries::{self, Dispatcher, Gate, Metrics, Post, Undertaker},
    handles::Handles,
    identity::{
        mail_sender::{self, MailSender},
        session_touch::{self, SessionTouch, Touches},
    },
    runtime::{Bell, Budget, Child, Handle, Policy, Restart, Runtime, Supervisor, Tasks, drain, handle::DEADLINE, supervisor},
    traffic::Traffic,
    upkeep::{
        Kept, Notifications,
        janitor::{self, Janitor},
        notifications::{self, Ear},
    },
};
use domain::shared::{Backoff, Fault, SharedClock, SharedEntropy};
use ractor::{Actor, ActorCell};
use std::{collections::BTreeMap, future::Future, sync::Arc, time::Duration};
use storage::{
    Store,
    blobs::Blobs,
    connect::Target,
    content::{fan_out::STORY_EVENTS, schedulings::SCHEDULES, webhooks},
    queue,
    shared::deliveries::DELIVERIES,
};
use tokio::time::Instant;

/// Restarts come quickly at first, and never more than some seconds apart.
const RESTARTS: Backoff = Backoff { first: Duration::from_millis(50), cap: Duration::from_secs(5), jitter: 20 };
/// A tenth failure within a minute is no accident: the process ends, and whoever watches it starts another.
const BUDGET: Budget = Budget { restarts: 10, within: Duration::from_mins(1) };
/// Who ran for so long is no repeat offender.
const FORGIVEN_AFTER: Duration = Duration::from_mins(1);

/// How many callers may ask an upkeep actor, or for the start of a space, at the same time.
const PERMITS: usize = 1024;

/// What a tree is made of.
pub struct Params {
    /// The database.
    pub store: Store,
    /// The same, for the connection that listens.
    pub target: Target,
    /// The files of assets; without them, none are swept.
    pub blobs: Option<Blobs>,
    /// The time.
    pub clock: SharedClock,
    /// For new identifiers, and for jitter.
    pub entropy: SharedEntropy,
    /// The bounds of a space's actor.
    pub limits: Limits,
    /// How long an actor that failed stays away.
    pub restarts: Backoff,
    /// How long things are kept.
    pub kept: Kept,
    /// How imports are done.
    pub imports: importer::Settings,
    /// How deliveries leave.
    pub post: Post,
    /// How mails leave; without it, none do.
    pub mail: Option<mail_sender::Settings>,
}

impl Params {
    /// With the usual bounds.
    pub fn new(store: Store, target: Target, clock: SharedClock, entropy: SharedEntropy, post: Post) -> Self {
        Self {
            store,
            target,
            blobs: None,
            clock,
            entropy,
            limits: Limits::default(),
            restarts: RESTARTS,
            kept: Kept::default(),
            imports: importer::Settings::default(),
            post,
            mail: None,
        }
    }
}

/// All actors of the process. They end when it is drained; dropping it ends nothing.
pub struct Tree {
    runtime: Runtime,
    root: ActorCell,
    handles: Handles,
}

impl Tree {
    /// Starts them. It waits for no database: actors that need one connect when they can.
    pub async fn start(params: Params, registry: &prometheus::Registry) -> Result<Self, Fault> {
        let broken = |error: &dyn std::fmt::Display| Fault::internal(format!("actors cannot start: {error}"));
        let Params { store, target, blobs, clock, entropy, limits, restarts, kept, imports, post, mail } = params;
        let patient = Policy { backoff: restarts, forgiven_after: FORGIVEN_AFTER, budget: None };
        let strict = Policy { budget: Some(BUDGET), ..patient };
        let import_entropy = entropy.clone();
        let runtime = Runtime::new(entropy.clone(), registry).map_err(|error| broken(&error))?;
        let metrics = Metrics::register(registry).map_err(|error| broken(&error))?;
        let events = SpaceEvents::default();
        let notifications = Notifications::new(events.clone());
        let supervisor = Handle::new(&runtime, "spaces", PERMITS, DEADLINE);
        let session_touch = Handle::new(&runtime, "session_touch", PERMITS, DEADLINE);
        let handles = Handles {
            spaces: SpaceRouter::new(space_router::Params {
                runtime: runtime.clone(),
                store: store.clone(),
                clock: clock.clone(),
                entropy: entropy.clone(),
                events,
                limits,
                supervisor: supervisor.clone(),
            }),
            deliveries: Gate { courier: post.courier.clone(), seal: post.seal.clone(), entropy: entropy.clone() },
            notifications: notifications.clone(),
            touches: Touches::new(Bell::new(session_touch.clone(), session_touch::Message::Woken)),
            traffic: Traffic::default(),
            spaces_supervisor: supervisor,
            importer: Handle::new(&runtime, "importer", PERMITS, DEADLINE),
            ear: Handle::new(&runtime, "notifications", PERMITS, DEADLINE),
            janitor: Handle::new(&runtime, "janitor", PERMITS, DEADLINE),
            fan_out: Handle::new(&runtime, "fan_out", PERMITS, DEADLINE),
            scheduler: Handle::new(&runtime, "scheduler", PERMITS, DEADLINE),
            dispatcher: Handle::new(&runtime, "dispatcher", PERMITS, DEADLINE),
            mail_sender: Handle::new(&runtime, "mail_sender", PERMITS, DEADLINE),
            session_touch,
        };
        notifications.wake_on(queue::JANITOR, Bell::new(handles.janitor.clone(), janitor::Message::Woken));
        for queue in &imports.queues {
            notifications.wake_on(*queue, Bell::new(handles.importer.clone(), importer::Message::Woken));
        }
        let tools = Tools {
            runtime: runtime.clone(),
            store: store.clone(),
            clock: clock.clone(),
            entropy: import_entropy,
            spaces: handles.spaces.clone(),
            traffic: handles.traffic.clone(),
            settings: imports,
            metrics: importer::Metrics::register(registry).map_err(|error| broken(&error))?,
        };
        notifications.wake_on(STORY_EVENTS, Bell::new(handles.fan_out.clone(), fan_out::Message::Woken));
        notifications.wake_on(SCHEDULES, Bell::new(handles.scheduler.clone(), scheduler::Message::Woken));
        notifications.wake_on(DELIVERIES, Bell::new(handles.dispatcher.clone(), deliveries::Message::Woken));
        notifications.wake_on(queue::MAIL, Bell::new(handles.mail_sender.clone(), mail_sender::Message::Woken));
        let mail_sender = mail_sender::Params {
            runtime: runtime.clone(),
            store: store.clone(),
            clock: clock.clone(),
            settings: mail,
            metrics: mail_sender::Metrics::register(registry).map_err(|error| broken(&error))?,
            handle: handles.mail_sender.clone(),
        };
        let dispatcher = deliveries::Params {
            runtime: runtime.clone(),
            store: store.clone(),
            clock: clock.clone(),
            courier: post.courier,
            undertakers: undertakers(&handles, &store, &clock),
            seal: post.seal,
            schedule: post.schedule,
            metrics: metrics.clone(),
            handle: handles.dispatcher.clone(),
        };
        let scheduler = scheduler::Params {
            runtime: runtime.clone(),
            store: store.clone(),
            clock: clock.clone(),
            spaces: handles.spaces.clone(),
        };
        let living = session_touch::gauge(registry).map_err(|error| broken(&error))?;
        let touch = session_touch::Params::new(&runtime, &store, &clock, &handles.touches, living);
        let fan_out = fan_out::Params { runtime: runtime.clone(), store: store.clone(), clock: clock.clone(), entropy, metrics };
        let children = vec![
            importer_child(&handles, tools),
            spaces_child(&runtime, &handles, patient),
            notifications_child(&runtime, &handles, target),
            Child::new("scheduler", Restart::Permanent, &handles.scheduler, move || (Scheduler, scheduler.clone())),
            Child::new("fan_out", Restart::Permanent, &handles.fan_out, move || (FanOut, fan_out.clone())),
            // It ends by itself only when it is asked to.
            Child::new("dispatcher", Restart::OnFailure, &handles.dispatcher, move || (Dispatcher, dispatcher.clone())),
            Child::new("mail_sender", Restart::Permanent, &handles.mail_sender, move || (MailSender, mail_sender.clone())),
            Child::new("session_touch", Restart::Permanent, &handles.session_touch, move || (SessionTouch, touch.clone())),
            janitor_child(&handles, janitor::Params { runtime: runtime.clone(), store, clock, blobs, kept }),
        ];
        let root = supervisor::Params { runtime: runtime.clone(), policy: strict, children };
        let (root, _) = Supervisor::spawn(None, Supervisor, root).await.map_err(|error| broken(&error))?;
        Ok(Self { runtime, root: root.get_cell(), handles })
    }

    /// The ways in.
    pub fn handles(&self) -> &Handles {
        &self.handles
    }

    /// For work that runs beside the actors and ends with them.
    pub fn tasks(&self) -> &Tasks {
        self.runtime.tasks()
    }

    /// Ends when the root has failed: nothing is supervised any more, and the process is to end with code 1. It does not end
    /// because of a drain.
    pub fn failed(&self) -> impl Future<Output = ()> + Send + use<> {
        let (runtime, root) = (self.runtime.clone(), self.root.clone());
        async move {
            let _ = root.wait(None).await;
            if runtime.is_draining() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// The process is to stop: from now on no delivery is attempted any more. Callers get what they ask for until the drain.
    pub fn wind_down(&self) {
        self.runtime.wind_down();
    }

    /// Stops them all, leaves first, the dispatcher before anybody else: its dead letters are writes of spaces. What was admitted is done;
    /// what comes now gets 503. Answers whether that was done before the deadline.
    pub async fn drain(&self, deadline: Duration) -> bool {
        self.wind_down();
        let until = Instant::now() + deadline;
        let share = deadline.saturating_sub(deadline / 10);
        // When it takes longer the others are to have their time too.
        let _ = tokio::time::timeout(share, self.handles.dispatcher.ended()).await;
        drain::drain(&self.runtime, &self.root, until.saturating_duration_since(Instant::now())).await
    }
}

fn spaces_child(runtime: &Runtime, handles: &Handles, policy: Policy) -> Child {
    let runtime = runtime.clone();
    Child::new("spaces", Restart::Permanent, &handles.spaces_supervisor, move || {
        (Supervisor, supervisor::Params { runtime: runtime.clone(), policy, children: Vec::new() })
    })
}

fn importer_child(handles: &Handles, tools: Tools) -> Child {
    Child::new("importer", Restart::Permanent, &handles.importer, move || (Importer, importer::Params { tools: tools.clone() }))
}

fn notifications_child(runtime: &Runtime, handles: &Handles, target: Target) -> Child {
    let (runtime, notifications) = (runtime.clone(), handles.notifications.clone());
    Child::new("notifications", Restart::Permanent, &handles.ear, move || {
        let (runtime, target, notifications) = (runtime.clone(), target.clone(), notifications.clone());
        (Ear, notifications::Params { runtime, target, notifications })
    })
}

fn janitor_child(handles: &Handles, params: janitor::Params) -> Child {
    Child::new("janitor", Restart::Permanent, &handles.janitor, move || (Janitor, params.clone()))
}

/// Who gives deliveries up, by the kind of their receivers.
fn undertakers(handles: &Handles, store: &Store, clock: &SharedClock) -> BTreeMap<&'static str, Arc<dyn Undertaker>> {
    let webhooks: Arc<dyn Undertaker> =
        Arc::new(WebhookUndertaker { spaces: handles.spaces.clone(), store: store.clone(), clock: clock.clone() });
    BTreeMap::from([(webhooks::KIND, webhooks)])
}
