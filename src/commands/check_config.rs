//! `lectern check-config`: unlike a start, it also fails on unknown variables and on settings without effect.

use crate::config::{Config, Environment};
use anyhow::{Result, bail};

/// Prints that the configuration is fine, or fails with a line for everything that is not.
pub(super) fn run(environment: &Environment) -> Result<()> {
    let mut lines: Vec<String> = match Config::read(environment) {
        Ok(config) => config.warning().map(str::to_owned).into_iter().collect(),
        Err(problems) => vec![problems.to_string()],
    };
    lines.extend(environment.unknown().iter().map(ToString::to_string));
    if !lines.is_empty() {
        bail!(lines.join("\n"));
    }
    println!("the configuration is fine");
    Ok(())
}
