//! Writes of plans, and what happens when their time comes.
//!
//! Whether something is due is decided within the transaction that does it, and that holds the space's row: of two processes that see the
//! same plan due, the second one finds nothing to do.

use super::stories::{publish::published, unpublish::unpublished};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes,
        scheduling::{Scheduling, Status, future},
    },
    shared::{Fault, SchedulingId, StoryId},
};
use jiff::Timestamp;
use serde_json::json;
use storage::{
    Result,
    content::{
        schedulings::{self, Planned},
        stories::{read, write},
    },
};

/// Plans a publish.
pub struct CreateScheduling {
    /// Of which story.
    pub story: StoryId,
    /// When.
    pub publish_at: Timestamp,
}

impl SpaceCommand for CreateScheduling {
    type Output = Scheduling;

    const NAME: &'static str = "story_scheduling.create";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Scheduling, Changes)> {
        let at = future("publish_at", self.publish_at, ctx.now)?;
        let unknown = || Fault::invalid("story_id", "unknown", "must be a story of this space");
        let found = read::find(ctx.tx, ctx.space, self.story).await?.ok_or_else(unknown)?;
        if found.story.is_folder || found.story.deleted_at.is_some() {
            return Err(unknown().into());
        }
        let made = schedulings::insert(ctx.tx, ctx.space, self.story, at, ctx.now).await?;
        schedulings::wake(ctx.tx).await?;
        let changes = audited("story_scheduling.create", &made);
        Ok((made, changes))
    }
}

/// Moves a planned publish to another time.
pub struct UpdateScheduling {
    /// Which.
    pub id: SchedulingId,
    /// When now.
    pub publish_at: Timestamp,
}

impl SpaceCommand for UpdateScheduling {
    type Output = Scheduling;

    const NAME: &'static str = "story_scheduling.update";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Scheduling, Changes)> {
        let old = present(ctx, self.id).await?.open()?;
        let after = Scheduling { publish_at: future("publish_at", self.publish_at, ctx.now)?, updated_at: ctx.now, ..old };
        schedulings::save(ctx.tx, ctx.space, &after).await?;
        schedulings::wake(ctx.tx).await?;
        let changes = audited("story_scheduling.update", &after);
        Ok((after, changes))
    }
}

/// Calls a planned publish off. It stays in the history.
pub struct DeleteScheduling(pub SchedulingId);

impl SpaceCommand for DeleteScheduling {
    type Output = Scheduling;

    const NAME: &'static str = "story_scheduling.delete";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Scheduling, Changes)> {
        let old = present(ctx, self.0).await?.open()?;
        let after = Scheduling { status: Status::Deleted, updated_at: ctx.now, ..old };
        schedulings::save(ctx.tx, ctx.space, &after).await?;
        let changes = audited("story_scheduling.delete", &after);
        Ok((after, changes))
    }
}

/// Does what was planned, if it is still planned and due.
pub struct Fire(pub Planned);

impl SpaceCommand for Fire {
    type Output = ();

    const NAME: &'static str = "story_scheduling.fire";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<((), Changes)> {
        let changes = match self.0 {
            Planned::Scheduling(id) => fire(ctx, id).await?,
            Planned::Publish(id) => match read::find(ctx.tx, ctx.space, id).await? {
                Some(found) if is_due(found.story.plan.publish_at, ctx) => published(ctx, found).await?.1,
                _ => Changes::default(),
            },
            Planned::Expire(id) => expire(ctx, id).await?,
        };
        Ok(((), changes))
    }
}

async fn fire(ctx: &CommandContext<'_>, id: SchedulingId) -> Result<Changes> {
    let Some(it) = schedulings::find(ctx.tx, ctx.space, id).await? else { return Ok(Changes::default()) };
    if it.status != Status::Scheduled || !is_due(Some(it.publish_at), ctx) {
        return Ok(Changes::default());
    }
    let found = read::find(ctx.tx, ctx.space, it.story).await?;
    let Some(found) = found.filter(|f| f.story.deleted_at.is_none() && !f.story.is_folder) else {
        let after = Scheduling { status: Status::InvalidStory, updated_at: ctx.now, ..it };
        schedulings::save(ctx.tx, ctx.space, &after).await?;
        return Ok(audited("story_scheduling.invalid_story", &after));
    };
    let after = Scheduling { status: Status::Published, updated_at: ctx.now, ..it };
    schedulings::save(ctx.tx, ctx.space, &after).await?;
    published(ctx, found).await.map(|(_, changes)| changes)
}

async fn expire(ctx: &CommandContext<'_>, id: StoryId) -> Result<Changes> {
    let Some(mut found) = read::find(ctx.tx, ctx.space, id).await? else { return Ok(Changes::default()) };
    if !is_due(found.story.plan.expire_at, ctx) {
        return Ok(Changes::default());
    }
    if found.story.is_published() {
        return unpublished(ctx, found).await.map(|(_, changes)| changes);
    }
    // Somebody has taken it offline before.
    found.story.plan.expire_at = None;
    write::save(ctx.tx, ctx.space, &found.story).await?;
    Ok(Changes::default())
}

fn is_due(at: Option<Timestamp>, ctx: &CommandContext<'_>) -> bool {
    at.is_some_and(|at| at <= ctx.now)
}

async fn present(ctx: &CommandContext<'_>, id: SchedulingId) -> Result<Scheduling> {
    schedulings::find(ctx.tx, ctx.space, id).await?.ok_or_else(|| Fault::not_found().into())
}

fn audited(action: &'static str, it: &Scheduling) -> Changes {
    let meta = json!({ "publish_at": it.publish_at, "status": it.status.name() });
    Changes::default().and_audit(action, "story", it.story, format!("story {}", it.story), meta)
}
