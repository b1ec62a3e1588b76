//! The rights of a delivery token, and what every answer needs to know of its space.

use super::{ContentVersion, ReadScope};
use crate::{Connection, Executor, ReadMark, Result, TimelineId, content::delivery_tokens, row};
use domain::{
    content::{Language, story_scope::StoryScope, token::DeliveryKind},
    shared::{SpaceId, TokenId},
};
use tokio_postgres::Row;

/// A valid delivery token and its space.
#[derive(Debug, Clone)]
pub struct ReadAccess {
    pub token: TokenId,
    /// The space that the token opens.
    pub space: SpaceId,
    /// The kind of the token: whether it reads drafts.
    pub kind: DeliveryKind,
    /// The stories that the token names, if it does.
    pub stories: StoryScope,
    /// The cache version of the space: the time of its last publication, as clients send it in `cv`.
    pub cv: i64,
    /// The number of the writes of the space, see [`crate::content::commit_log::SpaceVersion`].
    pub revision: i64,
    /// The timeline of the primary that answered; `None` until it has its row. What is read until then may be
    /// kept nowhere.
    pub timeline: Option<TimelineId>,
    /// The name of the space.
    pub name: String,
    /// The preview URL of the space.
    pub domain: Option<String>,
    /// The codes of its languages without the default one.
    pub language_codes: Vec<String>,
    /// Whether any story of it has a translated slug.
    pub has_translated_slugs: bool,
    /// How many stories it has, drafts included.
    pub story_count: u64,
}

impl ReadAccess {
    /// What the token may see of a version.
    pub fn scope(&self, version: ContentVersion) -> ReadScope<'_> {
        ReadScope { space: self.space, version, stories: &self.stories }
    }

    /// How far the space must have come where its content is read.
    pub fn mark(&self) -> ReadMark {
        ReadMark::new(self.space.0, self.revision, self.timeline)
    }

    /// The number that every change of what a version shows increases: the `cv` of published content, the
    /// revision of drafts.
    pub fn changed_at(&self, version: ContentVersion) -> i64 {
        match version {
            ContentVersion::Published => self.cv,
            ContentVersion::Draft => self.revision,
        }
    }
}

/// The columns of a space in every answer, by the SQL that names its number; `$2` and `$3` are the timeline.
fn columns_of(space: &str) -> String {
    format!(
        "space.id as space_id, counters.cv, counters.revision, space.name, space.domain, space.languages,
         exists (select from translated_slugs slug where slug.space_id = {space}) as has_translated_slugs,
         (select coalesce(sum(stories), 0)::bigint from edition_counts where space_id = {space} and edition = 'draft') as story_count,
         (select id from timelines where cluster = $2 and number = $3) as timeline"
    )
}

/// Finds the access of a token by its hash; `None` when there is no such token, when it was revoked, or when
/// its space is deleted.
pub async fn find(connection: &Connection, token_hash: &[u8; 32]) -> Result<Option<ReadAccess>> {
    let timeline = connection.timeline();
    let found = connection
        .row_opt(
            &format!(
                "select token.id as token_id, token.kind, token.story_ids, {}
                 from delivery_tokens token
                 join spaces space on space.id = token.space_id
                 join space_counters counters on counters.space_id = token.space_id
                 where token.token_hash = $1 and token.revoked_at is null and space.deleted_at is null",
                columns_of("space.id")
            ),
            &[
                /* token_hash */ &token_hash.as_slice(),
                /* cluster */ &timeline.map(|timeline| timeline.cluster),
                /* number */ &timeline.map(|timeline| timeline.number),
            ],
        )
        .await?;
    let Some(found) = found else { return Ok(None) };
    let (kind, stories) = (row::named(&found, "kind")?, delivery_tokens::scope(&found)?);
    access(&found, row::get(&found, "token_id")?, kind, stories).map(Some)
}

/// The access of who may read every draft of a space, without a delivery token; `None` when it is deleted.
pub async fn find_for_drafts(connection: &Connection, space: SpaceId) -> Result<Option<ReadAccess>> {
    let timeline = connection.timeline();
    let found = connection
        .row_opt(
            &format!(
                "select {}
                 from spaces space join space_counters counters on counters.space_id = $1
                 where space.id = $1 and space.deleted_at is null",
                columns_of("$1")
            ),
            &[
                /* space_id */ &space,
                /* cluster */ &timeline.map(|timeline| timeline.cluster),
                /* number */ &timeline.map(|timeline| timeline.number),
            ],
        )
        .await?;
    found.map(|found| access(&found, TokenId(0), DeliveryKind::Private, StoryScope::All)).transpose()
}

fn access(found: &Row, token: TokenId, kind: DeliveryKind, stories: StoryScope) -> Result<ReadAccess> {
    let languages: Vec<Language> = row::json(found, "languages")?;
    Ok(row::read!(found => ReadAccess {
        cv, revision, name, domain, has_translated_slugs;
        token,
        space: row::get(found, "space_id")?,
        kind,
        stories,
        timeline: row::get::<Option<uuid::Uuid>>(found, "timeline")?.map(TimelineId),
        language_codes: languages.into_iter().map(|language| language.code).collect(),
        story_count: u64::try_from(row::get::<i64>(found, "story_count")?).unwrap_or_default(),
    }))
}
