//! The description of the API, made of docs/openapi and of the tables of endpoints of this server:
//! `/api/openapi.json` for programs (OpenAPI 3.1), and `/api/docs` for people.

mod page;

use crate::{
    dispatch::Dispatch,
    pages::files,
    web::{Anonymous, ApiRequest, ApiResponse, Endpoint, Endpoints, ErrorFormat, Public, gzip::Gzipped},
};
use domain::shared::Fault;
use http::{HeaderValue, StatusCode, header};
use openapi::{ErrorShape, operation::Group};
use pages::Site;
use serde_json::Value;
use std::sync::{Arc, OnceLock};

/// The description. Cheap to clone. It is complete when all tables are with the dispatcher, and made when it
/// is first asked for.
#[derive(Clone, Default)]
pub struct Description {
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    source: OnceLock<Source>,
    document: OnceLock<Value>,
    json: OnceLock<Gzipped>,
    groups: OnceLock<Vec<Group>>,
}

/// What the document is made of.
struct Source {
    endpoints: Vec<openapi::Endpoint>,
    base_url: String,
    version: &'static str,
    site: Site,
}

impl Description {
    /// Adds the endpoints that serve it.
    #[must_use]
    pub fn add_endpoints(&self, dispatch: Dispatch) -> Dispatch {
        let pages = Endpoints::new(self, ErrorFormat::Page)
            .get("/api/docs", Public, page::overview)
            .get("/api/docs/{operation}", Public, page::operation)
            // All pages load them; these pages are there without the identity service, too.
            .get("/assets/pages/{file}", Public, files::file);
        dispatch.with(Endpoints::new(self, ErrorFormat::Identity).get("/api/openapi.json", Public, read)).with(pages)
    }

    /// Takes over what the tables declare. Later calls change nothing.
    pub fn complete(&self, dispatch: &Dispatch, base_url: &str, version: &'static str) {
        let endpoints = dispatch.endpoints().filter_map(declared).collect();
        let base_url = base_url.trim_end_matches('/').to_owned();
        let site = dispatch.site().cloned().unwrap_or_default();
        // Set once, when the server is put together.
        let _ = self.inner.source.set(Source { endpoints, base_url, version, site });
    }

    fn source(&self) -> Result<&Source, Fault> {
        self.inner.source.get().ok_or_else(|| Fault::internal("the description was asked for before it was complete"))
    }

    /// The operations, as people read them.
    fn groups(&self) -> Result<&[Group], Fault> {
        let document = self.document()?;
        Ok(self.inner.groups.get_or_init(|| openapi::operation::groups(document)))
    }

    /// The document.
    fn document(&self) -> Result<&Value, Fault> {
        if let Some(document) = self.inner.document.get() {
            return Ok(document);
        }
        let source = self.source()?;
        let document = openapi::describe(&source.endpoints, &source.base_url, source.version)
            .map_err(|error| Fault::internal(format!("docs/openapi: {error}")))?;
        Ok(self.inner.document.get_or_init(|| document))
    }
}

/// What the table declares of an endpoint; `None` for a page, which is no part of the API.
pub fn declared(endpoint: &Endpoint) -> Option<openapi::Endpoint> {
    let shape = match endpoint.format {
        ErrorFormat::Management => ErrorShape::Management,
        ErrorFormat::Identity => ErrorShape::Identity,
        ErrorFormat::Delivery => ErrorShape::Delivery,
        ErrorFormat::OAuth => ErrorShape::OAuth,
        ErrorFormat::Page => return None,
    };
    Some(openapi::Endpoint {
        method: endpoint.method.to_string(),
        template: endpoint.template.as_str(),
        security: endpoint.security,
        shape,
        refusals: endpoint.refusals.iter().map(StatusCode::as_u16).collect(),
        roles: endpoint.roles.clone(),
    })
}

/// 200 with the document. Nothing in it is secret, so that any page may read it.
async fn read(description: Description, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let document = description.document()?;
    let json = description.inner.json.get_or_init(|| Gzipped::new(document.to_string().into()));
    let response = json.respond(&request, "application/json; charset=utf-8");
    let minutes = HeaderValue::from_static("public, max-age=300");
    Ok(response.with(header::CACHE_CONTROL, minutes).with(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")))
}
