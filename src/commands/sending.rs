//! `lectern sending pause`, `resume` and `status`: whether this installation sends webhooks, notices to
//! clients and mails. A restored copy does not until it is told to.

use crate::{command_env::CommandEnv, config::Config};
use anyhow::Result;
use clap::Subcommand;
use services::identity::sending::set_sending;
use storage::shared::sending::{self, Sending};

/// What is to be done.
#[derive(Clone, Copy, Subcommand)]
pub(super) enum Action {
    /// Send nothing from now on. What is to be sent waits.
    Pause,
    /// Send again, also what has waited.
    Resume,
    /// Say whether anything is sent.
    Status,
}

pub(super) async fn run(config: &Config, action: Action) -> Result<()> {
    let env = CommandEnv::open(config).await?;
    let outcome = execute(&env, action).await;
    env.close().await;
    println!("{}", outcome?);
    Ok(())
}

async fn execute(env: &CommandEnv, action: Action) -> Result<&'static str> {
    // First, so that the next start knows the database and does not pause what is resumed here.
    let Sending { is_paused, is_copy } = sending::recognise(&env.store.connection("sending.recognise").await?).await?;
    let is_on = match action {
        Action::Status if is_copy => return Ok("sending is paused, because this database is a copy of another one"),
        Action::Status if is_paused => return Ok("sending is paused"),
        Action::Status => return Ok("sending is on"),
        Action::Pause => false,
        Action::Resume => true,
    };
    set_sending(&env.store, is_on, env.clock.now()).await?;
    Ok(if is_on { "sending is on" } else { "sending is paused" })
}
