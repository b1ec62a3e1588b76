//! Which translations of a published story are published.

use super::{Publication, Story};
use crate::{
    content::{Language, language_selection::LanguageSelection},
    shared::{Fault, FieldCode},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The translations that are published, by the code of their language.
pub type PublishedTranslations = BTreeMap<String, PublishedTranslation>;

/// When a translation was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedTranslation {
    /// The time of its last publish.
    pub published_at: Timestamp,
    /// The time of its first publish.
    pub first_published_at: Timestamp,
}

impl Story {
    /// The translations that are published, of a space with these languages. Unless some were published on
    /// their own, these are all when the story is published.
    pub fn published_translations(&self, languages: &[Language]) -> PublishedTranslations {
        match (&self.translations, self.published_at()) {
            (_, None) => PublishedTranslations::new(),
            (Some(translations), _) => translations.clone(),
            (None, Some(published_at)) => {
                let first_published_at = self.first_published_at.unwrap_or(published_at);
                let all = PublishedTranslation { published_at, first_published_at };
                languages.iter().map(|language| (language.code.clone(), all)).collect()
            }
        }
    }

    /// The story after some of its languages were published as a version; `differs` says whether the draft
    /// still differs from what is published. 422 on `lang` while the default language is not published and is
    /// not to be: the translations are part of its tree.
    pub fn publish_languages(
        self,
        selection: &LanguageSelection,
        languages: &[Language],
        (version, at): (i32, Timestamp),
        differs: bool,
    ) -> Result<Self, Fault> {
        if selection.are_all(languages) {
            return self.publish(version, at);
        }
        let mut translations = self.published_translations(languages);
        for code in selection.codes() {
            let first_published_at = translations.get(code).map_or(at, |before| before.first_published_at);
            translations.insert(code.clone(), PublishedTranslation { published_at: at, first_published_at });
        }
        let mut story = match self.publication {
            _ if selection.has_default => self.publish(version, at)?,
            Publication::Published { at, .. } => {
                Self { publication: Publication::Published { version, at, changed: differs }, last_version: version, ..self }
            }
            Publication::Draft => {
                return Err(Fault::invalid(
                    "lang",
                    FieldCode::DefaultNotPublished,
                    "must name [default], which is not published yet",
                ));
            }
        };
        if let Publication::Published { changed, .. } = &mut story.publication {
            *changed = differs;
        }
        story.translations = Some(translations);
        Ok(story)
    }

    /// The story after translations were unpublished by a version. 422 when it is not published, and for the
    /// default language, whose tree the others are part of.
    pub fn unpublish_languages(
        self,
        selection: &LanguageSelection,
        languages: &[Language],
        version: i32,
        differs: bool,
    ) -> Result<Self, Fault> {
        if selection.has_default {
            let message = "cannot name [default] while other languages are published: without lang the whole story is unpublished";
            return Err(Fault::invalid("lang", FieldCode::Default, message));
        }
        let mut translations = self.published_translations(languages);
        translations.retain(|code, _| !selection.codes().any(|named| named == code));
        let Publication::Published { at, .. } = self.publication else {
            return Err(Fault::invalid("base", FieldCode::NotPublished, "The story is not published"));
        };
        let publication = Publication::Published { version, at, changed: differs };
        Ok(Self { publication, last_version: version, translations: Some(translations), ..self })
    }
}
