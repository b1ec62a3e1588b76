use super::{DerivedUids, IdMaps, SourcePaths, Story, story};
use crate::content::import::record::LocalizedPath;
use crate::content::import::{Finding, Kind, Record};
use crate::content::scheduling::{PublishAction, StoryPlan};
use crate::shared::Entropy;
use serde_json::{Value, json};
use std::sync::atomic::AtomicU64;

const UUID: &str = "00000000-0000-4000-8000-00000000000a";

fn prepared(mut more: Value) -> Result<Story, Finding> {
    let base =
        json!({"id": 7, "uuid": UUID, "name": "A", "slug": "a", "full_slug": "f/a", "content": {"component": "page", "_uid": "u"}});
    for (key, value) in base.as_object().unwrap() {
        more.as_object_mut().unwrap().entry(key.clone()).or_insert_with(|| value.clone());
    }
    let Record::Story(record) = Record::read(Kind::Story, &more.to_string()) else { panic!("{more}") };
    story(&record, &IdMaps::default())
}

#[test]
fn content_that_needs_no_change_is_kept_to_the_byte() {
    let text =
        format!(r#"{{"id":7,"uuid":"{UUID}","name":"A","slug":"a","content":{{ "component":"page","_uid":"u","n":1.50 }}}}"#);
    let Record::Story(record) = Record::read(Kind::Story, &text) else { panic!() };
    let prepared_story = story(&record, &IdMaps::default()).unwrap();
    assert_eq!(prepared_story.draft.edition.content.text().get(), r#"{ "component":"page","_uid":"u","n":1.50 }"#);
}

#[test]
fn missing_uids_are_the_same_each_time_and_differ_from_each_other() {
    let content = json!({"content": {"component": "page", "body": [{"component": "a"}, {"component": "a"}]}});
    let (one, other) = (prepared(content.clone()).unwrap(), prepared(content).unwrap());
    assert_eq!(one.draft.edition.content.text().get(), other.draft.edition.content.text().get());
    let tree = one.draft.edition.content.tree().unwrap();
    assert_ne!(tree["body"][0]["_uid"], tree["body"][1]["_uid"]);
}

#[test]
fn a_published_copy_is_there_when_the_source_has_one_and_differs_only_when_it_does() {
    assert!(prepared(json!({"published": false, "_published": {"name": "B"}})).unwrap().published.is_none());
    assert!(prepared(json!({"published": true})).unwrap().published.unwrap().differs.is_none());
    assert!(prepared(json!({"published": true, "_published": {"name": "A"}})).unwrap().published.unwrap().differs.is_none());
    let differs = prepared(json!({"published": true, "_published": {"name": "B"}})).unwrap().published.unwrap().differs.unwrap();
    assert_eq!(differs.edition.name, "B");
    assert_eq!(differs.edition.content.text().get(), r#"{"component":"page","_uid":"u"}"#);
    assert!(prepared(json!({"is_folder": true, "published": true, "content": {}})).unwrap().published.is_none());
}

#[test]
fn what_is_refused_is_named_by_number_and_path() {
    for more in [json!({"content": "text"}), json!({"content": []})] {
        let finding = prepared(more).unwrap_err();
        assert_eq!((finding.kind, finding.id, finding.label.as_str()), (Kind::Story, 7, "f/a"));
    }
}

#[test]
fn a_slug_is_kept_or_the_nearest_one_is_taken() {
    let long = "x".repeat(300);
    for kept in ["a b", "100%", "a%20b", long.as_str()] {
        let prepared_story = prepared(json!({ "slug": kept })).unwrap();
        assert_eq!((prepared_story.slug.as_str(), prepared_story.has_other_slug), (kept, false));
    }
    for (slug, full_slug, taken) in
        [("a/b", "f/a/b", "a-b"), ("", "f/last", "last"), ("", "f/last/", "last"), ("", "", UUID), ("..", "..", UUID)]
    {
        let prepared_story = prepared(json!({ "slug": slug, "full_slug": full_slug })).unwrap();
        assert_eq!((prepared_story.slug.as_str(), prepared_story.has_other_slug), (taken, true), "{slug} {full_slug}");
    }
}

#[test]
fn content_that_is_empty_is_kept_so_and_told() {
    for (content, kept) in [(json!(null), "{}"), (json!({}), "{}"), (json!({"a": 1}), r#"{"a":1}"#)] {
        let prepared_story = prepared(json!({ "content": content, "published": true })).unwrap();
        let edition = prepared_story.draft.edition;
        assert_eq!((edition.content.text().get(), edition.component), (kept, None));
        assert_eq!(prepared_story.warnings.iter().map(|warning| warning.code.as_str()).collect::<Vec<_>>(), ["contentEmpty"]);
    }
    assert_eq!(prepared(json!({ "is_folder": true, "content": null })).unwrap().warnings, []);
}

#[test]
fn a_name_or_tags_that_cannot_be_stored_cost_no_story() {
    let prepared_story = prepared(
        json!({"name": " ", "tag_list": ["x", "y".repeat(300)], "published": true, "_published": {"name": "n".repeat(300)}}),
    );
    let prepared_story = prepared_story.unwrap();
    assert_eq!(
        (prepared_story.draft.edition.name.as_str(), prepared_story.draft.edition.tags.as_slice()),
        ("a", &["x".to_owned()][..])
    );
    assert_eq!(prepared_story.published.unwrap().differs.unwrap().edition.name.len(), 255);
    assert_eq!(
        prepared_story.warnings.iter().map(|warning| warning.code.as_str()).collect::<Vec<_>>(),
        ["attributeOdd", "attributeOdd"]
    );
}

#[test]
fn strange_translations_are_told() {
    let more = json!({"translated_slugs":
        [{"lang": "de", "slug": "b", "name": null}, {"lang": "fr", "slug": "a/b"}, {"lang": "it", "slug": null}]});
    let prepared_story = prepared(more).unwrap();
    assert_eq!(prepared_story.warnings.iter().map(|warning| warning.code.as_str()).collect::<Vec<_>>(), ["translationInvalid"]);
    assert_eq!(prepared_story.translations.len(), 1);
}

#[test]
fn what_is_planned_comes_along_and_what_cannot_be_is_told() {
    let more = json!({"publish_at": "2030-01-01T00:00:00.000Z", "expire_at": "some day", "_schedulings": [
        {"publish_at": "2031-01-01 10:00"}, {"publish_at": "2030-05-01 10:00", "status": "scheduled", "language": ""},
        {"publish_at": "2031-01-01T10:00:00Z"}, {"publish_at": "2029-01-01 10:00", "status": "schedule_published"},
        {"publish_at": "2032-01-01 10:00", "language": "de"}, {"publish_at": "2033-01-01 10:00", "action": "unpublish"},
        {"publish_at": "2034-01-01 10:00", "action": "burn"}, {"publish_at": "soon"},
        // All languages, at a source whose translations are not published by themselves; one that says its
        // action means what it says.
        {"publish_at": "2035-01-01 10:00", "language": "[default]"}, {"publish_at": "2035-02-01 10:00", "language": "default"},
        {"publish_at": "2035-03-01 10:00", "language": "[default]", "action": "unpublish"},
        {"publish_at": "2035-04-01 10:00", "language": "default", "action": "publish"}]});
    let prepared_story = prepared(more.clone()).unwrap();
    assert_eq!(
        (prepared_story.schedule.publish_at, prepared_story.schedule.expire_at),
        (Some("2030-01-01T00:00:00Z".parse().unwrap()), None)
    );
    let plan = |at: &str, action, language: Option<&str>| StoryPlan {
        at: at.parse().unwrap(),
        action,
        language: language.map(Into::into),
    };
    assert_eq!(
        prepared_story.schedulings,
        [
            plan("2030-05-01T10:00:00Z", PublishAction::Publish, None),
            plan("2031-01-01T10:00:00Z", PublishAction::Publish, None),
            plan("2032-01-01T10:00:00Z", PublishAction::Publish, Some("de")),
            plan("2033-01-01T10:00:00Z", PublishAction::Unpublish, None),
            plan("2035-01-01T10:00:00Z", PublishAction::Publish, None),
            plan("2035-02-01T10:00:00Z", PublishAction::Publish, None),
            plan("2035-03-01T10:00:00Z", PublishAction::Unpublish, Some("[default]")),
            plan("2035-04-01T10:00:00Z", PublishAction::Publish, Some("[default]")),
        ]
    );
    let codes: Vec<_> = prepared_story.warnings.iter().map(|warning| warning.code.as_str()).collect();
    assert_eq!(codes, ["scheduleUnreadable", "scheduleUnreadable", "scheduleUnreadable"]);

    let mut folder = more;
    folder.as_object_mut().unwrap().extend(json!({"is_folder": true, "content": {}}).as_object().unwrap().clone());
    let prepared_story = prepared(folder).unwrap();
    assert!(
        prepared_story.schedule == crate::content::scheduling::PublishSchedule::default() && prepared_story.schedulings.is_empty()
    );
}

#[test]
fn what_a_published_copy_has_instead_is_published_and_the_rest_is_the_drafts() {
    let more = json!({"published": true, "path": "/a", "sort_by_date": "2026-01-01", "meta_data": {"n": 1}, "tag_list": ["x"],
        "_published": {"path": null, "sort_by_date": "2025-01-01", "meta_data": {"n": 2}}});
    let prepared_story = prepared(more).unwrap();
    let (draft, published) = (prepared_story.draft.edition, prepared_story.published.unwrap().differs.unwrap().edition);
    assert_eq!((draft.path.as_deref(), published.path), (Some("/a"), None));
    assert_eq!(
        (draft.sort_by_date.unwrap().to_string(), published.sort_by_date.unwrap().to_string()),
        ("2026-01-01".into(), "2025-01-01".into())
    );
    assert_eq!((draft.meta_data.unwrap().get(), published.meta_data.unwrap().get()), (r#"{"n":1}"#, r#"{"n":2}"#));
    assert_eq!(published.tags, ["x"]);
    let none = prepared(json!({"published": true, "meta_data": {"n": 1}, "_published": {"meta_data": null}})).unwrap();
    assert!(none.published.unwrap().differs.unwrap().edition.meta_data.is_none());
}

#[test]
fn a_translation_that_is_not_published_is_in_the_draft_alone() {
    let content = json!({"component": "page", "body": [{"component": "a", "t": "x", "t__i18n__de": "y", "t__i18n__fr": "z"}]});
    let translated_slugs = json!([{"lang": "de", "slug": "b", "published": false}, {"lang": "fr", "slug": "c", "published": true}]);
    let more = json!({"published": true, "content": content, "translated_slugs": translated_slugs});
    let prepared_story = prepared(more.clone()).unwrap();
    let codes: Vec<_> = prepared_story.warnings.iter().map(|warning| warning.code.as_str()).collect();
    assert_eq!(codes, ["translationUnpublished"]);
    let (draft, shown) = (prepared_story.draft.edition.content, prepared_story.published.unwrap().differs.unwrap().edition.content);
    assert!(draft.text().get().contains("__i18n__de") && draft.text().get().contains("__i18n__fr"));
    assert!(!shown.text().get().contains("__i18n__de") && shown.text().get().contains("__i18n__fr"));
    // Blocks are the same ones in both.
    let uid = |text: &str| serde_json::from_str::<Value>(text).unwrap()["body"][0]["_uid"].clone();
    assert_eq!(uid(draft.text().get()), uid(shown.text().get()));

    // What readers see is known: nothing is left out of it.
    let mut seen = more;
    seen["_published"] = json!({"content": content});
    let prepared_story = prepared(seen).unwrap();
    assert!(prepared_story.warnings.is_empty() && prepared_story.published.unwrap().differs.is_none());
}

#[test]
fn generated_uids_are_those_of_splitmix64_at_every_import() {
    // The first numbers of the generator from the seed 0, as Java's and others' have them.
    let uids = DerivedUids { seed: uuid::Uuid::nil(), generated: AtomicU64::new(0) };
    let mut bytes = [0; 16];
    uids.fill(&mut bytes);
    let (first, second) = bytes.split_at(8);
    assert_eq!(u64::from_le_bytes(first.try_into().unwrap()), 0xe220_a839_7b1d_cdaf);
    assert_eq!(u64::from_le_bytes(second.try_into().unwrap()), 0x6e78_9e6a_a1b9_65f4);
    // Stories whose UUIDs differ in either half have other ones.
    let fill = |seed: u128| {
        let mut bytes = [0; 8];
        DerivedUids { seed: uuid::Uuid::from_u128(seed), generated: AtomicU64::new(0) }.fill(&mut bytes);
        bytes
    };
    let all: std::collections::BTreeSet<_> = [0, 1, 3, 1 << 64, 3 << 64].map(fill).into();
    assert_eq!(all.len(), 5);
}

#[test]
fn where_it_was_at_the_source_is_known_as_far_as_the_source_says() {
    let paths = |more: Value| prepared(more).unwrap().source_paths;
    let localized = json!([{"lang": "de", "path": "de/a"}, {"lang": "", "path": "x"}, {"lang": "fr", "path": ""}]);
    let both = paths(json!({"localized_paths": localized}));
    assert_eq!(
        both,
        SourcePaths { full_slug: Some("f/a".into()), localized: vec![LocalizedPath { lang: "de".into(), path: "de/a".into() }] }
    );
    assert_eq!(paths(json!({"full_slug": ""})), SourcePaths::default());
}

#[test]
fn attributes_of_the_editor_come_along() {
    let folder = prepared(json!({"is_folder": true, "is_startpage": true, "default_root": "page", "content": {}})).unwrap();
    assert_eq!((folder.is_startpage, folder.default_root.as_deref()), (false, Some("page")), "a folder is no start page");
    let story = prepared(json!({"is_startpage": true, "default_root": ""})).unwrap();
    assert_eq!((story.is_startpage, story.default_root, story.disable_fe_editor), (true, None, false));
    for spelling in ["disable_fe_editor", "disble_fe_editor"] {
        assert!(prepared(json!({ spelling: true })).unwrap().disable_fe_editor, "{spelling}");
    }
}

#[test]
fn the_same_warning_of_draft_and_published_copy_is_told_once() {
    let prepared_story = prepared(json!({"name": " ", "published": true, "_published": {"name": "n".repeat(300)}})).unwrap();
    assert_eq!(prepared_story.warnings.len(), 1);
    let prepared_story = prepared(json!({"name": " ", "tag_list": ["y".repeat(300)]})).unwrap();
    assert_eq!(prepared_story.warnings.len(), 2, "another one is told");
}

#[test]
fn the_published_version_is_there_when_it_differs() {
    assert!(prepared(json!({"published": true})).unwrap().differing_published().is_none());
    let prepared_story = prepared(json!({"published": true, "_published": {"name": "B"}})).unwrap();
    assert_eq!(prepared_story.differing_published().unwrap().edition.name, "B");
}

#[test]
fn a_folder_that_is_made_of_its_line_in_the_list_says_so() {
    let line = json!({"id": 7, "uuid": UUID, "name": "f", "is_folder": true, "full_slug": "a/f"});
    let Record::Story(mut record) = Record::read(Kind::Folder, &line.to_string()) else { panic!() };
    record.details_missing = Some("no answer".to_owned());
    let folder = story(&record, &IdMaps::default()).unwrap();
    assert_eq!((folder.is_of_list, folder.slug.as_str()), (true, "f"));
    assert_eq!(folder.warnings.iter().map(|warning| warning.code.as_str()).collect::<Vec<_>>(), ["detailsMissing"]);
    assert!(folder.warnings[0].message.contains("(no answer)"));
}
