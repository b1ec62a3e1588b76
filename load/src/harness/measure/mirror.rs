//! The baseline: a server that only sends bytes from memory, with bare hyper and one task for each
//! connection.

use crate::client::{Client, Target};
use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use http::{Request, Response, header, response::Parts};
use http_body_util::Full;
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use std::{convert::Infallible, net::SocketAddr};
use tokio::{net::TcpListener, runtime::Builder, task::JoinSet};

/// Sends a request once, and serves its response with all headers to every request. Ends only with the
/// process.
///
/// On one thread it does without what a runtime of several threads costs: the least that hyper can do.
pub(super) async fn serve(address: SocketAddr, target: Target, request: Request<Full<Bytes>>, on_one_thread: bool) -> Result<()> {
    let answer = Client::new(target).answer(request).await.ok().context("the server does not answer")?;
    ensure!(answer.status().is_success(), "there is nothing to mirror: {}", answer.status());
    let (mut head, body) = answer.into_parts();
    // What hyper writes itself.
    for name in [header::DATE, header::CONTENT_LENGTH, header::CONNECTION, header::TRANSFER_ENCODING] {
        head.headers.remove(name);
    }
    if on_one_thread {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        #[expect(clippy::disallowed_methods, reason = "one thread, for as long as the process lives")]
        return tokio::task::spawn_blocking(move || runtime.block_on(answer_all(address, head, body))).await?;
    }
    answer_all(address, head, body).await
}

async fn answer_all(address: SocketAddr, head: Parts, body: Bytes) -> Result<()> {
    let listener = TcpListener::bind(address).await.with_context(|| format!("{address} cannot be listened on"))?;
    let mut connections = JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        while connections.try_join_next().is_some() {}
        let (head, body) = (head.clone(), body.clone());
        let service = service_fn(move |_: Request<hyper::body::Incoming>| {
            let (head, body) = (head.clone(), body.clone());
            async move { Ok::<_, Infallible>(Response::from_parts(head, Full::<Bytes>::new(body))) }
        });
        connections.spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}
