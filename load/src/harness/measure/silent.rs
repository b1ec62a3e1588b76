//! Measures what webhooks that accept deliveries and never answer take from others: how soon a new webhook
//! gets its first delivery, and how soon a good receiver that refused one delivery gets the others.

mod receivers;

use crate::{
    args::Args,
    client::{Client, Target},
    harness::{recorder::millis, site::Space},
    histogram::Histogram,
};
use anyhow::{Context, Result, ensure};
use receivers::{Good, Silence, first_request};
use serde_json::{Value, json};
use std::{future::Future, time::Duration};
use tokio::time::{Instant, sleep_until, timeout};

/// A first delivery that takes longer is missing.
const PATIENCE: Duration = Duration::from_mins(2);
/// How many deliveries the good receiver gets before it refuses one, and again after that.
const BURST: u32 = 40;

/// Runs the scenario and prints the report. Returns whether a delivery was missing.
pub(super) async fn silent(args: &Args, target: Target) -> Result<bool> {
    let mut client = Client::new(target);
    let mut spaces = Vec::new();
    for text in &args.spaces {
        let (id, token) = text.split_once(':').context("--in is no id:token")?;
        let id = id.parse().context("--in is no id:token")?;
        spaces.push(Space { id, public: String::new(), preview: String::new(), admin: token.to_owned() });
    }
    let calm = spaces.pop().context("no space")?;
    ensure!(!spaces.is_empty(), "two spaces are the least");

    let silence = Silence::start().await?;
    let count = spaces.len();
    for number in 0..args.silent {
        if let Some(space) = spaces.get(number as usize % count) {
            space.webhook(&mut client, &silence.url, true).await?;
        }
    }
    for space in &spaces {
        space.publish(&mut client).await?;
    }

    let (mut waits, mut missing) = (Histogram::default(), 0_u32);
    let began = Instant::now();
    for number in 0..args.new {
        sleep_until(began + args.duration() * number / args.new).await;
        if let Some(space) = spaces.get(number as usize % count) {
            match first_delivery(&mut client, space).await? {
                Some(wait) => waits.record(wait),
                None => missing += 1,
            }
        }
    }
    let refused_once = refuse_once(&mut client, &calm).await?;
    println!(
        "{}",
        json!({
            "scenario": "silent", "silent": args.silent, "most_silent_at_once": silence.most(), "new": args.new, "missing": missing,
            "first_delivery_ms": { "p50": millis(waits.percentile(50.0)), "p99": millis(waits.percentile(99.0)), "max": millis(waits.max()) },
            "refused_once": refused_once,
        })
    );
    Ok(missing > 0)
}

/// Registers a webhook and publishes a story. Returns how long after the response the delivery came; `None`
/// when it did not.
async fn first_delivery(client: &mut Client, space: &Space) -> Result<Option<Duration>> {
    let (url, arrival) = first_request().await?;
    space.webhook(client, &url, true).await?;
    space.publish(client).await?;
    let published_at = Instant::now();
    let arrived_at = timeout(PATIENCE, arrival).await.ok();
    Ok(arrived_at.map(|arrived_at| arrived_at.saturating_duration_since(published_at)))
}

/// A good receiver gets a burst of deliveries, then refuses one with 503 and gets another burst.
async fn refuse_once(client: &mut Client, space: &Space) -> Result<Value> {
    let receiver = Good::start().await?;
    space.webhook(client, &receiver.url, true).await?;
    space.publish(client).await?;
    within(receiver.arrived(1)).await?;
    let before = burst(client, space, &receiver, 1 + BURST).await?;
    receiver.refuse();
    space.publish(client).await?;
    within(receiver.arrived(2 + BURST)).await?;
    let after = burst(client, space, &receiver, 2 + BURST + BURST).await?;
    let again = within(receiver.again()).await?.context("the refused delivery does not come again")?;
    Ok(json!({
        "burst": BURST, "seconds_before": before.as_secs_f64(), "seconds_after": after.as_secs_f64(), "refused_again_after_s": again.as_secs_f64(),
    }))
}

/// Publishes stories one after the other. Returns how long it took until all have been delivered.
async fn burst(client: &mut Client, space: &Space, receiver: &Good, arrived: u32) -> Result<Duration> {
    let began = Instant::now();
    for _ in 0..BURST {
        space.publish(client).await?;
    }
    within(receiver.arrived(arrived)).await?;
    Ok(began.elapsed())
}

async fn within<T>(waiting: impl Future<Output = T>) -> Result<T> {
    timeout(PATIENCE, waiting).await.context("the good receiver does not get its deliveries")
}
