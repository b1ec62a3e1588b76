//! `GET …/versions?model=stories&model_id=`: 200 `{"versions": […]}`. What the hosted service's own client asks for; only stories have a history here.

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
    collection("versions")
        .and(warp::get())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, list(content.clone(), space, call)))
        .boxed()
}

async fn list(content: Content, space: SpaceId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(&["model", "model_id", "show_content", "page", "per_page"])?;
    if query.get("model") != Some("stories") {
        return Err(Fault::invalid("model", "unsupported", "must be stories: nothing else has versions"));
    }
    super::list(&content, space, query.required("model_id")?, &query, "versions").await
}
