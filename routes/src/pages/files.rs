//! `/assets/pages/{file}`: style sheet, script and icon. Their names change with their content, so browsers keep them for good.

use super::Pages;
use crate::web::{Anonymous, ApiRequest, ApiResponse};
use bytes::Bytes;
use domain::shared::Fault;
use flate2::{Compression, write::GzEncoder};
use http::{HeaderValue, StatusCode, header};
use pages::files::File;
use std::{borrow::Cow, io::Write, sync::LazyLock};

/// A file, ready to send.
struct Ready {
    file: &'static File,
    plain: Bytes,
    gzipped: Option<Bytes>,
}

static READY: LazyLock<Vec<Ready>> = LazyLock::new(|| pages::files::all().iter().map(Ready::of).collect());

impl Ready {
    fn of(file: &'static File) -> Self {
        let plain = match &file.content {
            Cow::Borrowed(content) => Bytes::from_static(content),
            Cow::Owned(content) => Bytes::from_owner(content.as_slice()),
        };
        Self { file, gzipped: gzip(&plain).ok(), plain }
    }
}

fn gzip(plain: &[u8]) -> std::io::Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain)?;
    Ok(encoder.finish()?.into())
}

/// 200 with the file, compressed where the browser can read that.
pub(super) async fn file(_: Pages, _: Anonymous, name: String, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let ready = READY.iter().find(|ready| ready.file.name == name).ok_or_else(Fault::not_found)?;
    let takes_gzip = request.header(header::ACCEPT_ENCODING).is_some_and(|accepted| accepted.contains("gzip"));
    let response = match ready.gzipped.as_ref().filter(|_| takes_gzip) {
        Some(gzipped) => ApiResponse::bytes(StatusCode::OK, ready.file.content_type, gzipped.clone())
            .with(header::CONTENT_ENCODING, HeaderValue::from_static("gzip")),
        None => ApiResponse::bytes(StatusCode::OK, ready.file.content_type, ready.plain.clone()),
    };
    let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
    Ok(response.with(header::CACHE_CONTROL, forever).with(header::VARY, HeaderValue::from_static("accept-encoding")))
}
