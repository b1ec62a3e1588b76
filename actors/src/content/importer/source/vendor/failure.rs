//! Translates failures of Storyblok's API into errors of a source.

use crate::content::importer::source::SourceError;
use egress::vendor::Error;

/// Translates a failure of the source for the report.
pub(super) fn failure(error: Error) -> SourceError {
    match error {
        Error::Unauthorized => SourceError::new("tokenRejected", "The source does not accept the token"),
        Error::Forbidden => SourceError::new("noAccess", "The token may not read this space at the source"),
        Error::NotFound => SourceError::new("spaceNotFound", "The source has no such space, or the token may not know of it"),
        Error::Throttled { .. } => SourceError::new("sourceThrottled", "The source refused too often: too many requests"),
        other => SourceError::new("sourceFailing", format!("It was tried again and again: {other}")),
    }
}
