//! How far a draft is translated, in numbers.

use super::OutdatedTranslations;
use crate::content::Language;
use serde::{Deserialize, Serialize};

/// How many fields of a draft are translated into a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranslationCounts {
    /// The code of the language.
    pub language: String,
    /// How many fields there are to translate.
    pub translatable: usize,
    /// How many have no translation.
    pub missing: usize,
    /// How many have one that is older than their default value.
    pub outdated: usize,
}

/// What is kept of the translations of a story.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeptTranslations {
    pub outdated: OutdatedTranslations,
    /// For each language that the space had when they were counted.
    pub counts: Vec<TranslationCounts>,
    /// The revision of the space's schemas that they were counted by.
    pub schemas_revision: i64,
}

impl KeptTranslations {
    /// The counts in these languages; `None` where one of them was not counted, or by other schemas.
    pub fn counts_in(&self, languages: &[Language], schemas_revision: i64) -> Option<Vec<TranslationCounts>> {
        let of = |language: &Language| self.counts.iter().find(|counts| counts.language == language.code).cloned();
        (self.schemas_revision == schemas_revision).then(|| languages.iter().map(of).collect())?
    }
}

#[cfg(test)]
mod tests {
    use super::{KeptTranslations, TranslationCounts};
    use crate::content::Language;

    #[test]
    fn counts_are_void_in_another_language_and_by_other_schemas() {
        let counts = |language: &str| TranslationCounts { language: language.into(), translatable: 3, missing: 1, outdated: 0 };
        let language = |code: &str| Language { code: code.into(), name: "x".into() };
        let kept = KeptTranslations { counts: vec![counts("de"), counts("fr")], schemas_revision: 7, ..Default::default() };
        assert_eq!(kept.counts_in(&[language("fr"), language("de")], 7), Some(vec![counts("fr"), counts("de")]));
        assert_eq!(kept.counts_in(&[language("de")], 7), Some(vec![counts("de")]), "one that the space no longer has");
        assert_eq!(kept.counts_in(&[language("de"), language("it")], 7), None);
        assert_eq!(kept.counts_in(&[language("de")], 8), None);
    }
}
