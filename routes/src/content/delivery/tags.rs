//! `GET /api/v2/cdn/tags`: 200 `{"tags": [{"name", "taggings_count"}]}`, by name.
//!
//! `starts_with` is the beginning of the stories' full slugs, not of the tag; `filter_query` selects stories too (facts, section 1.16).

use super::{access::Reading, caching::answer};
use crate::{
    content::Content,
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::query::{Condition, plan::filtered},
    shared::{Fault, Parameters},
};
use serde_json::{Value, json};
use storage::content::delivery::tags;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v2" / "cdn" / "tags")
        .and(warp::get())
        .and(call())
        .then(move |call: Call| {
            respond(Dialect::Delivery, call.arrival, answer(content.clone(), call, &["starts_with", "filter_query[…]"], render))
        })
        .boxed()
}

async fn render(reading: Reading, query: Parameters) -> Result<Answer, Fault> {
    let mut conditions = filtered(&query)?;
    conditions.extend(query.text("starts_with").map(|it| Condition::StartsWith(it.to_owned())));
    let found = tags::list(&reading.session, reading.reader.space, reading.copy, &conditions).await?;
    let views: Vec<Value> = found.iter().map(|it| json!({ "name": it.name, "taggings_count": it.count })).collect();
    Answer::ok(&json!({ "tags": views }))
}
