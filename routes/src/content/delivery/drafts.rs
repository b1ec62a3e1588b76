//! `GET /api/v1/spaces/{space}/cdn/stories` and `…/cdn/stories/{id}`: drafts in the shape of the Delivery
//! API, for members and management tokens. The studio makes previews of them: browsers get no delivery token.
//! `…/cdn/stories/{id}/published` is what readers get of the story.
//!
//! They are rendered as those of the Delivery API are, within the same limits, and kept in no cache.

use super::{access::ReadContext, cost::ResponseCost, parameters, stories, story};
use crate::{
    content::{Content, management::access::Manager},
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat},
};
use domain::{
    content::Right,
    shared::{Fault, FieldCode, Parameters, StoryId, parameters::is_unset},
};
use http::{HeaderValue, header};
use std::{future::Future, sync::Arc};
use storage::content::delivery::{ContentVersion, read_access};

/// The endpoints.
pub(in crate::content) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/cdn/stories", Right::Read, list)
        .get("/api/v1/spaces/{space}/cdn/stories/{id}", Right::Read, show)
        .get("/api/v1/spaces/{space}/cdn/stories/{id}/published", Right::Read, show_published)
}

async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let parameters = read_parameters(&request, ContentVersion::Draft)?;
    let (cost, plan) = stories::compile(&parameters)?;
    let own = content.clone();
    let asked = Asked { version: ContentVersion::Draft, cost };
    Box::pin(respond(&content, &caller, &request, asked, |ctx| stories::render(own, ctx, parameters, plan))).await
}

async fn show(content: Content, caller: Manager, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    show_version(content, caller, id, request, ContentVersion::Draft).await
}

/// 404 while the story is not published.
async fn show_published(content: Content, caller: Manager, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    show_version(content, caller, id, request, ContentVersion::Published).await
}

async fn show_version(
    content: Content,
    caller: Manager,
    id: StoryId,
    request: ApiRequest,
    version: ContentVersion,
) -> Result<ApiResponse, Fault> {
    let parameters = read_parameters(&request, version)?;
    let own = content.clone();
    let identifier = Ok(id.to_string());
    let asked = Asked { version, cost: ResponseCost::Fixed };
    Box::pin(respond(&content, &caller, &request, asked, |ctx| story::render(own, ctx, parameters, identifier))).await
}

/// What is asked for, and what that costs.
struct Asked {
    version: ContentVersion,
    cost: ResponseCost,
}

/// The parameters of the Delivery API but for `token`. 422 for an unknown one, and for another version than
/// that of the path.
fn read_parameters(request: &ApiRequest, version: ContentVersion) -> Result<Arc<Parameters>, Fault> {
    let query = request.query()?;
    let (name, refusal) = match version {
        ContentVersion::Draft => ("draft", "must be draft; …/cdn/stories/{id}/published shows what is published"),
        ContentVersion::Published => ("published", "must be published; …/cdn/stories/{id} shows the draft"),
    };
    if query.get("version").is_some_and(|version| !is_unset(version) && version != name) {
        return Err(Fault::invalid("version", FieldCode::Invalid, refusal));
    }
    parameters::check(query.without(&["version", "cv"])).map(Arc::new)
}

async fn respond<R: Future<Output = Result<ApiResponse, Fault>> + Send>(
    content: &Content,
    caller: &Manager,
    request: &ApiRequest,
    Asked { version, cost }: Asked,
    render: impl FnOnce(ReadContext) -> R,
) -> Result<ApiResponse, Fault> {
    let connection = content.store.connection("delivery.access").await?;
    let access = read_access::find_for_drafts(&connection, caller.space()).await?.ok_or_else(Fault::not_found)?;
    drop(connection);
    let (access, cache) = (Arc::new(access), &content.delivery_cache);
    let limit = cache.render_timeout();
    let in_space = cost.in_space(access.story_count, limit)?;
    let mut permit = cache.acquire_render_permit(in_space, &access, request.meta.ip).await?;
    let mark = access.mark();
    let connection = content.store.reader("delivery.render", mark.clone()).await?;
    permit.begin();
    let rendering = render(ReadContext { connection, mark, access, version });
    // Dropped, it cancels its statement.
    let response = content.store.in_time(cost.limit(limit), rendering).await?.ok_or_else(|| cost.out_of_time())??;
    Ok(response.with(header::CACHE_CONTROL, HeaderValue::from_static("no-store")))
}
