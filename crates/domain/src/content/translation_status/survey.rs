//! A walk over a draft that counts what is translated.

use super::{OutdatedTranslations, TranslationCounts};
use crate::content::{
    Language,
    blocks::component,
    language,
    localize::MARK,
    validation::{
        Schemas,
        reading::{FieldRules, Kind, body, children, is_hidden, is_missing},
    },
};
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;

/// The deepest nesting of blocks and nodes that is looked at.
const MAX_DEPTH: usize = 100;

/// How far a draft is translated into a language. Fields that can be translated count when they have a value
/// in the default language and are not hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TranslationStatus {
    /// The code of the language.
    pub language: String,
    /// How many fields there are to translate.
    pub translatable: usize,
    /// Those without a translation.
    pub missing: Vec<FieldPlace>,
    /// Those whose default value was changed since the translation was written or confirmed.
    pub outdated: Vec<FieldPlace>,
}

/// A field of a draft in the default language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldPlace {
    /// Its path, as problems of a validation name it: `body/3/title`.
    pub field: String,
    /// The `_uid` of its block.
    pub uid: Option<String>,
}

/// The status in each of these languages.
pub fn survey(
    content: &Value,
    schemas: &Schemas,
    languages: &[Language],
    outdated: &OutdatedTranslations,
) -> Vec<TranslationStatus> {
    let status = |own: &Language| TranslationStatus {
        language: own.code.clone(),
        translatable: 0,
        missing: Vec::new(),
        outdated: Vec::new(),
    };
    let mut statuses: Vec<_> = languages.iter().map(status).collect();
    walk(content, schemas, languages, outdated, &mut |language, field| {
        let Some(status) = statuses.get_mut(language) else { return };
        let place = || FieldPlace { field: field.path.to_string(), uid: field.uid.map(str::to_owned) };
        status.translatable += 1;
        match field.state {
            State::Translated => {}
            State::Missing => status.missing.push(place()),
            State::Outdated => status.outdated.push(place()),
        }
    });
    statuses
}

/// The same in numbers, for the writes of drafts: they need no paths.
pub fn count(
    content: &Value,
    schemas: &Schemas,
    languages: &[Language],
    outdated: &OutdatedTranslations,
) -> Vec<TranslationCounts> {
    let none = |own: &Language| TranslationCounts { language: own.code.clone(), translatable: 0, missing: 0, outdated: 0 };
    let mut all: Vec<_> = languages.iter().map(none).collect();
    walk(content, schemas, languages, outdated, &mut |language, field| {
        let Some(counts) = all.get_mut(language) else { return };
        counts.translatable += 1;
        match field.state {
            State::Translated => {}
            State::Missing => counts.missing += 1,
            State::Outdated => counts.outdated += 1,
        }
    });
    all
}

/// What the translation of a field is like.
enum State {
    Translated,
    Missing,
    Outdated,
}

/// A field that can be translated, in one language.
struct Found<'a> {
    path: &'a Path<'a>,
    uid: Option<&'a str>,
    state: State,
}

/// Where the walk is. It is written only for those who ask.
enum Path<'a> {
    Root,
    Field(&'a Self, &'a str),
    Item(&'a Self, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Field(Self::Root, name) => f.write_str(name),
            Self::Field(above, name) => write!(f, "{above}/{name}"),
            Self::Item(above, number) => write!(f, "{above}/{number}"),
        }
    }
}

/// Tells each field that can be translated, with the place of each language.
fn walk(
    content: &Value,
    schemas: &Schemas,
    languages: &[Language],
    outdated: &OutdatedTranslations,
    tell: &mut dyn FnMut(usize, Found<'_>),
) {
    let suffixes = languages.iter().map(|own| language::suffix(&own.code)).collect();
    let mut walk = Walk { schemas, outdated, suffixes, key: String::new(), tell };
    if let Value::Object(root) = content {
        walk.block(root, &Path::Root, MAX_DEPTH);
    }
}

struct Walk<'a> {
    schemas: &'a Schemas,
    outdated: &'a OutdatedTranslations,
    /// Of the languages, in their order.
    suffixes: Vec<String>,
    /// The name of the field that is looked for.
    key: String,
    tell: &'a mut dyn FnMut(usize, Found<'_>),
}

