//! Datasources and their dimensions, in Storyblok's names.

use super::{checks::Checks, slug::Slug};
use crate::shared::{DatasourceId, DimensionId, Fault, FieldCode, json::switch};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// The most dimensions of one datasource.
const MAX_DIMENSIONS: usize = 200;
/// The attribute of the request that contains them.
const FIELD: &str = "dimensions_attributes";

/// A dimension as its author sets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DimensionDraft {
    /// The number of an existing dimension; `None` adds one.
    pub id: Option<DimensionId>,
    /// The name people see.
    pub name: String,
    /// The code that readers ask for.
    pub entry_value: String,
}

/// The attributes of a datasource that its author sets, with **all** dimensions that it has afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatasourceDraft {
    /// The name people see; unique in the space.
    pub name: String,
    /// The slug that readers ask for; unique in the space.
    pub slug: String,
    pub dimensions: Vec<DimensionDraft>,
}

/// A dimension as it is stored.
#[derive(Debug, Clone, Deserialize)]
pub struct Dimension {
    pub id: DimensionId,
    /// The name people see.
    pub name: String,
    /// The code that readers ask by; unique in the datasource.
    pub entry_value: String,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of its last change.
    pub updated_at: Timestamp,
}

/// A datasource as it is stored.
#[derive(Debug, Clone)]
pub struct Datasource {
    pub id: DatasourceId,
    /// The name people see.
    pub name: String,
    /// The slug that readers ask for.
    pub slug: String,
    /// Its dimensions, oldest first.
    pub dimensions: Vec<Dimension>,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of its last change.
    pub updated_at: Timestamp,
}

/// The body of a request for a new datasource or a change of one.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct DatasourceChange {
    name: Option<String>,
    slug: Option<String>,
    dimensions_attributes: Option<Vec<DimensionChange>>,
}

/// With `id` it edits a dimension, without one it adds one, with `_destroy` it removes one.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct DimensionChange {
    id: Option<DimensionId>,
    name: Option<String>,
    entry_value: Option<String>,
    #[serde(rename = "_destroy")]
    destroy: Option<Value>,
}

impl DatasourceChange {
    /// The datasource after the change; `old` is `None` for a new one. Attributes that it does not name stay.
    ///
    /// The numbers of dimensions of a new datasource are ignored: they belong to another datasource.
    pub fn apply(&self, old: Option<&Datasource>) -> Result<DatasourceDraft, Fault> {
        let mut checks = Checks::default();
        let name = self.name.as_deref().or(old.map(|old| old.name.as_str())).unwrap_or_default();
        checks.required("name", name, 255);
        let slug = self.slug.as_deref().or(old.map(|old| old.slug.as_str())).unwrap_or_default();
        let slug = checks.collect(Slug::parse(slug));

        let before = old.map(|old| old.dimensions.as_slice()).unwrap_or_default();
        let mut dimensions: Vec<_> = before
            .iter()
            .map(|b| DimensionDraft { id: Some(b.id), name: b.name.clone(), entry_value: b.entry_value.clone() })
            .collect();
        for change in self.dimensions_attributes.iter().flatten() {
            change.apply(old.and(change.id), &mut dimensions, &mut checks);
        }
        check(&dimensions, &mut checks);
        checks.finish()?;
        let slug = slug.map(|slug| slug.as_str().to_owned()).unwrap_or_default();
        Ok(DatasourceDraft { name: name.to_owned(), slug, dimensions })
    }
}

impl DimensionChange {
    fn apply(&self, id: Option<DimensionId>, all: &mut Vec<DimensionDraft>, checks: &mut Checks) {
        let destroy = self.destroy.as_ref().and_then(|destroy| checks.collect(switch("_destroy", destroy))).unwrap_or(false);
        let Some(id) = id else {
            if !destroy {
                let (name, entry_value) = (self.name.clone(), self.entry_value.clone());
                all.push(DimensionDraft { id: None, name: name.unwrap_or_default(), entry_value: entry_value.unwrap_or_default() });
            }
            return;
        };
        let Some(dimension) = all.iter_mut().find(|value| value.id == Some(id)) else {
            return checks.refuse(FIELD, FieldCode::Unknown, format!("has no dimension {id} to change"));
        };
        if destroy {
            return all.retain(|value| value.id != Some(id));
        }
        if let Some(name) = &self.name {
            dimension.name.clone_from(name);
        }
        if let Some(entry_value) = &self.entry_value {
            dimension.entry_value.clone_from(entry_value);
        }
    }
}

