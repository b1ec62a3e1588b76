//! `GET /api/v1/spaces`: with a session the caller's own spaces; with a management token the space that it opens. Filter: `search` (in the
//! name).

use super::{all_spaces, view::SpaceView};
use crate::{
    content::{
        Content,
        management::{access, listing::Listing, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::shared::Fault;
use http::header;
use storage::content::spaces;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    all_spaces()
        .and(warp::get())
        .and(call())
        .then(move |call: Call| respond(Dialect::Management, call.arrival, list(content.clone(), call)))
        .boxed()
}

async fn list(content: Content, call: Call) -> Result<Answer, Fault> {
    let mut all = if call.headers.contains_key(header::AUTHORIZATION) {
        let bearer = access::bearer(&content, &call).await?;
        let session = content.store.read("space.find").await?;
        spaces::find(&session, bearer.space).await?.into_iter().collect()
    } else {
        let signed_in = content.sessions.signed_in(&call).await?;
        let session = content.store.read("space.list").await?;
        spaces::list_owned(&session, signed_in.user).await?
    };
    let query = call.query()?;
    query.only(&["search", "page", "per_page"])?;
    if let Some(search) = query.get("search").map(str::to_lowercase) {
        all.retain(|it| it.settings.name.to_lowercase().contains(&search));
    }
    let found = Listing::of(&query, all)?;
    let views: Vec<_> = found.items.iter().map(SpaceView::of).collect();
    Ok(found.headed(Answer::ok(&wrapper::put("spaces", views))?))
}
