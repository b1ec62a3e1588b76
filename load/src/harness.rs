//! Kinds of users that put a server under load through a ramp and a steady phase, and the result of that: of
//! a scenario as a table, JSON and a page, of a measurement (`measure.rs`) as a few figures.
//!
//! ```text
//!  scenarios/*.rs   prepare(site) ──▶ groups of users, each with a pace ◀── users(args)   measure.rs
//!                                            │
//!  drive.rs         phases: ramp, steady     ▼
//!                   ┌────────────────────────┴──────────────────────────┐
//!              closed loop                                         open loop
//!              a user takes its next turn                          turns have fixed times; a free user takes
//!              when the last one is done                           the next one, late if all are busy
//!                   └────────────────────────┬──────────────────────────┘
//!  user.rs          User::turn ─▶ TimedClient::send ──HTTP──▶ server
//!                                            │  operation, outcome, latency (in an open loop from the intended time)
//!  recorder.rs                               ▼
//!                   a histogram of the second and one of the phase, for each operation
//!                                            │  once a second, with memory and processor time from /metrics or /proc (probe.rs)
//!  result.rs                                 ▼
//!                   RunResult ──▶ table.rs, JSON, page.rs (with chart.rs), compare.rs
//! ```
//!
//! Data flows down this drawing and never up: users know nothing of phases, the recorder knows nothing of
//! users. An open loop has no coordinated omission: a request whose turn comes while the server stalls waits
//! for a free user, and its latency has that wait in it.
//!
//! Everything is bounded: users, turns and seconds by the command line, a response by its size and by 30
//! seconds, the recorder by the number of operations and seconds.

pub(crate) mod args;
mod browser;
mod chart;
mod compare;
mod drive;
pub(crate) mod measure;
mod oidc;
mod page;
mod people;
mod probe;
mod progress;
mod recorder;
mod result;
mod scenarios;
mod serve;
mod site;
mod source;
mod table;
mod user;

use crate::client::Target;
use anyhow::{Context, Result};
pub(crate) use args::Scenario;
use args::{CompareArgs, RunArgs};
use compare::Comparison;
use drive::{Phases, Stage, drive};
use probe::Probe;
use progress::Progress;
use recorder::Recorder;
use result::{Finding, RunResult};
use scenarios::{Setup, overload};
use site::Site;
use std::{fs, path::Path, sync::Arc, time::Duration};
use table::Table;

/// Runs a scenario, prints its result and writes it to files. Returns whether something failed.
pub(crate) async fn run(args: &RunArgs) -> Result<bool> {
    let target = Target::parse(&args.url)?;
    target.guard(args.allow_remote).await?;
    let recorder = Arc::new(Recorder::new());
    let progress = Progress::new(args.quiet);
    progress.prepare("preparing the server");
    let mut site = Site::open(target.clone(), &args.email, &args.password).await?;
    let probe = Probe::new(target.clone(), args.metrics_token.clone());
    let mut stage = Stage { target, recorder: recorder.clone(), probe, progress, turns: None };
    let (users, rate) = (args.users.map(u32::from), args.rate.map(f64::from));
    let mut setup = Setup { site: &mut site, args, recorder: recorder.clone(), users, rate };
    let outcome = match args.scenario {
        Scenario::Overload => overload::run(&mut setup, &mut stage).await,
        _ => through_phases(&mut setup, &mut stage).await,
    };
    stage.progress.finish();
    let reported = outcome.and_then(|(findings, unsent)| report(args, &recorder, findings, unsent));
    // Only now: a server that can no longer delete a space must not take the result with it.
    let closed = if args.keep { Ok(()) } else { site.close().await };
    if let (Err(_), Err(error)) = (&reported, &closed) {
        eprintln!("lectern-load: {error:#}");
    }
    let is_success = reported?;
    closed?;
    Ok(!is_success)
}

/// Prints the result and writes it to files. Returns whether it is a success.
fn report(args: &RunArgs, recorder: &Recorder, findings: Vec<Finding>, unsent: u64) -> Result<bool> {
    let result = RunResult {
        scenario: args.scenario.name(),
        about: args.scenario.about(),
        server: args.url.clone(),
        settings: args.settings(),
        findings,
        unsent,
        operations: recorder.operations(),
        seconds: recorder.seconds(),
    };
    if let Some(folder) = &args.out {
        write(folder, &result)?;
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&result)?);
    } else {
        print!("{}", Table(&result));
    }
    Ok(result.is_success())
}

/// A ramp and a steady phase, and what the scenario looks at behind them.
async fn through_phases(setup: &mut Setup<'_>, stage: &mut Stage) -> Result<(Vec<Finding>, u64)> {
    let args = setup.args;
    let mut load = Box::pin(args.scenario.prepare(setup)).await?;
    let (ramp, steady) = (Duration::from_secs(args.ramp), Duration::from_secs(args.seconds));
    let phases = Phases { ramp: ("ramp", ramp), steady: ("steady", steady), turns: args.turns };
    let unsent = drive(stage, std::mem::take(&mut load.groups), &phases).await?;
    let mut findings = Vec::new();
    if !load.checks.is_empty() {
        // A phase of its own, for what arrives meanwhile, such as the last deliveries: the time counts in no
        // rate of the steady phase.
        stage.recorder.enter("after");
        for check in std::mem::take(&mut load.checks) {
            findings.push(stage.recording(check).await);
        }
        stage.recorder.close_second(stage.probe.sample().await);
    }
    for mut servers in load.servers {
        servers.shutdown().await;
    }
    Ok((findings, unsent))
}

/// Writes the JSON and the page of a run.
fn write(folder: &Path, result: &RunResult) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let write = |ending: &str, text: String| {
        let path = folder.join(format!("{}.{ending}", result.scenario));
        fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))?;
        eprintln!("written: {}", path.display());
        anyhow::Ok(())
    };
    write("json", serde_json::to_string_pretty(result)?)?;
    write("html", page::of_run(result))
}

/// Compares two results, on the standard output and on a page.
pub(crate) fn compare(args: &CompareArgs) -> Result<()> {
    let comparison = Comparison::new(RunResult::read(&args.before)?, RunResult::read(&args.after)?);
    print!("{comparison}");
    if let Some(path) = &args.html {
        fs::write(path, page::of_comparison(&comparison)).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
