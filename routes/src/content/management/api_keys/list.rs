//! `GET /api/v1/spaces/{space}/api_keys`: the live delivery tokens, without plaintext.

use super::view::KeyView;
use crate::{
    content::{
        Content,
        management::{access, collection, listing::Listing, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use storage::content::delivery_tokens;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("api_keys")
        .and(warp::get())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, list(content.clone(), space, call)))
        .boxed()
}

async fn list(content: Content, space: SpaceId, call: Call) -> Result<Answer, Fault> {
    access::manager_or_owner(&content, &call, space, Right::Administer).await?;
    let query = call.query()?;
    query.only(&["page", "per_page"])?;
    let session = content.store.read("api_key.list").await?;
    let found = Listing::of(&query, delivery_tokens::list(&session, space).await?)?;
    let views: Vec<_> = found.items.iter().map(|it| KeyView::of(space, it, None)).collect();
    Ok(found.headed(Answer::ok(&wrapper::put("api_keys", views))?))
}
