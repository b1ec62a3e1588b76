//! The code flow of people who are signed in: authorization, token, userinfo.

use super::{Load, Setup};
use crate::{
    client::Client,
    harness::{
        oidc::{Party, code, text, userinfo},
        people::Person,
        user::{Pace, TimedClient, TurnFuture, User},
    },
};
use anyhow::Result;
use serde_json::Value;
use std::time::Duration;

pub(super) async fn prepare(setup: &mut Setup<'_>) -> Result<Load> {
    let party = Party::of_client(&setup.args.client, &setup.args.redirect_uri, &setup.args.resource)?;
    let mut users: Vec<Box<dyn User>> = Vec::new();
    for _ in 0..setup.users(8) {
        let mut client = Client::new(setup.site.target.clone());
        let cookies = Person::signed_in(&setup.site.target).await?;
        // Fails here, and says why, where the server does not know the client.
        party.sign_in(&mut client, &cookies, "openid").await?;
        users.push(Box::new(SignedIn { party: party.clone(), cookies }));
    }
    Ok(setup.group(Pace::Closed(Duration::ZERO), users).into())
}

/// A person who goes through the whole flow again and again.
pub(in crate::harness) struct SignedIn {
    pub(in crate::harness) party: Party,
    pub(in crate::harness) cookies: String,
}

impl User for SignedIn {
    /// One flow.
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            let authorize = self.party.authorize(&self.cookies, "openid")?;
            let Some(code) = client.send_for("authorization", authorize, code).await else { return Ok(()) };
            let access = |tokens: &Value| text(tokens, "access_token").ok();
            let Some(token) = client.send_for_json("token", self.party.redeem(&code)?, access).await else { return Ok(()) };
            client.send("userinfo", userinfo(&token)?).await;
            Ok(())
        })
    }
}
