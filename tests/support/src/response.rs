//! What a server answered to a request.

use reqwest::header::HeaderMap;
use serde_json::Value;
use std::future::Future;

/// A response whose body was read.
#[derive(Debug, Clone)]
pub struct Response {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
    /// The body; null where it is no JSON.
    pub body: Value,
}

/// A request that is sent, and whose response is read.
pub trait Answer {
    fn answer(self) -> impl Future<Output = Response> + Send;

    /// With a form as its body.
    #[must_use]
    fn form(self, fields: &[(&str, &str)]) -> Self;
}

impl Answer for reqwest::RequestBuilder {
    async fn answer(self) -> Response {
        Response::of(self.send().await.unwrap()).await
    }

    fn form(self, fields: &[(&str, &str)]) -> Self {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.header("content-type", "application/x-www-form-urlencoded").body(body)
    }
}

impl Response {
    pub async fn of(response: reqwest::Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.unwrap();
        Self { status, headers, body: serde_json::from_str(&text).unwrap_or_default(), text }
    }

    /// Asserts the status and returns the body.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.body
    }

    /// The value of a header; empty where there is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Where it redirects to.
    #[track_caller]
    pub fn location(&self) -> &str {
        assert!((300..400).contains(&self.status), "{} is no redirect: {}", self.status, self.text);
        self.header("location")
    }

    /// The status and where it redirects to.
    #[track_caller]
    pub fn redirect(&self) -> (u16, &str) {
        (self.status, self.location())
    }

    /// The status and the error code.
    pub fn refusal(&self) -> (u16, &str) {
        (self.status, self.body["error"].as_str().unwrap_or_default())
    }

    /// The value of a cookie that it sets.
    pub fn cookie(&self, name: &str) -> Option<String> {
        let lines = self.headers.get_all("set-cookie").into_iter().map(|line| line.to_str().unwrap());
        let mut pairs = lines.filter_map(|line| line.split(';').next()?.split_once('='));
        pairs.find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
    }

    /// The value of the first field of a page with a name.
    pub fn field(&self, name: &str) -> Option<String> {
        let input = self.text.split("<input").skip(1).find(|input| input.contains(&format!("name=\"{name}\"")))?;
        let value = input.split('>').next()?.split("value=\"").nth(1)?.split('"').next()?;
        Some(value.replace("&amp;", "&").replace("&quot;", "\""))
    }

    /// What a page says was wrong, or was done.
    pub fn message(&self) -> String {
        let message = self.text.split("class=\"message").nth(1).map(|rest| rest.split("</div>").next().unwrap());
        let text = message.unwrap_or_default().split_once('>').map_or("", |(_, rest)| rest);
        let pieces = text.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text));
        pieces.collect::<Vec<_>>().join(" ").trim().to_owned()
    }
}
