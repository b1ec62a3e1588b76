//! What is published of a story in each language.
//!
//! A space of the hosted service may publish each translation by itself. Then that a story is published says nothing of its translations: each
//! may be unpublished, or published as it was before its last changes. Whatever is not known to be what readers see is not published here.

use super::record::{self, TranslatedSlug, TranslatedStory};
use crate::content::language;
use serde_json::Value;
use std::collections::BTreeSet;

/// What stands between a field and the language of its translation.
const MARK: &str = "__i18n__";

/// What a source says of the translations of a story.
#[derive(Debug, Clone, Copy)]
pub struct Translations<'a> {
    /// Their slugs and names.
    pub slugs: &'a [TranslatedSlug],
    /// Their states.
    pub states: &'a [TranslatedStory],
    /// Whether each is published by itself: one of which nothing is said is not.
    pub is_by_language: bool,
}

impl record::Story {
    /// What is said of its translations.
    pub fn translations(&self) -> Translations<'_> {
        let (slugs, states) = (&self.translated_slugs, &self.translated_stories);
        Translations { slugs, states, is_by_language: self.is_by_language }
    }
}

impl Translations<'_> {
    /// The languages of a draft in which readers see something else, or nothing, though the story is published and its draft has not moved on: as they
    /// stand in the names of fields.
    pub fn not_as_drafted(self, draft: &Value) -> BTreeSet<String> {
        if !self.are_single() {
            return BTreeSet::new();
        }
        languages(draft).into_iter().filter(|language| !self.is_as_drafted(language)).collect()
    }

    /// Whether anything is said of single ones: otherwise all are published with their story.
    pub fn are_single(self) -> bool {
        self.is_by_language || !self.states.is_empty() || self.slugs.iter().any(|slug| slug.published == Some(false))
    }

    fn is_as_drafted(self, suffix: &str) -> bool {
        if let Some(state) = self.states.iter().find(|state| language::suffix(&state.lang) == suffix) {
            return state.published_at.as_ref().is_some_and(|published_at| !published_at.is_empty()) && !state.unpublished_changes;
        }
        let said = self.slugs.iter().find(|slug| language::suffix(&slug.lang) == suffix).and_then(|slug| slug.published);
        said.unwrap_or(!self.is_by_language)
    }
}

/// The languages that a tree has fields in, as they stand in their names.
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

/// The tree without its fields in these languages.
pub fn without(content: &Value, hidden: &BTreeSet<String>) -> Value {
    let is_shown = |name: &str| name.split_once(MARK).is_none_or(|(_, suffix)| !hidden.contains(suffix));
    match content {
        Value::Object(object) => {
            let shown = object.iter().filter(|(name, _)| is_shown(name));
            Value::Object(shown.map(|(name, value)| (name.clone(), without(value, hidden))).collect())
        }
        Value::Array(items) => items.iter().map(|item| without(item, hidden)).collect(),
        plain => plain.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::{TranslatedSlug, TranslatedStory, Translations, languages, without};
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
            let said = Translations { slugs, states, is_by_language }.not_as_drafted(&draft);
            assert_eq!(said.into_iter().collect::<Vec<_>>(), hidden, "{slugs:?} {states:?} {is_by_language}");
        }
    }

    #[test]
    fn a_tree_loses_the_fields_of_hidden_languages_wherever_they_stand() {
        let tree = json!({"a": 1, "a__i18n__de": 2, "b": [{"c": 3, "c__i18n__de": 4, "c__i18n__fr": 5}]});
        let shown = json!({"a": 1, "b": [{"c": 3, "c__i18n__fr": 5}]});
        assert_eq!(without(&tree, &["de".to_owned()].into()), shown);
    }
}
