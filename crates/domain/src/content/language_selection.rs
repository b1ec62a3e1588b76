//! Publishing a story in some of its languages, while the others stay as they are published.
//!
//! A story is one tree in which a translated value is beside the default one (`headline__i18n__de`). What is
//! published of it is such a tree as well, so that each language of it can be from another time:
//!
//! ```text
//! draft        headline: "B"   headline__i18n__de: "B de"   headline__i18n__fr: "B fr"
//! published    headline: "A"   headline__i18n__de: "A de"   headline__i18n__fr: "A fr"
//!   publish lang=de          A, B de, A fr
//!   publish lang=[default]   B, A de, A fr         with all that is not translated: name, tags, the blocks themselves
//!   unpublish lang=de        A,       A fr         readers in German get the default
//! ```

use super::{
    Language,
    localize::MARK,
    story::{Edition, StoryContent},
};
use crate::shared::{Fault, FieldCode};
use serde_json::{Map, Value};
use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

/// The name of the default language in a list of languages.
pub const DEFAULT: &str = "[default]";

/// The languages that a request names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageSelection {
    /// Whether the default language is one of them.
    pub has_default: bool,
    codes: BTreeSet<String>,
}

impl LanguageSelection {
    /// Checks codes of languages and `[default]`. 422 on `lang` for one that the space does not have.
    pub fn parse(asked: &[String], languages: &[Language]) -> Result<Self, Fault> {
        let mut selection = Self { has_default: false, codes: BTreeSet::new() };
        for code in asked {
            if code == DEFAULT || code == "default" {
                selection.has_default = true;
            } else if languages.iter().any(|language| language.code == *code) {
                selection.codes.insert(code.clone());
            } else {
                return Err(Fault::invalid(
                    "lang",
                    FieldCode::Unknown,
                    format!("has a language that the space does not have: {code}"),
                ));
            }
        }
        Ok(selection)
    }

    /// The codes of the languages beside the default one.
    pub fn codes(&self) -> impl Iterator<Item = &String> {
        self.codes.iter()
    }

    /// Whether these are all languages of the space.
    pub fn are_all(&self, languages: &[Language]) -> bool {
        self.has_default && languages.iter().all(|language| self.codes.contains(&language.code))
    }

    /// What is published when these languages are taken from the draft, and the others stay as they are
    /// published; `None` stands for a story that is not.
    pub fn published(&self, published: Option<&Edition>, draft: &Edition) -> Result<Edition, Fault> {
        let published_content = published.map(|published| &published.content);
        let suffixes = self.suffixes();
        let is_named = |suffix: &str| suffixes.contains(suffix);
        if self.has_default {
            let other = published_content.map_or(Ok(&Value::Null), StoryContent::tree)?;
            let content = with_translations(draft.content.to_tree()?, other, &|suffix| !is_named(suffix))?;
            return Ok(Edition { content, ..draft.clone() });
        }
        let tree = published_content.map_or(Ok(Value::Null), StoryContent::to_tree)?;
        let content = with_translations(tree, draft.content.tree()?, &is_named)?;
        Ok(Edition { content, ..published.unwrap_or(draft).clone() })
    }

    /// What is still published without these languages.
    pub fn unpublished(&self, published: &Edition) -> Result<Edition, Fault> {
        let suffixes = self.suffixes();
        let content = with_translations(published.content.to_tree()?, &Value::Null, &|suffix| suffixes.contains(suffix))?;
        Ok(Edition { content, ..published.clone() })
    }

    /// The codes as they are in the names of fields.
    fn suffixes(&self) -> BTreeSet<String> {
        self.codes.iter().map(|code| code.replace('-', "_")).collect()
    }
}

/// The languages, of these, whose translations in the two trees differ.
pub fn differing<'a>(one: &StoryContent, other: &StoryContent, languages: &'a [Language]) -> Result<BTreeSet<&'a str>, Fault> {
    let (mut of_one, mut of_other) = (Translations::new(), Translations::new());
    collect_translations(one.tree()?, "", &mut of_one);
    collect_translations(other.tree()?, "", &mut of_other);
    let of = |language: &&Language| {
        let suffix = language.code.replace('-', "_");
        of_one.get(suffix.as_str()) != of_other.get(suffix.as_str())
    };
    Ok(languages.iter().filter(of).map(|language| language.code.as_str()).collect())
}

/// The translated values by the suffix of their language, and then by block and field.
type Translations<'a> = HashMap<&'a str, HashMap<(&'a str, &'a str), &'a Value>>;

fn collect_translations<'a>(node: &'a Value, block: &'a str, found: &mut Translations<'a>) {
    match node {
        Value::Array(items) => items.iter().for_each(|item| collect_translations(item, block, found)),
        Value::Object(object) => {
            let block = uid(object).unwrap_or(block);
            for (key, value) in object {
                match key.split_once(MARK) {
                    Some((field, suffix)) => {
                        found.entry(suffix).or_default().insert((block, field), value);
                    }
                    None => collect_translations(value, block, found),
                }
            }
        }
        _ => {}
    }
}

/// The tree with its translations into some languages replaced by those of the same blocks in another tree.
fn with_translations(mut tree: Value, other: &Value, is_replaced: &dyn Fn(&str) -> bool) -> Result<StoryContent, Fault> {
    let mut blocks = HashMap::new();
    collect_blocks(other, &mut blocks);
    replace(&mut tree, &blocks, is_replaced);
    StoryContent::of(Arc::new(tree))
}

