//! Conditional fields.

use super::lines;
use serde_json::{Value, json};

/// The problems of a required field `f` whose setting looks at `other`.
fn with(setting: Value, other: Value) -> Vec<String> {
    let schema = json!({
        "other": { "type": "text" }, "flag": { "type": "boolean" }, "count": { "type": "number" }, "many": { "type": "options", "options": [{ "value": "a" }, { "value": "b" }] },
        "f": { "type": "text", "required": true, "conditional_settings": setting },
    });
    lines(schema, other)
}

fn hide(condition: Value) -> Value {
    json!([{ "modifications": { "display": "hide" }, "rule_match": "all", "rule_conditions": [condition] }])
}

fn test(validation: &str, key: &str, value: Value) -> Value {
    json!({ "validation": validation, "value": value, "validated_object": { "type": "field", "field_key": key, "field_attr": "value" } })
}

#[test]
fn tests_of_other_fields() {
    for (condition, content, is_hidden) in [
        (test("empty", "other", json!(null)), json!({}), true),
        (test("empty", "other", json!(null)), json!({ "other": "x" }), false),
        (test("not_empty", "other", json!(null)), json!({ "other": "x" }), true),
        (test("is_not_empty", "other", json!(null)), json!({}), false),
        (test("equals", "other", json!("x")), json!({ "other": "x" }), true),
        (test("equals", "other", json!("x")), json!({ "other": "y" }), false),
        (test("equals", "other", json!("x")), json!({}), false),
        (test("not_equals", "other", json!("x")), json!({ "other": "y" }), true),
        (test("is_not_equal", "other", json!("x")), json!({ "other": "x" }), false),
        (test("equals", "flag", json!("true")), json!({ "flag": true }), true),
        (test("equals", "flag", json!(true)), json!({ "flag": true }), true),
        (test("equals", "flag", json!("false")), json!({ "flag": false }), true),
        (test("equals", "flag", json!("false")), json!({}), false),
        (test("equals", "flag", json!("true")), json!({}), false),
        (test("empty", "flag", json!(null)), json!({}), true),
        (test("equals", "count", json!("5")), json!({ "count": 5 }), true),
        (test("gt", "count", json!("5")), json!({ "count": "6" }), true),
        (test("gt", "count", json!(5)), json!({ "count": 5 }), false),
        (test("lt", "count", json!("5")), json!({ "count": 4.5 }), true),
        (test("lt", "count", json!("five")), json!({ "count": 4 }), false),
        (test("gt", "other", json!("5")), json!({ "other": "abc" }), false),
        (test("equals", "many", json!("a,b")), json!({ "many": ["a", "b"] }), true),
        (test("empty", "absent", json!(null)), json!({}), true),
    ] {
        let expected: &[&str] = if is_hidden { &[] } else { &["f blank"] };
        assert_eq!(with(hide(condition.clone()), content.clone()), expected, "{condition} {content}");
    }
}

#[test]
fn settings_apply_in_order_and_come_alone_or_as_lists() {
    let always = || test("empty", "absent", json!(null));
    let never = || test("not_empty", "absent", json!(null));
    let setting = |change: Value, matching: &str, tests: Value| json!({ "modifications": change, "rule_match": matching, "rule_conditions": tests });
    let hidden = json!({ "display": "hide" });
    for (settings, expected) in [
        (json!([setting(json!({ "required": false }), "all", json!([always()]))]), ""),
        (json!(setting(json!({ "required": "false" }), "all", json!([always()]))), ""),
        (json!([setting(json!([{ "required": false }, { "required": true }]), "all", json!([always()]))]), "f blank"),
        (
            json!([
                setting(hidden.clone(), "all", json!([always()])),
                setting(json!({ "display": "show" }), "all", json!([always()]))
            ]),
            "f blank",
        ),
        (json!([setting(hidden.clone(), "all", json!([always(), never()]))]), "f blank"),
        (json!([setting(hidden.clone(), "any", json!([always(), never()]))]), ""),
        (json!([setting(hidden.clone(), "any", json!([]))]), "f blank"),
        (json!([setting(hidden.clone(), "all", json!([]))]), "f blank"),
        (json!([setting(hidden.clone(), "most", json!([always()]))]), "f unknownCondition? f blank"),
        (json!([setting(json!({ "display": "blink" }), "all", json!([always()]))]), "f unknownCondition? f blank"),
        (
            json!([setting(hidden.clone(), "any", json!([test("like", "other", json!("x")), never()]))]),
            "f unknownCondition? f blank",
        ),
        (
            json!([setting(
                hidden,
                "any",
                json!([{ "validation": "empty", "validated_object": { "type": "story", "field_key": "absent" } }])
            )]),
            "f unknownCondition? f blank",
        ),
        (json!("nonsense"), "f blank"),
        (json!([null, 5, []]), "f blank"),
    ] {
        assert_eq!(with(settings.clone(), json!({})).join(" "), expected, "{settings}");
    }
}

#[test]
fn an_optional_field_can_be_made_required_and_a_hidden_one_follows_the_other_rules() {
    let setting = |change: Value| json!([{ "modifications": change, "rule_match": "all", "rule_conditions": [test("equals", "kind", json!("long"))] }]);
    let schema = |change: Value| json!({ "kind": { "type": "text" }, "f": { "type": "text", "max_length": 2, "conditional_settings": setting(change) } });
    assert_eq!(lines(schema(json!({ "required": true })), json!({ "kind": "long" })), ["f blank"]);
    assert_eq!(lines(schema(json!({ "required": true })), json!({ "kind": "short" })), [""; 0]);
    assert_eq!(lines(schema(json!({ "display": "hide" })), json!({ "kind": "long", "f": "abc" })), ["f tooLong"]);
}
