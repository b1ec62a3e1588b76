//! Finds the endpoint of a request before any filter runs: the group by the first segments of the path, then
//! the endpoint by its template and method. So a request is compared with the few endpoints of its group
//! only, however many the server has.
//!
//! ```text
//! accept loop -> find(method, path) -> Route -> respond(route, request): OPTIONS, 404 and 405 here | fast path | the endpoint's filter
//! ```

mod alias;
mod observer;
mod prefix;

use crate::{
    ops::metrics::Meter,
    pages::language,
    web::{
        ApiResponse, Cookies, Endpoint, Endpoints, ErrorFormat, OtherMethods, RequestMeta, cookie,
        endpoint::Opener,
        error_page,
        fast_path::GroupFastPath,
        headers::{self, KeptOpener},
        problem::ErrorRenderer,
    },
};
use domain::{
    identity::Locales,
    shared::{Code, Fault, Language},
};
use http::{HeaderMap, HeaderValue, Method, Request, Uri, header};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use pages::{OwnPath, Site};
use prefix::RoutePrefix;
use std::{net::IpAddr, sync::Arc, time::Duration};
use uuid::Uuid;

pub use observer::ResponseObserver;
/// The response to every request.
pub use warp::reply::Response;

/// The methods that endpoints have, in the order in which `Allow` names them. HEAD is answered as GET,
/// OPTIONS is answered here.
const METHODS: [Method; 5] = [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];

/// The label in metrics and spans of a request for which there is no endpoint.
const NO_ENDPOINT: &str = "none";

/// The endpoints that share the first segments of their paths.
struct RouteGroup {
    format: ErrorFormat,
    endpoints: Vec<Endpoint>,
    fast_path: Option<GroupFastPath>,
}

/// The endpoint that was found for a request, or why there is none.
pub struct Route<'a> {
    dispatch: &'a Dispatch,
    group: &'a RouteGroup,
    target: ImageTarget<'a>,
}

enum ImageTarget<'a> {
    Endpoint(&'a Endpoint),
    /// The path has endpoints, but none for the method; this is the first of them.
    OtherMethod(&'a Endpoint),
    Nothing,
}

impl Route<'_> {
    /// The label in metrics and spans: the template of the path. There are as many as templates.
    pub fn label(&self) -> &'static str {
        match self.target {
            ImageTarget::Endpoint(endpoint) | ImageTarget::OtherMethod(endpoint) => endpoint.template.as_str(),
            ImageTarget::Nothing => NO_ENDPOINT,
        }
    }

    fn endpoint(&self) -> Option<&Endpoint> {
        if let ImageTarget::Endpoint(endpoint) = self.target { Some(endpoint) } else { None }
    }

    /// How long the request may take, where that is not the usual time.
    pub fn timeout(&self) -> Option<Duration> {
        self.endpoint()?.timeout
    }

    /// Whether its responses are counted where they are rendered, because many clients may share the bytes of
    /// one.
    pub fn counts_its_responses(&self) -> bool {
        self.group.format == ErrorFormat::Delivery
    }

    /// Whether a response to the method waits for room in memory first: only those of the management API can
    /// be large.
    pub fn waits_for_room(&self, method: &Method) -> bool {
        self.group.format == ErrorFormat::Management && *method == Method::GET && self.endpoint().is_some()
    }

    /// The counters of the request, where there are many requests.
    pub fn meter(&self) -> Option<&Meter> {
        self.endpoint()?.meter.as_ref()
    }

    /// The response to a request that never reached a handler, or never came back from it.
    pub fn error(&self, fault: &Fault, request_id: Uuid) -> Response {
        self.error_as(self.group.format, fault, request_id)
    }

    /// The response to a request that could not be read at all: JSON, also where the path has pages, because
    /// no browser sends such a request.
    pub fn refusal(&self, fault: &Fault, request_id: Uuid) -> Response {
        let format = if self.group.format == ErrorFormat::Page { ErrorFormat::Identity } else { self.group.format };
        self.error_as(format, fault, request_id)
    }

    fn error_as(&self, format: ErrorFormat, fault: &Fault, request_id: Uuid) -> Response {
        self.respond_with(&self.errors(format, Language::English, request_id, OwnPath::START), fault)
    }

    fn errors(&self, format: ErrorFormat, language: Language, request_id: Uuid, path: OwnPath) -> ErrorRenderer {
        ErrorRenderer { format, language, request_id, site: self.dispatch.site.clone(), path }
    }

    fn respond_with(&self, errors: &ErrorRenderer, fault: &Fault) -> Response {
        let mut response = errors.response(fault);
        self.add_headers(response.headers_mut(), errors.format);
        response
    }

    /// Adds the headers that every response here has.
    fn add_headers(&self, headers: &mut HeaderMap, format: ErrorFormat) {
        headers::add_defaults(headers, format);
        if let ImageTarget::Endpoint(endpoint) | ImageTarget::OtherMethod(endpoint) = self.target
            && endpoint.is_for_scripts
        {
            headers::allow_every_page(headers);
        }
    }
}

