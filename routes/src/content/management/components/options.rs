//! Options of a field that another server has.

use crate::{
    content::{Content, management::access::Manager},
    web::{ApiRequest, ApiResponse},
};
use domain::{
    content::external_options::{self, ExternalOption},
    shared::{ComponentId, Fault},
};
use serde::Serialize;
use storage::content::components;

#[derive(Serialize)]
struct ListBody<'a> {
    options: Vec<&'a ExternalOption>,
    /// How many were found; not all of them are shown.
    total: usize,
}

/// 200 `{"options": [{name, value}], "total": …}` of `field`, those with `search` in the name or the value;
/// at most 200. 422 for a field without a URL, and for a URL that does not answer with options; 429 for more
/// than 20 reads of a space in a minute.
pub(super) async fn list(content: Content, caller: Manager, id: ComponentId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    query.only(&["field", "search"])?;
    let field: String = query.required("field")?;
    let search = query.search("search")?.unwrap_or_default();
    let connection = content.store.connection("component.find").await?;
    let component = components::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    drop(connection);
    let url = external_options::url_of(&component.definition.schema, &field)?;
    let all = content.external_options.get(&content, caller.space(), url).await?;
    let (options, total) = external_options::search(&all, &search);
    ApiResponse::ok(&ListBody { options, total })
}
