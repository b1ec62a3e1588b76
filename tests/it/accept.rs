//! The accept loop, through the wire.

mod frames;
mod framing;
mod limits;
mod methods;
mod requests;
mod stopping;

use crate::support::{Setup, TestApp};
use futures_util::{Stream, StreamExt, stream};
use lectern::accept::Limits;
use routes::{
    dispatch::{Area, Dispatch},
    web::ErrorFormat,
};
use std::{convert::Infallible, sync::LazyLock};
use tokio::sync::Semaphore;
use warp::{Filter, Reply, reply::Response};

const HEALTH: &str = "GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n";
const SLOW: &str = "GET /slow HTTP/1.1\r\nhost: x\r\n\r\n";

/// Lets requests to `/slow` go on, one for each permit.
static GATE: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(0));

/// Lets `/trickle` send the rest of its answer.
static TRICKLE: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(0));

/// Endpoints that misbehave.
fn misbehaving(dispatch: Dispatch) -> Dispatch {
    let panics = warp::any().map(|| -> Response { panic!("wanted by the test") }).boxed();
    let hangs = warp::any().and_then(std::future::pending::<Result<Response, warp::Rejection>>).boxed();
    let waits = warp::any()
        .then(|| async {
            GATE.acquire().await.unwrap().forget();
            Response::new("done".to_owned().into())
        })
        .boxed();
    let trickles = warp::any().map(|| warp::reply::stream(trickle()).into_response()).boxed();
    let collects = warp::body::bytes().map(|_| Response::new("done".to_owned().into())).boxed();
    dispatch
        .with(Area::Root("trickle"), "test.trickle", ErrorFormat::Identity, trickles)
        .with(Area::Root("collect"), "test.collect", ErrorFormat::Identity, collects)
        .with(Area::Root("panic"), "test.panic", ErrorFormat::Identity, panics)
        .with(Area::Root("hang"), "test.hang", ErrorFormat::Identity, hangs)
        .with(Area::Root("slow"), "test.slow", ErrorFormat::Identity, waits)
}

fn trickle() -> impl Stream<Item = Result<&'static str, Infallible>> {
    let rest = stream::once(async {
        TRICKLE.acquire().await.unwrap().forget();
        Ok("more")
    });
    stream::once(async { Ok("some") }).chain(rest)
}

async fn app(limits: Limits) -> TestApp {
    let setup = Setup {
        limits: Some(limits),
        more: Some(misbehaving),
        variables: &[("APP_METRICS_TOKEN", "0123456789abcdef")],
        ..Setup::default()
    };
    TestApp::with(setup).await
}
