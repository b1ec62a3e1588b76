//! Commands of schedulings, and the command that runs a scheduled action when its time has come.
//!
//! Whether an action is due is decided in the transaction that runs it, which has locked the space: of two
//! processes that find the same action due, the second one finds nothing left to do.

use super::{
    stories::{
        languages::{publish_languages, unpublish_languages},
        publish::publish,
        unpublish::unpublish,
    },
    validation::{obstacles, require_publishable},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, Right, language,
        language_selection::{self, LanguageSelection},
        scheduling::{PublishAction, Scheduling, Status, StoryPlan, future},
    },
    shared::{Fault, FieldCode, Kind, SchedulingId, StoryId},
};
use jiff::Timestamp;
use serde_json::json;
use std::slice;
use storage::{
    Error, Result,
    content::{
        schedulings::{self, ScheduledAction},
        spaces,
        stories::{
            read::{self, StoryDetail, StoryWithDraft},
            write,
        },
    },
};

/// Plans a publish or an unpublish. That of a folder changes nothing when its time has come.
pub struct CreateScheduling {
    pub story: StoryId,
    pub plan: StoryPlan,
}

impl SpaceCommand for CreateScheduling {
    type Output = Scheduling;

    const NAME: &'static str = "story_scheduling.create";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Scheduling, Changes)> {
        check(ctx, &self.plan).await?;
        let unknown = || Fault::invalid("story_id", FieldCode::Unknown, "must be a story of this space");
        let found = read::find(ctx.tx, ctx.space, self.story).await?.ok_or_else(unknown)?;
        if found.story.deleted_at.is_some() {
            return Err(unknown().into());
        }
        let created = schedulings::insert(ctx.tx, ctx.space, self.story, &self.plan, ctx.now).await?;
        schedulings::wake(ctx.tx).await?;
        let changes = audited("story_scheduling.create", &created);
        Ok((created, changes))
    }
}

/// Changes a plan that is still to run.
pub struct UpdateScheduling {
    pub id: SchedulingId,
    pub change: PlanChange,
}

/// What changes of a plan; `None` keeps what it is.
#[derive(Debug, Clone, Default)]
pub struct PlanChange {
    pub at: Option<Timestamp>,
    pub action: Option<PublishAction>,
    /// The only language, or `None` within for all.
    pub language: Option<Option<String>>,
}

impl SpaceCommand for UpdateScheduling {
    type Output = Scheduling;

    const NAME: &'static str = "story_scheduling.update";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Scheduling, Changes)> {
        let old = find(ctx, self.id).await?.open()?;
        let PlanChange { at, action, language } = self.change.clone();
        let plan = StoryPlan {
            at: at.unwrap_or(old.plan.at),
            action: action.unwrap_or(old.plan.action),
            language: language.unwrap_or_else(|| old.plan.language.clone()),
        };
        check(ctx, &plan).await?;
        let after = Scheduling { plan, updated_at: ctx.now, ..old };
        schedulings::save(ctx.tx, ctx.space, &after).await?;
        schedulings::wake(ctx.tx).await?;
        let changes = audited("story_scheduling.update", &after);
        Ok((after, changes))
    }
}

/// Cancels a plan. It stays in the history.
pub struct DeleteScheduling(pub SchedulingId);

impl SpaceCommand for DeleteScheduling {
    type Output = Scheduling;

    const NAME: &'static str = "story_scheduling.delete";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Scheduling, Changes)> {
        let old = find(ctx, self.0).await?.open()?;
        let after = Scheduling { status: Status::Deleted, updated_at: ctx.now, ..old };
        schedulings::save(ctx.tx, ctx.space, &after).await?;
        let changes = audited("story_scheduling.delete", &after);
        Ok((after, changes))
    }
}

/// Runs a scheduled action, if it is still scheduled and due.
pub struct RunSchedule(pub ScheduledAction);

impl SpaceCommand for RunSchedule {
    type Output = ();

    const NAME: &'static str = "story_scheduling.run";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<((), Changes)> {
        let changes = match self.0 {
            ScheduledAction::Scheduling(id) => run_scheduling(ctx, id).await?,
            ScheduledAction::Publish(id) => match read::find(ctx.tx, ctx.space, id).await? {
                Some(found) if is_due(found.story.schedule.publish_at, ctx) => run_own_publish(ctx, found).await?,
                _ => Changes::default(),
            },
            ScheduledAction::Expire(id) => expire(ctx, id).await?,
        };
        Ok(((), changes))
    }
}