fn check(dimensions: &[DimensionDraft], checks: &mut Checks) {
    if dimensions.len() > MAX_DIMENSIONS {
        checks.refuse(FIELD, FieldCode::TooMany, format!("is too long (maximum is {MAX_DIMENSIONS} dimensions)"));
    }
    let mut codes = BTreeSet::new();
    for dimension in dimensions {
        checks.required("dimensions_attributes.name", &dimension.name, 255);
        checks.required("dimensions_attributes.entry_value", &dimension.entry_value, 255);
        if !codes.insert(&dimension.entry_value) {
            checks.refuse("dimensions_attributes.entry_value", FieldCode::Taken, "has already been taken");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Datasource, DatasourceChange, Dimension};
    use crate::shared::{DatasourceId, DimensionId, Fault};
    use jiff::Timestamp;

    fn stored() -> Datasource {
        let at = Timestamp::UNIX_EPOCH;
        let dimension = |id: i64, code: &str| Dimension {
            id: DimensionId(id),
            name: code.to_uppercase(),
            entry_value: code.into(),
            created_at: at,
            updated_at: at,
        };
        Datasource {
            id: DatasourceId(1),
            name: "Labels".into(),
            slug: "labels".into(),
            dimensions: vec![dimension(7, "de"), dimension(8, "fr")],
            created_at: at,
            updated_at: at,
        }
    }

    /// Name, slug and each dimension as `id:name=code`.
    fn after(body: &str, old: Option<&Datasource>) -> Result<String, Fault> {
        let draft = serde_json::from_str::<DatasourceChange>(body).unwrap().apply(old)?;
        let dimensions = draft.dimensions.iter().map(|dimension| {
            let id = dimension.id.map_or("new".to_owned(), |id| id.to_string());
            format!(" {id}:{}={}", dimension.name, dimension.entry_value)
        });
        Ok(format!("{} {}{}", draft.name, draft.slug, dimensions.collect::<String>()))
    }

    #[test]
    fn a_change_keeps_what_it_does_not_name() {
        for (body, expected) in [
            ("{}", "Labels labels 7:DE=de 8:FR=fr"),
            (r#"{"name":"L","dimensions":[]}"#, "L labels 7:DE=de 8:FR=fr"),
            (r#"{"dimensions_attributes":[{"id":7,"entry_value":"de-at"}]}"#, "Labels labels 7:DE=de-at 8:FR=fr"),
            (r#"{"dimensions_attributes":[{"name":"IT","entry_value":"it"}]}"#, "Labels labels 7:DE=de 8:FR=fr new:IT=it"),
            (r#"{"dimensions_attributes":[{"id":7,"_destroy":true}]}"#, "Labels labels 8:FR=fr"),
            (
                r#"{"dimensions_attributes":[{"id":7,"_destroy":"1"},{"name":"D","entry_value":"de"}]}"#,
                "Labels labels 8:FR=fr new:D=de",
            ),
            (
                r#"{"dimensions_attributes":[{"id":7,"entry_value":"fr"},{"id":8,"entry_value":"de"}]}"#,
                "Labels labels 7:DE=fr 8:FR=de",
            ),
        ] {
            assert_eq!(after(body, Some(&stored())).unwrap(), expected, "{body}");
        }
    }

    #[test]
    fn a_new_datasource_has_new_dimensions() {
        let body = r#"{"name":"N","slug":" n ","dimensions_attributes":[{"id":7,"name":"DE","entry_value":"de"},{"_destroy":1}]}"#;
        assert_eq!(after(body, None).unwrap(), "N n new:DE=de");
    }

    #[test]
    fn what_is_refused_is_named() {
        for (body, field, code) in [
            (r#"{"name":" "}"#, "name", "blank"),
            (r#"{"slug":""}"#, "slug", "blank"),
            (r#"{"slug":"a/b"}"#, "slug", "invalid"),
            (r#"{"dimensions_attributes":[{"id":9}]}"#, "dimensions_attributes", "unknown"),
            (r#"{"dimensions_attributes":[{"name":"X","entry_value":"de"}]}"#, "dimensions_attributes.entry_value", "taken"),
            (r#"{"dimensions_attributes":[{"entry_value":"x"}]}"#, "dimensions_attributes.name", "blank"),
            (r#"{"dimensions_attributes":[{"id":7,"entry_value":""}]}"#, "dimensions_attributes.entry_value", "blank"),
        ] {
            let fault = after(body, Some(&stored())).unwrap_err();
            assert_eq!((fault.details[0].field.as_str(), fault.details[0].code.name()), (field, code), "{body}");
        }
        assert_eq!(after("{}", None).unwrap_err().details.len(), 2, "name and slug");
    }
}
