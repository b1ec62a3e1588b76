//! Translates failures of Storyblok's API into errors of a source.

use crate::content::importer::end_code::EndCode;
use crate::content::importer::source::{SourceError, bounds};
use egress::vendor::Error;

/// Translates a failure of the source for the report.
pub(super) fn failure(error: Error) -> SourceError {
    match error {
        Error::Unauthorized => SourceError::new(EndCode::TokenRejected, "The source does not accept the token"),
        Error::Forbidden => SourceError::new(EndCode::NoAccess, "The token may not read this space at the source"),
        Error::NotFound => {
            SourceError::new(EndCode::SpaceNotFound, "The source has no such space, or the token may not know of it")
        }
        Error::Throttled { .. } => SourceError::new(EndCode::SourceThrottled, "The source refused too often: too many requests"),
        error if bounds::code(error).is_some() => failure_of("answer", error),
        other => SourceError::new(EndCode::SourceFailing, format!("It was tried again and again: {other}")),
    }
}

/// The same for a failure while this was read: it is named where the source sends what cannot be taken.
pub(super) fn failure_of(what: &str, error: Error) -> SourceError {
    match bounds::code(error) {
        Some(code) => SourceError::new(code, format!("The {what} of the source cannot be imported: {error}")),
        None => failure(error),
    }
}
