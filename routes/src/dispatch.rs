//! Picks the group of endpoints by the first path segments, before any filter runs: a chain of all endpoints would cost each request a
//! try of every endpoint before its own.
//!
//! ```text
//! accept loop -> find(path) -> Lane -> answer(lane, request): OPTIONS here | HEAD as GET | shortcut | unknown methods 405 | the lane's group
//! ```

mod area;

use crate::{
    ops::metrics::{Meter, Metrics},
    web::{ApiResponse, Endpoint, ErrorFormat, Language, RequestMeta, headers, problem, request::Probe},
};
use bytes::Bytes;
use domain::{
    identity::Locales,
    shared::{Fault, Kind},
};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri, header};
use http_body_util::Empty;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use std::{net::IpAddr, time::Duration};
use uuid::Uuid;

pub use area::Area;
/// What every request is answered with.
pub use warp::reply::Response;

/// The methods that endpoints have; HEAD is answered as GET, OPTIONS is answered here.
const METHODS: [Method; 5] = [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];

/// Answers a GET that needs no filter, no waiting and no body; `None` leaves it to the group. Its answers have the headers that every answer has.
pub type Shortcut = Box<dyn Fn(&Uri, &HeaderMap) -> Option<Result<ApiResponse, Fault>> + Send + Sync>;

/// A group of endpoints and what is the same for all of them.
pub struct Lane {
    /// The label in metrics; there are as many as lanes.
    pub name: &'static str,
    dialect: ErrorFormat,
    /// `None`: there is nothing here.
    group: Option<Endpoint>,
    shortcut: Option<Shortcut>,
    /// How long a request may take, when that is not the usual time.
    pub patience: Option<Duration>,
    /// What its requests are counted with, when there are many.
    pub meter: Option<Meter>,
}

impl Lane {
    /// The answer to a request that never reached a handler, or never came back from it.
    pub fn refuse(&self, fault: &Fault, request_id: Uuid) -> Response {
        let mut response: Response = problem::answer(fault, self.dialect, request_id).into();
        headers::complete(response.headers_mut(), self.dialect);
        response
    }

    fn shortcut<B>(&self, request: &Request<B>) -> Option<Result<ApiResponse, Fault>> {
        let shortcut = self.shortcut.as_ref().filter(|_| request.method() == Method::GET)?;
        shortcut(request.uri(), request.headers())
    }
}

/// All lanes of the server.
#[derive(Default)]
pub struct Dispatch {
    /// About as many as resources: comparing with each of them is as quick as hashing.
    lanes: Vec<(Area<'static>, Lane)>,
    is_https_only: bool,
    locales: Locales,
}

impl Dispatch {
    /// Adds a group.
    #[must_use]
    pub fn with(mut self, area: Area<'static>, name: &'static str, dialect: ErrorFormat, group: Endpoint) -> Self {
        debug_assert!(self.lanes.iter().all(|(lane, _)| *lane != area), "two groups for {area:?}");
        self.lanes.push((area, Lane { name, dialect, group: Some(group), shortcut: None, patience: None, meter: None }));
        self
    }

    /// Puts a shortcut before a group that was added.
    #[must_use]
    pub fn with_shortcut(mut self, area: Area<'static>, shortcut: Shortcut, metrics: &Metrics) -> Self {
        if let Some((_, lane)) = self.lanes.iter_mut().find(|(lane, _)| *lane == area) {
            lane.shortcut = Some(shortcut);
            lane.meter = Some(metrics.meter(lane.name));
        }
        self
    }

    /// Gives a group that was added more time for a request than others have: large bodies come slowly.
    #[must_use]
    pub fn with_patience(mut self, area: Area<'static>, patience: Duration) -> Self {
        if let Some((_, lane)) = self.lanes.iter_mut().find(|(lane, _)| *lane == area) {
            lane.patience = Some(patience);
        }
        self
    }

    /// Says whether browsers are to come over https only (`APP_COOKIE_SECURE`).
    #[must_use]
    pub fn with_https_only(mut self, is_https_only: bool) -> Self {
        self.is_https_only = is_https_only;
        self
    }

    /// Says which languages people are spoken to in (`APP_SUPPORTED_LOCALES`).
    #[must_use]
    pub fn with_locales(mut self, locales: Locales) -> Self {
        self.locales = locales;
        self
    }

