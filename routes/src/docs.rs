//! `/docs` and `/docs/{document}`: README.md and the documents of docs/ as pages, of the version that runs.
//! They are there for everybody, as the description of the API is.

use crate::{
    dispatch::Dispatch,
    web::{Anonymous, ApiRequest, ApiResponse, Endpoints, ErrorFormat, Public, gzip::Gzipped},
};
use bytes::Bytes;
use domain::shared::{Fault, Language};
use http::{HeaderValue, header};
use pages::{
    Frame, OwnPath, Site,
    docs::{self, Document},
};
use std::sync::{Arc, OnceLock};

/// The documents. Cheap to clone. They are complete when it is known what stands on the pages.
#[derive(Clone, Default)]
pub struct Docs {
    pages: Arc<OnceLock<Vec<Page>>>,
}

/// A document in one of the languages of what is around it.
struct Page {
    document: &'static Document,
    language: Language,
    site: Site,
    /// Made when it is first asked for.
    ready: OnceLock<Gzipped>,
}

impl Docs {
    /// Adds the endpoints that serve them.
    #[must_use]
    pub fn add_endpoints(&self, dispatch: Dispatch) -> Dispatch {
        let pages = Endpoints::new(self, ErrorFormat::Page).get("/docs", Public, start).get("/docs/{document}", Public, document);
        dispatch.with(pages)
    }

    /// Takes over what stands on the pages. Later calls change nothing.
    pub fn complete(&self, dispatch: &Dispatch) {
        let site = dispatch.site().cloned().unwrap_or_default();
        let both = [Language::English, Language::German];
        let page = |document, language| Page { document, language, site: site.clone(), ready: OnceLock::new() };
        let pages = docs::all().iter().flat_map(|document| both.map(|language| page(document, language)));
        // Set once, when the server is put together.
        let _ = self.pages.set(pages.collect());
    }

    fn find(&self, name: &str, language: Language) -> Result<&Page, Fault> {
        let mut pages = self.pages.get().into_iter().flatten();
        pages.find(|page| page.document.name == name && page.language == language).ok_or_else(Fault::not_found)
    }
}

impl Page {
    /// 200 with the page, or 304 when the browser has it. The browser keeps it and asks each time, because
    /// another version of the server may have changed it.
    fn respond(&self, request: &ApiRequest) -> ApiResponse {
        let html = self.ready.get_or_init(|| {
            let path = OwnPath::of(&self.document.path(), "");
            let frame = Frame {
                site: &self.site,
                language: self.language,
                path: &path,
                csrf_token: "",
                is_administrator: false,
                person: None,
            };
            Gzipped::new(Bytes::from(docs::docs_page(&frame, self.document)))
        });
        html.respond(request, "text/html; charset=utf-8").with(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"))
    }
}

/// 200 with README.md.
async fn start(docs: Docs, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    Ok(docs.find("", request.meta.language)?.respond(&request))
}

/// 200 with a document; 404 for a name that none has.
async fn document(docs: Docs, _: Anonymous, name: String, request: ApiRequest) -> Result<ApiResponse, Fault> {
    Ok(docs.find(&name, request.meta.language)?.respond(&request))
}