/// All endpoints of the server.
#[derive(Default)]
pub struct Dispatch {
    /// About as many as resources: comparing with each of them is as quick as hashing.
    groups: Vec<(RoutePrefix<'static>, RouteGroup)>,
    is_https_only: bool,
    locales: Locales,
    /// What stands on the pages, if there are any.
    site: Option<Arc<Site>>,
    observer: Option<ResponseObserver>,
}

impl Dispatch {
    /// Adds a table.
    #[must_use]
    ///
    /// # Panics
    /// When tables with two error formats share a prefix, which a first start shows.
    pub fn with<S, M>(mut self, table: Endpoints<S, M>) -> Self {
        let Endpoints { format, all, mut fast_path, .. } = table;
        for endpoint in all {
            let prefix = RoutePrefix::of(endpoint.template.as_str());
            if let Some((_, group)) = self.groups.iter_mut().find(|(known, _)| *known == prefix) {
                assert_eq!(group.format, format, "two error formats for {prefix:?}");
                // A path without parameters comes before templates that match it, whichever table it is in.
                let at = if endpoint.template.parameters() > 0 { group.endpoints.len() } else { 0 };
                group.endpoints.insert(at, endpoint);
                group.fast_path = group.fast_path.take().or_else(|| fast_path.take());
            } else {
                let group = RouteGroup { format, endpoints: vec![endpoint], fast_path: fast_path.take() };
                self.groups.push((prefix, group));
            }
        }
        self
    }

    /// Sets whether browsers are to use https only (`APP_COOKIE_SECURE`).
    #[must_use]
    pub fn with_https_only(mut self, is_https_only: bool) -> Self {
        self.is_https_only = is_https_only;
        self
    }

    /// Sets the languages of error messages (`APP_SUPPORTED_LOCALES`).
    #[must_use]
    pub fn with_locales(mut self, locales: Locales) -> Self {
        self.locales = locales;
        self
    }

    /// Sets what stands on the pages.
    #[must_use]
    pub fn with_site(mut self, site: Site) -> Self {
        self.site = Some(Arc::new(site));
        self
    }

    /// What stands on the pages, if there are any.
    pub fn site(&self) -> Option<&Site> {
        self.site.as_deref()
    }

    /// Shows each response of an endpoint to this function as well, for tests.
    #[must_use]
    pub fn with_observer(mut self, observer: ResponseObserver) -> Self {
        self.observer = Some(observer);
        self
    }

    /// All endpoints, for the description of the API and for tests.
    pub fn endpoints(&self) -> impl Iterator<Item = &Endpoint> {
        self.groups.iter().flat_map(|(_, group)| &group.endpoints)
    }

    /// The URI that a request means. It is what all that comes after is to read.
    #[must_use]
    pub fn resolve(uri: Uri) -> Uri {
        alias::resolve(uri)
    }

