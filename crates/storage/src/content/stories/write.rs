//! Writing one story: its row and its editions.

use crate::{Error, Result, Tx, row, row::Verbatim};
use domain::{
    content::{
        slug,
        story::{Edition, Publication, Story},
    },
    shared::{SpaceId, StoryId},
};
use tokio_postgres::types::ToSql;

/// Inserts a story or folder and its draft. Answers its number. 422 when the place is taken.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, story: &Story, draft: &Edition) -> Result<StoryId> {
    let (published_version, changed) = publication(story);
    let inserted = tx
        .row(
            "insert into stories (space_id, uuid, group_id, parent_id, is_folder, is_startpage, slug, full_slug, position, default_root,
                                  disable_fe_editor, pinned, last_version, published_version, unpublished_changes, created_at,
                                  updated_at, published_at, first_published_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
             returning id",
            &[
                /* space_id */ &space.0,
                /* uuid */ &story.uuid,
                /* group_id */ &story.group_id,
                /* parent_id */ &story.place.parent.0,
                /* is_folder */ &story.is_folder,
                /* is_startpage */ &story.place.is_startpage,
                /* slug */ &story.place.slug,
                /* full_slug */ &story.place.full_slug,
                /* position */ &story.place.position,
                /* default_root */ &story.default_root,
                /* disable_fe_editor */ &story.disable_fe_editor,
                /* pinned */ &story.pinned,
                /* last_version */ &story.last_version,
                /* published_version */ &published_version,
                /* unpublished_changes */ &changed,
                /* created_at */ &story.created_at,
                /* updated_at */ &story.updated_at,
                /* published_at */ &story.published_at(),
                /* first_published_at */ &story.first_published_at,
            ],
        )
        .await
        .map_err(place_taken)?;
    let id = StoryId(row::get(&inserted, "id")?);
    insert_draft(tx, space, id, draft).await?;
    Ok(id)
}

async fn insert_draft(tx: &Tx<'_>, space: SpaceId, id: StoryId, draft: &Edition) -> Result<()> {
    let content = Verbatim(draft.content.clone());
    let meta_data = draft.meta_data.clone().map(Verbatim);
    let params: [&(dyn ToSql + Sync); 9] = [
        /* space_id */ &space.0,
        /* story_id */ &id.0,
        /* name */ &draft.name,
        /* component */ &draft.component,
        /* content */ &content,
        /* tags */ &draft.tags,
        /* sort_by_date */ &draft.sort_by_date,
        /* path */ &draft.path,
        /* meta_data */ &meta_data,
    ];
    tx.execute_one(
        "edition.insert",
        "insert into editions (space_id, edition, story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder,
                               component, content, tags, sort_by_date, path, meta_data, group_id, created_at, updated_at,
                               published_at, first_published_at)
         select space_id, 'draft', id, uuid, $3, slug, full_slug, parent_id, position, is_startpage, is_folder,
                $4, $5, $6, $7, $8, $9, group_id, created_at, updated_at, published_at, first_published_at
         from stories where space_id = $1 and id = $2",
        &params,
    )
    .await
}

/// Writes a story's state and the draft beside it. Placement is [`super::tree`]'s business, and not touched here.
pub async fn save(tx: &Tx<'_>, space: SpaceId, story: &Story, draft: &Edition) -> Result<()> {
    let (published_version, changed) = publication(story);
    tx.execute_one(
        "story.save",
        "update stories set default_root = $3, disable_fe_editor = $4, pinned = $5, last_version = $6, published_version = $7,
                unpublished_changes = $8, updated_at = $9, published_at = $10, first_published_at = $11
         where space_id = $1 and id = $2",
        &[
            /* space_id */ &space.0,
            /* id */ &story.id.0,
            /* default_root */ &story.default_root,
            /* disable_fe_editor */ &story.disable_fe_editor,
            /* pinned */ &story.pinned,
            /* last_version */ &story.last_version,
            /* published_version */ &published_version,
            /* unpublished_changes */ &changed,
            /* updated_at */ &story.updated_at,
            /* published_at */ &story.published_at(),
            /* first_published_at */ &story.first_published_at,
        ],
    )
    .await?;
    tx.execute_one(
        "edition.save",
        "update editions set name = $3, component = $4, content = $5, tags = $6, sort_by_date = $7, path = $8, meta_data = $9,
                updated_at = $10, published_at = $11, first_published_at = $12
         where space_id = $1 and edition = 'draft' and story_id = $2",
        &[
            /* space_id */ &space.0,
            /* story_id */ &story.id.0,
            /* name */ &draft.name,
            /* component */ &draft.component,
            /* content */ &Verbatim(draft.content.clone()),
            /* tags */ &draft.tags,
            /* sort_by_date */ &draft.sort_by_date,
            /* path */ &draft.path,
            /* meta_data */ &draft.meta_data.clone().map(Verbatim),
            /* updated_at */ &story.updated_at,
            /* published_at */ &story.published_at(),
            /* first_published_at */ &story.first_published_at,
        ],
    )
    .await
}

/// Makes the draft edition the published one.
pub async fn publish(tx: &Tx<'_>, space: SpaceId, id: StoryId) -> Result<()> {
    tx.execute(
        "delete from editions where space_id = $1 and edition = 'published' and story_id = $2",
        &[/* space_id */ &space.0, /* story_id */ &id.0],
    )
    .await?;
    tx.execute_one(
        "edition.publish",
        "insert into editions (space_id, edition, story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder,
                               component, content, tags, sort_by_date, path, meta_data, group_id, created_at, updated_at,
                               published_at, first_published_at)
         select space_id, 'published', story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder,
                component, content, tags, sort_by_date, path, meta_data, group_id, created_at, updated_at,
                published_at, first_published_at
         from editions where space_id = $1 and edition = 'draft' and story_id = $2",
        &[/* space_id */ &space.0, /* story_id */ &id.0],
    )
    .await
}

/// Removes the published edition.
pub async fn unpublish(tx: &Tx<'_>, space: SpaceId, id: StoryId) -> Result<()> {
    tx.execute_one(
        "edition.unpublish",
        "delete from editions where space_id = $1 and edition = 'published' and story_id = $2",
        &[/* space_id */ &space.0, /* story_id */ &id.0],
    )
    .await
}

/// `published_version` and `unpublished_changes`.
fn publication(story: &Story) -> (Option<i32>, bool) {
    match story.publication {
        Publication::Draft => (None, false),
        Publication::Published { version, changed, .. } => (Some(version), changed),
    }
}

/// The unique index on full slugs, in the words of the API.
pub(crate) fn place_taken(error: Error) -> Error {
    if error.constraint() == Some("stories_full_slug") { slug::taken().into() } else { error }
}
