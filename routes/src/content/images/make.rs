//! Getting a result: kept from before, or made.

use super::Inner;
use crate::{content::Content, web::CachedBytes};
use bytes::{Bytes, BytesMut};
use domain::{
    content::{
        asset::{Asset, FileName, ObjectKey},
        image::{ImageTarget, SourceFormat, Transformation},
    },
    shared::{Code, Fault},
};
use futures_util::{FutureExt, TryStreamExt, future::join_all};
use images::{Encoded, Error, PoolError, ShownFrames};
use jiff::SignedDuration;
use services::{content::images::keep as keep_result, shared::rate_limiter::by_ip};
use std::{net::IpAddr, sync::Arc, time::Duration};
use storage::{
    blobs,
    content::image_results::{self, ImageResult},
};
use tokio::time::{Instant, timeout};

/// The most bytes of an original: it is in memory as a whole while it is worked on.
const MAX_ORIGINAL: u64 = 64 << 20;
/// When a client may try again that got none.
const RETRY_AFTER: Duration = Duration::from_secs(5);
/// How often the use of a result is noted.
pub(super) const NOTED_FOR: SignedDuration = SignedDuration::from_hours(1);

/// What is asked for.
#[derive(Clone)]
pub(super) struct AssetOrder {
    original: ObjectKey,
    bytes: u64,
    size: Option<(u32, u32)>,
    source: SourceFormat,
    transformation: Transformation,
    target: ImageTarget,
    /// What the result is kept under: the transformation, and the formats of what moves and of what does not.
    key: String,
}

impl AssetOrder {
    pub(super) fn new(asset: &Asset, source: SourceFormat, transformation: Transformation, target: ImageTarget) -> Self {
        let file = &asset.file;
        let key = format!("{transformation}>{target}");
        Self { original: file.key, bytes: file.bytes, size: file.size, source, transformation, target, key }
    }
}

/// A result.
pub(super) struct MadeImage {
    pub(super) original: ObjectKey,
    key: String,
    pub(super) bytes: Bytes,
    pub(super) content_type: String,
    pub(super) tag: String,
    /// What it shows of an animation, if that is less than was asked for.
    pub(super) shown: Option<ShownFrames>,
    /// Its object, if it is kept.
    pub(super) kept: Option<ObjectKey>,
    _in_memory: CachedBytes,
}

impl MadeImage {
    fn new(inner: &Inner, order: &AssetOrder, (bytes, content_type): (Bytes, String), kept: Option<ObjectKey>) -> Self {
        let tag = format!("\"{}\"", crypto::digest::fingerprint(&bytes));
        let in_memory = inner.responses.cache(bytes.len());
        let bytes = inner.responses.hold_body(bytes);
        Self {
            original: order.original,
            key: order.key.clone(),
            bytes,
            content_type,
            tag,
            shown: None,
            kept,
            _in_memory: in_memory,
        }
    }

    /// Whether it is what is asked for.
    pub(super) fn is_of(&self, order: &AssetOrder) -> bool {
        self.original == order.original && self.key == order.key
    }
}

/// The result, got or made once for all that wait for it.
pub(super) async fn get_or_make(content: &Content, order: AssetOrder, ip: IpAddr) -> Result<Arc<MadeImage>, Fault> {
    let flight = (order.original, order.key.clone());
    let content = content.clone();
    let flights = content.images.inner.flights.clone();
    let making = flights.run(flight, move || {
        async move {
            if let Some(kept) = find_kept(&content, &order).await? {
                return Ok(Arc::new(kept));
            }
            make(&content, order, ip).await.map(Arc::new)
        }
        .boxed()
    });
    making.await
}

/// The result that is kept in the store. No connection is held while its object is read.
async fn find_kept(content: &Content, order: &AssetOrder) -> Result<Option<MadeImage>, Fault> {
    let now = content.clock.now();
    let connection = content.store.connection("image.result").await?;
    let Some(kept) = image_results::find(&connection, order.original, &order.key).await? else { return Ok(None) };
    if now.duration_since(kept.used_at) >= NOTED_FOR {
        image_results::touch(&connection, kept.key, now).await?;
    }
    drop(connection);
    match read(content, kept.key, kept.bytes).await {
        Ok(bytes) => {
            let inner = &content.images.inner;
            inner.metrics.from_store.inc();
            Ok(Some(MadeImage::new(inner, order, (bytes, kept.content_type), Some(kept.key))))
        }
        Err(error) => {
            // It was evicted at this very moment, or the store is in trouble: then it is made again.
            tracing::warn!(%error, object = %kept.key, "a result of the image service cannot be read");
            if matches!(error, blobs::Error::Missing(_)) {
                image_results::remove(&content.store.connection("image.forget").await?, kept.key).await?;
            }
            Ok(None)
        }
    }
}

