//! `lectern migrate`: the first step of a start, for deployments that do it once before they start several
//! servers.

use crate::{command_env::CommandEnv, config::Config};
use anyhow::Result;

pub(super) async fn run(config: &Config) -> Result<()> {
    CommandEnv::open(config).await?.close().await;
    println!("the database is up to date");
    Ok(())
}
