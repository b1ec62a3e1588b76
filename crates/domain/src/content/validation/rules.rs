//! The rules of a field, read from its schema (an object with a `type`). Numbers may be texts, empty texts
//! are absent, and what has another shape than it should says nothing.

use super::{
    files::FileKinds,
    pattern::{BadPattern, Budget, Pattern},
    plain,
    settings::Setting,
};
use serde_json::{Map, Value};
use std::{collections::HashSet, sync::OnceLock};
use uuid::Uuid;

/// The rules of a field.
#[derive(Debug)]
pub(in crate::content) struct FieldRules {
    pub(in crate::content) name: String,
    pub(super) required: bool,
    pub(in crate::content) is_translatable: bool,
    pub(super) pattern: Option<SchemaPattern>,
    pub(super) settings: Vec<Setting>,
    pub(in crate::content) kind: Kind,
}

/// A pattern, which is compiled when a value needs it.
#[derive(Debug)]
pub(super) struct SchemaPattern {
    source: String,
    compiled: OnceLock<Result<Pattern, BadPattern>>,
}

impl SchemaPattern {
    pub(super) fn compiled(&self, budget: &mut Budget) -> Result<&Pattern, BadPattern> {
        self.compiled.get_or_init(|| Pattern::parse(&self.source, budget)).as_ref().map_err(|error| *error)
    }
}

/// What a field holds.
#[derive(Debug)]
pub(in crate::content) enum Kind {
    Text {
        min: Option<usize>,
        max: Option<usize>,
    },
    RichText(Restriction),
    Number(NumberRules),
    Boolean,
    Datetime,
    Blocks(Counts, Restriction),
    Option(Choice),
    Options(Counts, Choice),
    Asset(FileKinds),
    Assets(Counts, FileKinds),
    Link(LinkRules),
    /// Anything, also of types that are unknown here.
    Free,
    /// It only arranges other fields: a section or a tab.
    Layout,
}

/// The least and the most of a list.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::content) struct Counts {
    pub(super) min: Option<usize>,
    pub(super) max: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
pub(in crate::content) struct NumberRules {
    pub(super) min: Option<f64>,
    pub(super) max: Option<f64>,
    pub(super) decimals: Option<usize>,
    pub(super) steps: Option<f64>,
}

/// Where the values of an option come from.
#[derive(Debug)]
pub(in crate::content) enum Choice {
    Listed(HashSet<String>),
    Datasource(String),
    Stories(Targets),
    Languages,
    /// A URL, which only the editor reads; or the schema lists none, and so says nothing about them.
    Elsewhere,
}

/// The stories that a field may lead to.
#[derive(Debug, Default)]
pub(in crate::content) struct Targets {
    /// Content types; none is all.
    pub(super) types: HashSet<String>,
    /// What their paths begin with.
    pub(super) folder: Option<String>,
}

#[derive(Debug, Default)]
pub(in crate::content) struct LinkRules {
    pub(super) targets: Targets,
}

/// Which blocks a list may hold.
#[derive(Debug)]
pub(in crate::content) enum Restriction {
    None,
    Names(Lists<String>),
    /// With their subgroups.
    Groups(Lists<Uuid>),
    Tags(Lists<i64>),
}

/// What is allowed, or all when there is none; and of that what is denied.
#[derive(Debug)]
pub(in crate::content) struct Lists<T> {
    pub(super) allowed: HashSet<T>,
    pub(super) denied: HashSet<T>,
}

impl FieldRules {
    pub(super) fn read(name: &str, schema: &Value) -> Self {
        let nothing = Map::new();
        let schema = schema.as_object().unwrap_or(&nothing);
        let pattern = text(schema, "regex").map(|source| SchemaPattern { source: source.to_owned(), compiled: OnceLock::new() });
        Self {
            name: name.to_owned(),
            required: is_on(schema, "required"),
            is_translatable: is_on(schema, "translatable"),
            pattern,
            settings: Setting::read_all(schema.get("conditional_settings")),
            kind: Kind::read(schema),
        }
    }
}

