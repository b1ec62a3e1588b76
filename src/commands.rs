//! The command line of `lectern`. An error is a line on the standard error, several errors of the
//! configuration a line each, and the exit code 1.

mod admin;
mod check_config;
mod export;
mod healthcheck;
mod import;
mod migrate;
mod sending;

use crate::{
    allocator,
    config::{Config, Environment, docs},
    serve,
};
use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// A headless content service and an identity service in one server on PostgreSQL.
#[derive(Parser)]
#[command(name = "lectern", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Serve (the default). Configuration comes from APP_ variables; see docs/configuration.md.
    Serve,
    /// Check the APP_ variables and start nothing.
    CheckConfig,
    /// Print docs/configuration.md.
    ConfigDocs,
    /// Bring the database up to date and exit. A start does that, too.
    Migrate,
    /// Pause or resume what this installation sends: webhooks, notices to clients, mails. The server may be
    /// running.
    #[command(subcommand)]
    Sending(sending::Action),
    /// Say who is an administrator. The server may be running.
    #[command(subcommand)]
    Admin(admin::Action),
    /// Import a space from a folder of exported JSON. The server may be running.
    Import(import::Arguments),
    /// Export a space into a folder of JSON that import reads. The server may be running.
    Export(export::Arguments),
    /// Ask the server that these APP_ variables describe whether it is alive.
    Healthcheck,
}

/// Runs the command of the command line.
pub fn run() -> ExitCode {
    allocator::give_back_large_blocks();
    let command = Cli::parse().command.unwrap_or(Command::Serve);
    let runtime = tokio::runtime::Runtime::new().context("the runtime cannot be started");
    match runtime.and_then(|runtime| runtime.block_on(execute(command, &Environment::process()))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            format!("{error:#}").lines().for_each(|line| eprintln!("lectern: {line}"));
            ExitCode::FAILURE
        }
    }
}

async fn execute(command: Command, environment: &Environment) -> Result<()> {
    match command {
        Command::Serve => serve::run(&Config::read(environment)?, &environment.unknown()).await,
        Command::CheckConfig => check_config::run(environment),
        Command::ConfigDocs => {
            print!("{}", docs::page());
            Ok(())
        }
        Command::Migrate => migrate::run(&Config::read(environment)?).await,
        Command::Sending(action) => sending::run(&Config::read(environment)?, action).await,
        Command::Admin(action) => admin::run(&Config::read(environment)?, &action).await,
        Command::Import(arguments) => import::run(&Config::read(environment)?, &arguments).await,
        Command::Export(arguments) => export::run(&Config::read(environment)?, &arguments).await,
        Command::Healthcheck => healthcheck::run(&Config::read(environment)?).await,
    }
}
