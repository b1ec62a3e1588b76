//! Webhooks: registering them, and their deliveries to receivers, which are real servers here.

mod access;
mod age;
mod backlog;
mod circuit;
mod clock;
mod deleted_space;
mod delivering;
mod events;
mod fairness;
mod fan_out;
mod order;
mod outage;
mod redelivery;
mod refused;
mod registration;
mod restarts;
mod retries;
mod secrets;
mod stopping;

use support::{
    prelude::*,
    space_fixture::webhooks::{ALL, SECRET, registration},
};

/// A server that may call receivers on this machine.
async fn fixture() -> SpaceFixture {
    desk_with(&[]).await
}

/// The same with a receiver and a webhook for it.
async fn with_webhook() -> (SpaceFixture, Receiver, i64) {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    let webhook = fixture.webhook(&receiver).await;
    (fixture, receiver, webhook)
}

async fn desk_with(variables: &[(&str, &str)]) -> SpaceFixture {
    let usual = [("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1")];
    let variables: Vec<_> = usual.iter().chain(variables).copied().collect();
    SpaceFixture::with_variables(&variables).await
}
