//! Which translations of a story are published.
//!
//! A Storyblok space may publish each translation by itself. A published story then says nothing about its
//! translations: each may be unpublished, or published in a version before its last changes. A translation
//! that is not known to be public is not published here.

use super::record::{self, TranslatedSlug, TranslatedStory};
use crate::content::{language, localize::MARK};
use serde_json::Value;
use std::collections::BTreeSet;

/// The state of a story's translations, as the source reports it.
#[derive(Debug, Clone, Copy)]
pub struct Translations<'a> {
    /// Slugs and names by language.
    pub slugs: &'a [TranslatedSlug],
    /// Publication states by language.
    pub states: &'a [TranslatedStory],
    /// Whether the space publishes each translation by itself; a translation without a state is then
    /// unpublished.
    pub is_by_language: bool,
}

impl record::Story {
    /// The state of its translations.
    pub fn translations(&self) -> Translations<'_> {
        let (slugs, states) = (&self.translated_slugs, &self.translated_stories);
        Translations { slugs, states, is_by_language: self.is_by_language }
    }
}

impl Translations<'_> {
    /// The languages in which the public version differs from the draft, or does not exist, although the
    /// story is published without later changes. Languages are spelled as in field names (`pt_br`).
    pub fn differing_languages(self, draft: &Value) -> BTreeSet<String> {
        if !self.are_individual() {
            return BTreeSet::new();
        }
        languages(draft).into_iter().filter(|language| !self.is_same_as_draft(language)).collect()
    }

    /// Whether translations have states of their own; otherwise all are published with their story.
    pub fn are_individual(self) -> bool {
        self.is_by_language || !self.states.is_empty() || self.slugs.iter().any(|slug| slug.published == Some(false))
    }

    fn is_same_as_draft(self, suffix: &str) -> bool {
        if let Some(state) = self.states.iter().find(|state| language::suffix(&state.lang) == suffix) {
            return state.published_at.as_ref().is_some_and(|published_at| !published_at.is_empty()) && !state.unpublished_changes;
        }
        let is_published = self.slugs.iter().find(|slug| language::suffix(&slug.lang) == suffix).and_then(|slug| slug.published);
        is_published.unwrap_or(!self.is_by_language)
    }
}

/// The languages of the translated fields in a content tree, spelled as in field names.
pub fn languages(content: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(content, &mut found);
    found
}

fn collect(content: &Value, found: &mut BTreeSet<String>) {
    match content {
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Object(object) => {
            for (name, value) in object {
                if let Some((_, suffix)) = name.split_once(MARK).filter(|(_, suffix)| !found.contains(*suffix)) {
                    found.insert(suffix.to_owned());
                }
                collect(value, found);
            }
        }
        _ => {}
    }
}

/// A copy of the content tree without the fields of these languages.
pub fn without_languages(content: &Value, hidden: &BTreeSet<String>) -> Value {
    let is_shown = |name: &str| name.split_once(MARK).is_none_or(|(_, suffix)| !hidden.contains(suffix));
    match content {
        Value::Object(object) => {
            let shown = object.iter().filter(|(name, _)| is_shown(name));
            Value::Object(shown.map(|(name, value)| (name.clone(), without_languages(value, hidden))).collect())
        }
        Value::Array(items) => items.iter().map(|item| without_languages(item, hidden)).collect(),
        plain => plain.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::{TranslatedSlug, TranslatedStory, Translations, languages, without_languages};
    use serde_json::json;

    #[test]
    fn what_is_not_known_to_be_seen_by_readers_is_not_as_drafted() {
        let draft =
            json!({"component": "page", "a__i18n__de": 1, "b": [{"c__i18n__pt_br": 2, "c__i18n__fr": 3}], "d__i18n__it": 4});
        assert_eq!(languages(&draft).into_iter().collect::<Vec<_>>(), ["de", "fr", "it", "pt_br"]);
        let slug = |lang: &str, published| TranslatedSlug { lang: lang.into(), published, ..TranslatedSlug::default() };
        let state = |lang: &str, at: Option<&str>, unpublished_changes| TranslatedStory {
            lang: lang.into(),
            published_at: at.map(str::to_owned),
            unpublished_changes,
        };
        let slugs = [slug("de", Some(false)), slug("fr", Some(true)), slug("pt-br", None)];
        let states = [state("de", Some("2026-01-01"), false), state("fr", Some("2026-01-01"), true), state("it", None, false)];
        for (slugs, states, is_by_language, hidden) in [
            (&[][..], &[][..], false, &[][..]),
            (&[], &[], true, &["de", "fr", "it", "pt_br"]),
            (&slugs, &[], false, &["de"]),
            (&slugs, &[], true, &["de", "it", "pt_br"]),
            (&slugs, &states, false, &["fr", "it"]),
            (&slugs, &states, true, &["fr", "it", "pt_br"]),
        ] {
            let differing = Translations { slugs, states, is_by_language }.differing_languages(&draft);
            assert_eq!(differing.into_iter().collect::<Vec<_>>(), hidden, "{slugs:?} {states:?} {is_by_language}");
        }
    }

    #[test]
    fn a_tree_loses_the_fields_of_hidden_languages_wherever_they_stand() {
        let tree = json!({"a": 1, "a__i18n__de": 2, "b": [{"c": 3, "c__i18n__de": 4, "c__i18n__fr": 5}]});
        let shown = json!({"a": 1, "b": [{"c": 3, "c__i18n__fr": 5}]});
        assert_eq!(without_languages(&tree, &["de".to_owned()].into()), shown);
    }
}
