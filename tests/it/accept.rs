//! The accept loop, over TCP.

mod frames;
mod framing;
mod limits;
mod lingering;
mod methods;
mod requests;
mod shares;
mod slow_readers;
mod stopping;

use domain::shared::Fault;
use futures_util::{Stream, StreamExt, stream};
use http::StatusCode;
use lectern::accept::Limits;
use routes::{
    dispatch::Dispatch,
    web::{Anonymous, ApiRequest, ApiResponse, Endpoints, ErrorFormat, Public},
};
use std::{
    convert::Infallible,
    sync::{LazyLock, Mutex},
};
use support::prelude::*;
use tokio::sync::Semaphore;
use warp::{Reply, reply::Response};

const HEALTH: &str = "GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n";
/// A request that is answered when a permit is added to the [`gate`].
fn slow(app: &TestApp) -> String {
    format!("GET /slow?{} HTTP/1.1\r\nhost: x\r\n\r\n", app.address.port())
}

/// One whose answer ends when a permit is added to the [`gate`].
fn trickle(app: &TestApp) -> String {
    format!("GET /trickle?{} HTTP/1.1\r\nhost: x\r\n\r\n", app.address.port())
}

/// Lets requests to `/slow` and `/trickle` of a server continue, one for each permit.
fn gate(app: &TestApp) -> Arc<Semaphore> {
    gate_of(&app.address.port().to_string())
}

/// Requests say by their query which one is theirs: tests run beside each other.
fn gate_of(name: &str) -> Arc<Semaphore> {
    static GATES: LazyLock<Mutex<HashMap<String, Arc<Semaphore>>>> = LazyLock::new(Mutex::default);
    Arc::clone(GATES.lock().unwrap().entry(name.to_owned()).or_insert_with(|| Arc::new(Semaphore::new(0))))
}

/// The size of `/large`: more than the system keeps of a connection.
const LARGE: usize = 32 << 20;

/// Endpoints that misbehave.
fn misbehaving(dispatch: Dispatch) -> Dispatch {
    let table = Endpoints::new(&(), ErrorFormat::Identity)
        .get("/trickle", Public, trickles)
        .get("/large", Public, is_large)
        .get("/collect", Public, collects)
        .post("/collect", Public, collects)
        .get("/panic", Public, panics)
        .get("/hang", Public, hangs)
        .get("/slow", Public, waits);
    dispatch.with(table)
}

async fn panics((): (), _: Anonymous, _: ApiRequest) -> Result<ApiResponse, Fault> {
    panic!("wanted by the test")
}

async fn hangs((): (), _: Anonymous, _: ApiRequest) -> Result<ApiResponse, Fault> {
    std::future::pending().await
}

async fn waits((): (), _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    gate_of(request.raw_query()).acquire().await.unwrap().forget();
    Ok(ApiResponse::bytes(StatusCode::OK, "text/plain", "done"))
}

async fn trickles((): (), _: Anonymous, request: ApiRequest) -> Result<Response, Fault> {
    Ok(warp::reply::stream(two_parts(gate_of(request.raw_query()))).into_response())
}

async fn is_large((): (), _: Anonymous, _: ApiRequest) -> Result<ApiResponse, Fault> {
    Ok(ApiResponse::bytes(StatusCode::OK, "text/plain", vec![b'x'; LARGE]))
}

async fn collects((): (), _: Anonymous, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.bytes(1 << 20).await?;
    Ok(ApiResponse::bytes(StatusCode::OK, "text/plain", "done"))
}

fn two_parts(gate: Arc<Semaphore>) -> impl Stream<Item = Result<&'static str, Infallible>> {
    let rest = stream::once(async move {
        gate.acquire().await.unwrap().forget();
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
