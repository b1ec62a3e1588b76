//! Requests of a client to the OpenID provider.

use super::logins::Person;
use crate::{
    args::{Args, Exchange},
    client::{Client, Failure, Target},
};
use anyhow::{Context, Result, bail, ensure};
use bytes::Bytes;
use http::{Request, Response, StatusCode, header};
use http_body_util::Full;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use std::str::from_utf8;

/// The client, and what it asks for.
#[derive(Debug, Clone)]
pub(crate) struct Party {
    exchange: Exchange,
    id: String,
    secret: String,
    redirect_uri: String,
    resource: String,
    /// An access token of a person, where the exchange is about one.
    token: Option<String>,
    /// The cookies of a person, where the exchange is a page of theirs.
    cookies: Option<String>,
}

/// An exchange in which a request depends on the response before.
pub(crate) enum Flow {
    Refresh { party: Party, token: String },
    Code { party: Party, cookies: String },
}

type Sent = Result<(StatusCode, u64), Failure>;

impl Party {
    /// The client `id:secret`, which asks for tokens of people.
    pub(crate) fn of_client(client: &str, redirect_uri: &str, resource: &str) -> Result<Self> {
        let (id, secret) = client.split_once(':').context("--client is not id:secret")?;
        Ok(Self {
            exchange: Exchange::Code,
            id: id.to_owned(),
            secret: secret.to_owned(),
            redirect_uri: redirect_uri.to_owned(),
            resource: resource.to_owned(),
            token: None,
            cookies: None,
        })
    }

    /// The resource that its JWT access tokens are for.
    pub(crate) fn resource(&self) -> &str {
        &self.resource
    }

    /// Signs a person in, where the exchange is about one.
    pub(super) async fn prepare(target: &Target, args: &Args) -> Result<Self> {
        let client = args.client.as_deref().context("--client is missing")?;
        let mut party = Self::of_client(client, &args.redirect_uri, &args.resource)?;
        party.exchange = args.exchange.context("--exchange is missing")?;
        if party.exchange == Exchange::AccountPage {
            party.cookies = Some(Person::signed_in(&mut Client::new(target.clone())).await?);
        }
        if matches!(party.exchange, Exchange::Introspection | Exchange::Userinfo) {
            let mut client = Client::new(target.clone());
            let cookies = Person::signed_in(&mut client).await?;
            let tokens = party.sign_in(&mut client, &cookies, "openid").await?;
            party.token = Some(text(&tokens, "access_token")?);
        }
        Ok(party)
    }

    /// The request of an exchange that is one request.
    pub(super) fn request(&self) -> Result<Request<Full<Bytes>>> {
        let token = self.token.as_deref().unwrap_or_default();
        match self.exchange {
            Exchange::Discovery => get("/.well-known/openid-configuration"),
            Exchange::Jwks => get("/.well-known/jwks.json"),
            Exchange::ClientToken => self.form("/oidc/token", &[("grant_type", "client_credentials")]),
            Exchange::ClientJwt => self.form("/oidc/token", &[("grant_type", "client_credentials"), ("resource", &self.resource)]),
            Exchange::Introspection => self.form("/oidc/introspect", &[("token", token)]),
            Exchange::Userinfo => userinfo(token),
            Exchange::SignInPage => get("/login"),
            Exchange::AccountPage => {
                let cookies = self.cookies.as_deref().unwrap_or_default();
                Ok(Request::get("/account").header(header::COOKIE, cookies).body(Full::default())?)
            }
            Exchange::Refresh | Exchange::Code => bail!("a flow is more than one request"),
        }
    }

    /// The flow of a connection, for an exchange that is one.
    pub(super) async fn flow(&self, client: &mut Client) -> Result<Option<Flow>> {
        if !matches!(self.exchange, Exchange::Refresh | Exchange::Code) {
            return Ok(None);
        }
        let cookies = Person::signed_in(client).await?;
        if self.exchange == Exchange::Code {
            return Ok(Some(Flow::Code { party: self.clone(), cookies }));
        }
        let tokens = self.sign_in(client, &cookies, "openid offline_access").await?;
        Ok(Some(Flow::Refresh { party: self.clone(), token: text(&tokens, "refresh_token")? }))
    }

    /// The tokens of a whole sign-in.
    pub(crate) async fn sign_in(&self, client: &mut Client, cookies: &str, scope: &str) -> Result<Value> {
        let answer = client.answer(self.authorize(cookies, scope)?).await.ok().context("the server does not answer")?;
        let code = code(&answer).context("no code: is the client configured with requirePkce false and this redirect URI?")?;
        let answer = client.answer(self.redeem(&code)?).await.ok().context("the server does not answer")?;
        ensure!(answer.status() == StatusCode::OK, "no tokens: {}", from_utf8(answer.body())?);
        Ok(serde_json::from_slice(answer.body())?)
    }

