//! Shows responses to a function, as tests ask for it: they compare every answer with the description of the
//! API.

use super::Response;
use crate::web::{Endpoint, ErrorFormat};
use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Method, StatusCode, header};
use http_body::Body as _;
use std::{future::poll_fn, pin::Pin, sync::Arc};

/// Called with the method, the template of the path, status and headers of each response of the API; with the
/// body as well, where it is JSON.
pub type ResponseObserver = Arc<dyn Fn(&Method, &'static str, StatusCode, &HeaderMap, Option<&[u8]>) + Send + Sync>;

/// Shows a response. Its body is read and put back; one that is no JSON, or still being made, is left alone.
pub(super) async fn observe(observer: &ResponseObserver, endpoint: &Endpoint, method: &Method, response: Response) -> Response {
    // What a HEAD on an endpoint that refuses it is answered belongs to no operation.
    if endpoint.format == ErrorFormat::Page || (*method == Method::HEAD && endpoint.refuses_head) {
        return response;
    }
    let template = endpoint.template.as_str();
    let (head, mut body) = response.into_parts();
    let content_type = head.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_json = content_type.split(';').next().is_some_and(|essence| essence.ends_with("json"));
    if !is_json || head.headers.contains_key(header::CONTENT_ENCODING) || body.size_hint().exact().is_none() {
        observer(method, template, head.status, &head.headers, None);
        return Response::from_parts(head, body);
    }
    let mut pieces: Vec<Bytes> = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        pieces.extend(frame.ok().and_then(|frame| frame.into_data().ok()));
    }
    // One piece stays the same allocation, which the memory limit of responses may count.
    let whole = match <[Bytes; 1]>::try_from(pieces) {
        Ok([piece]) => piece,
        Err(pieces) => pieces
            .iter()
            .fold(BytesMut::new(), |mut whole, piece| {
                whole.extend_from_slice(piece);
                whole
            })
            .freeze(),
    };
    observer(method, template, head.status, &head.headers, Some(&whole));
    Response::from_parts(head, whole.into())
}