impl Kind {
    fn read(schema: &Map<String, Value>) -> Self {
        let counts = |min: &[&str], max: &[&str]| Counts { min: count(schema, min), max: count(schema, max) };
        match schema.get("type").and_then(Value::as_str).unwrap_or_default() {
            "text" | "textarea" | "markdown" => {
                Self::Text { min: count(schema, &["minlength", "min_length"]), max: count(schema, &["max_length", "maxlength"]) }
            }
            "richtext" => Self::RichText(Restriction::read(schema)),
            "number" => Self::Number(NumberRules {
                min: number(schema, "min_value"),
                max: number(schema, "max_value"),
                decimals: number(schema, "decimals").filter(|decimals| (0.0..=100.0).contains(decimals)).map(whole),
                steps: number(schema, "steps").filter(|steps| *steps > 0.0),
            }),
            "boolean" => Self::Boolean,
            "datetime" => Self::Datetime,
            "bloks" => {
                Self::Blocks(counts(&["minimum", "minimum_entries"], &["maximum", "maximum_entries"]), Restriction::read(schema))
            }
            "option" => Self::Option(Choice::read(schema)),
            "options" => Self::Options(counts(&["min_options"], &["max_options"]), Choice::read(schema)),
            "asset" => Self::Asset(FileKinds::read(schema.get("filetypes"))),
            "multiasset" => {
                Self::Assets(counts(&["minimum_entries"], &["maximum_entries"]), FileKinds::read(schema.get("filetypes")))
            }
            "multilink" | "link" => Self::Link(LinkRules {
                targets: Targets {
                    types: if is_on(schema, "restrict_content_types") {
                        texts(schema, "component_whitelist")
                    } else {
                        HashSet::new()
                    },
                    folder: if is_on(schema, "force_link_scope") { folder(schema, "link_scope") } else { None },
                },
            }),
            "section" | "tab" | "group" => Self::Layout,
            _ => Self::Free,
        }
    }
}

impl Choice {
    fn read(schema: &Map<String, Value>) -> Self {
        match text(schema, "source") {
            Some("internal") => text(schema, "datasource_slug").map_or(Self::Elsewhere, |slug| Self::Datasource(slug.to_owned())),
            Some("internal_stories") => {
                Self::Stories(Targets { types: texts(schema, "filter_content_type"), folder: folder(schema, "folder_slug") })
            }
            Some("internal_languages") => Self::Languages,
            Some("external") => Self::Elsewhere,
            _ => {
                let options = schema.get("options").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
                let listed: HashSet<String> = options.iter().filter_map(|option| plain::text_of(option.get("value")?)).collect();
                if listed.is_empty() { Self::Elsewhere } else { Self::Listed(listed) }
            }
        }
    }
}

impl Restriction {
    fn read(schema: &Map<String, Value>) -> Self {
        if !is_on(schema, "restrict_components") {
            return Self::None;
        }
        let uuids = |name| texts(schema, name).iter().filter_map(|text| text.parse().ok()).collect();
        let numbers = |name| texts(schema, name).iter().filter_map(|text| text.parse().ok()).collect();
        match text(schema, "restrict_type") {
            Some("groups") => {
                Self::Groups(Lists { allowed: uuids("component_group_whitelist"), denied: uuids("component_group_denylist") })
            }
            Some("tags") => {
                Self::Tags(Lists { allowed: numbers("component_tag_whitelist"), denied: numbers("component_tag_denylist") })
            }
            _ => Self::Names(Lists { allowed: texts(schema, "component_whitelist"), denied: texts(schema, "component_denylist") }),
        }
    }
}

fn is_on(schema: &Map<String, Value>, name: &str) -> bool {
    match schema.get(name) {
        Some(Value::Bool(value)) => *value,
        Some(Value::String(text)) => matches!(text.as_str(), "true" | "1"),
        Some(Value::Number(number)) => number.as_f64() == Some(1.0),
        _ => false,
    }
}

fn text<'a>(schema: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    schema.get(name)?.as_str().filter(|text| !text.trim().is_empty())
}

/// A list of texts, of numbers as their texts, or one text alone.
fn texts(schema: &Map<String, Value>, name: &str) -> HashSet<String> {
    let found: Vec<String> = match schema.get(name) {
        Some(Value::Array(items)) => items.iter().filter_map(plain::text_of).collect(),
        Some(one) => plain::text_of(one).into_iter().collect(),
        None => Vec::new(),
    };
    found.into_iter().filter(|text| !text.trim().is_empty()).collect()
}

/// A path, without slashes at its beginning. One with a placeholder, which the editor fills, is none.
fn folder(schema: &Map<String, Value>, name: &str) -> Option<String> {
    let path = text(schema, name)?.trim().trim_start_matches('/');
    (!path.is_empty() && !path.contains('{')).then(|| path.to_owned())
}

/// The number of the first of these attributes that has one; 0 is none.
fn count(schema: &Map<String, Value>, names: &[&str]) -> Option<usize> {
    names.iter().find_map(|name| number(schema, name)).filter(|count| *count >= 1.0).map(whole)
}

fn number(schema: &Map<String, Value>, name: &str) -> Option<f64> {
    plain::number(schema.get(name)?)
}

/// A number without its decimals; the largest there is for those beyond it.
fn whole(number: f64) -> usize {
    // A cast from float to integer saturates.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is positive, and saturates")]
    let whole = number as usize;
    whole
}
