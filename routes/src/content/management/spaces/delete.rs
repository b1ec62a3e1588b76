//! `DELETE /api/v1/spaces/{space}`: 200 with the space as it was. Softly: the rows stay for 30 days, all tokens stop at once.

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
use services::content::spaces::DeleteSpace;
use storage::content::spaces;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    one_space()
        .and(warp::delete())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, delete(content.clone(), space, request))
        })
        .boxed()
}

async fn delete(content: Content, space: SpaceId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager_or_owner(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let connection = content.store.connection("space.find").await?;
    let old = spaces::find(&connection, space).await?.ok_or_else(Fault::not_found)?;
    drop(connection);
    content.spaces.execute(space, by, request.origin(), DeleteSpace).await?;
    ApiResponse::ok(&wrapper::put("space", SpaceView::of(&old)))
}