impl Walk<'_> {
    fn block(&mut self, block: &Map<String, Value>, path: &Path<'_>, depth: usize) {
        let Some(rules) = component(block).and_then(|name| self.schemas.component(name)).filter(|_| depth > 0) else { return };
        for field in &rules.fields {
            let Some(value) = block.get(&field.name).filter(|value| !is_missing(&field.kind, Some(value))) else { continue };
            let path = Path::Field(path, &field.name);
            if field.is_translatable && !matches!(field.kind, Kind::Boolean | Kind::Layout) && !is_hidden(field, block, rules) {
                self.field(block, field, &path);
            }
            match (&field.kind, value) {
                (Kind::Blocks(..), Value::Array(items)) => self.items(items.iter(), &path, depth),
                (Kind::RichText(_), Value::Object(document)) => self.node(document, &path, &mut 0, depth),
                _ => {}
            }
        }
    }

    fn items<'v>(&mut self, items: impl Iterator<Item = &'v Value>, path: &Path<'_>, depth: usize) {
        for (number, item) in items.enumerate() {
            if let Value::Object(block) = item {
                self.block(block, &Path::Item(path, number), depth - 1);
            }
        }
    }

    /// A node of rich text. `bloks` counts those with blocks, in the order of the document.
    fn node(&mut self, node: &Map<String, Value>, path: &Path<'_>, bloks: &mut usize, depth: usize) {
        if node.get("type").and_then(Value::as_str) == Some("blok") {
            self.items(body(node), &Path::Item(path, *bloks), depth);
            *bloks += 1;
        }
        if depth > 1 {
            children(node).for_each(|child| self.node(child, path, bloks, depth - 1));
        }
    }

    fn field(&mut self, block: &Map<String, Value>, field: &FieldRules, path: &Path<'_>) {
        let uid = block.get("_uid").and_then(Value::as_str);
        for (language, suffix) in self.suffixes.iter().enumerate() {
            self.key.clear();
            self.key.extend([field.name.as_str(), MARK, suffix]);
            let state = if is_missing(&field.kind, block.get(&self.key)) {
                State::Missing
            } else if uid.is_some_and(|uid| self.outdated.contains(suffix, uid, &field.name)) {
                State::Outdated
            } else {
                State::Translated
            };
            (self.tell)(language, Found { path, uid, state });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{OutdatedTranslations, TranslationCounts, count, survey};
    use crate::content::{
        Language,
        validation::{ComponentSource, Schemas},
    };
    use serde_json::{Value, json};

    fn schemas() -> Schemas {
        let schema = json!({
            "title": { "type": "text", "translatable": true }, "plain": { "type": "text" }, "flag": { "type": "boolean", "translatable": true },
            "text": { "type": "richtext", "translatable": true }, "body": { "type": "bloks" },
            "note": { "type": "text", "translatable": true, "conditional_settings": [{
                "modifications": [{ "display": "hide" }], "rule_match": "all",
                "rule_conditions": [{ "validated_object": { "type": "field", "field_key": "plain", "field_attr": "value" }, "validation": "equals", "value": "hide" }],
            }] },
        });
        let schema = schema.as_object().unwrap().clone();
        Schemas::new(vec![ComponentSource { name: "page".into(), schema, group: None, tags: Vec::new() }], &[])
    }

    fn statuses(content: &Value, outdated: &OutdatedTranslations) -> Vec<(usize, Vec<String>, Vec<String>)> {
        let languages = ["de", "pt-br"].map(|code| Language { code: code.into(), name: "x".into() });
        let fields = |places: Vec<super::FieldPlace>| places.into_iter().map(|place| place.field).collect();
        let of = |status: super::TranslationStatus| (status.translatable, fields(status.missing), fields(status.outdated));
        let statuses = survey(content, &schemas(), &languages, outdated);
        let counted = |status: &super::TranslationStatus| TranslationCounts {
            language: status.language.clone(),
            translatable: status.translatable,
            missing: status.missing.len(),
            outdated: status.outdated.len(),
        };
        let counts: Vec<_> = statuses.iter().map(counted).collect();
        assert_eq!(count(content, &schemas(), &languages, outdated), counts);
        statuses.into_iter().map(of).collect()
    }

    #[test]
    fn fields_with_a_default_value_are_to_be_translated() {
        let content = json!({
            "_uid": "r", "component": "page", "title": "A", "title__i18n__de": "a", "title__i18n__pt_br": " ", "plain": "p", "flag": true, "note": "",
            "text": { "type": "doc", "content": [{ "type": "paragraph" }, { "type": "blok", "attrs": { "body": [
                { "_uid": "t", "component": "page", "title": "T" }] } }] },
            "body": [{ "_uid": "b", "component": "page", "title": "B", "title__i18n__de": "b", "title__i18n__pt_br": "b" }, { "component": "unknown", "title": "U" }, 7],
        });
        assert_eq!(
            statuses(&content, &OutdatedTranslations::default()),
            [
                (4, vec!["text".to_owned(), "text/0/0/title".into()], vec![]),
                (4, vec!["title".to_owned(), "text".into(), "text/0/0/title".into()], vec![]),
            ]
        );
    }

    #[test]
    fn hidden_fields_are_not_to_be_translated_and_outdated_ones_are_named() {
        let draft = |title: &str, plain: &str| json!({ "_uid": "r", "component": "page", "title": title, "title__i18n__de": "a", "plain": plain, "note": "n" });
        let outdated = OutdatedTranslations::default().after_write(&draft("A", ""), &draft("B", ""), |bytes| format!("{bytes:?}"));
        let [german, portuguese] = <[_; 2]>::try_from(statuses(&draft("B", "hide"), &outdated)).unwrap();
        assert_eq!(german, (1, vec![], vec!["title".to_owned()]));
        assert_eq!(portuguese, (1, vec!["title".to_owned()], vec![]));
        assert_eq!(statuses(&draft("B", "show"), &outdated)[0].1, ["note"]);
    }
}
