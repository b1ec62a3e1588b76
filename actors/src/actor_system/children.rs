//! The actors below the root: how each of them is built, at the start and at each restart.

use super::{Handles, Params, Scope};
use crate::{
    content::{
        dead_letters::WebhookDeadLetters,
        fan_out::{self, FanOut},
        importer::{self, Importer, WorkerDeps},
        scheduler::{self, Scheduler},
    },
    deliveries::{self, CompletionQueue, DeliverySettings, Dispatcher, Protocol, ReceiverKind, SignedWebhook},
    identity::{
        client_deliveries::{self, ClientDeadLetters, LogoutProtocol},
        key_rotator::{self, KeyRotator},
        last_seen_writer::{self, LastSeenWriter},
        mail_sender::{self, MailSender},
    },
    maintenance::janitor::{self, Janitor},
    notifications::{self, NotificationListener},
    runtime::{Child, Policy, Restart, Runtime, Supervisor, supervisor},
};
use domain::{identity::oidc::NoticeKind, shared::SharedClock};
use prometheus::{IntGauge, Registry};
use services::identity::oidc::KeyRing;
use std::{collections::BTreeMap, sync::Arc};
use storage::{Store, content::webhooks, identity::audit};

/// The kinds of receivers that only a process with the identity service can serve.
const LOGOUTS: &[&str] = &[NoticeKind::Logout.into_str()];

/// The collectors of all actors.
pub(super) struct Metrics {
    deliveries: deliveries::Metrics,
    logouts: client_deliveries::Metrics,
    imports: importer::Metrics,
    mail: mail_sender::Metrics,
    active_sessions: IntGauge,
}

impl Metrics {
    /// Makes and registers them.
    pub(super) fn register(registry: &Registry) -> prometheus::Result<Self> {
        Ok(Self {
            deliveries: deliveries::Metrics::register(registry)?,
            logouts: client_deliveries::Metrics::register(registry)?,
            imports: importer::Metrics::register(registry)?,
            mail: mail_sender::Metrics::register(registry)?,
            active_sessions: last_seen_writer::register_gauge(registry)?,
        })
    }
}

/// The children of the root. `tenants` is the policy of the spaces.
pub(super) fn all(runtime: &Runtime, handles: &Handles, params: Params, metrics: Metrics, tenants: Policy) -> Vec<Child> {
    let Params { scope, store, blobs, clock, entropy, retention, imports, deliveries, mail, provider, .. } = params;
    let (key_ring, logout_tokens) = provider.map(|provider| (provider.key_ring, provider.logout_tokens)).unzip();
    let context = Context { runtime, handles, store: &store, clock: &clock };
    let fan_out = fan_out::Params {
        runtime: runtime.clone(),
        store: store.clone(),
        clock: clock.clone(),
        entropy: entropy.clone(),
        metrics: metrics.deliveries.clone(),
    };
    let import_worker = WorkerDeps {
        runtime: runtime.clone(),
        store: store.clone(),
        clock: clock.clone(),
        entropy,
        spaces: handles.spaces.clone(),
        read_load: handles.read_load.clone(),
        settings: imports,
        metrics: metrics.imports,
    };
    let janitor = janitor::Params { runtime: runtime.clone(), store: store.clone(), clock: clock.clone(), retention, blobs };
    let listener =
        notifications::Params { runtime: runtime.clone(), store: store.clone(), notifications: handles.notifications.clone() };
    let imports = [
        Child::polling(Restart::Permanent, &handles.importer, move || Importer::new(import_worker.clone())),
        context.spaces(tenants),
        Child::new("notifications", Restart::Permanent, &handles.listener, move || (NotificationListener, listener.clone())),
    ];
    if scope == Scope::Imports {
        return imports.into();
    }
    let others = [
        context.scheduler(),
        Child::polling(Restart::Permanent, &handles.fan_out, move || FanOut::new(fan_out.clone())),
        context.dispatcher(
            deliveries,
            metrics.deliveries,
            logout_tokens.map(|tokens| LogoutProtocol { tokens, metrics: metrics.logouts }),
        ),
        context.mail_sender(mail, metrics.mail),
        context.last_seen_writer(metrics.active_sessions),
        Child::polling(Restart::Permanent, &handles.janitor, move || Janitor::new(janitor.clone())),
    ];
    let key_rotator = key_ring.map(|ring| context.key_rotator(ring));
    imports.into_iter().chain(others).chain(key_rotator).collect()
}

