//! Measures what callers with expensive queries cost others: reads of another space, first alone and then
//! beside the callers.
//!
//! The reads are sent at fixed times, and their latencies count from these: a read that waits for the one
//! before it is slow, too. Every other one is new to the server, and the rest are the same and come from its
//! cache.

mod queries;

use super::{links, phase};
use crate::{
    args::Args,
    client::{Client, Target, encode, get},
    harness::{
        drive::{Phases, Stage, drive},
        result::OperationResult,
        user::{Group, Pace, TimedClient, TurnFuture, User},
    },
};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

/// How many connections the reads are spread over.
const READERS: u64 = 8;
/// Reads in a second, where `--rate` says nothing else.
const RATE: u32 = 100;

/// Measures both, and prints the report. Returns whether a read of the other space failed.
pub(super) async fn measure(args: &Args, target: Target) -> Result<bool> {
    let reader = args.reader.as_deref().context("--reader is missing")?;
    let folders = links::fetch(&mut Client::new(target.clone()), reader, "published", None).await?.folders();
    let (folders, token): (Arc<[String]>, _) = (folders.into(), encode(reader).to_string());
    let reads = |phase: u64| {
        let user = |connection| -> Box<dyn User> {
            Box::new(Reader { token: token.clone(), folders: folders.clone(), phase, number: connection })
        };
        Group { pace: Pace::Open(args.rate.unwrap_or(RATE).into()), users: (0..READERS).map(user).collect() }
    };
    let queries: Arc<[String]> = queries::all().into();
    let token = encode(args.tokens.first().context("no token")?).to_string();
    let caller = |number: u32| -> Box<dyn User> {
        Box::new(Caller { token: token.clone(), queries: queries.clone(), own: number, number: number as usize * 7 })
    };
    let callers = Group { pace: Pace::Closed(Duration::ZERO), users: (0..args.connections).map(caller).collect() };

    let mut stage = Stage::unseen(target);
    drive(&mut stage, vec![reads(0)], &phase("warm up", Duration::from_secs(2), None)).await?;
    drive(&mut stage, vec![reads(1)], &phase("quiet", args.duration(), None)).await?;
    // The callers are under way when the reads begin to count.
    let beside = Phases { ramp: ("joining", Duration::from_secs(1)), ..phase("beside", args.duration(), None) };
    drive(&mut stage, vec![callers, reads(2)], &beside).await?;

    let operations = stage.recorder.operations();
    let of = |phase: &str, name: &str| operations.iter().find(|line| line.phase == phase && line.name == name);
    let part = |phase, name| of(phase, name).with_context(|| format!("{phase}: no {name} read was answered"));
    let both = |phase| anyhow::Ok(json!({ "cold": told(part(phase, "cold")?), "cached": told(part(phase, "cached")?) }));
    let times = |name| anyhow::Ok(part("beside", name)?.p99_ms / part("quiet", name)?.p99_ms);
    let report = json!({
        "scenario": "expensive",
        "callers": args.connections,
        "quiet": both("quiet")?,
        "beside": both("beside")?,
        "p99_times": { "cold": times("cold")?, "cached": times("cached")? },
        "called": of("beside", "called").map(told),
    });
    println!("{report:#}");
    let is_read = |line: &&OperationResult| ["quiet", "beside"].contains(&line.phase.as_str()) && line.name != "called";
    Ok(operations.iter().filter(is_read).any(|line| line.failed + line.refused > 0))
}

fn told(line: &OperationResult) -> Value {
    let latency = json!({ "p50": line.p50_ms, "p99": line.p99_ms, "max": line.max_ms });
    json!({ "succeeded": line.succeeded, "latency_ms": latency, "answers": line.outcomes })
}

/// Reads the first page of a folder of the other space, by turns one that is new to the server and one that
/// is always the same.
struct Reader {
    token: String,
    folders: Arc<[String]>,
    phase: u64,
    number: u64,
}

impl User for Reader {
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            let path = format!("/api/v2/cdn/stories?version=published&per_page=25&token={}", self.token);
            let number = self.number;
            self.number += READERS;
            if number / READERS % 2 == 1 {
                client.send("cached", get(&path)?).await;
                return Ok(());
            }
            let folder = super::pick(&self.folders, usize::try_from(number / 2)?).context("there is nothing to read")?;
            // It leaves out a story that does not exist.
            let new = self.phase * 1_000_000 + number;
            client.send("cold", get(&format!("{path}&starts_with={}&excluding_ids={new}", encode(folder)))?).await;
            Ok(())
        })
    }
}

/// Asks one expensive query after the other. What the server answers to them is no failure.
struct Caller {
    token: String,
    queries: Arc<[String]>,
    own: u32,
    number: usize,
}

impl User for Caller {
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            let query = super::pick(&self.queries, self.number).context("no query")?;
            let path = format!("{query}&token={}&excluding_ids={}{}", self.token, self.own, self.number);
            self.number += 1;
            client.send("called", get(&path)?).await;
            Ok(())
        })
    }
}
