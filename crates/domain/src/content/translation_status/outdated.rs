//! Translations that are older than what they translate.

use crate::content::localize::{MARK, is_blank};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};

/// The most translations of blocks that are gone, of which is kept whether they are outdated: an undo or a
/// restore brings the blocks back.
const MAX_GONE: usize = 1000;

/// Hashes a text.
pub type Digest = fn(&[u8]) -> String;

/// The outdated translations of a draft: by the suffix of the language, and by block and field (`uid/field`),
/// the hash of the default value that the translation was made for. All others are up to date.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OutdatedTranslations(BTreeMap<String, BTreeMap<String, String>>);

impl OutdatedTranslations {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the translation of a block's field is outdated.
    pub(super) fn contains(&self, suffix: &str, uid: &str, field: &str) -> bool {
        self.0.get(suffix).is_some_and(|fields| fields.contains_key(&key(uid, field)))
    }

    /// Takes note that a translation is still right.
    pub fn confirm(&mut self, suffix: &str, uid: &str, field: &str) {
        if let Some(fields) = self.0.get_mut(suffix) {
            fields.remove(&key(uid, field));
            self.0.retain(|_, fields| !fields.is_empty());
        }
    }

    /// What is outdated after a write. A translation that was written with it is up to date; one that was not
    /// is outdated as soon as its default value is another one, until that is as before. Where the default
    /// value is empty, or the block is gone, what is known waits for its return.
    #[must_use]
    pub fn after_write(&self, before: &Value, after: &Value, digest: Digest) -> Self {
        let mut outdated = BTreeMap::<String, BTreeMap<String, String>>::new();
        let (before, after) = (blocks(before), blocks(after));
        for (uid, block) in &after {
            let former = before.get(uid);
            for (name, value) in *block {
                let Some((field, suffix)) = name.split_once(MARK) else { continue };
                let is_written = former.is_some_and(|former| former.get(name) != Some(value));
                if is_written || is_blank(value) {
                    continue;
                }
                let default = block.get(field).unwrap_or(&Value::Null);
                let noted = self.0.get(suffix).and_then(|fields| fields.get(&key(uid, field)));
                let translated = match noted {
                    Some(noted) => Some(noted.clone()).filter(|noted| *noted != hash(default, digest)),
                    None => former
                        .map(|former| former.get(field).unwrap_or(&Value::Null))
                        .filter(|old| *old != default)
                        .map(|old| hash(old, digest)),
                };
                if let Some(translated) = translated {
                    outdated.entry(suffix.to_owned()).or_default().insert(key(uid, field), translated);
                }
            }
        }
        let all = self.0.iter().flat_map(|(suffix, fields)| fields.iter().map(move |(key, noted)| (suffix, key, noted)));
        let is_gone = |key: &str| key.rsplit_once('/').is_some_and(|(uid, _)| !after.contains_key(uid));
        for (suffix, key, noted) in all.filter(|(_, key, _)| is_gone(key)).take(MAX_GONE) {
            outdated.entry(suffix.clone()).or_default().insert(key.clone(), noted.clone());
        }
        Self(outdated)
    }
}

fn key(uid: &str, field: &str) -> String {
    format!("{uid}/{field}")
}

/// The blocks of the default language by their `_uid`. A translated value belongs to its language as a whole:
/// blocks within it have the same `_uid`s as those that they translate.
fn blocks(content: &Value) -> HashMap<&str, &Map<String, Value>> {
    let (mut found, mut open) = (HashMap::new(), vec![content]);
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(object) => {
                if let Some(uid) = object.get("_uid").and_then(Value::as_str) {
                    found.entry(uid).or_insert(object);
                }
                open.extend(object.iter().filter(|(name, _)| !name.contains(MARK)).map(|(_, value)| value));
            }
            _ => {}
        }
    }
    found
}

