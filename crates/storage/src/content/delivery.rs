//! The queries of the Delivery API. Nothing here writes.
//!
//! A page of stories, its total and the stories that it refers to are one statement: [`stories`] puts it
//! together from `select` (conditions, order, total), [`relations`] (what the stories refer to) and the
//! columns of [`story`].

pub mod links;
pub mod read_access;
pub mod relations;
mod select;
pub mod stories;
pub mod story;
pub mod tags;
mod terms;

pub(super) use select::{condition_text, key_text};

use super::where_builder::WhereBuilder;
use domain::{content::story_scope::StoryScope, shared::SpaceId};
use strum::IntoStaticStr;

/// Which version of the content is read. The table `editions` has a row for each version of a story.
/// Its name is in the API and in the type `edition_kind` of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum ContentVersion {
    /// The newest saved content, for authors.
    Draft,
    /// The content that was last published.
    Published,
}

/// What a read may see: the stories of one version of a space, all of them or those that the token names.
#[derive(Debug, Clone, Copy)]
pub struct ReadScope<'a> {
    pub space: SpaceId,
    pub version: ContentVersion,
    pub stories: &'a StoryScope,
}

impl ReadScope<'_> {
    /// The conditions that `edition` is one of these stories; folders are none.
    fn builder(&self) -> WhereBuilder {
        let mut builder = self.of_version();
        self.restrict(&mut builder);
        builder
    }

    /// The conditions that `edition` is a story of this version. `$1` and `$2` are the space and the version
    /// in all parts of a statement.
    fn of_version(&self) -> WhereBuilder {
        let mut builder = WhereBuilder::new();
        builder.and("edition.space_id = {}", self.space.0);
        builder.and("edition.edition = {}::text::edition_kind and not edition.is_folder", self.version.into_str());
        builder
    }

    /// Adds the condition that `edition` is one of the stories that the token names.
    fn restrict(&self, builder: &mut WhereBuilder) {
        if let Some(ids) = self.stories.ids() {
            builder.and("edition.story_id = any({})", ids);
        }
    }
}
