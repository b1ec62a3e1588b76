//! `GET …/story_versions/{id}`: 200 `{"story_versions": {…}}`, one version under the plural key, as on the hosted service.

use crate::{
    content::{
        Content,
        management::{access, member},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use serde_json::json;
use storage::content::stories::versions;
use warp::Filter;

pub(in super::super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<i64>("story_versions")
        .and(warp::get())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, read(content.clone(), space, id, call)))
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: i64, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(&["show_content"])?;
    let is_bare = query.flag_if_given("show_content")? == Some(false);
    let session = content.store.read("version.find").await?;
    let (story, mut version) = versions::find(&session, space, id).await?.ok_or_else(Fault::not_found)?;
    version.content = version.content.filter(|_| !is_bare);
    Answer::ok(&json!({ "story_versions": super::view(story, &version) }))
}
