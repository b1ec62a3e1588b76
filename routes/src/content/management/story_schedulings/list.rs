//! `GET /api/v1/spaces/{space}/story_schedulings`: by their times, 25 on a page, at most 100. Filters: `by_story_id`, `by_status` (without
//! it all but those that were called off).

use super::view::SchedulingView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, scheduling::Status},
    shared::{Fault, SpaceId},
};
use storage::content::schedulings::{self, Filter as Wanted};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("story_schedulings")
        .and(warp::get())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, list(content.clone(), space, request))
        })
        .boxed()
}

async fn list(content: Content, space: SpaceId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    let query = request.query()?;
    query.only(&["page", "per_page", "by_story_id", "by_status"])?;
    let page = query.page(100)?;
    let known = |name: &str| Status::of(name).ok_or_else(|| Fault::invalid("by_status", "invalid", "is not valid"));
    let status = query.text("by_status").map(known).transpose()?;
    let wanted = Wanted { story: query.parsed("by_story_id")?, status };
    let connection = content.store.connection("scheduling.list").await?;
    let found = schedulings::list(&connection, space, wanted, page).await?;
    let views: Vec<_> = found.items.iter().map(|item| SchedulingView::of(space, item)).collect();
    Ok(ApiResponse::ok(&wrapper::put("story_schedulings", views))?.paged(found.total, page))
}
