//! `PUT /api/v1/spaces/{space}` `{"space": {name?, domain?, languages?, default_lang_name?}}`: 200 with the space as it is now. What is not
//! named stays; `languages` is replaced as a whole. A change moves `cv`.

use super::{one_space, view::SpaceView};
use crate::{
    content::{
        Content,
        management::{access, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, SpaceChange},
    shared::{Fault, SpaceId},
};
use services::content::spaces::UpdateSpace;
use storage::content::spaces;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    one_space()
        .and(warp::put())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, update(content.clone(), space, request))
        })
        .boxed()
}

async fn update(content: Content, space: SpaceId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager_or_owner(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let change: SpaceChange = wrapper::read(&mut request, "space", DEFAULT_LIMIT).await?;
    content.spaces.execute(space, by, request.origin(), UpdateSpace(change)).await?;
    let connection = content.store.connection("space.find").await?;
    let after = spaces::find(&connection, space).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&wrapper::put("space", SpaceView::of(&after)))
}
