//! Links and references to stories.

use super::{
    missing::is_blank,
    needs::{Known, StoryKey, StoryTarget},
    rules::{AssetRules, LinkRules, Targets},
    walk::{Field, Walk},
};
use crate::shared::FieldCode;
use serde_json::{Map, Value};

/// How a field names a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reference {
    Option,
    Link,
}

impl<'a> Walk<'a> {
    /// A link: an object, or a URL as older fields have one.
    pub(super) fn link(&mut self, field: Field<'a>, rules: &'a LinkRules, value: &'a Value) {
        match value {
            Value::Object(link) => {
                let kind = link.get("linktype").and_then(Value::as_str).unwrap_or_default();
                if rules.refused_types.contains(&kind) {
                    self.report(field.block, FieldCode::LinkTypeNotAllowed, || {
                        format!("is a link of the type {kind}, which is off here")
                    });
                }
                let leads_to_story = kind == "story" && !is_blank(link, "id");
                if let Some(text) = link.get("id").and_then(Value::as_str).filter(|_| leads_to_story) {
                    self.reference(field, Reference::Link, &rules.targets, text);
                }
            }
            Value::String(_) => {}
            _ => self.wrong_type(field, "a link"),
        }
    }

    /// A story that is named by its UUID, or by its number, as fields without `use_uuid` do: whether it is
    /// there, and may be here.
    pub(super) fn reference(&mut self, field: Field<'a>, kind: Reference, targets: &Targets, text: &str) {
        let Some(key) = StoryKey::read(text) else { return self.unknown_story(field, kind) };
        match self.story(key) {
            Known::NotYet => {}
            Known::Missing => self.unknown_story(field, kind),
            Known::There(story) => self.target(field, targets, story),
        }
    }

    fn unknown_story(&mut self, field: Field<'_>, kind: Reference) {
        self.report(field.block, FieldCode::UnknownStory, || {
            match kind {
                Reference::Option => "refers to a story that is not there",
                Reference::Link => "links to a story that is not there",
            }
            .to_owned()
        });
    }

    fn target(&mut self, field: Field<'_>, targets: &Targets, story: &StoryTarget) {
        let StoryTarget { content_type, full_slug } = story;
        let is_allowed = targets.types.is_empty() || content_type.as_ref().is_some_and(|kind| targets.types.contains(kind));
        if !is_allowed {
            self.report(field.block, FieldCode::StoryTypeNotAllowed, || match content_type {
                Some(kind) => format!("leads to {full_slug}, which is a {kind}: that type is not allowed here"),
                None => format!("leads to {full_slug}, which is a folder: that is not allowed here"),
            });
        }
        if let Some(folder) = targets.folder.as_ref().filter(|folder| !full_slug.starts_with(folder.as_str())) {
            self.report(field.block, FieldCode::OutsideFolder, || format!("leads to {full_slug}, which is not in {folder}"));
        }
    }

    /// An asset: an object with its file name, or the URL of a file as older fields have one.
    pub(super) fn asset(&mut self, field: Field<'a>, rules: &AssetRules, value: &Value) {
        let filename = match value {
            Value::Object(asset) => {
                if rules.refuses_urls && asset.get("is_external_url") == Some(&Value::Bool(true)) {
                    self.report(field.block, FieldCode::ExternalUrlNotAllowed, || {
                        "is a file of another server, which is off here".to_owned()
                    });
                }
                asset.get("filename").and_then(Value::as_str).unwrap_or_default()
            }
            Value::String(url) => url,
            Value::Null => return,
            _ => return self.wrong_type(field, "an asset"),
        };
        if !rules.kinds.allow(filename) {
            let words = rules.kinds.words();
            self.report(field.block, FieldCode::FileTypeNotAllowed, || {
                format!("is a file of a type that is not allowed here ({words} only)")
            });
        }
    }
}

/// The stories that the link marks of a node of rich text lead to.
pub(super) fn marked(node: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let marks = node.get("marks").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object);
    let is = |object: &Map<String, Value>, key: &str, value: &str| object.get(key).and_then(Value::as_str) == Some(value);
    marks
        .filter(move |mark| is(mark, "type", "link"))
        .filter_map(|mark| mark.get("attrs").and_then(Value::as_object))
        .filter(move |attributes| is(attributes, "linktype", "story"))
        .filter_map(|attributes| attributes.get("uuid").and_then(Value::as_str))
        .filter(|text| !text.is_empty())
}
