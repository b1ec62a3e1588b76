//! Measures what webhooks that accept deliveries and never answer take from others: how soon a new webhook gets its first delivery, and
//! how soon a good receiver that refused one delivery gets the others.

mod receivers;

use crate::{args::Args, client::Target, histogram::Histogram, space::Space};
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
pub(crate) async fn silent(args: &Args) -> Result<bool> {
    let target = Target::parse(&args.url)?;
    let mut spaces = Vec::new();
    for text in &args.spaces {
        let (id, token) = text.split_once(':').context("--in is no id:token")?;
        spaces.push(Space::new(target.clone(), id.parse().context("--in is no id:token")?, token));
    }
    let mut calm = spaces.pop().context("no space")?;
    ensure!(!spaces.is_empty(), "two spaces are the least");

    let silence = Silence::start().await?;
    let count = spaces.len();
    for number in 0..args.silent {
        if let Some(space) = spaces.get_mut(number as usize % count) {
            space.webhook(&silence.url, true).await?;
        }
    }
    for space in &mut spaces {
        space.publish().await?;
    }

    let (mut waits, mut missing) = (Histogram::default(), 0_u32);
    let began = Instant::now();
    for number in 0..args.new {
        sleep_until(began + args.duration() * number / args.new).await;
        if let Some(space) = spaces.get_mut(number as usize % count) {
            match first_delivery(space).await? {
                Some(wait) => waits.record(wait),
                None => missing += 1,
            }
        }
    }
    let refused_once = refuse_once(&mut calm).await?;
    let ms = |wait: Duration| wait.as_secs_f64() * 1000.0;
    println!(
        "{}",
        json!({
            "scenario": "silent", "silent": args.silent, "most_silent_at_once": silence.most(), "new": args.new, "missing": missing,
            "first_delivery_ms": { "p50": ms(waits.quantile(500)), "p99": ms(waits.quantile(990)), "max": ms(waits.max()) },
            "refused_once": refused_once,
        })
    );
    Ok(missing > 0)
}

/// Registers a webhook and publishes a story. Returns how long after the response the delivery came; `None` when it did not.
async fn first_delivery(space: &mut Space) -> Result<Option<Duration>> {
    let (url, arrival) = first_request().await?;
    space.webhook(&url, true).await?;
    space.publish().await?;
    let published_at = Instant::now();
    let arrived_at = timeout(PATIENCE, arrival).await.ok();
    Ok(arrived_at.map(|arrived_at| arrived_at.saturating_duration_since(published_at)))
}

/// A good receiver gets a burst of deliveries, then refuses one with 503 and gets another burst.
async fn refuse_once(space: &mut Space) -> Result<Value> {
    let receiver = Good::start().await?;
    space.webhook(&receiver.url, true).await?;
    space.publish().await?;
    within(receiver.arrived(1)).await?;
    let before = burst(space, &receiver, 1 + BURST).await?;
    receiver.refuse();
    space.publish().await?;
    within(receiver.arrived(2 + BURST)).await?;
    let after = burst(space, &receiver, 2 + BURST + BURST).await?;
    let again = within(receiver.again()).await?.context("the refused delivery does not come again")?;
    Ok(json!({
        "burst": BURST, "seconds_before": before.as_secs_f64(), "seconds_after": after.as_secs_f64(), "refused_again_after_s": again.as_secs_f64(),
    }))
}

/// Publishes stories one after the other. Returns how long it took until all have been delivered.
async fn burst(space: &mut Space, receiver: &Good, arrived: u32) -> Result<Duration> {
    let began = Instant::now();
    for _ in 0..BURST {
        space.publish().await?;
    }
    within(receiver.arrived(arrived)).await?;
    Ok(began.elapsed())
}

async fn within<T>(waiting: impl Future<Output = T>) -> Result<T> {
    timeout(PATIENCE, waiting).await.context("the good receiver does not get its deliveries")
}
