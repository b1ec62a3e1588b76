//! `lectern-load`: sends the requests of a scenario to a running server over many connections and reports rate, latencies and errors. It
//! speaks HTTP only.

mod args;
mod client;
mod cpu;
mod drain;
mod expensive;
mod histogram;
mod mirror;
mod outcome;
mod report;
mod run;
mod scenario;
mod silent;
mod space;

use args::Args;
use clap::Parser;
use client::Target;
use std::{ffi::OsString, process::ExitCode};

/// Runs a command line, whose first word is the name of the program: 1 when a request failed, 2 when the run was not possible.
pub async fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = match Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) => {
            // Help and version go to the standard output, errors do not. Where that is closed there is nobody to tell.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    match measure(&args).await {
        Ok(failed) => ExitCode::from(u8::from(failed)),
        Err(error) => {
            eprintln!("lectern-load: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Runs the scenario and prints the report. Returns whether any request failed.
async fn measure(args: &Args) -> anyhow::Result<bool> {
    Target::parse(&args.url)?.guard(args.allow_remote).await?;
    if args.scenario == args::Scenario::Drain {
        return drain::drain(args).await;
    }
    if args.scenario == args::Scenario::Expensive {
        return expensive::measure(args).await;
    }
    if args.scenario == args::Scenario::Silent {
        return silent::silent(args).await;
    }
    let plan = scenario::prepare(args).await?;
    if let Some(address) = args.mirror {
        mirror::serve(address, &plan).await?;
        return Ok(false);
    }
    let ready = run::connect(args, &plan).await?;
    let processes = cpu::Processes::new(&args.pids, args.children);
    let before = processes.spent()?;
    let outcome = run::run(args, plan, ready).await?;
    let cpu = processes.spent()?.map(|after| after.saturating_sub(before.unwrap_or_default()));
    let report = report::Report::new(args, &outcome, cpu);
    if args.json {
        println!("{}", report.to_json());
    } else {
        println!("{report}");
    }
    Ok(outcome.failures() > 0)
}