/// Makes the result, and keeps it.
async fn make(content: &Content, order: AssetOrder, ip: IpAddr) -> Result<MadeImage, Fault> {
    let inner = &*content.images.inner;
    let refused = |reason: &'static str, fault: Fault| {
        inner.metrics.refused.with_label_values(&[reason]).inc();
        fault
    };
    let limit = inner.limits.pixels;
    if order.size.is_some_and(|(width, height)| u64::from(width) * u64::from(height) > limit) {
        return Err(refused("pixels", too_many_pixels(limit)));
    }
    if order.bytes > MAX_ORIGINAL {
        return Err(refused("bytes", invalid(Code::ImageTooLarge, format!("The image has more than {} MB", MAX_ORIGINAL >> 20))));
    }
    inner.responses.wait_for_room(ip).await?;
    let busy = || refused("busy", Fault::unavailable("too many images are being made").retry(RETRY_AFTER));
    let place = timeout(inner.wait, inner.places.acquire(order.original.space, by_ip(ip))).await.ok().flatten().ok_or_else(busy)?;
    let original = read(content, order.original, order.bytes).await?;
    let began = Instant::now();
    let (source, target, limits) = (order.source, order.target, inner.limits);
    let transformation = order.transformation.clone();
    let work =
        inner.pool.run(place, move |deadline| images::transform(&original, source, &transformation, target, limits, deadline));
    let outcome = work.await;
    inner.metrics.seconds.observe(began.elapsed().as_secs_f64());
    inner.metrics.given_up.set(i64::try_from(inner.pool.given_up()).unwrap_or(i64::MAX));
    let encoded = match outcome {
        Ok(Ok(encoded)) => encoded,
        Ok(Err(Error::TooManyPixels { limit, .. })) => return Err(refused("pixels", too_many_pixels(limit))),
        Ok(Err(Error::Broken(why))) => {
            let fault = invalid(Code::BrokenImage, "The image is broken, or of a kind that cannot be decoded".to_owned());
            return Err(refused("broken", fault.because(why)));
        }
        Ok(Err(Error::OutOfTime)) | Err(PoolError::OutOfTime) => {
            let message = "The image takes too long: ask for a smaller one, or for another format".to_owned();
            return Err(refused("time", invalid(Code::ImageTooExpensive, message)));
        }
        Ok(Err(error @ Error::Encoder(_))) => return Err(Fault::internal(error.to_string())),
        Err(error @ PoolError::Gone) => return Err(Fault::internal(error.to_string())),
    };
    inner.metrics.made.inc();
    let Encoded { bytes, content_type, shown } = encoded;
    let result = (Bytes::from(bytes), content_type.to_owned());
    if shown.is_some() {
        return Ok(MadeImage { shown, ..MadeImage::new(inner, &order, result, None) });
    }
    let kept = keep(content, &order, &result.0).await.unwrap_or_else(|fault| {
        tracing::warn!(cause = fault.cause.as_deref(), "a result of the image service is not kept");
        None
    });
    Ok(MadeImage::new(inner, &order, result, kept))
}

/// Keeps a result in the store, if it fits.
async fn keep(content: &Content, order: &AssetOrder, bytes: &Bytes) -> Result<Option<ObjectKey>, Fault> {
    let bound = content.images.inner.store_bytes;
    if u64::try_from(bytes.len()).map_or(true, |length| length > bound) {
        return Ok(None);
    }
    let now = content.clock.now();
    let key = ObjectKey::new(order.original.space, now, content.entropy.as_ref());
    let blobs = &content.assets.blobs;
    let stored = blobs.put_bytes(key, &FileName::of("result"), bytes).await?;
    let result =
        ImageResult { key, content_type: stored.content_type.to_owned(), bytes: stored.bytes, sha256: stored.sha256, used_at: now };
    let released = match keep_result(&content.store, order.original, &order.key, &result, bound).await {
        Ok(released) => released,
        Err(error) => {
            // No row refers to the object. When it cannot be removed now, the janitor removes it.
            drop(blobs.remove(key).await);
            return Err(error.into());
        }
    };
    for (object, outcome) in released.iter().zip(join_all(released.iter().map(|object| blobs.remove(*object))).await) {
        if let Err(error) = outcome {
            tracing::warn!(%error, %object, "a result of the image service could not be removed");
        }
    }
    Ok(Some(key).filter(|key| !released.contains(key)))
}

/// A whole object.
async fn read(content: &Content, key: ObjectKey, bytes: u64) -> blobs::Result<Bytes> {
    let mut chunks = content.assets.blobs.get(key, 0..bytes).await?;
    let mut all = BytesMut::with_capacity(usize::try_from(bytes).unwrap_or_default());
    while let Some(chunk) = chunks.try_next().await? {
        all.extend_from_slice(&chunk);
    }
    Ok(all.freeze())
}

fn too_many_pixels(limit: u64) -> Fault {
    invalid(Code::ImageTooLarge, format!("The image has more than {} million pixels", limit / 1_000_000))
}

fn invalid(code: Code, message: String) -> Fault {
    Fault::new(code, message)
}
