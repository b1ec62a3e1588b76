//! The content studio: the list of a person's spaces, and the shell of the application that works on one of
//! them. It needs both services, so a process with one of them has none of these paths.
//!
//! ```text
//! /studio                  the spaces of the person        /studio/new, /studio/new/tokens   a new one
//! /studio/{space}/…        the shell, with the data of the first screen; what comes then is the Management API
//! /studio/signed-in        the end of a sign-in in a window of its own
//! /assets/studio/{file}    script, texts and styles, as `src` hands them in
//! /f/bridge.js             what a site loads so that its preview speaks with this studio
//! ```

mod files;
mod new_space;
mod relay;
mod shell;

use crate::{
    content::Content,
    dispatch::Dispatch,
    pages::{Member, Pages, Visitor, account},
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, Public, Sessions, SignedIn},
};
use crypto::{keys::Keys, seal::Seal};
use domain::shared::Fault;
use pages::{
    Text,
    studio::{SpacesView, signed_in_page, spaces_page},
};
use relay::Relay;
use std::sync::Arc;
use storage::shared::member_spaces;

/// The built application. Its files are compressed already.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// The name of the script.
    pub script: &'static str,
    /// The name of the style sheet.
    pub style: &'static str,
    /// For each language (`en`) the name of the file with its texts.
    pub texts: Vec<(&'static str, &'static str)>,
    /// Every file.
    pub files: Vec<BundleFile>,
    /// By their names the scripts that sites load.
    pub relays: Vec<(&'static str, &'static str)>,
}

/// A file of it.
#[derive(Debug, Clone, Copy)]
pub struct BundleFile {
    /// With a hash of the content in it.
    pub name: &'static str,
    pub gzip: &'static [u8],
    pub brotli: &'static [u8],
}

/// What these pages work with. Cheap to clone.
#[derive(Clone)]
pub struct Studio {
    pages: Pages,
    content: Content,
    /// `None` in a server that was built without the application.
    bundle: Option<Arc<Bundle>>,
    relays: Arc<[Relay]>,
    /// Seals the tokens of a new space for the page that shows them.
    seal: Seal,
    /// `APP_BASE_URL`.
    base_url: Arc<str>,
}

impl AsRef<Pages> for Studio {
    fn as_ref(&self) -> &Pages {
        &self.pages
    }
}

impl AsRef<Sessions> for Studio {
    fn as_ref(&self) -> &Sessions {
        &self.content.sessions
    }
}

/// A person who is signed in, at a page.
type Reader = (Visitor, SignedIn);

impl Studio {
    /// The studio of a process that has these services.
    pub fn new(pages: Pages, content: Content, keys: &Keys, base_url: &str, bundle: Option<Bundle>) -> Self {
        let seal = Seal::new(keys.derive(new_space::SEAL));
        let relays = bundle.iter().flat_map(|bundle| &bundle.relays).map(|(name, text)| Relay::new(name, text, base_url));
        let relays = relays.collect();
        Self { pages, content, bundle: bundle.map(Arc::new), relays, seal, base_url: base_url.into() }
    }

    /// Adds its pages and files.
    pub fn add_endpoints(&self, dispatch: Dispatch) -> Dispatch {
        let pages = Endpoints::new(self, ErrorFormat::Page)
            .get("/studio", Member, spaces)
            .get("/studio/new", Member, new_space::show)
            .post("/studio/new", Member, new_space::create)
            // It forgets what it shows.
            .get_that_writes("/studio/new/tokens", Member, new_space::show_tokens)
            .get("/studio/signed-in", Member, signed_in)
            .get("/studio/{space}/{rest..}", Member, shell::show);
        let files = Endpoints::new(self, ErrorFormat::Page).get("/assets/studio/{file}", Public, files::file);
        // As files of assets, below whose path they are.
        let relays = Endpoints::new(self, ErrorFormat::Delivery).get("/f/bridge.js", Public, relay::serve).get(
            "/f/storyblok-v2-latest.js",
            Public,
            relay::serve,
        );
        dispatch.with(pages).with(files).with(relays)
    }
}

/// The spaces of the person.
async fn spaces(studio: Studio, (visitor, signed_in): Reader, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let done = account::done(&request, &[("joined", Text::Joined)])?;
    let connection = studio.content.store.connection("member.list_spaces").await?;
    let spaces = member_spaces::list(&connection, signed_in.user).await?;
    let view = SpacesView { done, spaces: &spaces, is_built: studio.bundle.is_some() };
    Ok(visitor.ok(&studio.pages, |frame| spaces_page(frame, view)))
}

/// The end of a sign-in in a window of its own, whose script tells the studio of it.
async fn signed_in(studio: Studio, (visitor, _): Reader, _: ApiRequest) -> Result<ApiResponse, Fault> {
    Ok(visitor.ok(&studio.pages, signed_in_page))
}