/// The hash of a value, in which the order of keys is no part.
fn hash(value: &Value, digest: Digest) -> String {
    let mut text = String::new();
    write(value, &mut text);
    digest(text.as_bytes())
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write(item, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(object) => {
            let members: BTreeMap<&String, &Value> = object.iter().collect();
            text.push('{');
            for (name, value) in members {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write(value, text);
                text.push(',');
            }
            text.push('}');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::OutdatedTranslations;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn digest(bytes: &[u8]) -> String {
        String::from_utf8_lossy(bytes).into_owned()
    }

    fn block(default: &str, german: &str) -> Value {
        json!({ "_uid": "r", "component": "page", "body": [
            { "_uid": "b", "component": "teaser", "t": default, "t__i18n__de": german, "t__i18n__fr": "fr" },
        ] })
    }

    /// What is outdated after these drafts: whether German is, and whether French is.
    fn after(drafts: &[Value]) -> (bool, bool) {
        let mut outdated = OutdatedTranslations::default();
        for pair in drafts.windows(2) {
            outdated = outdated.after_write(&pair[0], &pair[1], digest);
        }
        (outdated.contains("de", "b", "t"), outdated.contains("fr", "b", "t"))
    }

    #[test]
    fn a_translation_is_outdated_from_the_change_of_its_default_on() {
        let (start, gone) = (block("A", "a"), json!({ "_uid": "r", "component": "page", "body": [] }));
        for (drafts, expected) in [
            (vec![start.clone()], (false, false)),
            (vec![start.clone(), block("B", "a")], (true, true)),
            (vec![start.clone(), block("B", "b")], (false, true)),
            (vec![start.clone(), block("B", "a"), block("B", "b")], (false, true)),
            (vec![start.clone(), block("B", "a"), block("C", "a")], (true, true)),
            (vec![start.clone(), block("B", "a"), block("C", "a"), block("A", "a")], (false, false)),
            (vec![start.clone(), block("B", "a"), block("B", "")], (false, true)),
            // What an autosave sees while a field is typed anew.
            (vec![start.clone(), block("", "a"), start.clone()], (false, false)),
            (vec![start.clone(), block("B", "a"), block("", "a"), start.clone()], (false, false)),
            (vec![start.clone(), block("", "a"), block("B", "a")], (true, true)),
            (vec![block("", "a"), block("B", "a")], (true, true)),
            // A block that comes back.
            (vec![start.clone(), block("B", "a"), gone.clone(), block("B", "a")], (true, true)),
            (vec![start.clone(), block("B", "a"), gone.clone(), start.clone()], (false, false)),
            (vec![start.clone(), gone.clone(), start.clone()], (false, false)),
        ] {
            assert_eq!(after(&drafts), expected, "{drafts:?}");
        }
    }

    #[test]
    fn a_confirmed_translation_is_up_to_date_until_the_next_change() {
        let mut outdated = OutdatedTranslations::default().after_write(&block("A", "a"), &block("B", "a"), digest);
        outdated.confirm("de", "b", "t");
        assert!(!outdated.contains("de", "b", "t") && outdated.contains("fr", "b", "t"));
        outdated = outdated.after_write(&block("B", "a"), &block("B", "a"), digest);
        assert!(!outdated.contains("de", "b", "t"));
        outdated = outdated.after_write(&block("B", "a"), &block("A", "a"), digest);
        assert!(outdated.contains("de", "b", "t"));
        outdated.confirm("de", "b", "t");
        outdated.confirm("fr", "b", "t");
        assert!(outdated.is_empty());
    }

    #[test]
    fn blocks_within_a_translation_are_not_those_that_they_translate() {
        let draft = |default: &str| {
            json!({ "_uid": "r", "component": "page",
                "text": { "type": "doc", "content": [{ "type": "blok", "attrs": { "body": [
                    { "_uid": "b", "component": "teaser", "t": default, "t__i18n__de": "de" }] } }] },
                "text__i18n__de": { "type": "doc", "content": [{ "type": "blok", "attrs": { "body": [
                    { "_uid": "b", "component": "teaser", "t": "other", "t__i18n__de": "other" }] } }] } })
        };
        let outdated = OutdatedTranslations::default().after_write(&draft("A"), &draft("B"), digest);
        assert!(outdated.contains("de", "b", "t") && outdated.contains("de", "r", "text"));
    }

    #[test]
    fn the_order_of_keys_is_no_change() {
        let draft = |link: Value| json!({ "_uid": "r", "component": "page", "l": link, "l__i18n__de": "x" });
        let one = draft(json!({ "a": 1, "b": 2 }));
        let other = draft(json!({ "b": 2, "a": 1 }));
        let outdated = OutdatedTranslations::default().after_write(&one, &draft(json!(0)), digest);
        assert!(outdated.contains("de", "r", "l"));
        assert!(outdated.after_write(&draft(json!(0)), &other, digest).is_empty());
    }

    proptest! {
        /// Whatever was written between, a draft is up to date that is as it was when its translation was
        /// made.
        #[test]
        fn going_back_is_no_change(defaults: Vec<u8>) {
            let default = |n: u8| if n % 4 == 3 { String::new() } else { format!("v{n}") };
            let drafts: Vec<Value> = [0].into_iter().chain(defaults).chain([0]).map(|n| block(&default(n), "a")).collect();
            prop_assert_eq!(after(&drafts), (false, false));
        }
    }
}
