//! Stories as they are stored.

use super::Placed;
use domain::{
    content::{
        import::prepare,
        scheduling::Plan,
        story::{Place, Publication, Story},
    },
    shared::StoryId,
};
use jiff::Timestamp;
use storage::content::imports::stories::{New, Words};

/// A new story as it is stored.
pub(super) fn row<'a>(it: &Placed<'a>, now: Timestamp) -> New<'a> {
    let from = it.story;
    let updated_at = from.updated_at.unwrap_or(now);
    let differs = from.published.as_ref().and_then(|published| published.differs.as_ref());
    let publication = match &from.published {
        None => Publication::Draft,
        Some(published) => {
            Publication::Published { version: 1, at: published.at.unwrap_or(updated_at), changed: differs.is_some() }
        }
    };
    let first_published_at = from.first_published_at.or(match publication {
        Publication::Draft => None,
        Publication::Published { at, .. } => Some(at),
    });
    let story = Story {
        id: StoryId(it.id),
        uuid: from.uuid,
        group_id: from.group_id,
        is_folder: from.is_folder,
        place: place(it),
        default_root: from.default_root.clone(),
        disable_fe_editor: from.disable_fe_editor,
        pinned: from.pinned,
        publication,
        last_version: if from.is_folder { 0 } else { 1 + i32::from(differs.is_some()) },
        created_at: from.created_at.unwrap_or(now),
        updated_at,
        first_published_at,
        plan: plan(from, now),
        deleted_at: None,
    };
    let words = |value: &'a prepare::Version| Words {
        edition: &value.edition,
        search_text: &value.search_text,
        refs: &value.refs,
        fields: &value.fields,
    };
    New {
        story,
        draft: words(&from.draft),
        published: differs.map(words),
        translations: from
            .translations
            .iter()
            .map(|translation| (translation.lang.as_str(), translation.slug.as_deref(), translation.name.as_deref()))
            .collect(),
        schedulings: planned(from, now),
    }
}

/// What is still to come of what it carries itself: the source has done the rest.
pub(in crate::content::importer::take) fn plan(from: &prepare::Story, now: Timestamp) -> Plan {
    let to_come = |at: Option<Timestamp>| at.filter(|at| *at > now);
    Plan { publish_at: to_come(from.plan.publish_at), expire_at: to_come(from.plan.expire_at) }
}

/// When else it is still to be published.
pub(in crate::content::importer::take) fn planned(from: &prepare::Story, now: Timestamp) -> Vec<Timestamp> {
    from.schedulings.iter().copied().filter(|scheduling| *scheduling > now).collect()
}

/// Where it is to stand.
pub(in crate::content::importer::take) fn place(it: &Placed<'_>) -> Place {
    Place {
        parent: it.parent,
        slug: it.story.slug.clone(),
        full_slug: it.full_slug.clone(),
        position: it.story.position,
        is_startpage: it.story.is_startpage,
    }
}
