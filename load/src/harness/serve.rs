//! Servers in this process: receivers of webhooks, and the source of imports.

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Collected, Full, Limited};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use std::{convert::Infallible, sync::Arc};
use tokio::{net::TcpListener, task::JoinSet};

/// The largest body that is read.
const MAX_BODY: usize = 1024 * 1024;

/// Answers each request, whose body was read, with what comes of it. Ends only with its task.
pub(crate) async fn serve(listener: TcpListener, answer: impl Fn(Request<Bytes>) -> Response<Bytes> + Send + Sync + 'static) {
    let answer = Arc::new(answer);
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        while connections.try_join_next().is_some() {}
        let answer = answer.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let answer = answer.clone();
            async move {
                let (head, body) = request.into_parts();
                let body = Limited::new(body, MAX_BODY).collect().await.map_or_else(|_| Bytes::new(), Collected::to_bytes);
                Ok::<_, Infallible>(answer(Request::from_parts(head, body)).map(Full::new))
            }
        });
        connections.spawn(async move {
            // The other side may hang up.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}
