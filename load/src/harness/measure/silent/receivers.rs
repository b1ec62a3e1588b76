//! The receivers in this process.

use crate::harness::serve::{listen, serve};
use anyhow::Result;
use bytes::Bytes;
use http::{Response, StatusCode};
use std::{future::Future, sync::Arc, time::Duration};
use tokio::{io::AsyncReadExt, sync::watch, task::JoinSet, time::Instant};

/// Accepts connections, reads what comes, and never answers.
pub(super) struct Silence {
    pub(super) url: String,
    most: watch::Receiver<usize>,
    _accepting: JoinSet<()>,
}

impl Silence {
    pub(super) async fn start() -> Result<Self> {
        let (listener, url) = listen().await?;
        let (sender, most) = watch::channel(0);
        let mut accepting = JoinSet::new();
        accepting.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                open.spawn(async move { while stream.read(&mut [0; 1024]).await.is_ok_and(|count| count > 0) {} });
                while open.try_join_next().is_some() {}
                sender.send_modify(|most| *most = open.len().max(*most));
            }
        });
        Ok(Self { url, most, _accepting: accepting })
    }

    /// The largest number of connections at a time.
    pub(super) fn most(&self) -> usize {
        *self.most.borrow()
    }
}

/// A receiver that answers at once: its URL, and when its first request came.
pub(super) async fn first_request() -> Result<(String, impl Future<Output = Instant>)> {
    let (listener, url) = listen().await?;
    let (sender, mut first) = watch::channel(None);
    let mut serving = JoinSet::new();
    serving.spawn(serve(listener, move |_| {
        sender.send_if_modified(|at| at.is_none() && at.replace(Instant::now()).is_none());
        answer(StatusCode::OK)
    }));
    let arrival = async move {
        let at = first.wait_for(Option::is_some).await.ok().and_then(|at| *at);
        // It goes on answering for as long as this process runs.
        serving.detach_all();
        at.unwrap_or_else(Instant::now)
    };
    Ok((url, arrival))
}

/// What a good receiver has seen.
#[derive(Debug, Default, Clone)]
struct Seen {
    /// How many different deliveries came.
    arrived: u32,
    /// Whether the next one is refused.
    refuses: bool,
    /// The number of the one that was refused, and when.
    refused: Option<(String, Instant)>,
    /// How long after that it came again.
    again_after: Option<Duration>,
}

/// A receiver that answers at once, and refuses a delivery when it is told to.
pub(super) struct Good {
    pub(super) url: String,
    seen: Arc<watch::Sender<Seen>>,
    _serving: JoinSet<()>,
}

impl Good {
    pub(super) async fn start() -> Result<Self> {
        let (listener, url) = listen().await?;
        let seen = Arc::new(watch::Sender::<Seen>::default());
        let notes = seen.clone();
        let mut serving = JoinSet::new();
        serving.spawn(serve(listener, move |request| {
            let header = request.headers().get("x-webhook-delivery").and_then(|value| value.to_str().ok());
            let mut status = StatusCode::OK;
            notes.send_modify(|seen| status = seen.arrive(header.unwrap_or_default()));
            answer(status)
        }));
        Ok(Self { url, seen, _serving: serving })
    }

    /// Refuses the next delivery with 503.
    pub(super) fn refuse(&self) {
        self.seen.send_modify(|seen| seen.refuses = true);
    }

    /// Waits until `count` different deliveries have come.
    pub(super) async fn arrived(&self, count: u32) {
        // It ends with this receiver only.
        let _ = self.seen.subscribe().wait_for(|seen| seen.arrived >= count).await;
    }

    /// Waits until the refused delivery comes again. Returns how long that took.
    pub(super) async fn again(&self) -> Option<Duration> {
        self.seen.subscribe().wait_for(|seen| seen.again_after.is_some()).await.ok().and_then(|seen| seen.again_after)
    }
}

impl Seen {
    fn arrive(&mut self, id: &str) -> StatusCode {
        if let Some((refused, at)) = &self.refused
            && refused == id
        {
            self.again_after = Some(at.elapsed());
            return StatusCode::OK;
        }
        self.arrived += 1;
        if std::mem::take(&mut self.refuses) {
            self.refused = Some((id.to_owned(), Instant::now()));
            return StatusCode::SERVICE_UNAVAILABLE;
        }
        StatusCode::OK
    }
}

/// An answer of this status without a body.
fn answer(status: StatusCode) -> Response<Bytes> {
    let mut response = Response::new(Bytes::new());
    *response.status_mut() = status;
    response
}
