//! What the Delivery API reads. Nothing here writes.

pub mod follow;
pub mod links;
pub mod reader;
mod select;
pub mod stories;
pub mod tags;
mod terms;

/// Which copy of the content is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Copy {
    /// What authors see.
    Draft,
    /// What everybody sees.
    Published,
}

impl Copy {
    /// The name on the wire, and of the edition in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Published => "published",
        }
    }
}
