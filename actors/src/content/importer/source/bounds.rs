//! The codes of sources that send more than an import takes.

use crate::content::importer::end_code::EndCode;
use egress::vendor::Error;

/// The code of what is over a bound; none for other errors.
pub(super) fn code(error: Error) -> Option<EndCode> {
    Some(match error {
        Error::TooLarge | Error::RecordTooLarge => EndCode::SourceTooLarge,
        Error::Endless => EndCode::SourceEndless,
        Error::TooDeep | Error::Encoded => EndCode::SourceUnreadable,
        Error::OverMemory => EndCode::ImportTooLarge,
        _ => return None,
    })
}
