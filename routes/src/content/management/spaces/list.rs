//! `GET /api/v1/spaces`: with a session the caller's own spaces; with a management token the space that it opens. Filter: `search` (in the
//! name).

use super::{all_spaces, view::SpaceView};
use crate::{
    content::{
        Content,
        management::{access, listing::Listing, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::shared::Fault;
use http::header;
use storage::content::spaces;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    all_spaces()
        .and(warp::get())
        .and(api_request())
        .then(move |request: ApiRequest| respond(ErrorFormat::Management, request.meta, list(content.clone(), request)))
        .boxed()
}

async fn list(content: Content, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let mut all = if request.headers.contains_key(header::AUTHORIZATION) {
        let bearer = access::bearer(&content, &request).await?;
        let connection = content.store.connection("space.find").await?;
        spaces::find(&connection, bearer.space).await?.into_iter().collect()
    } else {
        let signed_in = content.sessions.signed_in(&request).await?;
        let connection = content.store.connection("space.list").await?;
        spaces::list_owned(&connection, signed_in.user).await?
    };
    let query = request.query()?;
    query.only(&["search", "page", "per_page"])?;
    if let Some(search) = query.get("search").map(str::to_lowercase) {
        all.retain(|value| value.settings.name.to_lowercase().contains(&search));
    }
    let found = Listing::of(&query, all)?;
    let views: Vec<_> = found.items.iter().map(SpaceView::of).collect();
    Ok(found.headed(ApiResponse::ok(&wrapper::put("spaces", views))?))
}
