//! The actors on a test's database. They end with the test's runtime.

use crate::{Database, TestClock, entropy};
use actors::{
    ActorSystem,
    actor_system::Params,
    deliveries::{DeliverySettings, HttpTransport},
};
use crypto::keys::Keys;
use domain::shared::delivery::RetrySchedule;
use egress::{
    client::GuardedClient,
    dns::Resolver,
    guard::{self, Guard, Policy},
};
use std::sync::Arc;
use std::time::Duration;

/// An actor system with the usual bounds, except that callers wait longer. The clock is that of the database
/// as well.
pub async fn system(database: &Database, clock: Arc<TestClock>) -> ActorSystem {
    system_with(system_params(database, clock)).await
}

/// Its parameters, to change a bound.
pub fn system_params(database: &Database, clock: Arc<TestClock>) -> Params {
    clock.drives(database);
    let mut params = Params::new(database.store.clone(), clock, entropy(1), delivery_settings());
    // A busy machine must not fail a test that is about something else.
    params.limits.deadline = Duration::from_secs(30);
    params
}

/// An actor system, as a process has one: several on one database are several processes.
pub async fn system_with(params: Params) -> ActorSystem {
    ActorSystem::start(params, &prometheus::Registry::new()).await.unwrap()
}

/// Deliveries are sent by the real transport, and may go to this machine.
pub(crate) fn delivery_settings() -> DeliverySettings {
    let policy = Policy::new(vec!["127.0.0.1".parse().unwrap()], "http://127.0.0.1:1");
    let metrics = guard::Metrics::register(&prometheus::Registry::new()).unwrap();
    let guard = Guard::new(policy, Resolver::new(&[]).unwrap(), metrics);
    let client = GuardedClient::new(Arc::new(guard), rustls::RootCertStore::empty()).unwrap();
    let (transport, keys) = (Arc::new(HttpTransport::new(client)), Keys::new(vec![7; 32].into()));
    DeliverySettings::new(transport, &keys, RetrySchedule::default(), Duration::from_hours(72))
}