    /// Finds the endpoint of a method and a path.
    pub fn find(&self, method: &Method, path: &str) -> Route<'_> {
        let prefix = RoutePrefix::of(path);
        let group = self.groups.iter().find(|(known, _)| *known == prefix).map_or_else(|| prefix.no_group(), |(_, group)| group);
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        let mut target = ImageTarget::Nothing;
        for endpoint in group.endpoints.iter().filter(|endpoint| endpoint.is_at(path)) {
            if endpoint.method == *method {
                target = ImageTarget::Endpoint(endpoint);
                break;
            }
            let is_known = endpoint.other_methods == OtherMethods::NotAllowed || *method == Method::OPTIONS;
            if matches!(target, ImageTarget::Nothing) && is_known {
                target = ImageTarget::OtherMethod(endpoint);
            }
        }
        Route { dispatch: self, group, target }
    }

    /// Adds what every response has, also one that never reached a handler.
    pub fn add_headers(&self, response: &mut Response) {
        if self.is_https_only {
            let (name, value) = headers::HTTPS_ONLY;
            response.headers_mut().insert(name, value);
        }
    }

    /// The language of error messages.
    fn language(&self, format: ErrorFormat, headers: &HeaderMap) -> Language {
        if !matches!(format, ErrorFormat::Identity | ErrorFormat::Page) {
            return Language::English;
        }
        if format == ErrorFormat::Page
            && let Some(chosen) = cookie::find(headers, cookie::LANGUAGE).and_then(Language::exactly)
        {
            return chosen;
        }
        let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        Language::of(self.locales.negotiate(accepted.unwrap_or_default()))
    }

    /// Whether a response leaves the browser its link to the window that opened it.
    fn keeps_opener(&self, opener: Opener, headers: &HeaderMap) -> bool {
        match opener {
            Opener::Cut => false,
            Opener::Kept => true,
            Opener::KeptInInteraction => cookie::find(headers, Cookies::new(self.is_https_only).interaction()).is_some(),
        }
    }

    /// Answers a request on its route.
    pub async fn respond<B>(&self, route: &Route<'_>, request: Request<B>, request_id: Uuid, ip: IpAddr) -> Response
    where
        B: http_body::Body + Send + Sync + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let Some((observer, endpoint)) = self.observer.as_ref().zip(route.endpoint()) else {
            return self.respond_unobserved(route, request, request_id, ip).await;
        };
        let method = request.method().clone();
        let response = self.respond_unobserved(route, request, request_id, ip).await;
        observer::observe(observer, endpoint, &method, response).await
    }

    async fn respond_unobserved<B>(&self, route: &Route<'_>, mut request: Request<B>, request_id: Uuid, ip: IpAddr) -> Response
    where
        B: http_body::Body + Send + Sync + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let language = self.language(route.group.format, request.headers());
        let is_head = request.method() == Method::HEAD;
        if is_head {
            *request.method_mut() = Method::GET;
        }
        let response = match route.target {
            ImageTarget::Nothing => self.not_found(route, request.uri(), request.headers(), request_id),
            ImageTarget::OtherMethod(_) if request.method() == Method::OPTIONS => options(route.group, request.uri().path()),
            ImageTarget::Endpoint(endpoint) if !(is_head && endpoint.refuses_head) => {
                self.call_endpoint(route, endpoint, request, RequestMeta { request_id, ip, is_head, language }).await
            }
            ImageTarget::OtherMethod(_) | ImageTarget::Endpoint(_) => {
                let fault = Fault::new(Code::MethodNotAllowed, "This method is not allowed here");
                let errors = route.errors(route.group.format, language, request_id, own_path(request.uri()));
                let mut response = route.respond_with(&errors, &fault);
                response.headers_mut().insert(header::ALLOW, allow(route.group, request.uri().path()));
                response
            }
        };
        if is_head { headers::without_body(response) } else { response }
    }