    /// The language that errors are told in.
    fn language(&self, lane: &Lane, headers: &HeaderMap) -> Language {
        if lane.dialect != ErrorFormat::Identity {
            return Language::English;
        }
        let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|header| header.to_str().ok());
        Language::of(self.locales.negotiate(accepted.unwrap_or_default()))
    }

    /// Adds what every answer has, also one that never reached a handler.
    pub fn complete(&self, response: &mut Response) {
        if self.is_https_only {
            let (name, value) = headers::HTTPS_ONLY;
            response.headers_mut().insert(name, value);
        }
    }

    /// The lane of a path.
    pub fn find(&self, path: &str) -> &Lane {
        let area = Area::of(path);
        self.lanes.iter().find(|(lane, _)| *lane == area).map_or_else(|| area.nothing(), |(_, lane)| lane)
    }

    /// Answers a request on its lane.
    pub async fn answer<B>(&self, lane: &Lane, mut request: Request<B>, request_id: Uuid, ip: IpAddr) -> Response
    where
        B: http_body::Body + Send + Sync + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let Some(group) = &lane.group else { return lane.refuse(&Fault::not_found(), request_id) };
        let language = self.language(lane, request.headers());
        let meta = RequestMeta { request_id, ip, is_head: request.method() == Method::HEAD, language };
        if request.method() == Method::OPTIONS {
            return options(lane, group, request.uri(), meta).await;
        }
        let head_only = meta.is_head;
        if head_only {
            *request.method_mut() = Method::GET;
        }
        if let Some(answer) = lane.shortcut(&request) {
            let response = match answer {
                Ok(answer) => answer.into(),
                Err(fault) => lane.refuse(&fault, request_id),
            };
            return if head_only { headers::without_body(response) } else { response };
        }
        let known = METHODS.contains(request.method());
        let uri = request.uri().clone();
        let mut response = if known {
            request.extensions_mut().insert(meta);
            call(group, request).await
        } else {
            let fault = Fault::new(Kind::MethodNotAllowed, "methodNotAllowed", "This method is not allowed here");
            problem::answer(&fault, lane.dialect, request_id).into()
        };
        if response.status() == StatusCode::METHOD_NOT_ALLOWED {
            // Some refuse a HEAD although they take a GET, because it would change something.
            let also = if head_only { &["OPTIONS"][..] } else { &["HEAD", "OPTIONS"] };
            response.headers_mut().insert(header::ALLOW, allow(group, &uri, meta, also).await);
        }
        headers::complete(response.headers_mut(), lane.dialect);
        if head_only { headers::without_body(response) } else { response }
    }
}

/// What may be done at a path; for the delivery API also the answer to a browser's preflight.
async fn options(lane: &Lane, group: &Endpoint, uri: &Uri, meta: RequestMeta) -> Response {
    let allow = allow(group, uri, meta, &["HEAD", "OPTIONS"]).await;
    if allow.is_empty() {
        return lane.refuse(&Fault::not_found(), meta.request_id);
    }
    let mut response: Response = ApiResponse::empty().with(header::ALLOW, allow).into();
    headers::complete(response.headers_mut(), lane.dialect);
    if lane.dialect == ErrorFormat::Delivery {
        headers::preflight(&mut response);
    }
    response
}

/// The methods an endpoint takes, found by asking each (see [`Probe`]), and those that need no endpoint (HEAD goes with GET); empty when the path is
/// nothing.
async fn allow(group: &Endpoint, uri: &Uri, meta: RequestMeta, also: &[&'static str]) -> HeaderValue {
    let mut taken = Vec::new();
    for method in METHODS {
        let mut probe = Request::new(Empty::<Bytes>::new());
        *probe.method_mut() = method.clone();
        *probe.uri_mut() = uri.clone();
        probe.extensions_mut().insert(meta);
        probe.extensions_mut().insert(Probe);
        if call(group, probe).await.status() == StatusCode::NO_CONTENT {
            taken.push(method);
        }
    }
    if taken.is_empty() {
        return HeaderValue::from_static("");
    }
    let also = also.iter().copied().filter(|a| *a != "HEAD" || taken.contains(&Method::GET));
    let names = taken.iter().map(Method::as_str).chain(also);
    // Method names are tokens, so this is always a header value.
    HeaderValue::from_str(&names.collect::<Vec<_>>().join(", ")).unwrap_or(HeaderValue::from_static("OPTIONS"))
}

async fn call<B>(group: &Endpoint, request: Request<B>) -> Response
where
    B: http_body::Body + Send + Sync + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    match TowerToHyperService::new(warp::service(group.clone())).call(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}
