//! What a request about one story is answered with: the story, with its revision as `ETag`; or 412 with the
//! story as it is, where the caller has not seen that revision.

use super::view::{self, Authors};
use crate::{
    content::{Content, management::access::Manager},
    web::{ApiRequest, ApiResponse},
};
use domain::{
    content::story::Story,
    shared::{Authorship, Code, Fault, Precondition, StoryId, timestamp},
};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::json;
use services::content::{
    SpaceCommand,
    stories::{IfMatch, Written},
};
use storage::{content::stories::read::StoryDetail, shared::people};

/// The revision that a write is for: the header `If-Match`. 400 when it is malformed.
pub(super) fn precondition(request: &ApiRequest) -> Result<Precondition, Fault> {
    let lines: Vec<&[u8]> = request.headers.get_all(header::IF_MATCH).iter().map(HeaderValue::as_bytes).collect();
    if lines.is_empty() {
        return Ok(Precondition::None);
    }
    // A tag in another encoding is none of ours; the parser refuses its characters or leaves it out.
    Precondition::parse(Some(&String::from_utf8_lossy(&lines.join(&b", "[..]))))
}

/// Executes a command of a story for the revision that the request names. `Err` holds the 412.
pub(super) async fn execute<C: SpaceCommand<Output = StoryDetail>>(
    content: &Content,
    caller: &Manager,
    request: &ApiRequest,
    story: StoryId,
    command: C,
) -> Result<Result<StoryDetail, ApiResponse>, Fault> {
    let command = IfMatch { story, expected: precondition(request)?, command };
    Ok(match content.execute(caller, command).await? {
        Written::Done(detail) => Ok(detail),
        Written::Stale(detail) => Err(stale(content, caller, request, &detail).await?),
    })
}

/// The same, answered with the story.
pub(super) async fn execute_and_answer<C: SpaceCommand<Output = StoryDetail>>(
    content: &Content,
    caller: &Manager,
    request: &ApiRequest,
    story: StoryId,
    command: C,
) -> Result<ApiResponse, Fault> {
    match execute(content, caller, request, story, command).await? {
        Ok(detail) => answer(content, caller, StatusCode::OK, &detail, |envelope| envelope).await,
        Err(stale) => Ok(stale),
    }
}

/// A story with this status; `around` puts its body beside something else.
pub(super) async fn answer<'a, B: Serialize>(
    content: &Content,
    caller: &Manager,
    status: StatusCode,
    detail: &'a StoryDetail,
    around: impl FnOnce(view::Envelope<'a>) -> B,
) -> Result<ApiResponse, Fault> {
    let story = &detail.current.story;
    let authors = authors(content, [&story.author]).await?;
    let body = around(view::envelope(caller.space(), detail, &authors)?);
    Ok(tagged(ApiResponse::json(status, &body)?, story))
}

fn tagged(response: ApiResponse, story: &Story) -> ApiResponse {
    match HeaderValue::try_from(format!("\"{}\"", story.revision)) {
        Ok(tag) => response.with(header::ETAG, tag),
        // Digits in quotes always make a header.
        Err(_) => response,
    }
}

/// The people among the authors of stories. Each is read once.
pub(super) async fn authors<'a>(content: &Content, of: impl IntoIterator<Item = &'a Authorship>) -> Result<Authors, Fault> {
    let ids: Vec<_> = of.into_iter().filter_map(Authorship::person).collect();
    if ids.is_empty() {
        return Ok(Authors::default());
    }
    let connection = content.store.connection("person.list").await?;
    Ok(Authors::new(people::list(&connection, &ids).await?))
}

/// 412 `{error, message, story, changed_by, changed_at}`.
pub(super) async fn stale(
    content: &Content,
    caller: &Manager,
    request: &ApiRequest,
    detail: &StoryDetail,
) -> Result<ApiResponse, Fault> {
    let story = &detail.current.story;
    let authors = authors(content, [&story.author]).await?;
    let fault = Fault::new(Code::Stale, "The story was changed since you read it; look at what it is now, and try again");
    let body = json!({
        "story": view::envelope(caller.space(), detail, &authors)?.story(),
        "changed_by": authors.view(&story.author),
        "changed_at": timestamp::format(story.updated_at),
    });
    Ok(tagged(request.errors.json_beside(&fault, body), story))
}
