//! `GET …/stories/{id}/versions`: 200 `{"versions": […]}`.

use crate::{
    content::{
        Content,
        management::{access, action},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId},
};
use warp::Filter;

pub(in super::super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    action::<StoryId>("stories", "versions")
        .and(warp::get())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, list(content.clone(), space, id, call)))
        .boxed()
}

async fn list(content: Content, space: SpaceId, id: StoryId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(&["show_content", "page", "per_page"])?;
    super::list(&content, space, id, &query, "versions").await
}
