//! `/assets/studio/{file}`: the files of the application. Their names change with their content, so browsers
//! keep them for good.

use super::Studio;
use crate::web::{
    Anonymous, ApiRequest, ApiResponse,
    coding::{Accepted, Coding},
};
use domain::shared::Fault;
use http::{HeaderValue, StatusCode, header};

/// 200 with the file in the coding that the browser prefers; unpacked where it takes neither.
pub(super) async fn file(studio: Studio, _: Anonymous, name: String, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let files = studio.bundle.iter().flat_map(|bundle| &bundle.files);
    let file = files.into_iter().find(|file| file.name == name).ok_or_else(Fault::not_found)?;
    let content_type = match file.name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let bytes = |body| ApiResponse::bytes(StatusCode::OK, content_type, body);
    let response = match Accepted::parse(&request.headers).preferred() {
        Some(Coding::Brotli) => bytes(file.brotli.into()).with(header::CONTENT_ENCODING, Coding::Brotli.header()),
        Some(Coding::Gzip) => bytes(file.gzip.into()).with(header::CONTENT_ENCODING, Coding::Gzip.header()),
        None => {
            let plain = compression::gunzip(file.gzip).map_err(|error| Fault::internal(format!("{name}: {error}")))?;
            bytes(bytes::Bytes::from(plain))
        }
    };
    Ok(response
        .with(header::VARY, HeaderValue::from_static("accept-encoding"))
        .with(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable")))
}