    /// The authorization request of a person with these cookies.
    pub(crate) fn authorize(&self, cookies: &str, scope: &str) -> Result<Request<Full<Bytes>>> {
        let (id, uri) = (encoded(&self.id), encoded(&self.redirect_uri));
        let path = format!("/oidc/authorize?response_type=code&client_id={id}&redirect_uri={uri}&scope={}", encoded(scope));
        Ok(Request::get(path).header(header::COOKIE, cookies).body(Full::default())?)
    }

    /// The token request for a code.
    pub(crate) fn redeem(&self, code: &str) -> Result<Request<Full<Bytes>>> {
        self.form("/oidc/token", &[("grant_type", "authorization_code"), ("code", code), ("redirect_uri", &self.redirect_uri)])
    }

    /// A form of the client, which authenticates itself in it.
    pub(crate) fn form(&self, path: &str, fields: &[(&str, &str)]) -> Result<Request<Full<Bytes>>> {
        let own = [("client_id", self.id.as_str()), ("client_secret", self.secret.as_str())];
        let pairs: Vec<String> = own.iter().chain(fields).map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        Ok(request.body(Full::from(pairs.join("&")))?)
    }
}

impl Flow {
    /// Goes through it once.
    pub(super) async fn next(&mut self, client: &mut Client) -> Result<Sent> {
        match self {
            Self::Refresh { party, token } => {
                let request = party.form("/oidc/token", &[("grant_type", "refresh_token"), ("refresh_token", token)])?;
                let answer = match client.answer(request).await {
                    Ok(answer) => answer,
                    Err(failure) => return Ok(Err(failure)),
                };
                if answer.status() == StatusCode::OK {
                    *token = text(&serde_json::from_slice(answer.body())?, "refresh_token")?;
                }
                Ok(Ok(size(&answer)))
            }
            Self::Code { party, cookies } => sign_in_and_read(party, cookies, client).await,
        }
    }
}

async fn sign_in_and_read(party: &Party, cookies: &str, client: &mut Client) -> Result<Sent> {
    let answer = match client.answer(party.authorize(cookies, "openid")?).await {
        Ok(answer) => answer,
        Err(failure) => return Ok(Err(failure)),
    };
    let Some(code) = code(&answer) else { return Ok(Ok((StatusCode::BAD_REQUEST, 0))) };
    let answer = match client.answer(party.redeem(&code)?).await {
        Ok(answer) if answer.status() == StatusCode::OK => answer,
        Ok(answer) => return Ok(Ok(size(&answer))),
        Err(failure) => return Ok(Err(failure)),
    };
    let token = text(&serde_json::from_slice(answer.body())?, "access_token")?;
    Ok(client.answer(userinfo(&token)?).await.map(|answer| size(&answer)))
}

fn get(path: &str) -> Result<Request<Full<Bytes>>> {
    Ok(Request::get(path).body(Full::default())?)
}

/// The request for the claims of an access token.
pub(crate) fn userinfo(token: &str) -> Result<Request<Full<Bytes>>> {
    Ok(Request::get("/oidc/userinfo").header(header::AUTHORIZATION, format!("Bearer {token}")).body(Full::default())?)
}

/// The code of a redirect to the client.
pub(crate) fn code(answer: &Response<Bytes>) -> Option<String> {
    let location = answer.headers().get(header::LOCATION)?.to_str().ok()?;
    let (_, query) = location.split_once('?')?;
    query.split('&').find_map(|pair| pair.strip_prefix("code=")).map(str::to_owned)
}

/// A member of a response that has to be there.
pub(crate) fn text(body: &Value, name: &str) -> Result<String> {
    body.get(name).and_then(Value::as_str).map(str::to_owned).with_context(|| format!("the answer has no {name}"))
}

fn size(answer: &Response<Bytes>) -> (StatusCode, u64) {
    (answer.status(), answer.body().len() as u64)
}

fn encoded(text: &str) -> impl std::fmt::Display {
    utf8_percent_encode(text, NON_ALPHANUMERIC)
}

#[cfg(test)]
mod tests {
    use super::{Party, code};
    use crate::args::Exchange;
    use bytes::Bytes;
    use http::Response;

    #[test]
    fn a_client_names_itself_in_the_form_and_finds_its_code() {
        let party = Party {
            exchange: Exchange::ClientToken,
            id: "a b".into(),
            secret: "s&t".into(),
            redirect_uri: "https://a.example/cb".into(),
            resource: String::new(),
            token: None,
            cookies: None,
        };
        let request = party.request().unwrap();
        assert_eq!((request.method().as_str(), request.uri().path()), ("POST", "/oidc/token"));
        let uri = party.authorize("c=1", "openid email").unwrap().uri().to_string();
        assert!(uri.contains("client_id=a%20b&redirect_uri=https%3A%2F%2Fa%2Eexample%2Fcb&scope=openid%20email"), "{uri}");
        let redirect = Response::builder().header("location", "https://a.example/cb?code=x-y&iss=z").body(Bytes::new()).unwrap();
        assert_eq!(code(&redirect).as_deref(), Some("x-y"));
    }
}
