//! Requests of a client to the OpenID provider.

use crate::client::{Client, encode, get};
use anyhow::{Context, Result};
use bytes::Bytes;
use http::{Request, Response, header};
use http_body_util::Full;
use serde_json::Value;

/// The client of the OpenID provider.
#[derive(Debug, Clone)]
pub(crate) struct Party {
    id: String,
    secret: String,
    redirect_uri: String,
    resource: String,
}

impl Party {
    /// The client `id:secret`, which asks for tokens of people.
    pub(crate) fn of_client(client: &str, redirect_uri: &str, resource: &str) -> Result<Self> {
        let (id, secret) = client.split_once(':').context("--client is not id:secret")?;
        Ok(Self {
            id: id.to_owned(),
            secret: secret.to_owned(),
            redirect_uri: redirect_uri.to_owned(),
            resource: resource.to_owned(),
        })
    }

    /// The resource that its JWT access tokens are for.
    pub(crate) fn resource(&self) -> &str {
        &self.resource
    }

    /// The tokens of a whole sign-in.
    pub(crate) async fn sign_in(&self, client: &mut Client, cookies: &str, scope: &str) -> Result<Value> {
        let answer = client.answer(self.authorize(cookies, scope)?).await.ok().context("the server does not answer")?;
        let code = code(&answer).context("no code: is the client configured with requirePkce false and this redirect URI?")?;
        client.ask(self.redeem(&code)?).await.context("no tokens")
    }

    /// The authorization request of a person with these cookies.
    pub(crate) fn authorize(&self, cookies: &str, scope: &str) -> Result<Request<Full<Bytes>>> {
        let (id, uri) = (encode(&self.id), encode(&self.redirect_uri));
        let path = format!("/oidc/authorize?response_type=code&client_id={id}&redirect_uri={uri}&scope={}", encode(scope));
        page(&path, cookies)
    }

    /// The token request for a code.
    pub(crate) fn redeem(&self, code: &str) -> Result<Request<Full<Bytes>>> {
        self.form("/oidc/token", &[("grant_type", "authorization_code"), ("code", code), ("redirect_uri", &self.redirect_uri)])
    }

    /// A form of the client, which authenticates itself in it.
    pub(crate) fn form(&self, path: &str, fields: &[(&str, &str)]) -> Result<Request<Full<Bytes>>> {
        let own = [("client_id", self.id.as_str()), ("client_secret", self.secret.as_str())];
        let pairs: Vec<String> = own.iter().chain(fields).map(|(name, value)| format!("{name}={}", encode(value))).collect();
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        Ok(request.body(Full::from(pairs.join("&")))?)
    }
}

/// The request for a page or document, with these cookies.
pub(crate) fn page(path: &str, cookies: &str) -> Result<Request<Full<Bytes>>> {
    let mut request = get(path)?;
    request.headers_mut().insert(header::COOKIE, cookies.parse()?);
    Ok(request)
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

#[cfg(test)]
mod tests {
    use super::{Party, code};
    use bytes::Bytes;
    use http::Response;

    #[test]
    fn a_client_names_itself_in_the_form_and_finds_its_code() {
        let party = Party::of_client("a b:s&t", "https://a.example/cb", "").unwrap();
        let form = party.form("/oidc/token", &[]).unwrap();
        assert_eq!((form.method().as_str(), form.uri().path()), ("POST", "/oidc/token"));
        let uri = party.authorize("c=1", "openid email").unwrap().uri().to_string();
        assert!(uri.contains("client_id=a%20b&redirect_uri=https%3A%2F%2Fa%2Eexample%2Fcb&scope=openid%20email"), "{uri}");
        let redirect = Response::builder().header("location", "https://a.example/cb?code=x-y&iss=z").body(Bytes::new()).unwrap();
        assert_eq!(code(&redirect).as_deref(), Some("x-y"));
    }
}