/// The blocks of a tree by their `_uid`.
fn collect_blocks<'a>(node: &'a Value, blocks: &mut HashMap<&'a str, &'a Map<String, Value>>) {
    match node {
        Value::Array(items) => items.iter().for_each(|item| collect_blocks(item, blocks)),
        Value::Object(object) => {
            if let Some(uid) = uid(object) {
                blocks.insert(uid, object);
            }
            object.values().for_each(|value| collect_blocks(value, blocks));
        }
        _ => {}
    }
}

fn replace(node: &mut Value, blocks: &HashMap<&str, &Map<String, Value>>, is_replaced: &dyn Fn(&str) -> bool) {
    match node {
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, blocks, is_replaced)),
        Value::Object(object) => {
            let is_of = |key: &str| key.split_once(MARK).is_some_and(|(_, suffix)| is_replaced(suffix));
            object.retain(|key, _| !is_of(key));
            if let Some(other) = uid(object).and_then(|uid| blocks.get(uid)) {
                for (key, value) in other.iter().filter(|(key, _)| is_of(key)) {
                    object.insert(key.clone(), value.clone());
                }
            }
            // A translated value belongs to its language as a whole.
            let untranslated = object.iter_mut().filter(|(key, _)| !key.contains(MARK));
            untranslated.for_each(|(_, value)| replace(value, blocks, is_replaced));
        }
        _ => {}
    }
}

fn uid(block: &Map<String, Value>) -> Option<&str> {
    block.get("_uid")?.as_str()
}

#[cfg(test)]
mod tests {
    use super::{Edition, Language, LanguageSelection, StoryContent, differing};
    use serde_json::{Value, json};
    use std::sync::Arc;

    fn languages() -> Vec<Language> {
        ["de", "pt-br"].map(|code| Language { code: code.into(), name: "x".into() }).to_vec()
    }

    fn some(asked: &[&str]) -> LanguageSelection {
        let asked: Vec<String> = asked.iter().map(|code| (*code).to_owned()).collect();
        LanguageSelection::parse(&asked, &languages()).unwrap()
    }

    fn edition(name: &str, content: &Value) -> Edition {
        Edition {
            name: name.into(),
            component: Some("page".into()),
            content: StoryContent::of(Arc::new(content.clone())).unwrap(),
            tags: Vec::new(),
            sort_by_date: None,
            path: None,
            meta_data: None,
        }
    }

    /// The content of a time: a root, and a block below it.
    fn content(at: &str) -> Value {
        json!({
            "_uid": "r", "component": "page", "t": at, "t__i18n__de": format!("{at} de"), "t__i18n__pt_br": format!("{at} pt"),
            "body": [{ "_uid": "b", "component": "teaser", "u": at, "u__i18n__de": format!("{at} de") }],
        })
    }

    fn tree(edition: &Edition) -> &Value {
        edition.content.tree().unwrap()
    }

    #[test]
    fn languages_are_those_of_the_space() {
        assert!(some(&["de", "pt-br", "[default]"]).are_all(&languages()));
        assert!(!some(&["de", "pt-br"]).are_all(&languages()));
        let fault = LanguageSelection::parse(&["fr".into()], &languages()).unwrap_err();
        assert_eq!(fault.details[0].field, "lang");
    }

    #[test]
    fn a_translation_is_published_alone() {
        let (published, draft) = (edition("A", &content("A")), edition("B", &content("B")));
        let merged = some(&["de"]).published(Some(&published), &draft).unwrap();
        assert_eq!(merged.name, "A");
        assert_eq!(
            *tree(&merged),
            json!({
                "_uid": "r", "component": "page", "t": "A", "t__i18n__de": "B de", "t__i18n__pt_br": "A pt",
                "body": [{ "_uid": "b", "component": "teaser", "u": "A", "u__i18n__de": "B de" }],
            })
        );
    }

    #[test]
    fn the_default_language_is_published_alone_with_its_blocks() {
        let mut new = content("B");
        new["body"].as_array_mut().unwrap().push(json!({ "_uid": "n", "component": "teaser", "u": "B", "u__i18n__de": "B de" }));
        let (published, draft) = (edition("A", &content("A")), edition("B", &new));
        let merged = some(&["[default]"]).published(Some(&published), &draft).unwrap();
        assert_eq!(merged.name, "B");
        assert_eq!(
            *tree(&merged),
            json!({
                "_uid": "r", "component": "page", "t": "B", "t__i18n__de": "A de", "t__i18n__pt_br": "A pt",
                "body": [
                    { "_uid": "b", "component": "teaser", "u": "B", "u__i18n__de": "A de" },
                    { "_uid": "n", "component": "teaser", "u": "B" },
                ],
            })
        );
        let first = some(&["[default]", "pt-br"]).published(None, &draft).unwrap();
        assert_eq!(tree(&first)["t__i18n__pt_br"], "B pt");
        assert_eq!(tree(&first).get("t__i18n__de"), None);
    }

    #[test]
    fn languages_differ_by_their_own_values_alone() {
        let between = |one: &Value, other: &Value| {
            let (one, other) = (edition("A", one), edition("A", other));
            let codes = languages();
            differing(&one.content, &other.content, &codes).unwrap().into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        let (before, mut after) = (content("A"), content("A"));
        after["t"] = json!("B");
        assert_eq!(between(&before, &after), [""; 0]);
        after["body"][0]["u__i18n__de"] = json!("B de");
        assert_eq!(between(&before, &after), ["de"]);
        after["new__i18n__pt_br"] = json!("B pt");
        assert_eq!(between(&before, &after), ["de", "pt-br"]);
    }

    #[test]
    fn a_language_is_unpublished_alone() {
        let left = some(&["pt-br"]).unpublished(&edition("A", &content("A"))).unwrap();
        assert_eq!(tree(&left).get("t__i18n__pt_br"), None);
        assert_eq!(tree(&left)["t__i18n__de"], "A de");
    }
}
