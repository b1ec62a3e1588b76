//! `GET /api/health`: the process is alive. It depends on nothing, so that a database that is away does not get the process killed.

use crate::web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond};
use serde_json::json;
use warp::Filter;

pub(super) fn route() -> Endpoint {
    warp::path!("api" / "health")
        .and(warp::get())
        .and(call())
        .then(|call: Call| respond(Dialect::Identity, call.arrival, async { Answer::ok(&json!({ "status": "ok" })) }))
        .boxed()
}
