//! Leaving out parts of stories: `excluding_fields` and `excluding_story_fields`.

use domain::shared::{Fault, FieldCode, Parameters};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// The members of a story that can be left out. Any other name is ignored, as at Storyblok, because clients
/// need the other members.
const OPTIONAL: [&str; 18] = [
    "alternates",
    "created_at",
    "default_full_slug",
    "first_published_at",
    "group_id",
    "is_startpage",
    "lang",
    "meta_data",
    "parent_id",
    "path",
    "position",
    "published_at",
    "release_id",
    "sort_by_date",
    "tag_list",
    "taxonomy_terms",
    "translated_slugs",
    "updated_at",
];

/// How many fields a request may leave out.
const MAX_FIELDS: usize = 100;

/// The fields and members that are left out.
#[derive(Debug, Clone, Default)]
pub(super) struct Selection {
    content: HashSet<String>,
    story: HashSet<String>,
}

impl Selection {
    /// Parses the parameters. 422 that names `excluding_fields` when there are too many.
    pub(super) fn read(query: &Parameters) -> Result<Self, Fault> {
        let story = query.list("excluding_story_fields").into_iter().filter(|l| OPTIONAL.contains(&l.as_str())).collect();
        let content: HashSet<String> = query.list("excluding_fields").into_iter().collect();
        if content.len() > MAX_FIELDS {
            return Err(Fault::invalid("excluding_fields", FieldCode::TooMany, format!("has more than {MAX_FIELDS} fields")));
        }
        Ok(Self { content, story })
    }

    /// Whether fields of the content are left out, so that its stored text cannot be sent unchanged.
    pub(super) fn cuts_content(&self) -> bool {
        !self.content.is_empty()
    }

    /// Whether members of the story are left out.
    pub(super) fn cuts_stories(&self) -> bool {
        !self.story.is_empty()
    }

    /// Removes the fields from the root block; `_uid` and `component` stay.
    pub(super) fn cut_content(&self, content: &mut Value) {
        if let Value::Object(root) = content {
            root.retain(|key, _| matches!(key.as_str(), "_uid" | "component" | "_editable") || !self.content.contains(key));
        }
    }

    /// Removes the members from a story.
    pub(super) fn cut_story(&self, story: &mut Map<String, Value>) {
        story.retain(|key, _| !self.story.contains(key));
    }
}
