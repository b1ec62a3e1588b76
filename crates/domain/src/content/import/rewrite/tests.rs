use super::{Maps, Schemas, Urls, content};
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

const HERE: &str = "00000000-0000-4000-8000-00000000000a";
const GONE: &str = "00000000-0000-4000-8000-00000000000b";
const OLD: &str = "https://a.storyblok.com/f/1/2x3/abc/a.png";
const NEW: &str = "https://cms.example.com/f/9/2x3/def/a.png";

fn maps() -> Maps {
    let mut schemas = Schemas::default();
    let schema = json!({
        "image": {"type": "asset"}, "images": {"type": "multiasset"}, "legacy": {"type": "image"}, "text": {"type": "markdown"},
        "author": {"type": "option", "source": "internal_stories"}, "related": {"type": "options", "source": "internal_stories"},
        "color": {"type": "option", "source": "internal"}, "plugin": {"type": "custom"}, "body": {"type": "bloks"},
    });
    schemas.insert("page", schema.as_object().unwrap());
    let mut urls = Urls::default();
    urls.insert("https://s3.amazonaws.com/a.storyblok.com/f/1/2x3/abc/a.png", NEW);
    Maps {
        schemas,
        urls,
        assets: [(5, 50)].into(),
        stories: [(7, 70), (8, 8)].into(),
        known: [HERE.parse::<Uuid>().unwrap()].into(),
    }
}

fn rewritten(mut tree: Value) -> (Value, super::Found) {
    let found = content(&mut tree, &maps());
    (tree, found)
}

#[test]
fn assets_get_their_new_numbers_and_urls_in_every_place() {
    let (tree, found) = rewritten(json!({
        "component": "page",
        "image": {"id": 5, "filename": OLD, "alt": "x", "fieldtype": "asset"},
        "image__i18n__de": {"id": 5, "filename": OLD},
        "images": [{"id": 5, "filename": OLD}, {"id": 6, "filename": "https://a.storyblok.com/f/1/other.png"}],
        "legacy": "//a.storyblok.com/f/1/2x3/abc/a.png",
        "text": format!("see ![]({OLD})"),
        "link": {"fieldtype": "multilink", "linktype": "asset", "url": OLD, "cached_url": OLD},
        "rich": {"type": "doc", "content": [
            {"type": "image", "attrs": {"id": 5, "src": OLD}},
            {"type": "text", "marks": [{"type": "link", "attrs": {"href": OLD, "linktype": "asset"}}]},
            {"type": "blok", "attrs": {"id": "x", "body": [{"component": "page", "image": {"id": 5, "filename": OLD}}]}},
        ]},
        "plugin": {"plugin": "gallery", "items": [OLD]},
        "body": [{"component": "unknown", "picture": {"fieldtype": "asset", "id": 5, "filename": OLD}}],
    }));
    assert_eq!(
        tree,
        json!({
            "component": "page",
            "image": {"id": 50, "filename": NEW, "alt": "x", "fieldtype": "asset"},
            "image__i18n__de": {"id": 50, "filename": NEW},
            "images": [{"id": 50, "filename": NEW}, {"id": 6, "filename": "https://a.storyblok.com/f/1/other.png"}],
            "legacy": NEW,
            "text": format!("see ![]({NEW})"),
            "link": {"fieldtype": "multilink", "linktype": "asset", "url": NEW, "cached_url": NEW},
            "rich": {"type": "doc", "content": [
                {"type": "image", "attrs": {"id": 50, "src": NEW}},
                {"type": "text", "marks": [{"type": "link", "attrs": {"href": NEW, "linktype": "asset"}}]},
                {"type": "blok", "attrs": {"id": "x", "body": [{"component": "page", "image": {"id": 50, "filename": NEW}}]}},
            ]},
            "plugin": {"plugin": "gallery", "items": [NEW]},
            "body": [{"component": "unknown", "picture": {"fieldtype": "asset", "id": 50, "filename": NEW}}],
        })
    );
    assert!(found.changed && found.broken.is_empty());
    assert_eq!(found.plugins, ["plugin"]);
}

#[test]
fn stories_keep_their_uuids_and_numbers_are_exchanged_where_a_field_holds_stories() {
    let (tree, found) = rewritten(json!({
        "component": "page", "author": "7", "related": ["7", "8", HERE], "related__i18n__de": ["7"], "color": "7", "title": "7",
    }));
    assert_eq!(
        tree,
        json!({
            "component": "page", "author": "70", "related": ["70", "8", HERE], "related__i18n__de": ["70"], "color": "7", "title": "7",
        })
    );
    assert!(found.broken.is_empty());
}

#[test]
fn references_that_lead_nowhere_are_named_with_their_field() {
    let (_, found) = rewritten(json!({
        "component": "page", "author": GONE, "related": [HERE, "99", ""], "color": GONE,
        "cta": {"fieldtype": "multilink", "linktype": "story", "id": GONE},
        "empty": {"fieldtype": "multilink", "linktype": "story", "id": ""},
        "out": {"fieldtype": "multilink", "linktype": "url", "id": GONE},
        "rich": {"type": "doc", "content": [{"type": "text", "marks": [{"type": "link", "attrs": {"linktype": "story", "uuid": GONE}}]}]},
    }));
    let broken: Vec<_> = found.broken.iter().map(|(field, target)| (field.as_str(), target.as_str())).collect();
    assert_eq!(broken, [("author", GONE), ("related", "99"), ("cta", GONE), ("rich", GONE)]);
    assert!(!found.changed);
}

/// Trees of what content is made of.
fn trees() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(OLD)),
        Just(json!(format!("a {OLD} b"))),
        Just(json!({"fieldtype": "asset", "id": 5, "filename": OLD})),
        Just(json!({"fieldtype": "multilink", "linktype": "story", "id": HERE})),
        any::<i64>().prop_map(Value::from),
        "[a-z/.:]{0,8}".prop_map(Value::from),
        Just(Value::Null),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((prop_oneof![Just("image".to_owned()), Just("text".to_owned()), "[a-z]{1,5}"], inner), 0..4)
                .prop_map(|fields| {
                    let mut block: serde_json::Map<String, Value> = fields.into_iter().collect();
                    block.insert("component".into(), "page".into());
                    Value::Object(block)
                }),
        ]
    })
}

proptest! {
    #[test]
    fn rewriting_twice_is_rewriting_once(tree in trees()) {
        let (once, _) = rewritten(tree);
        let (twice, found) = rewritten(once.clone());
        prop_assert_eq!(&once, &twice);
        prop_assert!(!found.changed);
    }

    #[test]
    fn without_anything_to_exchange_nothing_changes(tree in trees()) {
        let mut same = tree.clone();
        let found = content(&mut same, &Maps::default());
        prop_assert!(!found.changed);
        prop_assert_eq!(same, tree);
    }
}
