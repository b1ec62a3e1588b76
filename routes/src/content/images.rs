//! The image service: `…/f/{space}/…/{name}/m/{transformation}`, see [`domain::content::image`].
//!
//! ```text
//! GET -> memory: path and Accept -> bytes with their headers       before any filter runs; asks the database again after a commit of the space
//!     -> the path is read                                          422 names what is not known
//!     -> the asset, as for its file: served now, private           404, 403
//!     -> no image: 422; SVG and what is not decoded: the file itself, with a header that says so
//!     -> a single flight for all that want the same result
//!          -> kept (`image_results`): its object is read
//!          -> a place: spaces take turns, and within a space addresses       503 with Retry-After
//!             -> the file is read -> a thread of `images::Pool`              422: broken, too many pixels, takes too long
//!             -> its object is stored, its row written; results that were not used for longest go    (a failure costs only the keeping)
//! ```
//!
//! A result is kept under the object of its original, and an object never changes: so nothing has to be
//! invalidated when an asset gets another file, and the results of what is not served any more are only out
//! of reach until the janitor removes them. Results of private assets are kept in the store like others, but
//! not in the memory: each request has to show its signature.
//!
//! A result that shows fewer frames than there are (too many pixels, or too little time for the others) is
//! not kept in the store, and here and by clients for an hour only: a larger bound, or a server with less to
//! do, may show all of them.

mod make;
mod memory;
mod metrics;
mod negotiation;
mod response;

use super::{
    Content,
    delivery::cache::{FairQueue, Invalidation, SingleFlight},
    files::{self, Address},
};
use crate::{
    ops::Metrics,
    web::fast_path::{FastPath, FastPathOutcome},
    web::{ApiRequest, ResponseMemory},
};
use actors::{Handles, notifications::Notifications};
use domain::{
    content::{
        asset::ObjectKey,
        image::{Original, Transformation},
    },
    shared::{Code, Fault},
};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use images::{Limits, Pool, PoolSettings};
use jiff::Timestamp;
use make::{AssetOrder, MadeImage};
use memory::{ImageMemory, MemoryKey};
use metrics::ImageMetrics;
use negotiation::accepts_webp;
use percent_encoding::percent_decode_str;
use response::ImageResponse;
use std::{borrow::Cow, sync::Arc, time::Duration};
use storage::content::{
    asset_addresses::{self, ServedAsset},
    image_results,
};
use warp::reply::Response;

/// On an answer that is the original itself, because nothing here decodes it.
const UNCHANGED: (HeaderName, HeaderValue) = (HeaderName::from_static("x-image-original"), HeaderValue::from_static("unchanged"));

/// The settings of the image service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageSettings {
    /// How many images are worked on at a time.
    pub workers: usize,
    /// How long one may take.
    pub time: Duration,
    /// How long a request waits for a place, before it is told to come back.
    pub wait: Duration,
    /// How many pixels an original may have.
    pub max_pixels: u64,
    /// How many bytes of results are kept in the store, of all processes together; 0 keeps none.
    pub store_bytes: u64,
    /// How many bytes of results this process keeps in its memory; 0 keeps none.
    pub memory_bytes: u64,
}

/// The image service of a process. Cheap to clone.
#[derive(Clone)]
pub struct ImageService {
    inner: Arc<Inner>,
}

struct Inner {
    pool: Pool,
    /// Permits for the places of the pool, handed out by space and address.
    places: FairQueue<[u8; 16]>,
    flights: Arc<Flights>,
    memory: Option<ImageMemory>,
    notifications: Notifications,
    invalidation: Arc<Invalidation>,
    responses: ResponseMemory,
    limits: Limits,
    wait: Duration,
    store_bytes: u64,
    metrics: ImageMetrics,
}

/// By the original, and the transformation with its format.
type Flights = SingleFlight<(ObjectKey, String), Result<Arc<MadeImage>, Fault>>;

impl ImageService {
    /// Starts its threads, and follows the commits of spaces from now on.
    pub fn start(settings: ImageSettings, responses: ResponseMemory, actors: &Handles, metrics: &Metrics) -> Result<Self, Fault> {
        let failed = |error: &dyn std::fmt::Display| Fault::internal(format!("the image service cannot start: {error}"));
        let workers = settings.workers.max(1);
        let pool = Pool::start(PoolSettings { workers, time: settings.time }).map_err(|error| failed(&error))?;
        let invalidation = Arc::new(Invalidation::new());
        let followed = invalidation.clone();
        actors.notifications.subscribe_spaces(move |event| followed.handle(event));
        let inner = Inner {
            places: FairQueue::new(workers, workers.div_ceil(2)),
            pool,
            flights: Arc::default(),
            memory: (settings.memory_bytes > 0).then(|| ImageMemory::new(settings.memory_bytes)),
            notifications: actors.notifications.clone(),
            invalidation,
            responses,
            limits: Limits { pixels: settings.max_pixels },
            wait: settings.wait,
            store_bytes: settings.store_bytes,
            metrics: ImageMetrics::new(metrics.registry()).map_err(|error| failed(&error))?,
        };
        Ok(Self { inner: Arc::new(inner) })
    }
}

