//! `GET /api/v1/spaces/{space}/tokens`: the live tokens, without plaintext.

use super::view::TokenView;
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
use storage::content::management_tokens;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("tokens")
        .and(warp::get())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, list(content.clone(), space, call)))
        .boxed()
}

async fn list(content: Content, space: SpaceId, call: Call) -> Result<Answer, Fault> {
    access::manager_or_owner(&content, &call, space, Right::Administer).await?;
    let query = call.query()?;
    query.only(&["page", "per_page"])?;
    let session = content.store.read("token.list").await?;
    let found = Listing::of(&query, management_tokens::list(&session, space).await?)?;
    let views: Vec<_> = found.items.iter().map(TokenView::of).collect();
    Ok(found.headed(Answer::ok(&wrapper::put("tokens", views))?))
}
