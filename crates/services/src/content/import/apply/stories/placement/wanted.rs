//! Where a story of the source belongs here.

use crate::content::import::{
    apply::ChunkOutcome,
    state::{Folder, ImportState, is_same_path},
};
use domain::content::{
    import::{SourceId, record::Story},
    slug,
};

/// The path that a listed story wants, before it is read.
pub(in crate::content::import::apply::stories) struct Wanted {
    pub(in crate::content::import::apply::stories) full_slug: String,
    /// Whether the source knows it by this path.
    pub(in crate::content::import::apply::stories) is_known: bool,
}

/// The path that a listed story wants; `None` if it cannot be here.
pub(in crate::content::import::apply::stories) fn wanted(
    state: &ImportState,
    outcome: &ChunkOutcome,
    id: SourceId<Story>,
) -> Option<Wanted> {
    let listed = state.source_stories.get(id)?;
    let (folder, is_misplaced) = match find_parent(state, outcome, id, listed.parent) {
        Parent::Folder(folder) => (folder, false),
        Parent::None(_) => (None, true),
    };
    let (slug, has_known_slug) = listed.slug();
    let above = folder.as_ref().map(|folder| folder.full_slug.as_str());
    let full_slug = slug::full_slug(above, &slug, listed.is_startpage && !listed.is_folder).ok()?;
    let has_own_path = listed.full_slug.as_deref().is_some_and(|path| is_same_path(path, &full_slug));
    Some(Wanted { is_known: (has_known_slug && !is_misplaced) || has_own_path, full_slug })
}

/// The folder of a story.
pub(super) enum Parent {
    /// This folder, or the top.
    Folder(Option<Folder>),
    /// The top, because the folder of the source cannot be here.
    None(&'static str),
}

/// The folder of a story of the source, given by their ids there. Folders come before what is in them: one
/// that is not here by now does not come.
pub(super) fn find_parent(state: &ImportState, outcome: &ChunkOutcome, id: SourceId<Story>, parent: SourceId<Story>) -> Parent {
    if state.source_stories.is_in_circle(id) {
        return Parent::None("its folder stands in it at the source");
    }
    if parent == SourceId::NONE {
        return Parent::Folder(None);
    }
    if let Some(folder) = outcome.folder(state, parent) {
        let stands_in_it = outcome.folder(state, id).is_some_and(|own| own.is_or_holds(&folder.full_slug));
        return if stands_in_it { Parent::None("its folder stands in it here") } else { Parent::Folder(Some(folder)) };
    }
    match state.source_stories.get(parent) {
        _ if outcome.is_trashed(state, parent) => Parent::None("its folder was deleted here"),
        Some(listed) if listed.is_folder => Parent::None("its folder could not be imported"),
        Some(_) => Parent::None("what it stands in at the source is a story"),
        None => Parent::None("the source does not have its folder"),
    }
}
