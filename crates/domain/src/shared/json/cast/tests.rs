use super::parse_cast;
use crate::shared::StoryId;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};
use std::collections::BTreeMap;
use uuid::Uuid;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Item {
    story_id: Option<StoryId>,
    names: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Body {
    name: Option<String>,
    is_folder: Option<bool>,
    position: Option<i32>,
    small: Option<u8>,
    ratio: Option<f64>,
    #[serde(deserialize_with = "given")]
    parent: Option<Option<StoryId>>,
    #[serde(deserialize_with = "given")]
    group: Option<Option<Uuid>>,
    ids: Vec<StoryId>,
    items: Vec<Item>,
    content: Option<Box<RawValue>>,
    meta: Option<Value>,
    by_name: BTreeMap<String, i64>,
}

/// Distinguishes `null` from an absent member.
fn given<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(from).map(Some)
}

fn read(body: Value) -> Body {
    parse_cast(body.to_string().as_bytes()).unwrap_or_else(|fault| panic!("{body}: {fault:?}"))
}

fn refused(body: &Value) -> (String, &'static str) {
    let fault = parse_cast::<Body>(body.to_string().as_bytes()).err().unwrap_or_else(|| panic!("{body}"));
    (fault.details[0].field.clone(), fault.details[0].code.name())
}

#[test]
fn scalars_become_what_the_field_wants() {
    for on in [json!(true), json!(1), json!("1"), json!("true"), json!(" true ")] {
        assert_eq!(read(json!({ "is_folder": on })).is_folder, Some(true), "{on}");
    }
    for off in [json!(false), json!(0), json!("0"), json!("false"), json!("")] {
        assert_eq!(read(json!({ "is_folder": off })).is_folder, Some(false), "{off}");
    }
    for three in [json!(3), json!("3"), json!(3.0), json!("3.0"), json!(" 3 ")] {
        let body = read(json!({ "position": three, "small": three, "parent": three, "ids": [three], "by_name": { "a": three } }));
        assert_eq!((body.position, body.small, body.ids), (Some(3), Some(3), vec![StoryId(3)]), "{three}");
        assert_eq!((body.parent, body.by_name["a"]), (Some(Some(StoryId(3))), 3), "{three}");
    }
    for (sent, text) in [(json!("a"), "a"), (json!(7), "7"), (json!(1.5), "1.5"), (json!(true), "true"), (json!(""), "")] {
        assert_eq!(read(json!({ "name": sent })).name.as_deref(), Some(text));
        assert_eq!(read(json!({ "items": [{ "names": [sent] }] })).items[0].names, [text]);
    }
    assert_eq!(read(json!({ "ratio": "1.5", "position": "-7" })).ratio, Some(1.5));
}

#[test]
fn nothing_is_null_for_what_is_no_text() {
    let body = read(json!({ "parent": "", "group": "", "position": "", "items": [{ "story_id": "" }], "name": "" }));
    assert_eq!((body.parent, body.group, body.position), (Some(None), Some(None), None));
    assert_eq!((body.items[0].story_id, body.name.as_deref()), (None, Some("")));
    let body = read(json!({ "parent": null, "name": null }));
    assert_eq!((body.parent, body.name, body.group), (Some(None), None, None));
}

#[test]
fn what_is_kept_as_json_is_left_as_it_is() {
    let body = parse_cast::<Body>(br#"{ "content": { "b": "1",  "a": 1.0 }, "meta": { "on": "true", "n": 1 } }"#).unwrap();
    assert_eq!(body.content.unwrap().get(), r#"{ "b": "1",  "a": 1.0 }"#);
    assert_eq!(body.meta.unwrap(), json!({ "on": "true", "n": 1 }));
}

#[test]
fn what_cannot_be_cast_names_its_field() {
    for (body, field) in [
        (json!({ "is_folder": "yes" }), "is_folder"),
        (json!({ "is_folder": 2 }), "is_folder"),
        (json!({ "position": "x" }), "position"),
        (json!({ "position": 1.5 }), "position"),
        (json!({ "position": "3." }), "position"),
        (json!({ "position": true }), "position"),
        (json!({ "position": [] }), "position"),
        (json!({ "small": 256 }), "small"),
        (json!({ "small": -1 }), "small"),
        (json!({ "ratio": "NaN" }), "ratio"),
        (json!({ "name": {} }), "name"),
        (json!({ "group": "x" }), "group"),
        (json!({ "ids": 7 }), "ids"),
        (json!({ "ids": [""] }), "ids"),
        (json!({ "ids": [1, "x"] }), "ids"),
        (json!({ "items": [{ "story_id": "x" }] }), "items.story_id"),
        (json!({ "items": [7] }), "items"),
        (json!({ "by_name": { "b": {} } }), "by_name.b"),
    ] {
        assert_eq!(refused(&body), (field.to_owned(), "invalid"), "{body}");
    }
}

#[test]
fn a_missing_field_is_blank_and_what_is_no_object_is_refused() {
    #[derive(Debug, Deserialize)]
    struct Needs {
        #[serde(rename = "ids")]
        _ids: Vec<i64>,
    }
    let fault = parse_cast::<Needs>(b"{}").unwrap_err();
    assert_eq!((fault.details[0].field.as_str(), fault.details[0].code.name()), ("ids", "blank"));
    for body in ["[]", "7", "null", "", "{", r#"{"name":"a","name":"b"}"#, r#"{"name":"\u0000"}"#, r#"{"name":"\ud800"}"#] {
        assert_eq!(parse_cast::<Body>(body.as_bytes()).unwrap_err().code.name(), "badJson", "{body}");
    }
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[0-9a-z. -]{0,5}".prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
    ]
}

proptest! {
    #[test]
    fn any_value_is_read_or_names_its_field(value in scalar()) {
        for field in ["name", "is_folder", "position", "small", "ratio", "parent", "group", "ids", "items", "by_name"] {
            if let Err(fault) = parse_cast::<Body>(json!({ field: value }).to_string().as_bytes()) {
                prop_assert_eq!(&fault.details[0].field, field);
            }
        }
    }

    #[test]
    fn what_has_the_right_type_is_read_as_without_casts(name in any::<String>(), is_folder in any::<bool>(), position in any::<i32>(), ids in prop::collection::vec(any::<i64>(), 0..4)) {
        prop_assume!(!name.contains('\0'));
        let body = read(json!({ "name": name, "is_folder": is_folder, "position": position, "ids": ids }));
        prop_assert_eq!((body.name, body.is_folder, body.position), (Some(name), Some(is_folder), Some(position)));
        prop_assert_eq!(body.ids, ids.into_iter().map(StoryId).collect::<Vec<_>>());
    }
}
