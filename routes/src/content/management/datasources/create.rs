//! `POST /api/v1/spaces/{space}/datasources` `{"datasource": {…}}`: 201 with the datasource.

use crate::{
    content::{
        Content,
        datasource::DatasourceView,
        management::{access, collection, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::datasources::CreateDatasource;
use domain::{
    content::{Right, datasource::DatasourceChange},
    shared::{Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("datasources")
        .and(warp::post())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, create(content.clone(), space, call)))
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let change: DatasourceChange = wrapper::read(&mut call, "datasource", DEFAULT_LIMIT).await?;
    let made = content.spaces.write(space, by, call.origin(), CreateDatasource(change)).await?;
    Answer::created(&wrapper::put("datasource", DatasourceView::of(&made)))
}
