//! The queries of the Delivery API. Nothing here writes.
//!
//! A page of stories, its total and the stories that it refers to are one statement: [`stories`] puts it together from `select` (conditions,
//! order, total), [`relations`] (what the stories refer to) and the columns of [`story`].

pub mod links;
pub mod read_access;
pub mod relations;
mod select;
pub mod stories;
pub mod story;
pub mod tags;
mod terms;

/// Which version of the content is read. The table `editions` has a row for each version of a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContentVersion {
    /// The newest saved content, for authors.
    Draft,
    /// The content that was last published.
    Published,
}

impl ContentVersion {
    /// The name in the API and in the type `edition_kind` of the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Published => "published",
        }
    }
}
