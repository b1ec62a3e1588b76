//! What is scheduled: rows of `story_schedulings`, and the times `publish_at` and `expire_at` of stories
//! themselves.

use crate::{Connection, Executor, Result, Tx, content::where_builder::WhereBuilder, queue::Queue, row};
use domain::{
    content::{
        language_selection::LanguageSelection,
        scheduling::{Scheduling, Status, StoryPlan},
    },
    shared::{Page, PageRequest, SchedulingId, SpaceId, StoryId},
};
use jiff::Timestamp;
use tokio_postgres::Row;

/// The queue whose NOTIFY wakes the schedulers.
pub const SCHEDULES: Queue = Queue::new("schedules");

const COLUMNS: &str = "id, story_id, publish_at, action, language, status, created_at, updated_at";

/// The conditions of a list of schedulings. Everything given has to hold.
#[derive(Debug, Clone, Copy, Default)]
pub struct SchedulingFilter {
    /// Only those of this story.
    pub story: Option<StoryId>,
    /// Only those of this status; `None` for all but the cancelled ones.
    pub status: Option<Status>,
}

/// A page of a space's schedulings, by their times.
pub async fn list(
    connection: &Connection,
    space: SpaceId,
    filter: SchedulingFilter,
    page: PageRequest,
) -> Result<Page<Scheduling>> {
    let mut builder = WhereBuilder::new();
    builder.and("space_id = {}", space.0);
    if let Some(story) = filter.story {
        builder.and("story_id = {}", story.0);
    }
    match filter.status {
        Some(status) => builder.and("status = {}", status.into_str()),
        None => builder.and_text("status <> 'deleted'"),
    }
    let wanted = builder.text().to_owned();
    let total =
        connection.row(&format!("select count(*) as total from story_schedulings where {wanted}"), &builder.values()).await?;
    let (limit, offset) = (builder.bind(page.limit()), builder.bind(page.offset()));
    let sql =
        format!("select {COLUMNS} from story_schedulings where {wanted} order by publish_at, id limit {limit} offset {offset}");
    let rows = connection.rows(&sql, &builder.values()).await?;
    Ok(Page { items: rows.iter().map(scheduling).collect::<Result<_>>()?, total: row::get(&total, "total")? })
}

/// Finds a scheduling.
pub async fn find(executor: &impl Executor, space: SpaceId, id: SchedulingId) -> Result<Option<Scheduling>> {
    let sql = format!("select {COLUMNS} from story_schedulings where space_id = $1 and id = $2");
    executor.row_opt(&sql, &[/* space_id */ &space, /* id */ &id]).await?.as_ref().map(scheduling).transpose()
}

/// The schedulings of a story that are still to run, by their times.
pub async fn list_open(executor: &impl Executor, space: SpaceId, story: StoryId) -> Result<Vec<Scheduling>> {
    let sql = format!(
        "select {COLUMNS} from story_schedulings where space_id = $1 and story_id = $2 and status = 'scheduled' order by publish_at, id"
    );
    executor.rows(&sql, &[/* space_id */ &space, /* story_id */ &story]).await?.iter().map(scheduling).collect()
}

/// Adds a scheduling.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, story: StoryId, plan: &StoryPlan, at: Timestamp) -> Result<Scheduling> {
    let row = tx
        .row(
            &format!(
                "insert into story_schedulings (space_id, story_id, publish_at, action, language, status, created_at, updated_at)
                 values ($1, $2, $3, $4, $5, 'scheduled', $6, $6) returning {COLUMNS}"
            ),
            &[
                /* space_id */ &space,
                /* story_id */ &story,
                /* publish_at */ &plan.at,
                /* action */ &plan.action.into_str(),
                /* language */ &plan.language,
                /* created_at, updated_at */ &at,
            ],
        )
        .await?;
    scheduling(&row)
}

/// Writes the status and the time of a scheduling.
pub async fn save(tx: &Tx<'_>, space: SpaceId, scheduling: &Scheduling) -> Result<()> {
    tx.execute_one(
        "scheduling.save",
        "update story_schedulings set publish_at = $3, status = $4, updated_at = $5 where space_id = $1 and id = $2",
        &[
            /* space_id */ &space,
            /* id */ &scheduling.id,
            /* publish_at */ &scheduling.plan.at,
            /* status */ &scheduling.status.into_str(),
            /* updated_at */ &scheduling.updated_at,
        ],
    )
    .await
}

/// Marks the publishes of a story that are still to run as superseded: it is published by hand, in all
/// languages.
pub async fn mark_superseded(tx: &Tx<'_>, space: SpaceId, story: StoryId, at: Timestamp) -> Result<()> {
    tx.execute(
        "update story_schedulings set status = 'published_before_schedule', updated_at = $3
         where space_id = $1 and story_id = $2 and status = 'scheduled' and action = 'publish'",
        &[/* space_id */ &space, /* story_id */ &story, /* updated_at */ &at],
    )
    .await
    .map(drop)
}

