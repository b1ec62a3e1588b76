//! `GET /api/v2/cdn/tags`: 200 `{"tags": [{"name", "taggings_count"}]}`, by name.
//!
//! `starts_with` is the beginning of the stories' full slugs, not of the tag (facts, section 1.16).

use super::{access::reading, caching::cached};
use crate::{
    content::Content,
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::shared::Fault;
use serde_json::{Value, json};
use storage::content::delivery::tags;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v2" / "cdn" / "tags")
        .and(warp::get())
        .and(call())
        .then(move |call: Call| respond(Dialect::Delivery, call.arrival, list(content.clone(), call)))
        .boxed()
}

async fn list(content: Content, call: Call) -> Result<Answer, Fault> {
    let query = call.query()?;
    let reading = reading(&content, &query, &["starts_with"]).await?;
    let prefix = query.get("starts_with").filter(|it| !it.is_empty());
    let found = tags::list(&reading.session, reading.reader.space, reading.copy, prefix).await?;
    let views: Vec<Value> = found.iter().map(|it| json!({ "name": it.name, "taggings_count": it.count })).collect();
    cached(Answer::ok(&json!({ "tags": views }))?, &reading, &call)
}
