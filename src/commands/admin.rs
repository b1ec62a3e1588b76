//! `lectern admin grant EMAIL` and `lectern admin revoke EMAIL`: who is an administrator. It needs no
//! administrator, only access to the database.

use crate::{command_env::CommandEnv, config::Config};
use anyhow::{Result, anyhow, bail};
use clap::{Args, Subcommand};
use domain::identity::Email;
use services::identity::{AdministratorChange, set_administrator};

/// What is to be done.
#[derive(Subcommand)]
pub(super) enum Action {
    /// Make the account with this address an administrator.
    Grant(Arguments),
    /// Make the account with this address an account like others.
    Revoke(Arguments),
}

/// The arguments of both.
#[derive(Args)]
pub(super) struct Arguments {
    /// The address of the account.
    email: String,
}

pub(super) async fn run(config: &Config, action: &Action) -> Result<()> {
    let (Action::Grant(Arguments { email }) | Action::Revoke(Arguments { email })) = action;
    let is_admin = matches!(action, Action::Grant(_));
    let address = Email::read(email).map_err(|invalid| anyhow!("{email} {invalid}"))?;
    let env = CommandEnv::open(config).await?;
    let outcome = set_administrator(&env.store, &address, is_admin, env.clock.now()).await;
    env.close().await;
    let (now, before) = if is_admin {
        ("is an administrator now", "is an administrator already")
    } else {
        ("is no administrator any more", "is no administrator")
    };
    match outcome? {
        AdministratorChange::UnknownAccount => bail!("no account has the address {email}: register it first"),
        AdministratorChange::None => println!("{email} {before}"),
        AdministratorChange::Changed => println!("{email} {now}"),
    }
    Ok(())
}
