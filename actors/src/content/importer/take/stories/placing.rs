//! Where stories are to stand.

use crate::content::importer::{
    memory::Memory,
    take::{Hand, Item, Subject, Taken, unreadable},
};
use crypto::digest;
use domain::{
    content::{
        import::{Finding, Kind, prepare},
        slug,
        story::Edition,
    },
    shared::StoryId,
};
use jiff::Timestamp;
use std::borrow::Cow;

/// A story with the place that it is to have.
pub(in crate::content::importer::take) struct Placed<'a> {
    pub(in crate::content::importer::take) story: &'a prepare::Story,
    pub(in crate::content::importer::take) id: i64,
    pub(in crate::content::importer::take) parent: StoryId,
    pub(in crate::content::importer::take) full_slug: String,
    pub(super) print: [u8; 16],
    pub(super) is_known: bool,
}

/// Where a story stands that nobody moved: a folder above it that is to be moved is still where it was in a dry run.
pub(super) fn stands<'a>(it: &'a Placed<'_>, hand: &Hand<'_>, memory: &Memory) -> Cow<'a, str> {
    let above = memory.stood.get(&it.parent.0).filter(|_| hand.ctx().is_none()).map(String::as_str);
    match above.map(|above| slug::full_slug(Some(above), &it.story.slug, it.story.is_startpage)) {
        Some(Ok(path)) => path.into(),
        _ => it.full_slug.as_str().into(),
    }
}

/// Those that have a place to stand in.
pub(super) fn placed<'a>(kind: Kind, memory: &Memory, items: &[&'a Item], taken: &mut Taken) -> Vec<Placed<'a>> {
    let mut placed = Vec::with_capacity(items.len());
    for item in items {
        let story = match &item.subject {
            Subject::Story(Ok(story)) => &**story,
            Subject::Story(Err(finding)) => {
                taken.fail(finding.clone());
                continue;
            }
            subject @ (Subject::Record(_) | Subject::Asset(..)) => {
                unreadable(kind, subject, taken);
                continue;
            }
        };
        let finding = |code: &str, message: &str| Finding::new(code, kind, story.source_id, &story.slug, message);
        let above = taken.folder(memory, story.parent);
        if above.is_none() && story.parent != 0 {
            taken.fail(finding("folderMissing", "the folder it stands in was not imported"));
            continue;
        }
        let full_slug = match slug::full_slug(above.as_ref().map(|above| above.full_slug.as_str()), &story.slug, story.is_startpage)
        {
            Ok(full_slug) => full_slug,
            Err(fault) => {
                taken.refuse(kind, story.source_id, &story.slug, &fault);
                continue;
            }
        };
        let Some(known) = memory.known(kind, story.source_id) else {
            taken.skip(finding("late", "it was made at the source while the import was running: the next import brings it"));
            continue;
        };
        story.warnings.iter().for_each(|warning| taken.warn(warning.clone()));
        story.broken.iter().for_each(|b| taken.report.broken_references.add(b.clone()));
        taken.report.urls_in_text += story.urls_in_text;
        let parent = StoryId(above.map_or(0, |above| above.id));
        let print = print(story, parent);
        placed.push(Placed { story, id: known.id, parent, full_slug, print, is_known: known.fingerprint == Some(print) });
    }
    placed
}

/// The fingerprint of what is stored.
fn print(story: &prepare::Story, parent: StoryId) -> [u8; 16] {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let time = |value: &Option<Timestamp>| value.map(|value| value.to_string()).unwrap_or_default();
    let mut parts = vec![
        story.uuid.to_string(),
        story.group_id.to_string(),
        parent.to_string(),
        format!("{} {} {} {}", story.is_folder, story.is_startpage, story.disable_fe_editor, story.pinned),
        format!("{}", story.is_published_unseen),
        story.slug.clone(),
        story.position.to_string(),
        text(&story.default_root),
        time(&story.created_at),
        time(&story.updated_at),
        time(&story.first_published_at),
        format!("{} {} {:?}", time(&story.plan.publish_at), time(&story.plan.expire_at), story.schedulings),
    ];
    let mut edition = |value: &Edition| {
        parts.extend([value.name.clone(), value.content.get().to_owned(), value.tags.join("\n"), text(&value.path)]);
        parts.push(value.sort_by_date.map(|value| value.to_string()).unwrap_or_default());
        parts.push(value.meta_data.as_ref().map(|value| value.get().to_owned()).unwrap_or_default());
    };
    edition(&story.draft.edition);
    if let Some(published) = &story.published {
        if let Some(version) = &published.differs {
            edition(&version.edition);
        }
        parts.push(format!("published {}", time(&published.at)));
    }
    for it in &story.translations {
        parts.extend([it.lang.clone(), text(&it.slug), text(&it.name)]);
    }
    digest::of_parts(parts.iter().map(String::as_bytes))
}
