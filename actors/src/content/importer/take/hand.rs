//! How a page is taken over: written, or only looked at.

use crate::content::Desk;
use domain::shared::SpaceId;
use storage::{Either, Session};

/// The one or the other. Both ask the same questions.
pub(in crate::content::importer) enum Hand<'a> {
    /// In a transaction.
    Writing(&'a Desk<'a>),
    /// In a dry run.
    Looking(&'a Session, SpaceId),
}

impl<'a> Hand<'a> {
    /// The space.
    pub(super) fn space(&self) -> SpaceId {
        match self {
            Self::Writing(desk) => desk.space,
            Self::Looking(_, space) => *space,
        }
    }

    /// What to write with; none in a dry run.
    pub(super) fn desk(&self) -> Option<&'a Desk<'a>> {
        match self {
            Self::Writing(desk) => Some(desk),
            Self::Looking(..) => None,
        }
    }

    /// What to ask.
    pub(super) fn query(&self) -> Either<'a> {
        match self {
            Self::Writing(desk) => Either::Tx(desk.tx),
            Self::Looking(session, _) => Either::Session(session),
        }
    }
}
