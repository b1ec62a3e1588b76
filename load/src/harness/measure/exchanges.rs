//! What is asked of the OpenID provider.

use crate::{
    args::{Args, Exchange},
    client::{Client, Target, get},
    harness::{
        oidc::{Party, page, text, userinfo},
        people::Person,
        scenarios::{oidc_code::SignedIn, tokens::refresh},
        user::{TimedClient, TurnFuture, User},
    },
};
use anyhow::{Context, Result};
use bytes::Bytes;
use http::Request;
use http_body_util::Full;

/// A client that asks the same again and again.
#[derive(Clone)]
pub(super) struct Asker {
    party: Party,
    exchange: Exchange,
    /// An access token of a person, or the cookies of one, where the exchange is about that.
    holds: String,
}

impl Asker {
    /// Nothing for an exchange that is more than one request.
    pub(super) async fn new(args: &Args, target: &Target) -> Result<Option<Self>> {
        let (party, exchange) = (party(args)?, args.exchange.context("--exchange is missing")?);
        let holds = match exchange {
            Exchange::Refresh | Exchange::Code => return Ok(None),
            Exchange::AccountPage => Person::signed_in(target).await?,
            Exchange::Introspection | Exchange::Userinfo => {
                let cookies = Person::signed_in(target).await?;
                let tokens = party.sign_in(&mut Client::new(target.clone()), &cookies, "openid").await?;
                text(&tokens, "access_token")?
            }
            _ => String::new(),
        };
        Ok(Some(Self { party, exchange, holds }))
    }

    /// The request, which is always the same.
    pub(super) fn request(&self) -> Result<Request<Full<Bytes>>> {
        let credentials = ("grant_type", "client_credentials");
        match self.exchange {
            Exchange::Discovery => get("/.well-known/openid-configuration"),
            Exchange::Jwks => get("/.well-known/jwks.json"),
            Exchange::ClientToken => self.party.form("/oidc/token", &[credentials]),
            Exchange::ClientJwt => self.party.form("/oidc/token", &[credentials, ("resource", self.party.resource())]),
            Exchange::Introspection => self.party.form("/oidc/introspect", &[("token", &self.holds)]),
            Exchange::Userinfo => userinfo(&self.holds),
            Exchange::AccountPage => page("/account", &self.holds),
            Exchange::SignInPage | Exchange::Refresh | Exchange::Code => get("/login"),
        }
    }
}

impl User for Asker {
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            client.send("exchange", self.request()?).await;
            Ok(())
        })
    }
}

/// Refreshes its token again and again.
struct Refresher {
    party: Party,
    token: String,
}

impl User for Refresher {
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            if let Some((_, next)) = refresh(&self.party, &self.token, client).await? {
                self.token = next;
            }
            Ok(())
        })
    }
}

/// A user whose exchange is more than one request, or depends on the one before.
pub(super) async fn flow(args: &Args, target: &Target) -> Result<Box<dyn User>> {
    let (party, cookies) = (party(args)?, Person::signed_in(target).await?);
    if args.exchange == Some(Exchange::Code) {
        return Ok(Box::new(SignedIn { party, cookies }));
    }
    let tokens = party.sign_in(&mut Client::new(target.clone()), &cookies, "openid offline_access").await?;
    Ok(Box::new(Refresher { party, token: text(&tokens, "refresh_token")? }))
}

fn party(args: &Args) -> Result<Party> {
    let client = args.client.as_deref().context("--client is missing")?;
    Party::of_client(client, &args.redirect_uri, &args.resource)
}
