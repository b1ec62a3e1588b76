//! Sign-ins with a password, at a fixed rate: an open loop, because people who sign in do not wait for one
//! another.

use super::{Load, Setup};
use crate::harness::{
    people::Person,
    user::{Pace, TimedClient, TurnFuture, User},
};
use anyhow::{Context, Result};
use fastrand::Rng;
use std::sync::Arc;

/// How many accounts there are.
const ACCOUNTS: u32 = 8;
/// Sign-ins a second.
const RATE: f64 = 20.0;

pub(super) async fn prepare(setup: &mut Setup<'_>) -> Result<Load> {
    let people: Arc<[Person]> = Person::register(&setup.site.target, ACCOUNTS).await?.into();
    let users = (0..setup.users(256)).map(|number| -> Box<dyn User> { Box::new(Visitor::new(&people, number)) });
    Ok(setup.group(Pace::Open(RATE), users.collect()).into())
}

/// A browser of one of these people, and of another one each time.
pub(in crate::harness) struct Visitor {
    people: Arc<[Person]>,
    random: Rng,
}

impl Visitor {
    pub(in crate::harness) fn new(people: &Arc<[Person]>, number: u32) -> Self {
        Self { people: people.clone(), random: Rng::with_seed(number.into()) }
    }
}

impl User for Visitor {
    /// One sign-in from a known browser.
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            let person = self.random.choice(self.people.iter()).context("no account")?;
            client.send("login", person.login()?).await;
            Ok(())
        })
    }
}
