//! The response with a result, ready to be sent but for its `Cache-Control`.

use super::make::{Made, NOTED_FOR};
use crate::{
    content::{
        delivery::cache::Epoch,
        files::{self, FOREVER},
    },
    web::{ApiResponse, ErrorFormat, headers},
};
use bytes::Bytes;
use domain::{content::asset::Asset, shared::Fault};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use jiff::Timestamp;
use std::{borrow::Cow, sync::Arc};

/// A result with its headers.
pub(super) struct ImageResponse {
    pub(super) made: Arc<Made>,
    /// When the asset was looked up.
    pub(super) epoch: Epoch,
    /// When its use was noted.
    noted_at: Timestamp,
    expire_at: Option<Timestamp>,
    headers: HeaderMap,
}

impl ImageResponse {
    /// The response for an asset that was looked up at an epoch. Where the format was negotiated, caches have to know by what.
    pub(super) fn new(
        (made, noted_at): (Arc<Made>, Timestamp),
        asset: &Asset,
        epoch: Epoch,
        is_negotiated: bool,
    ) -> Result<Self, Fault> {
        let name = files::name_with_extension(asset, &made.content_type);
        let mut headers = files::shown_headers(&made.content_type, &name)?;
        headers.insert(header::ETAG, files::value(made.tag.clone())?);
        if is_negotiated {
            headers.insert(header::VARY, HeaderValue::from_static("accept"));
        }
        headers::add_defaults(&mut headers, ErrorFormat::Delivery);
        Ok(Self { made, epoch, noted_at, expire_at: asset.meta.expire_at, headers })
    }

    /// When its use was noted, unless that was an hour ago.
    pub(super) fn noted_at(&self, now: Timestamp) -> Option<Timestamp> {
        Some(self.noted_at).filter(|noted_at| now.duration_since(*noted_at) < NOTED_FOR)
    }

    /// Whether the asset has not expired since it was looked up, and the use of the result is noted.
    pub(super) fn is_fresh(&self, now: Timestamp) -> bool {
        self.noted_at(now).is_some() && self.expire_at.is_none_or(|expire_at| expire_at > now)
    }

    /// `Cache-Control` of a result of a public asset.
    pub(super) fn cache_control(&self, now: Timestamp) -> Cow<'static, str> {
        match self.expire_at {
            None => Cow::Borrowed(FOREVER),
            Some(expire_at) => Cow::Owned(files::public_until(expire_at, now)),
        }
    }

    /// The response; 304 without a body when the client has it.
    pub(super) fn respond(&self, cache_control: &str, if_none_match: Option<&HeaderValue>) -> Result<ApiResponse, Fault> {
        let mut headers = self.headers.clone();
        headers.insert(header::CACHE_CONTROL, files::value(cache_control.to_owned())?);
        if if_none_match.is_some_and(|known| files::matches(known, &self.made.tag)) {
            headers.remove(header::CONTENT_TYPE);
            headers.remove(header::CONTENT_DISPOSITION);
            return Ok(ApiResponse::from_parts(StatusCode::NOT_MODIFIED, headers, Bytes::new()));
        }
        Ok(ApiResponse::from_parts(StatusCode::OK, headers, self.made.bytes.clone()))
    }
}
