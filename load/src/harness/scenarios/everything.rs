//! All scenarios at once: each has its share of the turns, in open loops; imports run one after the other
//! beside them.

use super::{Load, Scenario, Setup};
use anyhow::Result;

/// Turns a second of all together.
const RATE: f64 = 200.0;
/// The largest number of users of each scenario. Signing all of them in takes a while.
const USERS: u32 = 8;

const PARTS: [(Scenario, f64); 10] = [
    (Scenario::DeliveryHot, 0.54),
    (Scenario::DeliveryMixed, 0.15),
    (Scenario::Tokens, 0.08),
    (Scenario::PublishRead, 0.05),
    (Scenario::Editors, 0.05),
    (Scenario::Autosave, 0.01),
    (Scenario::AdminLists, 0.05),
    (Scenario::Webhooks, 0.03),
    (Scenario::Logins, 0.02),
    (Scenario::OidcCode, 0.02),
];

pub(super) async fn prepare(setup: &mut Setup<'_>) -> Result<Load> {
    let rate = setup.rate.unwrap_or(RATE);
    let users = setup.users(USERS);
    let import = (Scenario::Import, None);
    let mut load = Load::default();
    for (scenario, rate) in PARTS.map(|(scenario, share)| (scenario, Some(rate * share))).into_iter().chain([import]) {
        let recorder = setup.recorder.clone();
        let mut part = Setup { site: &mut *setup.site, args: setup.args, recorder, users: Some(users), rate };
        let mut prepared = Box::pin(scenario.prepare(&mut part)).await?;
        load.groups.append(&mut prepared.groups);
        load.checks.append(&mut prepared.checks);
        load.servers.append(&mut prepared.servers);
    }
    Ok(load)
}

#[cfg(test)]
mod tests {
    use super::PARTS;

    #[test]
    fn the_shares_are_of_one_whole() {
        let sum: f64 = PARTS.iter().map(|(_, share)| share).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }
}
