//! Accepts connections and handles requests.

use crate::{
    World,
    answer::{Answer, Content, Pieces, Served},
    control::{Control, What},
    delivery, management,
    query::Query,
};
use http::{Method, Request, Response, header};
use http_body_util::BodyExt;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use std::{
    future::pending,
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    task::JoinSet,
};

/// The accept loop.
pub(crate) async fn serve(listener: TcpListener, world: Arc<World>) {
    let mut open = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let _ = stream.set_nodelay(true);
        let (world, reset) = (world.clone(), Arc::new(AtomicBool::new(false)));
        open.spawn(async move {
            let line = TokioIo::new(Line { stream, reset: reset.clone() });
            let service = service_fn(|request| respond(request, world.clone(), reset.clone()));
            // The client closed the connection, or a fault did; both are expected.
            let _ = http1::Builder::new().serve_connection(line, service).await;
        });
        while open.try_join_next().is_some() {}
    }
}

/// Counts a request in progress.
struct Open(Arc<Control>);

impl Open {
    fn new(control: &Arc<Control>) -> Self {
        control.opened();
        Self(control.clone())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.closed();
    }
}

async fn respond(request: Request<Incoming>, world: Arc<World>, reset: Arc<AtomicBool>) -> Served {
    let uri = request.uri().path_and_query().map_or("/", |p| p.as_str()).to_owned();
    if uri.starts_with("/_control/") {
        return Ok(control(request, &world.control).await);
    }
    let _open = Open::new(&world.control);
    // From before the fault is looked up, so that no replacement is missed.
    let replaced = world.control.replaced();
    let token = request.headers().get(header::AUTHORIZATION).and_then(|header| header.to_str().ok()).unwrap_or_default();
    let (answer, what) = match world.admit(&uri, token) {
        Err(answer) => (answer, None),
        Ok(()) => (world.answer(&uri, token, request.method()), world.control.fault_of(&uri)),
    };
    match &what {
        Some((What::Slow { millis }, _)) => tokio::time::sleep(Duration::from_millis(*millis)).await,
        Some((What::Silence, _)) => pending().await,
        Some((What::Held, _)) => replaced.await,
        _ => {}
    }
    let (response, is_reset) = answer.spoilt(what);
    reset.store(is_reset, Ordering::Relaxed);
    Ok(response)
}

impl World {
    /// Applies the rate limit of the request's token. Assets are not limited.
    fn admit(&self, uri: &str, token: &str) -> Result<(), Answer> {
        let (path, query) = split(uri);
        if path.starts_with("/f/") {
            return Ok(());
        }
        let is_management = path.starts_with("/v1/");
        let token = if is_management { token } else { query.get("token").unwrap_or_default() };
        self.control.admit(token, path, is_management).map_err(|retry_after| {
            let mut answer = Answer::json(429, r#"{"error":"Too Many Requests"}"#);
            answer.headers = retry_after.map(|retry_after| ("retry-after", retry_after.to_string())).into_iter().collect();
            answer
        })
    }

    fn answer(&self, uri: &str, token: &str, method: &Method) -> Answer {
        let (path, query) = split(uri);
        if *method != Method::GET {
            return Answer::missing();
        }
        if path.starts_with("/f/") {
            if self.spaces.values().any(|space| space.private.contains_key(path))
                && query.get("signature") != Some(delivery::SIGNATURE)
            {
                return Answer::json(403, r#"{"error":"Forbidden"}"#);
            }
            return self.spaces.values().find_map(|space| space.asset(path)).map_or_else(Answer::missing, |bytes| Answer {
                status: 200,
                content: Content::File { bytes, kind: kind(path) },
                headers: Vec::new(),
            });
        }
        if let Some(path) = path.strip_prefix("/v2/cdn/") {
            let token = query.get("token").unwrap_or_default();
            let space = self.spaces.values().find(|space| space.tokens.contains_key(token));
            return space.map_or_else(Answer::unauthorized, |space| delivery::answer(space, path, &query, uri));
        }
        let Some(path) = path.strip_prefix("/v1/spaces/") else { return Answer::missing() };
        if token.strip_prefix("Bearer ").unwrap_or(token) != self.token {
            return Answer::unauthorized();
        }
        let (id, path) = path.split_once('/').unwrap_or((path, ""));
        let space = id.parse().ok().and_then(|id: i64| self.spaces.get(&id));
        space.map_or_else(Answer::missing, |space| management::answer(space, path, &query))
    }
}

fn split(uri: &str) -> (&str, Query) {
    let (path, query) = uri.split_once('?').map_or((uri, None), |(path, query)| (path, Some(query)));
    (path, Query::read(query))
}

/// The content type of a file by its extension.
fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("gif") => "image/gif",
        Some("svg") => "image/svg+xml",
        Some("webp") => "image/webp",
        Some("avif") => "image/avif",
        Some("pdf") => "application/pdf",
        Some("mp4") => "video/mp4",
        Some("txt") => "text/plain",
        _ => "application/octet-stream",
    }
}

/// Handles the controls: `GET counters`, `PUT rate`, `PUT retry_after`, `PUT faults`, `DELETE faults`.
async fn control(request: Request<Incoming>, control: &Control) -> Response<Pieces> {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let body = request.into_body().collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let done = |read: bool| if read { Answer::json(200, "{}") } else { Answer::refused("the body cannot be read") };
    let answer = match (method.as_str(), path.trim_start_matches("/_control/")) {
        ("GET", "counters") => Answer::json(200, serde_json::to_string(&control.counters()).unwrap()),
        ("PUT", "rate") => done(serde_json::from_slice(&body).map(|f| control.set_rate(f)).is_ok()),
        ("PUT", "retry_after") => done(serde_json::from_slice(&body).map(|f| control.set_retry_after(f)).is_ok()),
        ("PUT", "faults") => done(serde_json::from_slice(&body).map(|f| control.set_faults(f)).is_ok()),
        ("DELETE", "faults") => {
            control.set_faults(Vec::new());
            done(true)
        }
        _ => Answer::missing(),
    };
    answer.spoilt(None).0
}

/// A connection that can be reset.
struct Line {
    stream: TcpStream,
    reset: Arc<AtomicBool>,
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.reset.load(Ordering::Relaxed) {
            let _ = self.stream.set_zero_linger();
        }
    }
}

impl AsyncRead for Line {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Line {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