/// The same of a publish by hand in some languages: those of all languages are superseded together with the
/// default one, which has all that is not translated.
pub async fn mark_languages_superseded(
    tx: &Tx<'_>,
    (space, story): (SpaceId, StoryId),
    selection: &LanguageSelection,
    at: Timestamp,
) -> Result<()> {
    let codes: Vec<&String> = selection.codes().collect();
    tx.execute(
        "update story_schedulings set status = 'published_before_schedule', updated_at = $3
         where space_id = $1 and story_id = $2 and status = 'scheduled' and action = 'publish'
           and (language = any($4) or ($5 and coalesce(language, '[default]') = '[default]'))",
        &[
            /* space_id */ &space,
            /* story_id */ &story,
            /* updated_at */ &at,
            /* languages */ &codes,
            /* has_default */ &selection.has_default,
        ],
    )
    .await
    .map(drop)
}

/// Wakes the schedulers once the transaction commits.
pub async fn wake(tx: &Tx<'_>) -> Result<()> {
    tx.row("select pg_notify('lectern_jobs', 'schedules')", &[]).await.map(drop)
}

/// A scheduled action whose time has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    pub space: SpaceId,
    pub story: StoryId,
    /// What is to be done.
    pub action: ScheduledAction,
}

/// What is left out of a list because it failed a moment ago.
#[derive(Debug, Clone, Default)]
pub struct Exclusions {
    /// Spaces all of whose actions are excluded.
    pub spaces: Vec<SpaceId>,
    /// Stories. The actions of one story run in order, so that a failed one holds up the later ones.
    pub stories: Vec<StoryId>,
}

impl Exclusions {
    /// Whether nothing is left out.
    pub fn is_empty(&self) -> bool {
        self.spaces.is_empty() && self.stories.is_empty()
    }

    /// Whether this is left out.
    pub fn contains(&self, due: &Due) -> bool {
        self.spaces.contains(&due.space) || self.stories.contains(&due.story)
    }
}

/// An action that was scheduled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduledAction {
    /// A row of `story_schedulings`.
    Scheduling(SchedulingId),
    /// A story's `publish_at`.
    Publish(StoryId),
    /// A story's `expire_at`.
    Expire(StoryId),
}

/// All scheduled actions with their times.
const SCHEDULED: &str = "
     select line.space_id, 'scheduling' as action, line.id, line.story_id, line.publish_at as at
     from story_schedulings line where line.status = 'scheduled'
     union all
     select story.space_id, 'publish', story.id, story.id, story.publish_at
     from stories story where story.publish_at is not null and story.deleted_at is null
     union all
     select story.space_id, 'expire', story.id, story.id, story.expire_at
     from stories story where story.expire_at is not null and story.deleted_at is null";

/// The actions that are due, by their times, up to a limit.
pub async fn list_due(connection: &Connection, now: Timestamp, excluded: &Exclusions, limit: i64) -> Result<Vec<Due>> {
    let rows = connection
        .rows(
            &format!(
                "select due.space_id, due.action, due.id, due.story_id from ({SCHEDULED}) due join spaces on spaces.id = due.space_id
                 where due.at <= $1 and spaces.deleted_at is null and due.space_id <> all($3) and due.story_id <> all($4)
                 order by due.at, due.action desc, due.id limit $2"
            ),
            &[
                /* now */ &now,
                /* limit */ &limit,
                /* excluded spaces */ &excluded.spaces,
                /* excluded stories */ &excluded.stories,
            ],
        )
        .await?;
    let due = |row: &Row| {
        let id: i64 = row::get(row, "id")?;
        let action = row::parsed(row, "action", |name| match name {
            "scheduling" => Some(ScheduledAction::Scheduling(SchedulingId(id))),
            "publish" => Some(ScheduledAction::Publish(StoryId(id))),
            "expire" => Some(ScheduledAction::Expire(StoryId(id))),
            _ => None,
        })?;
        Ok(Due { space: row::get(row, "space_id")?, story: row::get(row, "story_id")?, action })
    };
    rows.iter().map(due).collect()
}

/// When the next action after now is due.
pub async fn next_due(connection: &Connection, now: Timestamp) -> Result<Option<Timestamp>> {
    let sql = format!(
        "select min(due.at) as at from ({SCHEDULED}) due join spaces on spaces.id = due.space_id
         where due.at > $1 and spaces.deleted_at is null"
    );
    row::get(&connection.row(&sql, &[/* now */ &now]).await?, "at")
}

fn scheduling(row: &Row) -> Result<Scheduling> {
    Ok(row::read!(row => Scheduling {
        id, created_at, updated_at;
        story: row::get(row, "story_id")?,
        plan: StoryPlan { at: row::get(row, "publish_at")?, action: row::named(row, "action")?, language: row::get(row, "language")? },
        status: row::named(row, "status")?,
    }))
}
