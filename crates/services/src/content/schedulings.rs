//! Commands of scheduled publishes, and the command that runs a scheduled action when its time has come.
//!
//! Whether an action is due is decided in the transaction that runs it, which has locked the space: of two
//! processes that find the same action due, the second one finds nothing left to do.

use super::{
    stories::{publish::publish, unpublish::unpublish},
    validation::obstacles,
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, Right,
        scheduling::{Scheduling, Status, future},
    },
    shared::{Fault, FieldCode, SchedulingId, StoryId},
};
use jiff::Timestamp;
use serde_json::json;
use storage::{
    Result,
    content::{
        schedulings::{self, ScheduledAction},
        stories::{
            read::{self, StoryWithDraft},
            write,
        },
    },
};

/// Schedules a publish. That of a folder changes nothing when its time has come.
pub struct CreateScheduling {
    pub story: StoryId,
    /// The time of the publish.
    pub publish_at: Timestamp,
}

impl SpaceCommand for CreateScheduling {
    type Output = Scheduling;

    const NAME: &'static str = "story_scheduling.create";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Scheduling, Changes)> {
        let at = future("publish_at", self.publish_at, ctx.now)?;
        let unknown = || Fault::invalid("story_id", FieldCode::Unknown, "must be a story of this space");
        let found = read::find(ctx.tx, ctx.space, self.story).await?.ok_or_else(unknown)?;
        if found.story.deleted_at.is_some() {
            return Err(unknown().into());
        }
        let created = schedulings::insert(ctx.tx, ctx.space, self.story, at, ctx.now).await?;
        schedulings::wake(ctx.tx).await?;
        let changes = audited("story_scheduling.create", &created);
        Ok((created, changes))
    }
}

/// Moves a scheduled publish to another time.
pub struct UpdateScheduling {
    pub id: SchedulingId,
    /// The new time of the publish.
    pub publish_at: Timestamp,
}

impl SpaceCommand for UpdateScheduling {
    type Output = Scheduling;

    const NAME: &'static str = "story_scheduling.update";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Scheduling, Changes)> {
        let old = find(ctx, self.id).await?.open()?;
        let after = Scheduling { publish_at: future("publish_at", self.publish_at, ctx.now)?, updated_at: ctx.now, ..old };
        schedulings::save(ctx.tx, ctx.space, &after).await?;
        schedulings::wake(ctx.tx).await?;
        let changes = audited("story_scheduling.update", &after);
        Ok((after, changes))
    }
}

/// Cancels a scheduled publish. It stays in the history.
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
    if scheduling.status != Status::Scheduled || !is_due(Some(scheduling.publish_at), ctx) {
        return Ok(Changes::default());
    }
    let found = read::find(ctx.tx, ctx.space, scheduling.story).await?;
    let Some(found) = found.filter(|found| found.story.deleted_at.is_none()) else {
        return refuse(ctx, scheduling).await;
    };
    if !found.story.is_folder && obstacles(ctx, &found.draft.content).await?.is_some() {
        return refuse(ctx, scheduling).await;
    }
    let after = Scheduling { status: Status::Published, updated_at: ctx.now, ..scheduling };
    schedulings::save(ctx.tx, ctx.space, &after).await?;
    if found.story.is_folder {
        return Ok(Changes::default());
    }
    publish(ctx, found).await.map(|(_, changes)| changes)
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
    let kept = schedulings::insert(ctx.tx, ctx.space, found.story.id, publish_at, ctx.now).await?;
    refuse(ctx, kept).await
}

/// Records that a scheduling could not publish its story.
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

fn audited(action: &'static str, scheduling: &Scheduling) -> Changes {
    let meta = json!({ "publish_at": scheduling.publish_at, "status": scheduling.status.into_str() });
    Changes::default().and_audit(action, "story", scheduling.story, format!("story {}", scheduling.story), meta)
}
