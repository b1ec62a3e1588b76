//! `lectern check-config`: unlike a start, it also fails on unknown variables and on settings without effect.

use crate::config::{Config, Environment};
use anyhow::{Result, bail};

pub(super) fn run(environment: &Environment) -> Result<()> {
    let unknown = environment.unknown().iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    match Config::read(environment) {
        Err(problem) if unknown.is_empty() => Err(problem.into()),
        Err(problem) => bail!("{problem}; {unknown}"),
        Ok(_) if !unknown.is_empty() => bail!("{unknown}"),
        Ok(config) => {
            if let Some(warning) = config.warning() {
                bail!("{warning}");
            }
            println!("the configuration is fine");
            Ok(())
        }
    }
}
