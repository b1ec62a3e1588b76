//! The command line.

use crate::{
    args::Args,
    harness::args::{CompareArgs, RunArgs},
};
use clap::{Parser, Subcommand};

/// Puts a server under load, and reports rates, latencies and errors. It speaks HTTP only.
///
/// `run` goes through a scenario; `compare` sets two results side by side. A scenario without `run` before it
/// is one of the measurements of `scripts/bench*.sh`.
///
/// Exits with 1 when a request failed, with 2 when the run was not possible.
#[derive(Debug, Parser)]
#[command(
    name = "lectern-load",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) measurement: Option<Args>,
}

/// A command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Puts a server under the load of a scenario, and writes down what came of it.
    Run(Box<RunArgs>),
    /// Compares the results of two runs.
    Compare(CompareArgs),
}

#[cfg(test)]
mod tests {
    use super::{Cli, Command};
    use clap::Parser;

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(line.split(' '))
    }

    #[test]
    fn a_run_a_comparison_and_a_measurement_are_told_apart() {
        assert!(matches!(parse("load run delivery-hot").unwrap().command, Some(Command::Run(_))));
        assert!(matches!(parse("load compare a.json b.json").unwrap().command, Some(Command::Compare(_))));
        let measurement = parse("load single --token t").unwrap();
        assert!(measurement.command.is_none() && measurement.measurement.is_some());
    }

    #[test]
    fn a_run_is_bounded() {
        for bad in [
            "--users 0",
            "--users 10001",
            "--seconds 3601",
            "--seconds 0",
            "--ramp 3601",
            "--turns 0",
            "--rate 0",
            "--stories 100001",
        ] {
            assert!(parse(&format!("load run delivery-hot {bad}")).is_err(), "{bad}");
        }
        assert!(parse("load run nothing").is_err() && parse("load run").is_err() && parse("load compare a.json").is_err());
    }
}
