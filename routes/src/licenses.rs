//! `/licenses`, and `/licenses.txt` as plain text: what is in the binary that others have written, and under
//! which terms.

use crate::{
    dispatch::Dispatch,
    web::{Anonymous, ApiRequest, ApiResponse, Endpoints, ErrorFormat, Public, gzip::Gzipped},
};
use bytes::Bytes;
use domain::shared::{Fault, Language};
use http::{HeaderValue, header};
use licenses::Inventory;
use pages::{Frame, OwnPath, Site};
use std::sync::{Arc, OnceLock};

/// The page in each language, and the plain text. Each is made when it is first asked for. Cheap to clone.
#[derive(Clone)]
pub struct Licenses {
    inner: Arc<Inner>,
}

struct Inner {
    site: Site,
    english: OnceLock<Gzipped>,
    german: OnceLock<Gzipped>,
    plain: OnceLock<Gzipped>,
}

impl Licenses {
    /// The page of a site; without one it has the product's own name.
    pub fn new(site: Option<&Site>) -> Self {
        let inner = Inner {
            site: site.cloned().unwrap_or_default(),
            english: OnceLock::new(),
            german: OnceLock::new(),
            plain: OnceLock::new(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Adds the endpoints that serve it.
    #[must_use]
    pub fn add_endpoints(&self, dispatch: Dispatch) -> Dispatch {
        let pages = Endpoints::new(self, ErrorFormat::Page).get("/licenses", Public, show_page).get("/licenses.txt", Public, plain);
        dispatch.with(pages)
    }
}

/// 200 with the page; 304 when the browser has it.
async fn show_page(licenses: Licenses, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let (language, site) = (request.meta.language, &licenses.inner.site);
    let place = match language {
        Language::English => &licenses.inner.english,
        Language::German => &licenses.inner.german,
    };
    let html = get_or_make(place, |inventory| {
        // Its own path without a query, so that the page is the same for everybody.
        let path = OwnPath::of("/licenses", "");
        let frame = Frame { site, language, path: &path, csrf_token: "", is_administrator: false, person: None };
        pages::licenses::licenses_page(&frame, inventory)
    })?;
    let response = html.respond(&request, "text/html; charset=utf-8");
    // The language is that of the cookie, or else that of the browser.
    let by_language = HeaderValue::from_static("accept-language, cookie");
    Ok(response.with(header::VARY, by_language).with(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")))
}

/// 200 with the text; 304 when the caller has it.
async fn plain(licenses: Licenses, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let text = get_or_make(&licenses.inner.plain, Inventory::plain)?;
    Ok(text
        .respond(&request, "text/plain; charset=utf-8")
        .with(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")))
}

/// What is kept in a place, made now if it is not there.
fn get_or_make(place: &OnceLock<Gzipped>, make: impl FnOnce(&Inventory) -> String) -> Result<&Gzipped, Fault> {
    if let Some(kept) = place.get() {
        return Ok(kept);
    }
    let inventory = Inventory::unpack().map_err(|error| Fault::internal(format!("the licences: {error}")))?;
    let gzipped = Gzipped::new(Bytes::from(make(&inventory)));
    Ok(place.get_or_init(|| gzipped))
}
