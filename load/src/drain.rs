//! Measures webhook deliveries: a backlog is built behind paused webhooks, and then released to receivers in this process, which
//! respond at once.

use crate::{args::Args, client::Client, cpu::Processes, scenario::send};
use anyhow::{Context, Result, bail, ensure};
use bytes::Bytes;
use http::{Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{net::TcpListener, task::JoinSet, time::Instant};

/// The number of receivers, which is the largest number of webhooks of a space.
const RECEIVERS: u32 = 100;
/// How often the progress is read.
const LOOK: Duration = Duration::from_millis(50);

/// Builds the backlog, releases it, and reports the cost. Returns whether deliveries were missing at the end.
pub(crate) async fn drain(args: &Args) -> Result<bool> {
    let token = args.tokens.first().context("no token")?;
    let space = format!("/api/v1/spaces/{}", args.space.context("--space is missing")?);
    let wanted = args.requests.unwrap_or(100_000);
    let mut driver = Driver { client: Client::new(crate::client::Target::parse(&args.url)?), token: token.clone(), space };
    let arrived = Arc::new(AtomicU64::new(0));
    let mut serving = JoinSet::new();
    let mut webhooks = Vec::new();
    for _ in 0..RECEIVERS {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/", listener.local_addr()?);
        serving.spawn(receive(listener, arrived.clone()));
        let body = json!({ "name": "load", "url": url, "secret": "load", "events": ["story.published"], "active": false });
        let made = driver.ask("POST", "/webhooks", &body).await?;
        webhooks.push(made.pointer("/webhook/id").cloned().context("the answer names no webhook")?);
    }
    let stories = wanted.div_ceil(RECEIVERS.into());
    for number in 0..stories {
        let slug = format!("drain-{}-{number}", std::process::id());
        let story = json!({ "name": slug, "slug": slug, "content": { "component": "page" } });
        driver.ask("POST", "/stories", &json!({ "story": story, "publish": 1 })).await?;
    }
    let total = stories * u64::from(RECEIVERS);
    let last = webhooks.last().context("no webhook")?.clone();
    driver.until_pending(&last, stories).await?;

    let processes = Processes::new(&args.pids, args.children);
    let (before, began) = (processes.spent()?, Instant::now());
    for id in &webhooks {
        driver.ask("PUT", &format!("/webhooks/{id}"), &json!({ "active": true })).await?;
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

struct Driver {
    client: Client,
    token: String,
    space: String,
}

impl Driver {
    async fn ask(&mut self, method: &str, below: &str, body: &Value) -> Result<Value> {
        let request = send(method.parse()?, &format!("{}{below}", self.space), &self.token, body)?;
        let Ok((status, body)) = self.client.send(request).await else { bail!("the server does not answer") };
        ensure!(status.is_success(), "{method} {below}: {status} {}", String::from_utf8_lossy(&body));
        Ok(serde_json::from_slice(&body)?)
    }

    /// Waits until every event has been turned into deliveries: the oldest one of the last webhook is on that page.
    async fn until_pending(&mut self, webhook: &Value, count: u64) -> Result<()> {
        let path = format!("{}/webhooks/{webhook}/deliveries?status=pending&per_page=1&page={count}", self.space);
        for _ in 0..6000 {
            let request =
                Request::get(&path).header(header::AUTHORIZATION, format!("Bearer {}", self.token)).body(Full::default())?;
            let Ok((status, body)) = self.client.send(request).await else { bail!("the server does not answer") };
            ensure!(status == StatusCode::OK, "{path}: {status}");
            let page: Value = serde_json::from_slice(&body)?;
            if page.pointer("/deliveries/0").is_some() {
                return Ok(());
            }
            tokio::time::sleep(LOOK).await;
        }
        bail!("events do not become deliveries")
    }
}

/// Responds to every request with 200 and counts it.
async fn receive(listener: TcpListener, arrived: Arc<AtomicU64>) {
    let mut open = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        while open.try_join_next().is_some() {}
        let arrived = arrived.clone();
        open.spawn(async move {
            let answer = service_fn(move |request: Request<hyper::body::Incoming>| {
                let arrived = arrived.clone();
                async move {
                    let _ = request.into_body().collect().await;
                    arrived.fetch_add(1, Ordering::Relaxed);
                    Ok::<_, Infallible>(Response::new(Full::<Bytes>::default()))
                }
            });
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}