    /// The response where there is no endpoint. A browser that was led to an address that does not exist
    /// shows a page, and a program gets JSON.
    fn not_found(&self, route: &Route<'_>, uri: &Uri, headers: &HeaderMap, request_id: Uuid) -> Response {
        let is_page = self.site.is_some() && !uri.path().starts_with("/api") && error_page::is_wanted(headers);
        if is_page && let Some(switched) = language::switch(Cookies::new(self.is_https_only), uri) {
            return switched;
        }
        let format = match route.group.format {
            _ if is_page => ErrorFormat::Page,
            ErrorFormat::Page => ErrorFormat::Identity,
            format => format,
        };
        let errors = route.errors(format, self.language(format, headers), request_id, own_path(uri));
        route.respond_with(&errors, &Fault::not_found())
    }

    /// The response of an endpoint: that of the fast path, if it has one, or what its filter answers.
    async fn call_endpoint<B>(&self, route: &Route<'_>, endpoint: &Endpoint, request: Request<B>, mut meta: RequestMeta) -> Response
    where
        B: http_body::Body + Send + Sync + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let group = route.group;
        let keeps_opener = self.keeps_opener(endpoint.opener, request.headers());
        if group.format == ErrorFormat::Page
            && let Some(mut switched) = language::switch(Cookies::new(self.is_https_only), request.uri())
        {
            if keeps_opener {
                headers::keep_opener(switched.headers_mut());
            }
            return switched;
        }
        let (mut head, body) = request.into_parts();
        match group.fast_path.as_ref().and_then(|fast| fast(&head.uri, &head.headers, &mut head.extensions)) {
            Some(Ok(response)) => return response.into(),
            Some(Err(fault)) => {
                let errors = route.errors(group.format, meta.language, meta.request_id, OwnPath::START);
                return route.respond_with(&errors, &fault);
            }
            None => {}
        }
        let mut format = group.format;
        if endpoint.is_for_people && self.site.is_some() && error_page::is_wanted(&head.headers) {
            format = ErrorFormat::Page;
            meta.language = self.language(format, &head.headers);
        }
        let path = if group.format == ErrorFormat::Page { own_path(&head.uri) } else { OwnPath::START };
        head.extensions.insert(meta);
        head.extensions.insert(route.errors(format, meta.language, meta.request_id, path));
        let mut response = call(endpoint, Request::from_parts(head, body)).await;
        let has_kept_opener = response.extensions_mut().remove::<KeptOpener>().is_some();
        route.add_headers(response.headers_mut(), group.format);
        if keeps_opener || has_kept_opener {
            headers::keep_opener(response.headers_mut());
        }
        response
    }
}

fn own_path(uri: &Uri) -> OwnPath {
    OwnPath::of(uri.path(), uri.query().unwrap_or_default())
}

/// The response to OPTIONS: the methods of a path; for the Delivery API also what a browser's preflight asks
/// for.
fn options(group: &RouteGroup, path: &str) -> Response {
    let mut response: Response = ApiResponse::empty().with(header::ALLOW, allow(group, path)).into();
    headers::add_defaults(response.headers_mut(), group.format);
    match group.format {
        ErrorFormat::Delivery => headers::add_preflight(&mut response),
        ErrorFormat::OAuth => headers::add_provider_preflight(&mut response),
        _ => {}
    }
    response
}

/// The methods of a path that has endpoints.
fn allow(group: &RouteGroup, path: &str) -> HeaderValue {
    let here: Vec<&Endpoint> = group.endpoints.iter().filter(|endpoint| endpoint.is_at(path)).collect();
    let mut names: Vec<&str> = Vec::new();
    names.extend(METHODS.iter().filter(|method| here.iter().any(|endpoint| endpoint.method == **method)).map(Method::as_str));
    if here.iter().any(|endpoint| endpoint.method == Method::GET && !endpoint.refuses_head) {
        names.push("HEAD");
    }
    names.push("OPTIONS");
    // Method names are tokens, so this is always a header value.
    HeaderValue::from_str(&names.join(", ")).unwrap_or(HeaderValue::from_static("OPTIONS"))
}

async fn call<B>(endpoint: &Endpoint, request: Request<B>) -> Response
where
    B: http_body::Body + Send + Sync + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    match TowerToHyperService::new(warp::service(endpoint.filter())).call(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}
