//! The steps that writes of stories share.

use super::{TranslationOf, TranslationPatch, Written};
use crate::content::command::CommandContext;
use domain::{
    content::{
        Changes,
        slug::{self, Slug},
        story::{Story, clean_name},
    },
    shared::{Fault, StoryId},
};
use storage::{
    Result,
    content::stories::{
        read::{self, Found},
        translations,
        tree::{self, Folder, Touched},
        versions::{self, Signature, Status},
    },
};

/// A story that is not deleted. 404 otherwise.
pub(super) async fn present(ctx: &CommandContext<'_>, id: StoryId) -> Result<Found> {
    match read::find(ctx.tx, ctx.space, id).await? {
        Some(found) if found.story.deleted_at.is_none() => Ok(found),
        _ => Err(Fault::not_found().into()),
    }
}

/// The story as it is now.
pub(super) async fn written(ctx: &CommandContext<'_>, id: StoryId) -> Result<Written> {
    let found = read::find(ctx.tx, ctx.space, id).await?.ok_or_else(Fault::not_found)?;
    let surroundings = read::surroundings(ctx.tx, ctx.space, &found.story).await?;
    Ok(Written { found, surroundings })
}

/// The folder that something is to stand in; `None` is the root. 422 on `parent_id` when it is no folder of this space.
pub(super) async fn folder(ctx: &CommandContext<'_>, parent: StoryId) -> Result<Option<Folder>> {
    if parent == StoryId::ROOT {
        return Ok(None);
    }
    match tree::find_folder(ctx.tx, ctx.space, parent).await? {
        Some(folder) if folder.is_folder => Ok(Some(folder)),
        Some(_) => Err(Fault::invalid("parent_id", "notAFolder", "must be a folder").into()),
        None => Err(Fault::invalid("parent_id", "unknown", "must exist").into()),
    }
}

/// Where a story is to stand. `None` keeps what is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Destination<'a> {
    pub(super) parent: Option<StoryId>,
    pub(super) slug: Option<&'a str>,
    pub(super) position: Option<i32>,
    pub(super) is_startpage: Option<bool>,
}

/// Puts a story where it is to stand and moves everything below it along. Answers the story and what moved, itself first.
pub(super) async fn place(ctx: &CommandContext<'_>, mut story: Story, to: Destination<'_>) -> Result<(Story, Vec<Touched>)> {
    let old = story.place.clone();
    if let Some(slug) = to.slug {
        Slug::parse(slug)?.as_str().clone_into(&mut story.place.slug);
    }
    story.place.is_startpage = to.is_startpage.unwrap_or(old.is_startpage);
    if story.is_folder && story.place.is_startpage {
        return Err(Fault::invalid("is_startpage", "folder", "cannot be set on a folder").into());
    }
    story.place.parent = to.parent.unwrap_or(old.parent);
    let folder = folder(ctx, story.place.parent).await?;
    let above = folder.as_ref().map(|folder| folder.full_slug.as_str());
    let into_itself = above.is_some_and(|above| above == old.full_slug || above.starts_with(&format!("{}/", old.full_slug)));
    if story.is_folder && into_itself {
        return Err(Fault::invalid("parent_id", "cycle", "must not be the folder itself or below it").into());
    }
    story.place.full_slug = slug::full_slug(above, &story.place.slug, story.place.is_startpage)?;
    story.place.position = match to.position {
        Some(position) => position,
        None if story.place.parent == old.parent => old.position,
        None => tree::first_position(ctx.tx, ctx.space, story.place.parent).await?,
    };
    tree::place(ctx.tx, ctx.space, &story).await?;
    if story.place.full_slug == old.full_slug {
        return Ok((story, Vec::new()));
    }
    let mut moved = vec![Touched {
        id: story.id,
        uuid: story.uuid,
        full_slug: story.place.full_slug.clone(),
        old_full_slug: old.full_slug.clone(),
        published: story.is_published(),
    }];
    if story.is_folder {
        moved.extend(tree::move_below(ctx.tx, ctx.space, &old.full_slug, &story.place.full_slug).await?);
    }
    translations::refresh_paths(ctx.tx, ctx.space, &story).await?;
    Ok((story, moved))
}

/// Writes slugs and names in other languages. 422 on `translated_slugs_attributes` when one is no slug or no name, or is not there.
pub(super) async fn translate(ctx: &CommandContext<'_>, story: &Story, patches: &[TranslationPatch]) -> Result<()> {
    for patch in patches {
        let old = translations::of_story(ctx.tx, ctx.space, story.id).await?;
        let old = old.into_iter().find(|o| match &patch.of {
            TranslationOf::Language(lang) => o.lang == *lang,
            TranslationOf::Number(id) => o.id == *id,
        });
        let lang = match (&patch.of, &old) {
            (TranslationOf::Language(lang), _) => lang,
            (TranslationOf::Number(_), Some(old)) => &old.lang,
            (TranslationOf::Number(id), None) => return Err(untranslatable("unknown", format!("has no entry {id}")).into()),
        };
        if patch.destroy {
            translations::remove(ctx.tx, ctx.space, story.id, lang).await?;
            continue;
        }
        let (old_slug, old_name) = old.as_ref().map(|old| (old.slug.clone(), old.name.clone())).unwrap_or_default();
        let wrong = |what| untranslatable("invalid", format!("has an invalid {what} for {lang}"));
        let slug = match patch.slug.clone().unwrap_or(old_slug).filter(|u| !u.trim().is_empty()) {
            Some(slug) => Some(Slug::parse(&slug).map_err(|_| wrong("slug"))?),
            None => None,
        };
        let name = match patch.name.clone().unwrap_or(old_name).filter(|u| !u.trim().is_empty()) {
            Some(name) => Some(clean_name(&name).map_err(|_| wrong("name"))?),
            None => None,
        };
        translations::put(ctx.tx, ctx.space, story.id, lang, slug.as_ref().map(Slug::as_str), name.as_deref()).await?;
    }
    if !patches.is_empty() {
        translations::refresh_paths(ctx.tx, ctx.space, story).await?;
    }
    Ok(())
}

fn untranslatable(code: &'static str, message: String) -> Fault {
    Fault::invalid("translated_slugs_attributes", code, message)
}

/// Adds the version that a save, publish or unpublish makes.
pub(super) async fn add_version(ctx: &CommandContext<'_>, found: &Found, status: Status) -> Result<()> {
    let by = Signature { author_id: &ctx.actor.id, author: &ctx.actor.label, at: ctx.now };
    versions::insert(ctx.tx, ctx.space, found.story.id, found.story.last_version, status, &found.draft, by).await
}

/// One audit entry about a story.
pub(super) fn audited(action: &'static str, found: &Found) -> Changes {
    Changes::default().and_audit(
        action,
        "story",
        found.story.id,
        found.draft.name.clone(),
        serde_json::json!({ "full_slug": found.story.place.full_slug }),
    )
}
