//! Measures webhook deliveries: a backlog is built behind paused webhooks, and then released to receivers in
//! this process, which respond at once.

use super::space_of;
use crate::{
    args::Args,
    client::{Client, Target},
    harness::{
        probe::Probe,
        result::count,
        serve::{listen, serve},
        site::Space,
    },
};
use anyhow::{Context, Result, bail};
use bytes::Bytes;
use http::{Method, Response};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{task::JoinSet, time::Instant};

/// The number of receivers, which is the largest number of webhooks of a space.
const RECEIVERS: u32 = 100;
/// How often the progress is read.
const LOOK: Duration = Duration::from_millis(50);

/// Builds the backlog, releases it, and reports the cost. Returns whether deliveries were missing at the end.
pub(super) async fn drain(args: &Args, target: Target) -> Result<bool> {
    let space = space_of(args, 0)?;
    let mut client = Client::new(target.clone());
    let mut probe = Probe::new(target, None);
    probe.watch(&args.pids, args.children)?;
    let wanted = args.requests.unwrap_or(100_000);
    let arrived = Arc::new(AtomicU64::new(0));
    let mut serving = JoinSet::new();
    let mut webhooks = Vec::new();
    for _ in 0..RECEIVERS {
        let ((listener, url), arrived) = (listen().await?, arrived.clone());
        serving.spawn(serve(listener, move |_| {
            arrived.fetch_add(1, Ordering::Relaxed);
            Response::new(Bytes::new())
        }));
        webhooks.push(space.webhook(&mut client, &url, false).await?);
    }
    let stories = wanted.div_ceil(RECEIVERS.into());
    for _ in 0..stories {
        space.publish(&mut client).await?;
    }
    let total = stories * u64::from(RECEIVERS);
    let last = webhooks.last().context("no webhook")?.clone();
    until_pending(&space, &mut client, &last, stories).await?;

    let (before, began) = (probe.sample().await.cpu_seconds, Instant::now());
    for id in &webhooks {
        space.ask(&mut client, Method::PUT, &format!("/webhooks/{id}"), &json!({ "active": true })).await?;
    }
    while arrived.load(Ordering::Relaxed) < total && began.elapsed() < args.duration() {
        tokio::time::sleep(LOOK).await;
    }
    let (seconds, arrived) = (began.elapsed().as_secs_f64(), arrived.load(Ordering::Relaxed));
    // What was answered last is written down a moment later.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let spent = probe.sample().await.cpu_seconds.zip(before).map(|(after, before)| after - before);
    let (each, rate) = (spent.map(|spent| spent * 1e3 / count(arrived.max(1))), count(arrived) / seconds);
    println!(
        "{}",
        json!({ "scenario": "drain", "deliveries": arrived, "of": total, "seconds": seconds, "per_second": rate, "cpu_ms_per_delivery": each })
    );
    Ok(arrived < total)
}

/// Waits until every event has been turned into deliveries: the oldest one of the webhook is on that page.
async fn until_pending(space: &Space, client: &mut Client, webhook: &Value, count: u64) -> Result<()> {
    let path = format!("/webhooks/{webhook}/deliveries?status=pending&per_page=1&page={count}");
    for _ in 0..6000 {
        if space.ask(client, Method::GET, &path, &Value::Null).await?.pointer("/deliveries/0").is_some() {
            return Ok(());
        }
        tokio::time::sleep(LOOK).await;
    }
    bail!("events do not become deliveries")
}