async fn run_scheduling(ctx: &CommandContext<'_>, id: SchedulingId) -> Result<Changes> {
    let Some(scheduling) = schedulings::find(ctx.tx, ctx.space, id).await? else { return Ok(Changes::default()) };
    if scheduling.status != Status::Scheduled || !is_due(Some(scheduling.plan.at), ctx) {
        return Ok(Changes::default());
    }
    let found = read::find_detail(ctx.tx, ctx.space, scheduling.story).await?;
    let Some(found) = found.filter(|found| found.current.story.deleted_at.is_none()) else {
        return refuse(ctx, scheduling).await;
    };
    let changes = match act(ctx, found, &scheduling.plan).await {
        Ok(changes) => changes,
        // A story is refused before anything of it is written.
        Err(Error::Fault(fault)) if fault.kind() == Kind::Invalid => return refuse(ctx, scheduling).await,
        Err(error) => return Err(error),
    };
    let after = Scheduling { status: scheduling.plan.action.done(), updated_at: ctx.now, ..scheduling };
    schedulings::save(ctx.tx, ctx.space, &after).await?;
    Ok(changes)
}

/// Does what is planned. A folder stays as it is, and so does what is to be unpublished and is not published.
async fn act(ctx: &CommandContext<'_>, found: StoryDetail, plan: &StoryPlan) -> Result<Changes> {
    let story = &found.current.story;
    if story.is_folder || (plan.action == PublishAction::Unpublish && !story.is_published()) {
        return Ok(Changes::default());
    }
    let Some(language) = &plan.language else {
        let (_, changes) = match plan.action {
            PublishAction::Publish => {
                require_publishable(ctx, &found.current.draft.content).await?;
                publish(ctx, found.current).await?
            }
            PublishAction::Unpublish => unpublish(ctx, found.current).await?,
        };
        return Ok(changes);
    };
    let languages = spaces::languages(ctx.tx, ctx.space).await?;
    let selection = LanguageSelection::parse(slice::from_ref(language), &languages)?;
    let (_, changes) = match plan.action {
        PublishAction::Publish => publish_languages(ctx, found, (&selection, &languages)).await?,
        PublishAction::Unpublish => unpublish_languages(ctx, found, (&selection, &languages)).await?,
    };
    Ok(changes)
}

/// Publishes a story at the time that it has itself. One that is not valid stays as it is, where the space
/// publishes only valid stories: its time is removed, and stands in the list of schedulings as refused.
async fn run_own_publish(ctx: &CommandContext<'_>, mut found: StoryWithDraft) -> Result<Changes> {
    let Some(publish_at) = found.story.schedule.publish_at else { return Ok(Changes::default()) };
    if obstacles(ctx, &found.draft.content).await?.is_none() {
        return publish(ctx, found).await.map(|(_, changes)| changes);
    }
    found.story.schedule.publish_at = None;
    write::save(ctx.tx, ctx.space, &found.story, ctx.authorized.actor()).await?;
    let kept = schedulings::insert(ctx.tx, ctx.space, found.story.id, &StoryPlan::publish(publish_at), ctx.now).await?;
    refuse(ctx, kept).await
}

/// Records that a scheduling could not be done.
async fn refuse(ctx: &CommandContext<'_>, scheduling: Scheduling) -> Result<Changes> {
    let after = Scheduling { status: Status::InvalidStory, updated_at: ctx.now, ..scheduling };
    schedulings::save(ctx.tx, ctx.space, &after).await?;
    Ok(audited("story_scheduling.invalid_story", &after))
}

async fn expire(ctx: &CommandContext<'_>, id: StoryId) -> Result<Changes> {
    let Some(mut found) = read::find(ctx.tx, ctx.space, id).await? else { return Ok(Changes::default()) };
    if !is_due(found.story.schedule.expire_at, ctx) {
        return Ok(Changes::default());
    }
    if found.story.is_published() {
        return unpublish(ctx, found).await.map(|(_, changes)| changes);
    }
    // The story was unpublished by hand before.
    found.story.schedule.expire_at = None;
    write::save(ctx.tx, ctx.space, &found.story, ctx.authorized.actor()).await?;
    Ok(Changes::default())
}

fn is_due(at: Option<Timestamp>, ctx: &CommandContext<'_>) -> bool {
    at.is_some_and(|at| at <= ctx.now)
}

async fn find(ctx: &CommandContext<'_>, id: SchedulingId) -> Result<Scheduling> {
    schedulings::find(ctx.tx, ctx.space, id).await?.ok_or_else(|| Fault::not_found().into())
}

/// 422 for a plan in the past, and for a language that the space does not have.
async fn check(ctx: &CommandContext<'_>, plan: &StoryPlan) -> Result<()> {
    future("publish_at", plan.at, ctx.now)?;
    match plan.language.as_deref().filter(|code| *code != language_selection::DEFAULT) {
        None => Ok(()),
        Some(code) => Ok(language::require(code, &spaces::languages(ctx.tx, ctx.space).await?)?),
    }
}

fn audited(action: &'static str, scheduling: &Scheduling) -> Changes {
    let StoryPlan { at, action: planned, language } = &scheduling.plan;
    let meta = json!({
        "publish_at": at, "action": planned.into_str(), "language": language, "status": scheduling.status.into_str(),
    });
    Changes::default().and_audit(action, "story", scheduling.story, format!("story {}", scheduling.story), meta)
}
