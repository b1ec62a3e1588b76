//! `lectern check-config`: unlike a start, it also fails on variables that nobody reads, and on what cannot be heeded.

use crate::config::{Config, Environment};
use anyhow::{Result, bail};

pub(super) fn run(environment: &Environment) -> Result<()> {
    let unknown = environment.unknown().iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    match Config::read(environment) {
        Err(problem) if unknown.is_empty() => Err(problem.into()),
        Err(problem) => bail!("{problem}; {unknown}"),
        Ok(_) if !unknown.is_empty() => bail!("{unknown}"),
        Ok(config) => {
            if let Some(unheeded) = config.unheeded() {
                bail!("{unheeded}");
            }
            println!("the configuration is fine");
            Ok(())
        }
    }
}
