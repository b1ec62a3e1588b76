//! Measures what callers with expensive queries cost others: reads of another space, first alone and then beside the callers.
//!
//! The reads are sent at fixed times, and their latencies count from these: a read that waits for the one before it is slow, too. Every other one is new to the
//! server, and the rest are the same and come from its cache.

mod queries;

use crate::{
    args::Args,
    client::{Client, Target},
    histogram::Histogram,
    scenario::{encode, links},
    totals::Totals,
};
use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc, time::Duration};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep_until},
};

/// How many connections the reads are spread over.
const READERS: u32 = 8;
/// Reads in a second, where `--rate` says nothing else.
const RATE: u32 = 100;

/// Measures both, and prints the report. Returns whether a read of the other space failed.
pub(crate) async fn measure(args: &Args) -> Result<bool> {
    let target = Target::parse(&args.url)?;
    let reader = args.reader.as_deref().context("--reader is missing")?;
    let folders = links::fetch(&mut Client::new(target.clone()), reader, "published", None).await?.folders();
    ensure!(!folders.is_empty(), "there is nothing to read");
    let reads = Arc::new(Reads { target: target.clone(), token: reader.to_owned(), folders, rate: args.rate.unwrap_or(RATE) });

    reads.run(0, Duration::from_secs(2)).await?;
    let quiet = reads.run(1, args.duration()).await?;
    let mut callers = JoinSet::new();
    let until = Instant::now() + args.duration() + Duration::from_secs(2);
    for caller in 0..args.connections {
        let token = args.tokens.first().context("no token")?.clone();
        callers.spawn(call(Client::new(target.clone()), token, caller, until));
    }
    // The callers are under way when the reads begin.
    sleep_until(Instant::now() + Duration::from_secs(1)).await;
    let beside = reads.run(2, args.duration()).await?;
    let mut called = Called::default();
    while let Some(one) = callers.join_next().await {
        called.merge(one??);
    }
    let times = |part: fn(&Read) -> &Totals| {
        part(&beside).latencies.quantile(990).as_secs_f64() / part(&quiet).latencies.quantile(990).as_secs_f64()
    };
    let report = json!({
        "scenario": "expensive",
        "callers": args.connections,
        "quiet": quiet.to_json(),
        "beside": beside.to_json(),
        "p99_times": { "cold": times(|read| &read.cold), "cached": times(|read| &read.cached) },
        "called": called.to_json(),
    });
    println!("{report:#}");
    Ok(quiet.failures() + beside.failures() > 0)
}

/// The reads of the other space.
struct Reads {
    target: Target,
    token: String,
    folders: Vec<String>,
    rate: u32,
}

/// What came of them.
#[derive(Default)]
struct Read {
    cold: Totals,
    cached: Totals,
}

impl Reads {
    async fn run(self: &Arc<Self>, phase: u64, duration: Duration) -> Result<Read> {
        let began = Instant::now();
        let mut connections = JoinSet::new();
        for connection in 0..READERS {
            connections.spawn(Arc::clone(self).read(phase, connection, began, duration));
        }
        let mut read = Read::default();
        while let Some(one) = connections.join_next().await {
            let one = one??;
            read.cold.merge(&one.cold);
            read.cached.merge(&one.cached);
        }
        Ok(read)
    }

    async fn read(self: Arc<Self>, phase: u64, connection: u32, began: Instant, duration: Duration) -> Result<Read> {
        let mut client = Client::new(self.target.clone());
        let mut read = Read::default();
        for number in (u64::from(connection)..).step_by(READERS as usize) {
            let due = Duration::from_secs(1) * u32::try_from(number)? / self.rate;
            if due >= duration {
                break;
            }
            sleep_until(began + due).await;
            let is_cold = number / u64::from(READERS) % 2 == 0;
            let totals = if is_cold { &mut read.cold } else { &mut read.cached };
            match client.send(self.request(is_cold.then_some(phase * 1_000_000 + number), number)?).await {
                Ok((status, body)) => totals.answered(status, body.len() as u64, began.elapsed().saturating_sub(due)),
                Err(failure) => totals.failed(failure),
            }
        }
        Ok(read)
    }

    /// The first page of a folder; one that is new to the server leaves out a story that does not exist.
    fn request(&self, new: Option<u64>, number: u64) -> Result<Request<Full<Bytes>>> {
        let token = encode(&self.token);
        let path = "/api/v2/cdn/stories?version=published&per_page=25";
        let uri = match new {
            None => format!("{path}&token={token}"),
            Some(new) => {
                let count = u64::try_from(self.folders.len())?.max(1);
                let folder = self.folders.get(usize::try_from(number / 2 % count)?).map_or("", String::as_str);
                format!("{path}&token={token}&starts_with={}&excluding_ids={new}", encode(folder))
            }
        };
        Ok(Request::get(uri).body(Full::default())?)
    }
}

impl Read {
    fn failures(&self) -> u64 {
        self.cold.failures() + self.cached.failures()
    }

    fn to_json(&self) -> Value {
        let part = |totals: &Totals| {
            let latency = latencies(&totals.latencies);
            json!({ "reads": totals.answered_in_all(), "latency_ms": latency, "errors": totals.errors() })
        };
        json!({ "cold": part(&self.cold), "cached": part(&self.cached) })
    }
}

/// Asks one expensive query after the other. What the server answers to them is no failure.
async fn call(mut client: Client, token: String, caller: u32, until: Instant) -> Result<Called> {
    let queries = queries::all();
    let mut answers = Called::default();
    let mut number = usize::try_from(caller)? * 7;
    while Instant::now() < until {
        let query = queries.get(number % queries.len()).context("no query")?;
        let uri = format!("{query}&token={}&excluding_ids={caller}{number}", encode(&token));
        number += 1;
        let sent = Instant::now();
        let answer = client.send(Request::get(uri).body(Full::default())?).await;
        let name = answer.map_or_else(|failure| failure.name().to_owned(), |(status, _)| status.as_u16().to_string());
        answers.0.entry(name).or_default().record(sent.elapsed());
    }
    Ok(answers)
}

/// The answers to callers by status.
#[derive(Default)]
struct Called(BTreeMap<String, Histogram>);

impl Called {
    fn merge(&mut self, other: Self) {
        for (name, latencies) in other.0 {
            self.0.entry(name).or_default().merge(&latencies);
        }
    }

    fn to_json(&self) -> Value {
        let lines = self
            .0
            .iter()
            .map(|(name, histogram)| (name.clone(), json!({ "answers": histogram.count(), "latency_ms": latencies(histogram) })));
        Value::Object(lines.collect())
    }
}

fn latencies(histogram: &Histogram) -> Value {
    let millis = |took: Duration| (took.as_secs_f64() * 1e6).round() / 1e3;
    json!({ "p50": millis(histogram.quantile(500)), "p99": millis(histogram.quantile(990)), "max": millis(histogram.max()) })
}
