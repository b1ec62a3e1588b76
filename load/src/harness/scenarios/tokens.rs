//! Tokens for clients, introspection, userinfo and refreshing.

use super::{Load, Setup};
use crate::{
    client::Client,
    harness::{
        oidc::{Party, text, userinfo},
        people::Person,
        user::{Pace, TimedClient, TurnFuture, User},
    },
};
use anyhow::Result;
use fastrand::Rng;
use serde_json::Value;
use std::time::Duration;

pub(super) async fn prepare(setup: &mut Setup<'_>) -> Result<Load> {
    let party = Party::of_client(&setup.args.client, &setup.args.redirect_uri, &setup.args.resource)?;
    let mut users: Vec<Box<dyn User>> = Vec::new();
    for number in 0..setup.users(16) {
        let mut client = Client::new(setup.site.target.clone());
        let cookies = Person::signed_in(&setup.site.target).await?;
        let tokens = party.sign_in(&mut client, &cookies, "openid offline_access").await?;
        let (access, refresh) = (text(&tokens, "access_token")?, text(&tokens, "refresh_token")?);
        users.push(Box::new(Holder { party: party.clone(), access, refresh, random: Rng::with_seed(number.into()) }));
    }
    Ok(setup.group(Pace::Closed(Duration::ZERO), users).into())
}

/// A client that holds the tokens of a person.
struct Holder {
    party: Party,
    access: String,
    refresh: String,
    random: Rng,
}

impl User for Holder {
    /// One request.
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            match self.random.u32(..5) {
                0 => {
                    client.send("opaque token", self.party.form("/oidc/token", &[("grant_type", "client_credentials")])?).await;
                }
                1 => {
                    let fields = [("grant_type", "client_credentials"), ("resource", self.party.resource())];
                    client.send("JWT", self.party.form("/oidc/token", &fields)?).await;
                }
                2 => {
                    let is_active = |body: &Value| (body.get("active") == Some(&Value::Bool(true))).then_some(());
                    let introspect = self.party.form("/oidc/introspect", &[("token", &self.access)])?;
                    client.send_for_json("introspection", introspect, is_active).await;
                }
                3 => {
                    client.send("userinfo", userinfo(&self.access)?).await;
                }
                _ => {
                    if let Some(tokens) = refresh(&self.party, &self.refresh, client).await? {
                        (self.access, self.refresh) = tokens;
                    }
                }
            }
            Ok(())
        })
    }
}

/// The access and the refresh token for a refresh token.
pub(in crate::harness) async fn refresh(party: &Party, token: &str, client: &mut TimedClient) -> Result<Option<(String, String)>> {
    let request = party.form("/oidc/token", &[("grant_type", "refresh_token"), ("refresh_token", token)])?;
    let both = |tokens: &Value| text(tokens, "access_token").ok().zip(text(tokens, "refresh_token").ok());
    Ok(client.send_for_json("refresh", request, both).await)
}
