//! A component's new name in what refers to it by name: blocks of content and of presets, and the
//! restrictions of schemas. All else keeps its text, so that numbers and the order of keys stay as they were
//! written.

use crate::shared::json::Members;
use serde_json::value::RawValue;

/// The members of a schema's fields that list components.
const LISTS: [&str; 2] = ["component_whitelist", "component_denylist"];

/// A new name of a component.
#[derive(Debug, Clone)]
pub struct ComponentRename {
    /// The name so far.
    pub from: String,
    /// The name from now on.
    pub to: String,
}

impl ComponentRename {
    /// Content, or a preset, whose blocks of the component have the new name; `None` if there are none.
    pub fn in_content(&self, content: &RawValue) -> Option<Box<RawValue>> {
        self.replace(content, &|key, _| key == "component")
    }

    /// A schema whose restrictions have the new name; `None` if none has the old one.
    pub fn in_schema(&self, schema: &RawValue) -> Option<Box<RawValue>> {
        self.replace(schema, &|key, is_item| is_item && LISTS.contains(&key))
    }

    /// Replaces the old name where `is_name` holds for the member that it is, or is an item of.
    fn replace(&self, json: &RawValue, is_name: &dyn Fn(&str, bool) -> bool) -> Option<Box<RawValue>> {
        let text = json.get();
        let mut places = Vec::new();
        self.find(json, "", false, is_name, &mut places);
        if places.is_empty() {
            return None;
        }
        let new = serde_json::Value::from(self.to.as_str()).to_string();
        let mut replaced = String::with_capacity(text.len());
        let mut rest = text;
        for found in places {
            // A part of the text, so its address says where it stands in what is left of it.
            let (before, from_here) = rest.split_at_checked(found.as_ptr().addr() - rest.as_ptr().addr())?;
            replaced.push_str(before);
            replaced.push_str(&new);
            (_, rest) = from_here.split_at_checked(found.len())?;
        }
        replaced.push_str(rest);
        RawValue::from_string(replaced).ok()
    }

    /// Finds the old name in a value, in the order of the text.
    fn find<'a>(
        &self,
        value: &'a RawValue,
        key: &str,
        is_item: bool,
        is_name: &dyn Fn(&str, bool) -> bool,
        places: &mut Vec<&'a str>,
    ) {
        let text = value.get();
        match text.as_bytes().first() {
            Some(b'{') => {
                let Members::<&RawValue>(members) = serde_json::from_str(text).unwrap_or(Members(Vec::new()));
                for (key, value) in members {
                    self.find(value, &key, false, is_name, places);
                }
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
                for item in items {
                    self.find(item, key, true, is_name, places);
                }
            }
            Some(b'"') if is_name(key, is_item) && serde_json::from_str::<String>(text).is_ok_and(|name| name == self.from) => {
                places.push(text);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ComponentRename;
    use serde_json::value::RawValue;

    fn rename() -> ComponentRename {
        ComponentRename { from: "teaser".into(), to: "hero \"big\"".into() }
    }

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn blocks_are_renamed_wherever_they_stand_and_nothing_else_changes() {
        let before = r#"{"component": "page", "n": 1.50, "teaser":"teaser",
            "body":[{"component":"teaser","x":12345678901234567890123, "in":{"component" :"teas\u0065r"}},"teaser"],
            "text":{"type":"doc","content":[{"type":"blok","attrs":{"body":[{"component":"teaser"}]}}]}}"#;
        let after = r#"{"component": "page", "n": 1.50, "teaser":"teaser",
            "body":[{"component":"hero \"big\"","x":12345678901234567890123, "in":{"component" :"hero \"big\""}},"teaser"],
            "text":{"type":"doc","content":[{"type":"blok","attrs":{"body":[{"component":"hero \"big\""}]}}]}}"#;
        assert_eq!(rename().in_content(&raw(before)).unwrap().get(), after);
        assert!(rename().in_content(&raw(r#"{"component":"page","title":"teaser","c":["teaser"]}"#)).is_none());
    }

    #[test]
    fn restrictions_of_schemas_are_renamed_and_their_fields_are_not() {
        let before = r#"{"teaser":{"type":"bloks","component_whitelist":["a","teaser"],"component_denylist":["teaser"]},"component":{"type":"text","default_value":"teaser"}}"#;
        let after = r#"{"teaser":{"type":"bloks","component_whitelist":["a","hero \"big\""],"component_denylist":["hero \"big\""]},"component":{"type":"text","default_value":"teaser"}}"#;
        assert_eq!(rename().in_schema(&raw(before)).unwrap().get(), after);
        assert!(rename().in_schema(&raw(r#"{"teaser":{"component_whitelist":[]}}"#)).is_none());
    }
}
