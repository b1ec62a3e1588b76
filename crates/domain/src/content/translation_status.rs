//! How far a story is translated: which fields miss a translation, and which translations are older than the
//! default language's value that they translate.
//!
//! ```text
//! a write    the drafts before and after -> OutdatedTranslations    kept with the story; what was never written here counts as up to date
//!            the draft, the schemas -> TranslationCounts            kept with it, and void when a schema of the space has changed
//! a read     the draft, the schemas, OutdatedTranslations -> a TranslationStatus for each language; a list has the counts
//! ```

mod counts;
mod outdated;
mod survey;

pub use counts::{KeptTranslations, TranslationCounts};
pub use outdated::{Digest, OutdatedTranslations};
pub use survey::{FieldPlace, TranslationStatus, count, survey};
