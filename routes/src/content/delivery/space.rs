//! `GET /api/v2/cdn/spaces/me`: 200 `{"space": …}`. `version` is the current `cv`: what front ends poll (facts, section 1.17).

use super::{access::reading, caching::cached};
use crate::{
    content::Content,
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::shared::Fault;
use serde_json::json;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v2" / "cdn" / "spaces" / "me")
        .and(warp::get())
        .and(call())
        .then(move |call: Call| respond(Dialect::Delivery, call.arrival, show(content.clone(), call)))
        .boxed()
}

async fn show(content: Content, call: Call) -> Result<Answer, Fault> {
    let mut reading = reading(&content, &call.query()?, &[]).await?;
    // Whoever polls for the version must not be told to keep it, whatever cv it came with.
    reading.is_current = false;
    let reader = &reading.reader;
    let body = json!({ "space": {
        "id": reader.space,
        "name": reader.name,
        "domain": reader.domain,
        "version": reader.cv,
        "language_codes": reader.language_codes,
    }});
    cached(Answer::ok(&body)?, &reading, &call)
}
