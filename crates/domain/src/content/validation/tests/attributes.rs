//! The attributes of fields, type by type.

use super::{codes, lines};
use serde_json::{Value, json};

/// Checks rows of schema, value and codes.
fn check(rows: &[(Value, Value, &str)]) {
    for (schema, value, expected) in rows {
        assert_eq!(codes(schema, value), *expected, "{schema} {value}");
    }
}

#[test]
fn required() {
    let required = |kind: &str| json!({ "type": kind, "required": true });
    let document = |content: Value| json!({ "type": "doc", "content": [{ "type": "paragraph", "content": content }] });
    let missing = "blank";
    check(&[
        (required("text"), json!(null), missing),
        (required("text"), json!(""), missing),
        (required("textarea"), json!(" \n\t"), missing),
        (required("markdown"), json!("x"), ""),
        (json!({ "type": "text", "required": "true" }), json!(""), missing),
        (json!({ "type": "text", "required": 1 }), json!(""), missing),
        (json!({ "type": "text", "required": "0" }), json!(""), ""),
        (json!({ "type": "text", "required": false }), json!(""), ""),
        (required("bloks"), json!([]), missing),
        (required("options"), json!([]), missing),
        (required("multiasset"), json!([]), missing),
        (required("number"), json!(0), ""),
        (required("number"), json!(""), missing),
        (required("datetime"), json!(""), missing),
        (required("option"), json!(""), missing),
        (required("table"), json!(null), missing),
        (required("custom"), json!({ "plugin": "x" }), ""),
        (required("image"), json!(""), missing),
        (required("boolean"), json!(false), ""),
        (required("boolean"), json!(null), ""),
        (required("section"), json!(null), ""),
        (required("richtext"), json!({ "type": "doc", "content": [] }), missing),
        (required("richtext"), document(json!([{ "type": "text", "text": " " }])), missing),
        (required("richtext"), document(json!([{ "type": "hard_break" }])), missing),
        (required("richtext"), document(json!([{ "type": "text", "text": "x" }])), ""),
        (required("richtext"), document(json!([{ "type": "image", "attrs": {} }])), ""),
        (required("richtext"), document(json!([{ "type": "emoji", "attrs": { "name": "smile" } }])), ""),
        (required("richtext"), json!("plain"), ""),
        (required("richtext"), json!(5), "wrongType?"),
        (required("richtext"), document(json!([{ "type": "blok", "attrs": { "body": [] } }])), missing),
        (required("richtext"), document(json!([{ "type": "blok", "attrs": { "body": [{ "component": "quote" }] } }])), ""),
        (required("asset"), json!({ "fieldtype": "asset", "id": null, "filename": "" }), missing),
        (required("asset"), json!({ "fieldtype": "asset", "id": 5, "filename": null }), missing),
        (required("asset"), json!({ "fieldtype": "asset", "filename": "https://a.example/x.png" }), ""),
        (required("asset"), json!("https://a.example/x.png"), ""),
        (required("multilink"), json!({ "linktype": "story", "id": "", "url": "", "cached_url": "" }), missing),
        (required("multilink"), json!({ "linktype": "story", "id": "", "cached_url": "blog/first" }), ""),
        (required("multilink"), json!({ "linktype": "url", "id": "left over", "url": "" }), missing),
        (required("multilink"), json!({ "linktype": "url", "url": "https://a.example" }), ""),
        (required("multilink"), json!({ "linktype": "email", "email": "a@a.example" }), ""),
        (required("multilink"), json!({ "linktype": "email", "email": "", "id": "left over" }), missing),
        (required("multilink"), json!({ "linktype": "email", "url": "a@a.example" }), ""),
        (required("multilink"), json!({ "linktype": "email", "cached_url": "a@a.example" }), ""),
        (required("link"), json!({ "linktype": "story", "id": "", "url": " " }), missing),
        (required("group"), json!(null), ""),
        (required("tab"), json!(null), ""),
    ]);
    assert_eq!(
        lines(
            json!({ "boolean": { "type": "boolean", "required": true }, "title": { "type": "text", "required": true } }),
            json!({})
        ),
        ["title blank"]
    );
}

