use super::{AssetId, IdMappings, IdMaps, Schemas, SourceId, StoryId, Urls, content, record};
use crate::content::import::{IdMapping, Kind, Subject};
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

const HERE: &str = "00000000-0000-4000-8000-00000000000a";
const GONE: &str = "00000000-0000-4000-8000-00000000000b";
const OLD: &str = "https://a.storyblok.com/f/1/2x3/abc/a.png";
const NEW: &str = "https://cms.example.com/f/9/2x3/def/a.png";

fn maps() -> IdMaps {
    let mut schemas = Schemas::default();
    let schema = json!({
        "image": {"type": "asset"}, "images": {"type": "multiasset"}, "legacy": {"type": "image"}, "text": {"type": "markdown"},
        "author": {"type": "option", "source": "internal_stories"}, "related": {"type": "options", "source": "internal_stories"},
        "color": {"type": "option", "source": "internal"}, "plugin": {"type": "custom"}, "body": {"type": "bloks"},
    });
    schemas.insert("page", schema.as_object().unwrap());
    let mut urls = Urls::default();
    urls.insert("https://s3.amazonaws.com/a.storyblok.com/f/1/2x3/abc/a.png", NEW);
    let mut ids = IdMappings::default();
    ids.insert(SourceId::<record::Asset>::of(5), IdMapping::reserved(AssetId(50)));
    for (id, here) in [(7, 70), (8, 8)] {
        ids.insert(SourceId::<record::Story>::of(id), IdMapping::reserved(StoryId(here)));
    }
    IdMaps { schemas, urls, ids, known: [HERE.parse::<Uuid>().unwrap()].into() }
}

fn rewritten(mut tree: Value) -> (Value, super::RewriteResult) {
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
    let expected = [("author", GONE), ("related", "99"), ("cta", GONE), ("rich", GONE)];
    assert_eq!(found.broken, expected.map(|(field, target)| format!("{field} names {target}")));
    assert!(!found.changed);
}

/// Each form of an asset or story reference by itself, before and after.
#[test]
fn every_place_is_rewritten_by_itself() {
    let richtext = |node: Value| json!({"type": "doc", "content": [{"type": "paragraph", "content": [node]}]});
    for (place, before, after) in [
        ("image", json!({"id": 5, "filename": OLD, "alt": "a"}), json!({"id": 50, "filename": NEW, "alt": "a"})),
        ("image__i18n__de", json!({"id": 5, "filename": OLD}), json!({"id": 50, "filename": NEW})),
        ("images", json!([{"id": 5, "filename": OLD}, {"id": 9}]), json!([{"id": 50, "filename": NEW}, {"id": 9}])),
        ("images__i18n__pt_br", json!([{"id": 5}]), json!([{"id": 50}])),
        (
            "unknown",
            json!({"fieldtype": "asset", "id": 5, "filename": OLD}),
            json!({"fieldtype": "asset", "id": 50, "filename": NEW}),
        ),
        ("legacy", json!(OLD), json!(NEW)),
        ("file", json!("//a.storyblok.com/f/1/2x3/abc/a.png"), json!(NEW)),
        ("text", json!(format!("![a]({OLD}) and <img src=\"{OLD}\">")), json!(format!("![a]({NEW}) and <img src=\"{NEW}\">"))),
        ("textarea", json!(format!("see {OLD}.")), json!(format!("see {NEW}."))),
        ("plain", json!(format!("{OLD}/m/10x10")), json!(NEW)),
        (
            "rich",
            richtext(json!({"type": "image", "attrs": {"id": 5, "src": OLD}})),
            richtext(json!({"type": "image", "attrs": {"id": 50, "src": NEW}})),
        ),
        (
            "rich__i18n__de",
            richtext(json!({"type": "text", "marks": [{"type": "link", "attrs": {"href": OLD, "linktype": "asset"}}]})),
            richtext(json!({"type": "text", "marks": [{"type": "link", "attrs": {"href": NEW, "linktype": "asset"}}]})),
        ),
        (
            "rich",
            richtext(json!({"type": "blok", "attrs": {"body": [{"component": "page", "author": "7"}]}})),
            richtext(json!({"type": "blok", "attrs": {"body": [{"component": "page", "author": "70"}]}})),
        ),
        (
            "link",
            json!({"fieldtype": "multilink", "linktype": "asset", "url": OLD}),
            json!({"fieldtype": "multilink", "linktype": "asset", "url": NEW}),
        ),
        (
            "link",
            json!({"fieldtype": "multilink", "linktype": "story", "id": HERE}),
            json!({"fieldtype": "multilink", "linktype": "story", "id": HERE}),
        ),
        ("author", json!(HERE), json!(HERE)),
        ("author", json!("7"), json!("70")),
        ("related", json!(["7", HERE]), json!(["70", HERE])),
        ("related__i18n__de", json!(["7"]), json!(["70"])),
        ("color", json!("7"), json!("7")),
        ("body", json!([{"component": "page", "image": {"id": 5}}]), json!([{"component": "page", "image": {"id": 50}}])),
        ("table", json!({"tbody": [{"body": [{"value": OLD}]}]}), json!({"tbody": [{"body": [{"value": NEW}]}]})),
        ("plugin", json!({"items": [OLD, "7"]}), json!({"items": [NEW, "7"]})),
    ] {
        let (tree, found) = rewritten(json!({"component": "page", place: before}));
        assert_eq!(tree, json!({"component": "page", place: after}), "{place}");
        assert_eq!((found.changed, found.broken.len()), (before != after, 0), "{place}");
    }
}

