//! Writes a component's new name wherever a space refers to it by name. Versions keep what they were.

use crate::{Executor, Result, Tx, row, row::Verbatim};
use domain::{
    content::component_rename::ComponentRename,
    shared::{ComponentId, SpaceId},
};
use serde_json::value::RawValue;

/// How many editions are rewritten by one statement.
const BATCH: usize = 200;

/// The blocks of all editions: drafts, published ones and those in the trash. Of the index rows those of the
/// root's component change.
pub async fn in_editions(tx: &Tx<'_>, space: SpaceId, rename: &ComponentRename) -> Result<()> {
    let found = tx
        .rows(
            "select story_id, edition::text as edition from editions
             where space_id = $1
               and jsonb_path_exists(doc, '$.** ? (@.component == $name)', jsonb_build_object('name', $2::text))
             order by story_id, edition",
            &[/* space_id */ &space, /* name */ &rename.from],
        )
        .await?;
    for batch in found.chunks(BATCH) {
        let stories = batch.iter().map(|found| row::get(found, "story_id")).collect::<Result<Vec<i64>>>()?;
        let editions = batch.iter().map(|found| row::get(found, "edition")).collect::<Result<Vec<String>>>()?;
        rewrite_editions(tx, space, rename, (&stories, &editions)).await?;
    }
    tx.execute(
        "update edition_fields set value = $3 where space_id = $1 and field = 'component' and value = $2 and not is_element",
        &[/* space_id */ &space, /* value */ &rename.from, /* value */ &rename.to],
    )
    .await
    .map(drop)
}

async fn rewrite_editions(
    tx: &Tx<'_>,
    space: SpaceId,
    rename: &ComponentRename,
    (stories, editions): (&[i64], &[String]),
) -> Result<()> {
    let rows = tx
        .rows(
            "select edition.story_id, edition.edition::text as edition, edition.content
             from unnest($2::bigint[], $3::text[]::edition_kind[]) as wanted (story_id, edition)
             join editions edition on edition.space_id = $1 and edition.story_id = wanted.story_id and edition.edition = wanted.edition",
            &[/* space_id */ &space, /* story_id */ &stories, /* edition */ &editions],
        )
        .await?;
    let (mut stories, mut editions, mut contents) = (Vec::new(), Vec::new(), Vec::new());
    for found in &rows {
        let Verbatim(content) = row::get::<Verbatim>(found, "content")?;
        if let Some(renamed) = rename.in_content(&content) {
            stories.push(row::get::<i64>(found, "story_id")?);
            editions.push(row::get::<String>(found, "edition")?);
            contents.push(renamed.get().to_owned());
        }
    }
    tx.execute(
        "with revised as (update stories set revision = revision where space_id = $1 and id = any($2::bigint[]))
         update editions edition
         set content = renamed.content::json, doc = renamed.content::jsonb,
             component = case when edition.component = $5 then $6 else edition.component end
         from unnest($2::bigint[], $3::text[]::edition_kind[], $4::text[]) as renamed (story_id, edition, content)
         where edition.space_id = $1 and edition.story_id = renamed.story_id and edition.edition = renamed.edition",
        &[
            /* space_id */ &space,
            /* story_id */ &stories,
            /* edition */ &editions,
            /* content */ &contents,
            /* component */ &rename.from,
            /* component */ &rename.to,
        ],
    )
    .await
    .map(drop)
}

/// The default content types of folders.
pub async fn in_folders(tx: &Tx<'_>, space: SpaceId, rename: &ComponentRename) -> Result<()> {
    tx.execute(
        "update stories set default_root = $3 where space_id = $1 and default_root = $2",
        &[/* space_id */ &space, /* default_root */ &rename.from, /* default_root */ &rename.to],
    )
    .await
    .map(drop)
}

/// The blocks of presets.
pub async fn in_presets(tx: &Tx<'_>, space: SpaceId, rename: &ComponentRename) -> Result<()> {
    for (id, renamed) in renamed(tx, space, "presets", "preset", |preset| rename.in_content(preset)).await? {
        tx.execute_one(
            "preset.rename",
            "update presets set preset = $3 where space_id = $1 and id = $2",
            &[/* space_id */ &space, /* id */ &id, /* preset */ &Verbatim(renamed)],
        )
        .await?;
    }
    Ok(())
}

/// The restrictions of schemas. Returns the components that have a new schema.
pub async fn in_schemas(tx: &Tx<'_>, space: SpaceId, rename: &ComponentRename) -> Result<Vec<ComponentId>> {
    let schemas = renamed(tx, space, "components", "schema", |schema| rename.in_schema(schema)).await?;
    let ids = schemas.iter().map(|(id, _)| ComponentId(*id)).collect();
    for (id, renamed) in schemas {
        tx.execute_one(
            "component.rename",
            "update components set schema = $3 where space_id = $1 and id = $2",
            &[/* space_id */ &space, /* id */ &id, /* schema */ &Verbatim(renamed)],
        )
        .await?;
    }
    Ok(ids)
}

/// The rows of a table whose JSON changes, by their numbers.
async fn renamed(
    tx: &Tx<'_>,
    space: SpaceId,
    table: &str,
    column: &str,
    change: impl Fn(&RawValue) -> Option<Box<RawValue>>,
) -> Result<Vec<(i64, Box<RawValue>)>> {
    let rows = tx.rows(&format!("select id, {column} as json from {table} where space_id = $1 order by id"), &[&space.0]).await?;
    let mut changed = Vec::new();
    for found in &rows {
        let Verbatim(json) = row::get::<Verbatim>(found, "json")?;
        if let Some(json) = change(&json) {
            changed.push((row::get(found, "id")?, json));
        }
    }
    Ok(changed)
}