#[test]
fn only_the_default_language_can_miss_a_value() {
    let schema = json!({ "title": { "type": "text", "required": true, "translatable": true, "regex": "^[A-Z]" } });
    assert_eq!(lines(schema.clone(), json!({ "title": "A", "title__i18n__de": "" })), [""; 0]);
    assert_eq!(
        lines(schema, json!({ "title": "", "title__i18n__pt_br": "a" })),
        ["title__i18n__pt_br patternMismatch", "title blank"]
    );
}

#[test]
fn texts() {
    let text = |attributes: Value| {
        let mut schema = json!({ "type": "text" });
        schema.as_object_mut().unwrap().extend(attributes.as_object().unwrap().clone());
        schema
    };
    check(&[
        (text(json!({ "max_length": 3 })), json!("abc"), ""),
        (text(json!({ "max_length": 3 })), json!("abcd"), "tooLong"),
        (text(json!({ "max_length": "3" })), json!("abcd"), "tooLong"),
        (text(json!({ "maxlength": 3 })), json!("abcd"), "tooLong"),
        (text(json!({ "max_length": "", "maxlength": 3 })), json!("abcd"), "tooLong"),
        (text(json!({ "max_length": 0 })), json!("abcd"), ""),
        (text(json!({ "max_length": "" })), json!("abcd"), ""),
        (text(json!({ "max_length": "many" })), json!("abcd"), ""),
        (text(json!({ "max_length": 1 })), json!("😀"), "tooLong"),
        (text(json!({ "max_length": 2 })), json!("😀"), ""),
        (text(json!({ "minlength": 2 })), json!("a"), "tooShort"),
        (text(json!({ "minlength": "2" })), json!("ab"), ""),
        (text(json!({ "minlength": 2 })), json!(""), ""),
        (text(json!({ "minlength": 4, "max_length": 2 })), json!("abc"), "tooLong tooShort"),
        (text(json!({})), json!(5), "wrongType?"),
        (text(json!({})), json!(["a"]), "wrongType?"),
        (json!({ "type": "textarea", "max_length": "3" }), json!("abcd"), "tooLong"),
        (json!({ "type": "markdown", "max_length": 3 }), json!("abcd"), "tooLong"),
        (text(json!({ "regex": "^[a-z]+$" })), json!("abc"), ""),
        (text(json!({ "regex": "^[a-z]+$" })), json!("Abc"), "patternMismatch"),
        (text(json!({ "regex": "b" })), json!("abc"), ""),
        (text(json!({ "regex": "^(?!.*\\bfoo\\b)" })), json!("a foo"), "patternMismatch"),
        (text(json!({ "regex": "" })), json!("abc"), ""),
        (text(json!({ "regex": "^[a-z]+$" })), json!(""), ""),
        (text(json!({ "regex": "(" })), json!("abc"), "badPattern?"),
        (text(json!({ "regex": "(" })), json!(""), ""),
        (text(json!({ "regex": "^(a+)+\\1$" })), json!(format!("{}!", "a".repeat(50))), "patternUndecided?"),
        (json!({ "type": "number", "regex": "^\\d$" }), json!(12), "patternMismatch"),
    ]);
}

#[test]
fn numbers() {
    let number = |attributes: Value| {
        let mut schema = json!({ "type": "number" });
        schema.as_object_mut().unwrap().extend(attributes.as_object().unwrap().clone());
        schema
    };
    check(&[
        (number(json!({ "min_value": 2 })), json!(1), "tooSmall"),
        (number(json!({ "min_value": "2" })), json!("1.5"), "tooSmall"),
        (number(json!({ "min_value": 0 })), json!(-1), "tooSmall"),
        (number(json!({ "min_value": 2, "max_value": 3 })), json!("2"), ""),
        (number(json!({ "max_value": 3 })), json!("3.01"), "tooLarge"),
        (number(json!({ "max_value": 3 })), json!("10"), "tooLarge"),
        (number(json!({ "max_value": 3 })), json!(3.0), ""),
        (number(json!({})), json!("NaN"), "notANumber"),
        (number(json!({ "max_value": "" })), json!("10"), ""),
        (number(json!({ "decimals": 0 })), json!("1.5"), "tooPrecise"),
        (number(json!({ "decimals": "1" })), json!("1.50"), ""),
        (number(json!({ "decimals": 1 })), json!(1.25), "tooPrecise"),
        (number(json!({ "decimals": 2 })), json!("1e-3"), "tooPrecise"),
        (number(json!({ "steps": 0.1 })), json!("0.3"), ""),
        (number(json!({ "steps": "5" })), json!(12), "notAMultiple?"),
        (number(json!({ "steps": 0 })), json!(12), ""),
        (number(json!({})), json!("twelve"), "notANumber"),
        (number(json!({})), json!("inf"), "notANumber"),
        (number(json!({})), json!(" 12 "), ""),
        (number(json!({})), json!([1]), "wrongType?"),
        (number(json!({ "min_value": 2 })), json!(""), ""),
    ]);
}

