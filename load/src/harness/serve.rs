//! Servers in this process: receivers of webhooks, and the source of imports.

use anyhow::Result;
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Collected, Full, Limited};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use std::{convert::Infallible, sync::Arc, time::Duration};
use tokio::{net::TcpListener, task::JoinSet, time::sleep};

/// The largest body that is read.
const MAX_BODY: usize = 1024 * 1024;

/// The pause after a connection that cannot be accepted, such as for want of file descriptors.
const AFTER_FAILURE: Duration = Duration::from_millis(10);

/// Answers each request, whose body was read, with what comes of it. Ends only with its task.
pub(crate) async fn serve(listener: TcpListener, answer: impl Fn(Request<Bytes>) -> Response<Bytes> + Send + Sync + 'static) {
    let answer = Arc::new(answer);
    let mut connections = JoinSet::new();
    loop {
        // An error is about one connection, or passes when others end.
        let Ok((stream, _)) = listener.accept().await else {
            sleep(AFTER_FAILURE).await;
            continue;
        };
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

/// An address of this machine to serve at, and its URL.
pub(crate) async fn listen() -> Result<(TcpListener, String)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/", listener.local_addr()?);
    Ok((listener, url))
}
