//! What a validation reads beside the content: the components that it names, and what their schemas ask for.

use crate::{Executor, Result, row};
use domain::{
    content::validation::{ComponentSource, GroupSource, Needs, StoryKey, StoryTarget, Surroundings},
    shared::SpaceId,
};
use futures_util::future::try_join3;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use tokio_postgres::Row;

/// The components of these names.
pub async fn components(executor: &impl Executor, space: SpaceId, names: &[&str]) -> Result<Vec<ComponentSource>> {
    let rows = executor
        .rows(
            "select name, schema, component_group_uuid, internal_tag_ids from components
             where space_id = $1 and name = any($2)",
            &[/* space_id */ &space, /* name */ &names],
        )
        .await?;
    rows.iter().map(component).collect()
}

fn component(row: &Row) -> Result<ComponentSource> {
    let row::Verbatim(schema) = row::get(row, "schema")?;
    Ok(ComponentSource {
        name: row::get(row, "name")?,
        // A schema is an object; another value would have no fields.
        schema: serde_json::from_str::<Map<String, Value>>(schema.get()).unwrap_or_default(),
        group: row::get(row, "component_group_uuid")?,
        tags: row::get(row, "internal_tag_ids")?,
    })
}

/// The groups of components.
pub async fn groups(executor: &impl Executor, space: SpaceId) -> Result<Vec<GroupSource>> {
    let rows = executor
        .rows(
            "select own.uuid, parent.uuid as parent from component_groups own
             left join component_groups parent on parent.space_id = $1 and parent.id = own.parent_id
             where own.space_id = $1",
            &[/* space_id */ &space],
        )
        .await?;
    rows.iter().map(|row| Ok(row::read!(row => GroupSource { uuid, parent }))).collect()
}

/// What a content names outside of itself, as far as it is there. What it does not need is not asked for.
pub async fn surroundings(executor: &impl Executor, space: SpaceId, needs: &Needs) -> Result<Surroundings> {
    let (entries, stories, languages) =
        try_join3(entries(executor, space, needs), stories(executor, space, needs), languages(executor, space, needs)).await?;
    Ok(Surroundings { entries, stories, languages })
}

async fn entries(executor: &impl Executor, space: SpaceId, needs: &Needs) -> Result<HashMap<String, HashSet<String>>> {
    if needs.entries.is_empty() {
        return Ok(HashMap::new());
    }
    let named = || needs.entries.iter().flat_map(|(slug, values)| values.iter().map(move |value| (slug.as_str(), value.as_str())));
    let (slugs, values): (Vec<&str>, Vec<&str>) = named().unzip();
    let rows = executor
        .rows(
            "select distinct source.slug, entry.value
             from unnest($2::text[], $3::text[]) as named (slug, value)
             join datasources source on source.space_id = $1 and source.slug = named.slug
             join datasource_entries entry
               on entry.space_id = $1 and entry.datasource_id = source.id and entry.value = named.value",
            &[/* space_id */ &space, /* slug */ &slugs, /* value */ &values],
        )
        .await?;
    let mut found: HashMap<String, HashSet<String>> = HashMap::new();
    for row in &rows {
        found.entry(row::get(row, "slug")?).or_default().insert(row::get(row, "value")?);
    }
    Ok(found)
}

async fn stories(executor: &impl Executor, space: SpaceId, needs: &Needs) -> Result<HashMap<StoryKey, StoryTarget>> {
    if needs.stories.is_empty() {
        return Ok(HashMap::new());
    }
    let (mut uuids, mut numbers) = (Vec::new(), Vec::new());
    for key in &needs.stories {
        match *key {
            StoryKey::Uuid(uuid) => uuids.push(uuid),
            StoryKey::Number(number) => numbers.push(number),
        }
    }
    let rows = executor
        .rows(
            "select story.id, story.uuid, story.full_slug, draft.component as content_type
             from stories story
             join editions draft on draft.space_id = $1 and draft.story_id = story.id and draft.edition = 'draft'
             where story.space_id = $1 and (story.uuid = any($2) or story.id = any($3)) and story.deleted_at is null",
            &[/* space_id */ &space, /* uuid */ &uuids, /* id */ &numbers],
        )
        .await?;
    let mut found = HashMap::with_capacity(rows.len());
    for row in &rows {
        let target = row::read!(row => StoryTarget { content_type, full_slug });
        for key in [StoryKey::Uuid(row::get(row, "uuid")?), StoryKey::Number(row::get(row, "id")?)] {
            found.insert(key, target.clone());
        }
    }
    Ok(found)
}

async fn languages(executor: &impl Executor, space: SpaceId, needs: &Needs) -> Result<HashSet<String>> {
    if !needs.languages {
        return Ok(HashSet::new());
    }
    let languages = super::spaces::languages(executor, space).await?;
    Ok(languages.into_iter().map(|language| language.code).collect())
}
