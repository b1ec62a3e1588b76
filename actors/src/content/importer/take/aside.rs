//! Stories that make room for others.
//!
//! One that stands where another one belongs, and belongs elsewhere itself, is moved to a slug that nobody else wants until its own turn comes. Its
//! turn may not come: the source may not give it, a rule may refuse it, the import may end before. So a row remembers who stands aside, and
//! when an import ends, however that is, those who still do go home, or to the next best place, of which the report tells.

use super::{Hand, Taken, story_update};
use crate::content::importer::memory::{Folder, Memory};
use domain::{
    content::{
        StoryEvent,
        import::{Finding, Kind, Report},
        slug,
        story::Story,
    },
    shared::{Fault, SpaceId, StoryId},
};
use std::collections::HashSet;
use storage::{
    Executor, Result,
    content::{
        imports::{
            asides::{self, Aside},
            stories,
        },
        stories::{read, tree},
    },
};

/// The code of what is told of one that could not go home.
pub(in crate::content::importer) const DISPLACED: &str = "displaced";
/// How many numbers are tried behind a slug.
const NUMBERS: u32 = 100;

/// Moves a story out of the way, with what is below it.
pub(super) async fn step(hand: &Hand<'_>, (id, source_id): (StoryId, i64), memory: &Memory, taken: &mut Taken) -> Result<()> {
    let story = read::find(&hand.query(), hand.space(), id).await?.ok_or_else(Fault::not_found)?.story;
    let aside_slug = format!("moving-{}", story.uuid);
    let (slug, is_startpage) = (story.place.slug.clone(), story.place.is_startpage);
    let aside = Aside { story: id, source_id, slug, is_startpage, aside_slug };
    let Some(ctx) = hand.ctx() else {
        taken.asides.push(aside);
        return Ok(());
    };
    asides::put(ctx.tx, ctx.space, &aside).await?;
    let above = above(ctx.tx, ctx.space, &story).await?.ok_or_else(Fault::not_found)?;
    let full_slug = slug::full_slug(above.as_deref(), &aside.aside_slug, false)?;
    let moved = story_update::stand_at(ctx, story, (&aside.aside_slug, &full_slug, false), &mut taken.events).await?;
    let of = |value: &Folder| Some(Folder { id: value.id, full_slug: moved.get(&value.id)?.clone() });
    taken.folders.extend(memory.folders.iter().filter_map(|(source, folder)| Some((*source, of(folder)?))));
    Ok(())
}

/// What came of those who stood aside.
#[derive(Default)]
pub(in crate::content::importer) struct Settled {
    /// What webhooks are told, if they are.
    pub(in crate::content::importer) events: Vec<StoryEvent>,
    /// Whether anybody moved.
    pub(in crate::content::importer) moved: bool,
}

/// Brings those who still stand aside home, or as near as can be. A dry run looks at those who would have stood aside, too.
pub(in crate::content::importer) async fn settle(hand: &Hand<'_>, dry: Option<&Memory>, report: &mut Report) -> Result<Settled> {
    let mut settled = Settled::default();
    let kept = asides::list(&hand.query(), hand.space()).await?;
    let would = dry.map_or(&[][..], |memory| &memory.asides);
    let is_new = |value: &&Aside| !kept.iter().any(|other| other.story == value.story);
    let none = (HashSet::new(), HashSet::new());
    let (arrived, busy) = dry.map_or((&none.0, &none.1), |memory| (&memory.arrived, &memory.taken));
    for (aside, was_aside) in kept.iter().map(|k| (k, true)).chain(would.iter().filter(is_new).map(|w| (w, false))) {
        let found = read::find(&hand.query(), hand.space(), aside.story).await?.map(|value| value.story);
        let is_aside = |value: &Story| value.deleted_at.is_none() && (!was_aside || value.place.slug == aside.aside_slug);
        let Some(story) = found.filter(is_aside).filter(|f| !arrived.contains(&f.id.0)) else {
            if let Some(ctx) = hand.ctx() {
                asides::remove(ctx.tx, ctx.space, aside.story).await?;
            }
            continue;
        };
        let (place, is_home) = place(hand, &story, aside, busy).await?;
        let (slug, full_slug, is_startpage) = &place;
        if !is_home {
            let kind = if story.is_folder { Kind::Folder } else { Kind::Story };
            let message = format!(
                "it made room for another story and could not come to a place of its own: it stands at {full_slug} now, as number {}",
                story.id
            );
            report.failures.add(Finding::new(DISPLACED, kind, aside.source_id, &aside.slug, message));
        }
        let Some(ctx) = hand.ctx() else { continue };
        if is_home {
            asides::remove(ctx.tx, ctx.space, story.id).await?;
        } else {
            asides::stands(ctx.tx, ctx.space, story.id, slug).await?;
        }
        if story.place.full_slug != *full_slug {
            settled.moved = true;
            story_update::stand_at(ctx, story, (slug, full_slug, *is_startpage), &mut settled.events).await?;
        }
    }
    Ok(settled)
}

/// Slug, path, and whether it is a start page.
type Standing = (String, String, bool);

/// Where one who stands aside can stand, and whether that is at home: there, or else beside it, or else where it is. Nothing here may be refused: an import
/// has to come to its end.
async fn place(hand: &Hand<'_>, story: &Story, aside: &Aside, busy: &HashSet<String>) -> Result<(Standing, bool)> {
    let stay = (story.place.slug.clone(), story.place.full_slug.clone(), story.place.is_startpage);
    let Some(above) = above(&hand.query(), hand.space(), story).await? else { return Ok((stay, false)) };
    let numbered = (2..NUMBERS).map(|number| (format!("{}-{number}", aside.slug), false));
    let wanted = [(aside.slug.clone(), aside.is_startpage), (aside.slug.clone(), false)].into_iter().chain(numbered);
    let wanted: Vec<Standing> = wanted
        .filter_map(|(slug, is_startpage)| {
            let full_slug = slug::full_slug(above.as_deref(), &slug, is_startpage).ok()?;
            Some((slug, full_slug, is_startpage))
        })
        // A longer path may be too long for what is below.
        .filter(|(slug, full_slug, _)| !story.is_folder || *slug == aside.slug || full_slug.len() <= story.place.full_slug.len())
        .collect();
    let paths: Vec<&str> = wanted.iter().map(|w| w.1.as_str()).collect();
    let standing = stories::standing(&hand.query(), hand.space(), &paths, &[], &[]).await?;
    let is_free = |value: &Standing| {
        !busy.contains(&value.1)
            && !standing.iter().any(|other| !other.is_deleted && other.id != story.id.0 && other.full_slug == value.1)
    };
    let home = wanted.first().cloned();
    let place = wanted.into_iter().find(is_free).unwrap_or(stay);
    let is_home = Some(&place) == home.as_ref();
    Ok((place, is_home))
}

/// The path of the folder in which a story stands: none at the root, and nothing at all when it is gone.
async fn above(query: &impl Executor, space: SpaceId, story: &Story) -> Result<Option<Option<String>>> {
    if story.place.parent == StoryId(0) {
        return Ok(Some(None));
    }
    let folder = tree::find_folder(query, space, story.place.parent).await?;
    Ok(folder.map(|folder| Some(folder.full_slug)))
}
