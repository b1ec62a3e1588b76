//! `/assets/pages/{file}`: style sheet, script and icon. Their names change with their content, so browsers
//! keep them for good.

use crate::web::{Anonymous, ApiRequest, ApiResponse, gzip::Gzipped};
use bytes::Bytes;
use domain::shared::Fault;
use http::{HeaderValue, header};
use pages::files::File;
use std::{borrow::Cow, sync::LazyLock};

/// A file, ready to send.
struct Ready {
    file: &'static File,
    content: Gzipped,
}

static READY: LazyLock<Vec<Ready>> = LazyLock::new(|| pages::files::all().iter().map(Ready::of).collect());

impl Ready {
    fn of(file: &'static File) -> Self {
        let plain = match &file.content {
            Cow::Borrowed(content) => Bytes::from_static(content),
            Cow::Owned(content) => Bytes::from_owner(content.as_slice()),
        };
        Self { file, content: Gzipped::new(plain) }
    }
}

/// 200 with the file, compressed where the browser can read that.
pub(crate) async fn file<S>(_: S, _: Anonymous, name: String, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let ready = READY.iter().find(|ready| ready.file.name == name).ok_or_else(Fault::not_found)?;
    let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
    Ok(ready.content.respond(&request, ready.file.content_type).with(header::CACHE_CONTROL, forever))
}
