//! `lectern-load`: puts a running server under load and reports rates, latencies and errors. It speaks HTTP only.
//!
//! There are two kinds of load. The scenarios of `lectern-load run` are many kinds of users at once, with a page of results; `harness` draws how they work. The
//! measurements of `scripts/bench*.sh` send one kind of request in a closed loop, with as little work for each as can be, to tell what a request costs the server.

mod args;
mod cli;
mod client;
mod cpu;
mod drain;
mod expensive;
mod harness;
mod histogram;
mod mirror;
mod report;
mod run;
mod scenario;
mod serve;
mod silent;
mod space;
mod totals;

use args::Args;
use clap::{Parser, ValueEnum};
use cli::{Cli, Command};
use client::Target;
use std::ffi::OsString;

/// Runs a command line, whose first word is the name of the program. Returns the exit code: 1 when a request failed, 2 when the run was not possible.
pub async fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to the standard output, errors do not. Where that is closed, neither can be read.
            let _ = error.print();
            return if error.use_stderr() { 2 } else { 0 };
        }
    };
    let failed = match (cli.command, cli.measurement) {
        (Some(Command::Run(args)), _) => Box::pin(harness::run(&args)).await,
        (Some(Command::Compare(args)), _) => harness::compare(&args).map(|()| false),
        (None, Some(args)) => measure(&args).await,
        // The parser asks for one of them.
        (None, None) => Ok(false),
    };
    match failed {
        Ok(failed) => u8::from(failed),
        Err(error) => {
            eprintln!("lectern-load: {error:#}");
            2
        }
    }
}

/// The names of the scenarios of `run`.
pub fn scenarios() -> Vec<String> {
    harness::Scenario::value_variants().iter().map(|scenario| scenario.name()).collect()
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
        mirror::serve(address, &plan, args.mirror_on_one_thread).await?;
        return Ok(false);
    }
    let ready = run::connect(args, &plan).await?;
    let processes = cpu::Processes::new(&args.pids, args.children);
    let before = processes.spent()?;
    let totals = run::run(args, plan, ready).await?;
    let cpu = processes.spent()?.map(|after| after.saturating_sub(before.unwrap_or_default()));
    let report = report::Report::new(args, &totals, cpu);
    if args.json {
        println!("{}", report.to_json());
    } else {
        println!("{report}");
    }
    Ok(totals.failures() > 0)
}

#[cfg(test)]
mod tests {
    use super::main;

    #[tokio::test]
    async fn a_server_on_another_machine_is_refused_by_every_command() {
        for line in ["run delivery-hot --url http://192.0.2.1 --quiet", "single --token t --url http://192.0.2.1"] {
            let arguments = ["load"].into_iter().chain(line.split(' ')).map(Into::into);
            assert_eq!(main(arguments).await, 2, "{line}");
        }
    }
}