#[test]
fn switches_and_times() {
    let time = json!({ "type": "datetime" });
    check(&[
        (json!({ "type": "boolean" }), json!(true), ""),
        (json!({ "type": "boolean" }), json!("true"), ""),
        (json!({ "type": "boolean" }), json!("yes"), "wrongType?"),
        (time.clone(), json!("2026-11-27 01:30"), ""),
        (time.clone(), json!("2026-11-27"), ""),
        (time.clone(), json!("2026-11-27T01:30:00.000Z"), ""),
        (time.clone(), json!("2026-13-27 01:30"), "wrongType?"),
        (time.clone(), json!("tomorrow"), "wrongType?"),
        (time, json!(5), "wrongType?"),
        (json!({ "type": "datetime", "disable_time": true }), json!("2026-11-27 01:30"), "timeNotAllowed?"),
        (json!({ "type": "datetime", "disable_time": true }), json!("2026-11-27 00:00"), ""),
        (json!({ "type": "datetime", "disable_time": true }), json!("2026-11-27T00:00:00.000Z"), ""),
        (json!({ "type": "datetime", "disable_time": true }), json!("2026-11-27"), ""),
    ]);
}

#[test]
fn plugins() {
    let plugin = |required: Value| json!({ "type": "custom", "field_type": "x", "required_fields": required });
    let value = json!({ "plugin": "x", "_uid": "u", "lat": 1, "name": " " });
    check(&[
        (plugin(json!(null)), value.clone(), ""),
        (plugin(json!("lat")), value.clone(), ""),
        (plugin(json!("lat, name")), value.clone(), "f/name blank"),
        (plugin(json!(["name", "place"])), value, "f/name blank f/place blank"),
        (plugin(json!("name")), json!("a text"), ""),
    ]);
}

#[test]
fn files_of_other_servers() {
    let external = json!({ "fieldtype": "asset", "id": null, "filename": "https://b.example/a.png", "is_external_url": true });
    let of = |allowed: Value| json!({ "type": "asset", "allow_external_url": allowed });
    check(&[
        (of(json!(true)), external.clone(), ""),
        (of(json!(null)), external.clone(), ""),
        (json!({ "type": "asset" }), external.clone(), ""),
        (of(json!(false)), external.clone(), "externalUrlNotAllowed?"),
        (json!({ "type": "multiasset", "allow_external_url": false }), json!([external]), "externalUrlNotAllowed?"),
        (of(json!(false)), json!({ "fieldtype": "asset", "id": 1, "filename": "https://a.example/f/a.png" }), ""),
    ]);
}

#[test]
fn assets() {
    let file = |name: &str| json!({ "fieldtype": "asset", "id": 1, "filename": format!("https://a.example/f/1/x/{name}") });
    let of = |kinds: Value| json!({ "type": "asset", "filetypes": kinds });
    let many = json!({ "type": "multiasset", "minimum_entries": 2, "maximum_entries": "3", "filetypes": ["images", "videos"] });
    check(&[
        (of(json!(["images"])), file("a.PNG"), ""),
        (of(json!(["images"])), file("a.svg?x=.pdf#.pdf"), ""),
        (of(json!(["images"])), file("a.pdf"), "fileTypeNotAllowed"),
        (of(json!(["images"])), json!("//a.example/a.mp4"), "fileTypeNotAllowed"),
        (of(json!(["videos"])), file("a.mp4"), ""),
        (of(json!(["audios"])), file("a.mp3"), ""),
        (of(json!(["texts"])), file("a.pdf"), ""),
        (of(json!(["texts"])), file("a.png"), "fileTypeNotAllowed"),
        (of(json!(["images"])), file("a"), ""),
        (of(json!(["images"])), file("a.blend"), ""),
        (of(json!([])), file("a.exe"), ""),
        (of(json!(null)), file("a.pdf"), ""),
        (of(json!(["images"])), json!(5), "wrongType?"),
        (many.clone(), json!([file("a.png")]), "tooFew"),
        (many.clone(), json!([file("a.png"), file("b.mp4")]), ""),
        (many.clone(), json!([file("a.png"), file("b.pdf")]), "fileTypeNotAllowed"),
        (many.clone(), json!([file("a.png"), file("b.png"), file("c.png"), file("d.png")]), "tooMany"),
        (many.clone(), json!([]), ""),
        (many.clone(), json!([file("a.png"), { "fieldtype": "asset", "filename": "" }]), "tooFew"),
        (many, json!({}), "wrongType?"),
    ]);
}

