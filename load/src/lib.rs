//! `lectern-load`: puts a running server under load and reports rates, latencies and errors. It speaks HTTP
//! only.
//!
//! There are two kinds of load, made of the same parts (`harness` draws them). The scenarios of `lectern-load
//! run` are many kinds of users at once, with a page of results. The measurements of `scripts/bench*.sh` send
//! one kind of request, in a closed loop unless there is a `--rate`, to tell what a request costs the server.

mod args;
mod cli;
mod client;
mod harness;
mod histogram;

use clap::{Parser, ValueEnum};
use cli::{Cli, Command};
use std::ffi::OsString;

/// Runs a command line, whose first word is the name of the program. Returns the exit code: 1 when a request
/// failed, 2 when the run was not possible.
pub async fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to the standard output, errors do not. Where that is closed, neither can be
            // read.
            let _ = error.print();
            return if error.use_stderr() { 2 } else { 0 };
        }
    };
    let failed = match (cli.command, cli.measurement) {
        (Some(Command::Run(args)), _) => Box::pin(harness::run(&args)).await,
        (Some(Command::Compare(args)), _) => harness::compare(&args).map(|()| false),
        (None, Some(args)) => Box::pin(harness::measure::measure(&args)).await,
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
