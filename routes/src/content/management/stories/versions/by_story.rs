//! `GET …/story_versions?by_story_id=`: 200 `{"story_versions": […]}`.

use crate::{
    content::{
        Content,
        management::{access, collection},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use warp::Filter;

pub(in super::super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("story_versions")
        .and(warp::get())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, list(content.clone(), space, call)))
        .boxed()
}

async fn list(content: Content, space: SpaceId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(&["by_story_id", "show_content", "page", "per_page"])?;
    super::list(&content, space, query.required("by_story_id")?, &query, "story_versions").await
}