/// Responds from the memory of this process, without any waiting.
pub(super) fn fast_path(content: &Content) -> FastPath {
    let content = content.clone();
    Box::new(move |uri, headers| match find_in_memory(&content, uri.path(), headers) {
        Some(response) => {
            content.images.inner.metrics.from_memory.inc();
            let now = content.clock.now();
            let cache_control = response.cache_control(now);
            FastPathOutcome::Response(response.respond(&cache_control, headers.get(header::IF_NONE_MATCH)))
        }
        None => FastPathOutcome::Miss(None),
    })
}

/// What is in the memory, if it still holds: nothing has happened in the space, and its use was noted within
/// the hour.
fn find_in_memory(content: &Content, path: &str, headers: &HeaderMap) -> Option<Arc<ImageResponse>> {
    let inner = &*content.images.inner;
    let memory = inner.memory.as_ref().filter(|_| path.contains("/m/") || path.ends_with("/m"))?;
    let found = memory.get(&MemoryKey::new(path, accepts_webp(headers)))?;
    let holds = inner.notifications.is_complete()
        && inner.invalidation.unchanged_since(found.epoch, found.image.original.space)
        && found.is_fresh(content.clock.now());
    holds.then_some(found)
}

/// Responds with a transformed image; `path` is what follows `/m`.
pub(super) async fn serve(content: &Content, request: &ApiRequest, address: Address, path: &str) -> Result<Response, Fault> {
    let inner = &*content.images.inner;
    let path = percent_decode_str(path).decode_utf8().map_err(|_| Fault::not_found())?;
    let transformation = Transformation::parse(&path)?;
    // Before the database is asked: what is committed from now on makes the response stale.
    let epoch = inner.invalidation.now();
    let served = find_asset(content, &address).await?;
    let cache_control = files::cache_control(content, request, &served, address.key)?;
    let asset = &served.asset;
    let source = match Original::of(&asset.file.content_type) {
        Original::Raster(source) => source,
        Original::Untouched => {
            let mut response = files::respond(content, request, asset, &cache_control).await?;
            response.headers_mut().extend([UNCHANGED]);
            return Ok(response);
        }
        Original::Other => {
            return Err(Fault::new(Code::NotAnImage, "The image service takes images only: ask for the file without /m/…"));
        }
    };
    let accepts_webp = accepts_webp(&request.headers);
    let is_negotiated = transformation.filters.format.is_none();
    let target = transformation.target(source, accepts_webp);
    let order = AssetOrder::new(asset, source, transformation, target);
    let memory_key = MemoryKey::new(request.path(), accepts_webp);
    let image = match inner.memory.as_ref().and_then(|memory| memory.get(&memory_key)) {
        Some(known) if known.image.is_of(&order) && known.may_be_reused(content.clock.now()) => reuse(content, &known).await?,
        _ => (make::get_or_make(content, order, request.meta.ip).await?, content.clock.now()),
    };
    let response = Arc::new(ImageResponse::new(image, &served, epoch, is_negotiated)?);
    let cache_control = if asset.meta.is_private { Cow::Owned(cache_control) } else { response.cache_control(content.clock.now()) };
    if let Some(memory) = inner.memory.as_ref().filter(|_| !asset.meta.is_private) {
        memory.insert(memory_key, response.clone());
        inner.metrics.memory_bytes.set(i64::try_from(memory.bytes()).unwrap_or(i64::MAX));
    }
    Ok(response.respond(&cache_control, request.headers.get(header::IF_NONE_MATCH))?.into())
}

async fn find_asset(content: &Content, address: &Address) -> Result<ServedAsset, Fault> {
    let connection = content.store.connection("image.find").await?;
    asset_addresses::find_served(&connection, address.key, &address.name, content.clock.now()).await?.ok_or_else(Fault::not_found)
}

/// A result in the memory whose asset was looked up again, with the time at which its use was noted: that is
/// done once an hour.
async fn reuse(content: &Content, known: &ImageResponse) -> Result<(Arc<MadeImage>, Timestamp), Fault> {
    let now = content.clock.now();
    content.images.inner.metrics.from_memory.inc();
    if let Some(noted_at) = known.noted_at(now) {
        return Ok((known.image.clone(), noted_at));
    }
    if let Some(kept) = known.image.kept {
        image_results::touch(&content.store.connection("image.touch").await?, kept, now).await?;
    }
    Ok((known.image.clone(), now))
}
