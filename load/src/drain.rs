//! Measures webhook deliveries: a backlog is built behind paused webhooks, and then released to receivers in this process, which
//! respond at once.

use crate::{
    args::Args,
    client::Target,
    cpu::Processes,
    serve::{listen, serve},
    space::Space,
};
use anyhow::{Context, Result, bail, ensure};
use bytes::Bytes;
use http::{Response, StatusCode};
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
pub(crate) async fn drain(args: &Args) -> Result<bool> {
    let token = args.tokens.first().context("no token")?;
    let id = args.space.context("--space is missing")?;
    let wanted = args.requests.unwrap_or(100_000);
    let mut space = Space::new(Target::parse(&args.url)?, id, token);
    let arrived = Arc::new(AtomicU64::new(0));
    let mut serving = JoinSet::new();
    let mut webhooks = Vec::new();
    for _ in 0..RECEIVERS {
        let ((listener, url), arrived) = (listen().await?, arrived.clone());
        serving.spawn(serve(listener, move |_| {
            arrived.fetch_add(1, Ordering::Relaxed);
            Response::new(Bytes::new())
        }));
        webhooks.push(space.webhook(&url, false).await?);
    }
    let stories = wanted.div_ceil(RECEIVERS.into());
    for _ in 0..stories {
        space.publish().await?;
    }
    let total = stories * u64::from(RECEIVERS);
    let last = webhooks.last().context("no webhook")?.clone();
    until_pending(&mut space, &last, stories).await?;

    let processes = Processes::new(&args.pids, args.children);
    let (before, began) = (processes.spent()?, Instant::now());
    for id in &webhooks {
        space.ask("PUT", &format!("/webhooks/{id}"), &json!({ "active": true })).await?;
    }
    while arrived.load(Ordering::Relaxed) < total && began.elapsed() < args.duration() {
        tokio::time::sleep(LOOK).await;
    }
    let (seconds, arrived) = (began.elapsed().as_secs_f64(), arrived.load(Ordering::Relaxed));
    // What was answered last is written down a moment later.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let spent = processes.spent()?.zip(before).map(|(after, before)| after.saturating_sub(before));
    let each = spent.map(|spent| spent.as_secs_f64() * 1000.0 / f64::from(u32::try_from(arrived.max(1)).unwrap_or(u32::MAX)));
    let rate = f64::from(u32::try_from(arrived).unwrap_or(u32::MAX)) / seconds;
    println!(
        "{}",
        json!({ "scenario": "drain", "deliveries": arrived, "of": total, "seconds": seconds, "per_second": rate, "cpu_ms_per_delivery": each })
    );
    Ok(arrived < total)
}

/// Waits until every event has been turned into deliveries: the oldest one of the webhook is on that page.
async fn until_pending(space: &mut Space, webhook: &Value, count: u64) -> Result<()> {
    let path = format!("/webhooks/{webhook}/deliveries?status=pending&per_page=1&page={count}");
    for _ in 0..6000 {
        let (status, page) = space.get(&path).await?;
        ensure!(status == StatusCode::OK, "{path}: {status}");
        if page.pointer("/deliveries/0").is_some() {
            return Ok(());
        }
        tokio::time::sleep(LOOK).await;
    }
    bail!("events do not become deliveries")
}
