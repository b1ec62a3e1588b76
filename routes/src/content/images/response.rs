//! The response with a result, ready to be sent but for its `Cache-Control`.

use super::make::{MadeImage, NOTED_FOR};
use crate::{
    content::{
        delivery::cache::Epoch,
        files::{self, FOREVER, FORMER_FOR},
    },
    web::{ApiResponse, ErrorFormat, headers},
};
use bytes::Bytes;
use domain::shared::Fault;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use jiff::Timestamp;
use std::{borrow::Cow, sync::Arc};
use storage::content::asset_addresses::ServedAsset;

/// How many frames of an animation are shown, of how many: on a result with fewer than were asked for.
const FRAMES: HeaderName = HeaderName::from_static("x-image-frames");

/// A result with its headers.
pub(super) struct ImageResponse {
    pub(super) image: Arc<MadeImage>,
    /// When the asset was looked up.
    pub(super) epoch: Epoch,
    /// When its use was noted.
    noted_at: Timestamp,
    expire_at: Option<Timestamp>,
    /// Whether the file is the one that its address was made for.
    is_original: bool,
    headers: HeaderMap,
}

impl ImageResponse {
    /// The response for an asset that was looked up at an epoch. Where the format was negotiated, caches have
    /// to know by what.
    pub(super) fn new(
        (image, noted_at): (Arc<MadeImage>, Timestamp),
        served: &ServedAsset,
        epoch: Epoch,
        is_negotiated: bool,
    ) -> Result<Self, Fault> {
        let asset = &served.asset;
        let name = files::name_with_extension(asset, &image.content_type);
        let mut headers = files::shown_headers(&image.content_type, &name)?;
        headers.insert(header::ETAG, files::value(image.tag.clone())?);
        if is_negotiated {
            headers.insert(header::VARY, HeaderValue::from_static("accept"));
        }
        if let Some(shown) = image.shown {
            headers.insert(FRAMES, files::value(shown.to_string())?);
        }
        headers::add_defaults(&mut headers, ErrorFormat::Delivery);
        Ok(Self { image, epoch, noted_at, expire_at: asset.meta.expire_at, is_original: served.is_original, headers })
    }

    /// When its use was noted, unless that was an hour ago.
    pub(super) fn noted_at(&self, now: Timestamp) -> Option<Timestamp> {
        Some(self.noted_at).filter(|noted_at| now.duration_since(*noted_at) < NOTED_FOR)
    }

    /// Whether the asset has not expired since it was looked up, and the use of the result is noted.
    pub(super) fn is_fresh(&self, now: Timestamp) -> bool {
        self.noted_at(now).is_some() && self.expire_at.is_none_or(|expire_at| expire_at > now)
    }

    /// Whether it may be served again: what shows fewer frames than were asked for is made again after an
    /// hour.
    pub(super) fn may_be_reused(&self, now: Timestamp) -> bool {
        self.image.shown.is_none() || self.noted_at(now).is_some()
    }

    /// `Cache-Control` of a result of a public asset.
    pub(super) fn cache_control(&self, now: Timestamp) -> Cow<'static, str> {
        let again_at = self.image.shown.and(self.noted_at.checked_add(NOTED_FOR).ok());
        let former = (!self.is_original).then(|| now + FORMER_FOR);
        match [self.expire_at, again_at, former].into_iter().flatten().min() {
            None => Cow::Borrowed(FOREVER),
            Some(until) => Cow::Owned(files::public_until(until, now)),
        }
    }

    /// The response; 304 without a body when the client has it.
    pub(super) fn respond(&self, cache_control: &str, if_none_match: Option<&HeaderValue>) -> Result<ApiResponse, Fault> {
        let mut headers = self.headers.clone();
        headers.insert(header::CACHE_CONTROL, files::value(cache_control.to_owned())?);
        if if_none_match.is_some_and(|known| files::matches(known, &self.image.tag)) {
            headers.remove(header::CONTENT_TYPE);
            headers.remove(header::CONTENT_DISPOSITION);
            return Ok(ApiResponse::from_parts(StatusCode::NOT_MODIFIED, headers, Bytes::new()));
        }
        Ok(ApiResponse::from_parts(StatusCode::OK, headers, self.image.bytes.clone()))
    }
}