#[test]
fn blocks() {
    let quote = || json!({ "component": "quote" });
    let of = |attributes: Value| {
        let mut schema = json!({ "type": "bloks" });
        schema.as_object_mut().unwrap().extend(attributes.as_object().unwrap().clone());
        schema
    };
    check(&[
        (of(json!({ "minimum": 2 })), json!([quote()]), "tooFew"),
        (of(json!({ "minimum": "2" })), json!([]), ""),
        (of(json!({ "minimum_entries": 2 })), json!([quote()]), "tooFew"),
        (of(json!({ "minimum": 0, "maximum": "" })), json!([quote()]), ""),
        (of(json!({ "maximum": 1 })), json!([quote(), quote()]), "tooMany"),
        (of(json!({ "maximum_entries": "1" })), json!([quote(), quote()]), "tooMany"),
        (of(json!({})), json!({ "component": "quote" }), "wrongType?"),
        (of(json!({})), json!([5]), "f/0 wrongType?"),
        (of(json!({})), json!([{ "_uid": "x" }]), "f/0 wrongType?"),
    ]);
}

#[test]
fn restrictions_of_blocks() {
    let names = |kind: &str, attribute: &str, listed: Value| json!({ "type": "bloks", "restrict_components": true, "restrict_type": kind, attribute: listed });
    let (quote, teaser) = (json!([{ "component": "quote" }]), json!([{ "component": "teaser", "label": "x" }]));
    let outer = super::OUTER.to_string();
    let refused = "f/0 componentNotAllowed";
    check(&[
        (names("", "component_whitelist", json!(["quote"])), quote.clone(), ""),
        (names("", "component_whitelist", json!(["quote"])), teaser.clone(), refused),
        (names("", "component_whitelist", json!([])), teaser.clone(), ""),
        (names("", "component_denylist", json!(["teaser"])), teaser.clone(), refused),
        (names("", "component_denylist", json!(["teaser"])), quote.clone(), ""),
        (names("groups", "component_group_whitelist", json!([super::INNER])), teaser.clone(), ""),
        (names("groups", "component_group_whitelist", json!([outer])), teaser.clone(), ""),
        (names("groups", "component_group_whitelist", json!([outer])), quote.clone(), refused),
        (names("groups", "component_group_whitelist", json!([])), quote.clone(), ""),
        (names("groups", "component_whitelist", json!(["quote"])), teaser.clone(), ""),
        (names("groups", "component_group_denylist", json!([outer])), teaser.clone(), refused),
        (names("tags", "component_tag_whitelist", json!([7])), teaser.clone(), ""),
        (names("tags", "component_tag_whitelist", json!(["7"])), teaser.clone(), ""),
        (names("tags", "component_tag_whitelist", json!([7])), quote.clone(), refused),
        (names("tags", "component_tag_denylist", json!([7])), teaser.clone(), refused),
        (json!({ "type": "bloks", "restrict_components": false, "component_whitelist": ["quote"] }), teaser.clone(), ""),
        (json!({ "type": "bloks", "component_whitelist": ["quote"] }), teaser, ""),
        (
            names("", "component_whitelist", json!(["quote"])),
            json!([{ "component": "nobody" }]),
            "f/0 componentNotAllowed f/0 unknownComponent?",
        ),
    ]);
}
