//! Sign-ins with a password from known browsers.

use crate::client::{Client, Target};
use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::Full;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};

const PASSWORD: &str = "a plank of long wood";
/// The number of the next account of this process.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// An account, and a browser that has signed in to it once.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    email: String,
    csrf: String,
    cookies: String,
}

/// Registers this many accounts, named after the process and a number, and signs in to each once.
pub(crate) async fn register(target: &Target, accounts: u32) -> Result<Vec<Person>> {
    let mut client = Client::new(target.clone());
    let mut people = Vec::new();
    for _ in 0..accounts {
        people.push(Person::register(&mut client).await?);
    }
    Ok(people)
}

impl Person {
    async fn register(client: &mut Client) -> Result<Self> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let (headers, body) = said(client, Request::get("/api/csrf-token").body(Full::default())?, StatusCode::OK).await?;
        let csrf = body.get("csrfToken").and_then(Value::as_str).context("no CSRF token")?.to_owned();
        let email = format!("load-{}-{number}@example.org", std::process::id());
        let mut person = Self { email, csrf, cookies: cookies(&headers) };
        let account = json!({ "email": person.email, "password": PASSWORD, "firstName": "Load" });
        said(client, person.post("/api/auth/register", &account)?, StatusCode::CREATED).await?;
        let (headers, _) = said(client, person.login()?, StatusCode::OK).await?;
        // What the browser is known by stays with it; the session does not, so that each login is a new one.
        let device = cookies(&headers).split("; ").find(|part| part.contains("device=")).map(str::to_owned);
        person.cookies = [Some(person.cookies), device].into_iter().flatten().collect::<Vec<_>>().join("; ");
        Ok(person)
    }

    /// The cookies of a browser in which a new account is signed in.
    pub(crate) async fn signed_in(client: &mut Client) -> Result<String> {
        let mut person = Self::register(client).await?;
        let (headers, _) = said(client, person.login()?, StatusCode::OK).await?;
        person.cookies = cookies(&headers);
        Ok(person.cookies)
    }

    /// Signs in.
    pub(crate) fn login(&self) -> Result<Request<Full<Bytes>>> {
        self.post("/api/auth/login", &json!({ "email": self.email, "password": PASSWORD }))
    }

    fn post(&self, path: &str, body: &Value) -> Result<Request<Full<Bytes>>> {
        let request = Request::builder()
            .method(Method::POST)
            .uri(path)
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::COOKIE, &self.cookies)
            .header("x-csrf-token", &self.csrf);
        Ok(request.body(Full::from(serde_json::to_vec(body)?))?)
    }
}

async fn said(client: &mut Client, request: Request<Full<Bytes>>, wanted: StatusCode) -> Result<(HeaderMap, Value)> {
    let path = request.uri().path().to_owned();
    let answer = client.answer(request).await.ok().context("the server does not answer")?;
    let body = String::from_utf8_lossy(answer.body());
    ensure!(answer.status() == wanted, "{path}: {} {body}", answer.status());
    let body = serde_json::from_str(&body)?;
    Ok((answer.headers().clone(), body))
}

/// The `Cookie` header of a browser that received these cookies.
fn cookies(headers: &HeaderMap) -> String {
    let lines = headers.get_all(header::SET_COOKIE).iter().filter_map(|g| g.to_str().ok());
    let pairs = lines.filter_map(|line| line.split(';').next()).filter(|line| !line.ends_with('='));
    pairs.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::{Person, cookies};
    use http::{HeaderMap, HeaderValue, header};

    #[test]
    fn a_login_sends_what_the_browser_holds() {
        let given = ["a=1; Path=/; HttpOnly", "gone=; Max-Age=0", "b=2=3"];
        let headers: HeaderMap = given.into_iter().map(|g| (header::SET_COOKIE, HeaderValue::from_static(g))).collect();
        let person = Person { email: "a@example.org".into(), csrf: "t".into(), cookies: cookies(&headers) };
        let request = person.login().unwrap();
        assert_eq!(
            (request.headers()["cookie"].to_str().unwrap(), &request.headers()["x-csrf-token"]),
            ("a=1; b=2=3", &HeaderValue::from_static("t"))
        );
    }
}
