//! What `lectern` can be told to do. What goes wrong is one line on the standard error and the exit code 1.

mod check_config;
mod export;
mod healthcheck;
mod import;

use crate::{
    config::{Config, Environment, docs},
    serve,
};
use anyhow::Result;
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
    /// Bring a space over from a folder of exported JSON. The server must not be running on the same data directory.
    Import(import::Arguments),
    /// Write a space into a folder of JSON that import reads. The server must not be running on the same data directory.
    Export(export::Arguments),
    /// Ask the server that these APP_ variables describe whether it is alive.
    Healthcheck,
}

/// Does what the command line says.
pub async fn run() -> ExitCode {
    let command = Cli::parse().command.unwrap_or(Command::Serve);
    match carry_out(command, &Environment::process()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lectern: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn carry_out(command: Command, environment: &Environment) -> Result<()> {
    match command {
        Command::Serve => serve::run(&Config::read(environment)?, &environment.unknown()).await,
        Command::CheckConfig => check_config::run(environment),
        Command::ConfigDocs => {
            print!("{}", docs::page());
            Ok(())
        }
        Command::Import(arguments) => import::run(&Config::read(environment)?, &arguments).await,
        Command::Export(arguments) => export::run(&Config::read(environment)?, &arguments).await,
        Command::Healthcheck => healthcheck::run(&Config::read(environment)?).await,
    }
}
