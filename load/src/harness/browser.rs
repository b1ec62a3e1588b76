//! A browser: cookies and the CSRF token that belongs to them.

use crate::client::{Client, Target};
use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::Full;
use serde_json::Value;
use std::collections::BTreeMap;

/// A browser with a connection of its own.
pub(crate) struct Browser {
    client: Client,
    cookies: BTreeMap<String, String>,
    csrf: String,
}

impl Browser {
    /// A new browser.
    pub(crate) async fn open(target: &Target) -> Result<Self> {
        let mut browser = Self { client: Client::new(target.clone()), cookies: BTreeMap::new(), csrf: String::new() };
        browser.renew_csrf().await?;
        Ok(browser)
    }

    /// Its connection, for requests with other credentials.
    pub(crate) fn client(&mut self) -> &mut Client {
        &mut self.client
    }

    /// Fetches the CSRF token, which changes with the session.
    pub(crate) async fn renew_csrf(&mut self) -> Result<()> {
        let (status, body) = self.send(self.request(Method::GET, "/api/csrf-token", Bytes::new())?).await?;
        let csrf = body.get("csrfToken").and_then(Value::as_str).map(str::to_owned);
        self.csrf = csrf.with_context(|| format!("the server gives no CSRF token: {status}"))?;
        Ok(())
    }

    /// Posts JSON, which has to succeed.
    pub(crate) async fn ask(&mut self, path: &str, body: &Value) -> Result<Value> {
        let (status, body) = self.post(path, body).await?;
        ensure!(status.is_success(), "{path}: {status} {body}");
        Ok(body)
    }

    /// Takes the cookies of a browser before it signed in, and what the server knows the browser by.
    pub(crate) fn forget_session(&mut self, before: BTreeMap<String, String>) {
        let known_by = self.cookies.iter().find(|(name, _)| name.contains("device"));
        self.cookies = before.into_iter().chain(known_by.map(|(name, value)| (name.clone(), value.clone()))).collect();
    }

    pub(crate) fn clone_cookies(&self) -> BTreeMap<String, String> {
        self.cookies.clone()
    }

    /// Posts JSON.
    pub(crate) async fn post(&mut self, path: &str, body: &Value) -> Result<(StatusCode, Value)> {
        self.send(self.request(Method::POST, path, serde_json::to_vec(body)?.into())?).await
    }

    /// Deletes something.
    pub(crate) async fn delete(&mut self, path: &str) -> Result<(StatusCode, Value)> {
        self.send(self.request(Method::DELETE, path, Bytes::new())?).await
    }

    /// A request with the cookies of this browser.
    pub(crate) fn request(&self, method: Method, path: &str, body: Bytes) -> Result<Request<Full<Bytes>>> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::COOKIE, self.cookies())
            .header("x-csrf-token", &self.csrf);
        Ok(request.body(Full::new(body))?)
    }

    /// The `Cookie` header of this browser.
    pub(crate) fn cookies(&self) -> String {
        let pairs: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("; ")
    }

    /// Sends a request as it is, and keeps the cookies of its response. A body that is no JSON is read as
    /// null.
    pub(crate) async fn send(&mut self, request: Request<Full<Bytes>>) -> Result<(StatusCode, Value)> {
        let path = request.uri().path().to_owned();
        let answer = self.client.answer(request).await;
        let answer = answer.ok().with_context(|| format!("{path}: the server does not answer"))?;
        self.keep(answer.headers());
        Ok((answer.status(), serde_json::from_slice(answer.body()).unwrap_or_default()))
    }

    fn keep(&mut self, headers: &HeaderMap) {
        for line in headers.get_all(header::SET_COOKIE).iter().filter_map(|line| line.to_str().ok()) {
            let pair = line.split(';').next().and_then(|pair| pair.split_once('='));
            match pair {
                Some((name, "")) => self.cookies.remove(name),
                Some((name, value)) => self.cookies.insert(name.to_owned(), value.to_owned()),
                None => None,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Browser;
    use crate::client::{Client, Target};
    use http::{HeaderMap, HeaderValue, header};
    use std::collections::BTreeMap;

    #[tokio::test]
    async fn cookies_are_kept_replaced_and_removed() {
        let target = Target::parse("http://127.0.0.1").unwrap();
        let mut browser = Browser { client: Client::new(target), cookies: BTreeMap::new(), csrf: String::new() };
        let mut take = |lines: &[&'static str]| {
            let headers: HeaderMap = lines.iter().map(|line| (header::SET_COOKIE, HeaderValue::from_static(line))).collect();
            browser.keep(&headers);
            browser.cookies()
        };
        assert_eq!(take(&["a=1; Path=/; HttpOnly", "b=2=3"]), "a=1; b=2=3");
        assert_eq!(take(&["a=4", "b=; Max-Age=0"]), "a=4");
        let before = browser.clone_cookies();
        let signed_in: HeaderMap = ["session=s", "__Host-device=d", "a=5"]
            .map(|line| (header::SET_COOKIE, HeaderValue::from_static(line)))
            .into_iter()
            .collect();
        browser.keep(&signed_in);
        browser.forget_session(before);
        assert_eq!(browser.cookies(), "__Host-device=d; a=4", "what it is known by stays, the session does not");
    }
}