/// What most actors need.
struct Context<'a> {
    runtime: &'a Runtime,
    handles: &'a Handles,
    store: &'a Store,
    clock: &'a SharedClock,
}

impl Context<'_> {
    fn spaces(&self, policy: Policy) -> Child {
        let runtime = self.runtime.clone();
        Child::new("spaces", Restart::Permanent, &self.handles.spaces_supervisor, move || {
            (Supervisor, supervisor::Params { runtime: runtime.clone(), policy, children: Vec::new() })
        })
    }

    fn scheduler(&self) -> Child {
        let params = scheduler::Params {
            runtime: self.runtime.clone(),
            store: self.store.clone(),
            clock: self.clock.clone(),
            spaces: self.handles.spaces.clone(),
        };
        Child::polling(Restart::Permanent, &self.handles.scheduler, move || Scheduler::new(params.clone()))
    }

    fn dispatcher(&self, settings: DeliverySettings, metrics: deliveries::Metrics, logout: Option<LogoutProtocol>) -> Child {
        let (store, clock) = (self.store.clone(), self.clock.clone());
        let webhook_dead_letters = WebhookDeadLetters { spaces: self.handles.spaces.clone(), store, clock };
        let signed: Arc<dyn Protocol> = Arc::new(SignedWebhook { seal: settings.seal.clone(), timeout: settings.timeout });
        let client_dead_letters =
            |event| Arc::new(ClientDeadLetters { store: self.store.clone(), clock: self.clock.clone(), event });
        let webhooks = ReceiverKind { protocol: Arc::clone(&signed), dead_letters: Arc::new(webhook_dead_letters) };
        let accounts =
            ReceiverKind { protocol: Arc::clone(&signed), dead_letters: client_dead_letters(audit::Event::WebhookDeadLetter) };
        let mut kinds = BTreeMap::from([(webhooks::KIND, webhooks), (NoticeKind::Account.into_str(), accounts)]);
        let mut unserved = LOGOUTS;
        if let Some(logout) = logout {
            let dead_letters = client_dead_letters(audit::Event::OidcBackchannelLogoutFailed);
            kinds.insert(NoticeKind::Logout.into_str(), ReceiverKind { protocol: Arc::new(logout), dead_letters });
            unserved = &[];
        }
        let params = deliveries::Params {
            runtime: self.runtime.clone(),
            store: self.store.clone(),
            clock: self.clock.clone(),
            settings,
            kinds,
            default_protocol: signed,
            unserved,
            metrics,
            cancelled: self.handles.cancelled_deliveries.clone(),
            completions: Arc::new(CompletionQueue::new(self.handles.dispatcher.finished_sender())),
        };
        // It ends by itself only when it is asked to, before the others: see [`super::ActorSystem::drain`].
        Child::polling(Restart::OnFailure, &self.handles.dispatcher, move || Dispatcher::new(params.clone()))
    }

    fn mail_sender(&self, settings: Option<mail_sender::MailSenderSettings>, metrics: mail_sender::Metrics) -> Child {
        let (runtime, store, clock) = (self.runtime.clone(), self.store.clone(), self.clock.clone());
        let params = mail_sender::Params::new(runtime, store, clock, settings, metrics, &self.handles.mail_sender);
        Child::polling(Restart::Permanent, &self.handles.mail_sender, move || MailSender::new(params.clone()))
    }

    fn key_rotator(&self, ring: KeyRing) -> Child {
        let (runtime, store, clock) = (self.runtime.clone(), self.store.clone(), self.clock.clone());
        let params = key_rotator::Params { runtime, store, clock, ring, requests: self.handles.key_rotations.clone() };
        Child::polling(Restart::Permanent, &self.handles.key_rotator, move || KeyRotator::new(params.clone()))
    }

    fn last_seen_writer(&self, active_sessions: IntGauge) -> Child {
        let params = last_seen_writer::Params {
            runtime: self.runtime.clone(),
            store: self.store.clone(),
            clock: self.clock.clone(),
            buffer: self.handles.last_seen.clone(),
            active_sessions,
        };
        Child::polling(Restart::Permanent, &self.handles.last_seen_writer, move || LastSeenWriter::new(params.clone()))
    }
}
