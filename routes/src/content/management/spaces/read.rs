//! `GET /api/v1/spaces/{space}`: for its owner by session, and for its tokens of any role.

use super::{one_space, view::SpaceView};
use crate::{
    content::{
        Content,
        management::{access, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use storage::content::spaces;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    one_space()
        .and(warp::get())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, read(content.clone(), space, request))
        })
        .boxed()
}

async fn read(content: Content, space: SpaceId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager_or_owner(&content, &request, space, Right::Read).await?;
    request.query()?.only(&[])?;
    let connection = content.store.connection("space.find").await?;
    let found = spaces::find(&connection, space).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&wrapper::put("space", SpaceView::of(&found)))
}
