//! Scheduled publishing and unpublishing of stories.

use super::{access::Manager, envelope, paginate::list_parameters};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, body::DEFAULT_LIMIT},
};
use domain::{
    content::{
        Right, language_selection,
        scheduling::{Scheduling, StoryPlan},
    },
    shared::{Fault, FieldCode, SchedulingId, SpaceId, StoryId, json, timestamp},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use services::content::schedulings::{CreateScheduling, DeleteScheduling, PlanChange, UpdateScheduling};
use storage::content::schedulings::{self, SchedulingFilter};

const KEY: &str = "story_scheduling";
/// The most schedulings of one page.
const MAX_PER_PAGE: u32 = 100;

/// The endpoints below `/api/v1/spaces/{space}/story_schedulings`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/story_schedulings", Right::Read, list)
        .post("/api/v1/spaces/{space}/story_schedulings", Right::WriteContent, create)
        .get("/api/v1/spaces/{space}/story_schedulings/{id}", Right::Read, read)
        .put("/api/v1/spaces/{space}/story_schedulings/{id}", Right::WriteContent, update)
        .delete("/api/v1/spaces/{space}/story_schedulings/{id}", Right::WriteContent, delete)
}

/// 200 `{"story_schedulings": […]}`, by their times, 25 on a page unless `per_page` says otherwise. Filters:
/// `by_story_id`, `by_status` (without it all but those that were cancelled).
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["by_story_id", "by_status"])?;
    let page = query.page(MAX_PER_PAGE)?;
    let known = |name: &str| name.parse().map_err(|_| Fault::invalid("by_status", FieldCode::Invalid, "is not valid"));
    let status = query.text("by_status").map(known).transpose()?;
    let filter = SchedulingFilter { story: query.parsed("by_story_id")?, status };
    let connection = content.store.connection("scheduling.list").await?;
    let found = schedulings::list(&connection, caller.space(), filter, page).await?;
    let views: Vec<_> = found.items.iter().map(|scheduling| SchedulingView::of(caller.space(), scheduling)).collect();
    Ok(ApiResponse::ok(&envelope::wrap("story_schedulings", views))?.paged(found.total, page))
}

/// 200 with the scheduling.
async fn read(content: Content, caller: Manager, id: SchedulingId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("scheduling.find").await?;
    let scheduling = schedulings::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&envelope::wrap(KEY, SchedulingView::of(caller.space(), &scheduling)))
}

/// Of `{"story_scheduling": {story_id, publish_at, action, language}}`: 201 with the scheduling. The time
/// must lie ahead. `action` is `publish` or `unpublish`; `language` a code or `[default]`, without one all.
async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let body = SchedulingBody::read(&mut request).await?;
    let PlanChange { at, action, language } = body.change()?;
    let at = at.ok_or_else(|| Fault::invalid("publish_at", FieldCode::Blank, "can't be blank"))?;
    let plan = StoryPlan { at, action: action.unwrap_or_default(), language: language.flatten() };
    let command = CreateScheduling { story: body.story()?, plan };
    let created = content.execute(&caller, command).await?;
    ApiResponse::created(&envelope::wrap(KEY, SchedulingView::of(caller.space(), &created)))
}

/// Of `{"story_scheduling": {publish_at, action, language}}`: 200 with the scheduling as it is now. 422 once
/// it has run or was cancelled.
async fn update(content: Content, caller: Manager, id: SchedulingId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change = SchedulingBody::read(&mut request).await?.change()?;
    let command = UpdateScheduling { id, change };
    let updated = content.execute(&caller, command).await?;
    ApiResponse::ok(&envelope::wrap(KEY, SchedulingView::of(caller.space(), &updated)))
}

/// 200 with the scheduling, which is cancelled. 422 once it has run or was cancelled before.
async fn delete(content: Content, caller: Manager, id: SchedulingId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let deleted = content.execute(&caller, DeleteScheduling(id)).await?;
    ApiResponse::ok(&envelope::wrap(KEY, SchedulingView::of(caller.space(), &deleted)))
}

#[derive(Deserialize)]
struct SchedulingBody {
    story_id: Option<StoryId>,
    publish_at: Option<String>,
    action: Option<String>,
    #[serde(default, deserialize_with = "json::present")]
    language: Option<Option<String>>,
    status: Option<String>,
}

impl SchedulingBody {
    async fn read(request: &mut ApiRequest) -> Result<Self, Fault> {
        let body: Self = envelope::read(request, KEY, DEFAULT_LIMIT).await?;
        if body.status.as_deref().is_some_and(|status| status != "scheduled") {
            return Err(Fault::invalid("status", FieldCode::Invalid, "can only be scheduled"));
        }
        Ok(body)
    }

    fn story(&self) -> Result<StoryId, Fault> {
        self.story_id.ok_or_else(|| Fault::invalid("story_id", FieldCode::Blank, "can't be blank"))
    }

    /// What the body names of the plan.
    fn change(&self) -> Result<PlanChange, Fault> {
        let at = match self.publish_at.as_deref() {
            None => None,
            Some("") => return Err(Fault::invalid("publish_at", FieldCode::Blank, "can't be blank")),
            Some(text) => Some(timestamp::parse("publish_at", text)?),
        };
        let unknown = |_| Fault::invalid("action", FieldCode::Invalid, "must be publish or unpublish");
        let action = self.action.as_deref().map(|name| name.parse().map_err(unknown)).transpose()?;
        let language = self.language.clone().map(|language| match language.as_deref() {
            None | Some("") => None,
            // As some clients name it, and as `lang` takes it as well.
            Some("default") => Some(language_selection::DEFAULT.to_owned()),
            _ => language,
        });
        Ok(PlanChange { at, action, language })
    }
}

/// A scheduling in Storyblok's shape.
#[derive(Serialize)]
struct SchedulingView<'a> {
    id: SchedulingId,
    space_id: SpaceId,
    story_id: StoryId,
    #[serde(serialize_with = "timestamp::serialize")]
    publish_at: Timestamp,
    action: &'static str,
    /// Null for all languages.
    language: Option<&'a str>,
    status: &'static str,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::serialize")]
    updated_at: Timestamp,
}

impl<'a> SchedulingView<'a> {
    fn of(space: SpaceId, scheduling: &'a Scheduling) -> Self {
        Self {
            id: scheduling.id,
            space_id: space,
            story_id: scheduling.story,
            publish_at: scheduling.plan.at,
            action: scheduling.plan.action.into_str(),
            language: scheduling.plan.language.as_deref(),
            status: scheduling.status.into_str(),
            created_at: scheduling.created_at,
            updated_at: scheduling.updated_at,
        }
    }
}