#[test]
fn what_a_plugin_names_is_told_and_left_alone() {
    for (value, exchanged, named) in [
        (json!({"plugin": "x", "items": ["a", "99", 7, true]}), false, false),
        (json!({"plugin": "x", "items": [{"story": HERE}]}), false, true),
        (json!({"plugin": "x", "asset": "5"}), false, true),
        (json!({"plugin": "x", "story": "7"}), false, true),
        (json!({"plugin": "x", "story": GONE}), false, false),
        (json!({"plugin": "x", "url": OLD, "story": "8"}), true, true),
    ] {
        let (_, found) = rewritten(json!({"component": "page", "plugin": value}));
        assert_eq!(
            (found.plugins.len() == 1, found.plugin_references.len() == 1, found.changed),
            (exchanged, named, exchanged),
            "{value}"
        );
        let codes: Vec<_> =
            found.warnings(Subject { kind: Kind::Story, id: 1, label: "a" }).into_iter().map(|warning| warning.code).collect();
        let wanted = [("pluginRewritten", exchanged), ("pluginReferences", named)];
        assert_eq!(codes, wanted.iter().filter(|w| w.1).map(|w| w.0).collect::<Vec<_>>(), "{value}");
    }
}

#[test]
fn urls_in_the_middle_of_texts_are_counted() {
    for (text, count) in
        [(OLD.to_owned(), 0), (format!("a {OLD}"), 1), (format!("({OLD}) [{OLD}] https://example.com/f/1"), 2), ("a".into(), 0)]
    {
        assert_eq!(rewritten(json!({"component": "page", "text": text})).1.urls_in_text, count, "{text}");
    }
}

#[test]
fn fields_of_a_component_name_assets_and_stories_as_they_are_here() {
    let bloks =
        |id: i64, url: &str, story: &str| json!([{"component": "card", "picture": {"id": id, "filename": url}, "story": story}]);
    let mut fields = json!({
        "free": {"type": "asset", "asset_whitelist": [5, "5", 6, OLD, {"id": 5, "filename": OLD}]},
        "text": {"type": "markdown", "default_value": format!("![]({OLD})")},
        "author": {"type": "option", "source": "internal_stories", "default_value": "7"},
        "related": {"type": "options", "source": "internal_stories", "default_value": format!("7 {HERE} 8")},
        "list": {"type": "options", "source": "internal_stories", "default_value": ["7"]},
        "one": {"type": "asset", "default_value": {"id": 5, "filename": OLD}},
        "body": {"type": "bloks", "default_value": bloks(5, OLD, "7").to_string()},
        "more": {"type": "bloks", "default_value": bloks(5, OLD, GONE)},
        "color": {"type": "option", "default_value": "7"},
        "odd": 5,
    });
    let mut cards = Schemas::default();
    let card = json!({"picture": {"type": "asset"}, "story": {"type": "option", "source": "internal_stories"}});
    cards.insert("card", card.as_object().unwrap());
    let found = super::schema(fields.as_object_mut().unwrap(), &maps(), &cards);
    let default = |name: &str| fields[name]["default_value"].clone();
    assert_eq!(fields["free"]["asset_whitelist"], json!([50, "50", 6, NEW, {"id": 50, "filename": NEW}]));
    assert_eq!((default("text"), found.urls_in_text), (json!(format!("![]({NEW})")), 1));
    assert_eq!(
        (default("author"), default("related"), default("list")),
        (json!("70"), json!(format!("70 {HERE} 8")), json!(["70"]))
    );
    assert_eq!(default("one"), json!({"id": 50, "filename": NEW}));
    assert_eq!(serde_json::from_str::<Value>(default("body").as_str().unwrap()).unwrap(), bloks(50, NEW, "70"));
    assert_eq!((default("more"), default("color")), (bloks(50, NEW, GONE), json!("7")));
    assert_eq!(found.broken, [format!("story names {GONE}")]);
}

/// Generates content trees.
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
        let found = content(&mut same, &IdMaps::default());
        prop_assert!(!found.changed);
        prop_assert_eq!(same, tree);
    }
}
