//! Internal tags: labels that editors put on assets and components. Readers never see them.

use super::{Right, checks::Checks};
use crate::shared::{Fault, FieldCode, InternalTagId};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

/// The most internal tags of one kind in a space.
pub const MAX_TAGS: i64 = 1000;

/// The kind of thing that a tag is for. Its name is on the wire and in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum TaggedKind {
    Asset,
    Component,
    /// Ideas, which do not exist here; Storyblok's clients name them.
    Idea,
}

impl TaggedKind {
    /// The right that changes tags of this kind: the one that changes what they are put on.
    pub fn right(self) -> Right {
        if self == Self::Component { Right::Administer } else { Right::WriteContent }
    }
}

/// A tag as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InternalTag {
    pub id: InternalTagId,
    /// Its name, unique among the tags of its kind.
    pub name: String,
    /// The kind of thing that it is for.
    pub kind: TaggedKind,
    /// How many assets have it, when that was asked for.
    pub assets_count: Option<i64>,
}

/// A tag as components and assets show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedTag {
    pub id: InternalTagId,
    pub name: String,
}

/// The body of a request for a new tag or a change of one.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct InternalTagChange {
    name: Option<String>,
    object_type: Option<String>,
}

impl InternalTagChange {
    /// The name and the kind after the change; `old` is `None` for a new tag, which is one for assets unless
    /// it says otherwise. The kind of a tag never changes, because its number is on things of that kind.
    pub fn apply(&self, old: Option<&InternalTag>) -> Result<(String, TaggedKind), Fault> {
        let mut checks = Checks::default();
        let name = self.name.as_deref().map(str::trim).or(old.map(|tag| tag.name.as_str())).unwrap_or_default();
        checks.required("name", name, 255);
        let named = self.object_type.as_deref().filter(|kind| !kind.is_empty());
        let kind = match (named.map(str::parse), old) {
            (None, old) => old.map_or(TaggedKind::Asset, |tag| tag.kind),
            (Some(Err(_)), _) => {
                checks.refuse("object_type", FieldCode::Invalid, "must be asset, component or idea");
                TaggedKind::Asset
            }
            (Some(Ok(kind)), Some(tag)) if kind != tag.kind => {
                checks.refuse("object_type", FieldCode::Invalid, "cannot be changed");
                kind
            }
            (Some(Ok(kind)), _) => kind,
        };
        checks.finish()?;
        Ok((name.to_owned(), kind))
    }
}

#[cfg(test)]
mod tests {
    use super::{InternalTag, InternalTagChange, TaggedKind};
    use crate::shared::InternalTagId;

    #[test]
    fn a_tag_keeps_its_kind() {
        let read = |body: &str| serde_json::from_str::<InternalTagChange>(body).unwrap();
        let old = InternalTag { id: InternalTagId(1), name: "Old".to_owned(), kind: TaggedKind::Component, assets_count: None };
        assert_eq!(read(r#"{"name":" New "}"#).apply(None).unwrap(), ("New".to_owned(), TaggedKind::Asset));
        assert_eq!(read(r#"{"name":"New"}"#).apply(Some(&old)).unwrap(), ("New".to_owned(), TaggedKind::Component));
        assert_eq!(read(r#"{"object_type":"component"}"#).apply(Some(&old)).unwrap(), ("Old".to_owned(), TaggedKind::Component));
        for (body, field) in
            [(r#"{"object_type":"asset"}"#, "object_type"), (r#"{"object_type":"x"}"#, "object_type"), (r#"{"name":" "}"#, "name")]
        {
            assert_eq!(read(body).apply(Some(&old)).unwrap_err().details[0].field, field, "{body}");
        }
    }

    #[test]
    fn tags_of_components_are_for_those_who_may_change_components() {
        assert_eq!(super::TaggedKind::Component.right(), super::Right::Administer);
        assert_eq!(super::TaggedKind::Asset.right(), super::Right::WriteContent);
    }
}
