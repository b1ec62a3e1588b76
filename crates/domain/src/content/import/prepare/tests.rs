use super::{Maps, Story, story};
use crate::content::import::{Finding, Kind, Record};
use serde_json::{Value, json};

const UUID: &str = "00000000-0000-4000-8000-00000000000a";

fn prepared(mut more: Value) -> Result<Story, Finding> {
    let base =
        json!({"id": 7, "uuid": UUID, "name": "A", "slug": "a", "full_slug": "f/a", "content": {"component": "page", "_uid": "u"}});
    for (key, value) in base.as_object().unwrap() {
        more.as_object_mut().unwrap().entry(key.clone()).or_insert_with(|| value.clone());
    }
    let Record::Story(record) = Record::read(Kind::Story, &more.to_string()) else { panic!("{more}") };
    story(*record, &Maps::default())
}

#[test]
fn content_that_needs_no_change_is_kept_to_the_byte() {
    let text =
        format!(r#"{{"id":7,"uuid":"{UUID}","name":"A","slug":"a","content":{{ "component":"page","_uid":"u","n":1.50 }}}}"#);
    let Record::Story(record) = Record::read(Kind::Story, &text) else { panic!() };
    let made = story(*record, &Maps::default()).unwrap();
    assert_eq!(made.draft.edition.content.get(), r#"{ "component":"page","_uid":"u","n":1.50 }"#);
}

#[test]
fn missing_uids_are_the_same_each_time_and_differ_from_each_other() {
    let content = json!({"content": {"component": "page", "body": [{"component": "a"}, {"component": "a"}]}});
    let (one, other) = (prepared(content.clone()).unwrap(), prepared(content).unwrap());
    assert_eq!(one.draft.edition.content.get(), other.draft.edition.content.get());
    let tree: Value = serde_json::from_str(one.draft.edition.content.get()).unwrap();
    assert_ne!(tree["body"][0]["_uid"], tree["body"][1]["_uid"]);
}

#[test]
fn a_published_copy_is_there_when_the_source_has_one_and_differs_only_when_it_does() {
    assert!(prepared(json!({"published": false, "_published": {"name": "B"}})).unwrap().published.is_none());
    assert!(prepared(json!({"published": true})).unwrap().published.unwrap().differs.is_none());
    assert!(prepared(json!({"published": true, "_published": {"name": "A"}})).unwrap().published.unwrap().differs.is_none());
    let differs = prepared(json!({"published": true, "_published": {"name": "B"}})).unwrap().published.unwrap().differs.unwrap();
    assert_eq!(differs.edition.name, "B");
    assert_eq!(differs.edition.content.get(), r#"{"component":"page","_uid":"u"}"#);
    assert!(prepared(json!({"is_folder": true, "published": true, "content": {}})).unwrap().published.is_none());
}

#[test]
fn what_is_refused_is_named_by_number_and_path() {
    for more in [json!({"slug": "a/b"}), json!({"name": " "}), json!({"content": {}}), json!({"content": []})] {
        let finding = prepared(more).unwrap_err();
        assert_eq!((finding.kind, finding.id, finding.label.as_str()), (Kind::Story, 7, "f/a"));
    }
}

#[test]
fn strange_translations_are_told() {
    let more = json!({"translated_slugs":
        [{"lang": "de", "slug": "b", "name": null}, {"lang": "fr", "slug": "a/b"}, {"lang": "it", "slug": null}]});
    let made = prepared(more).unwrap();
    assert_eq!(made.warnings.iter().map(|it| it.code.as_str()).collect::<Vec<_>>(), ["translationInvalid"]);
    assert_eq!(made.translations.len(), 1);
}

#[test]
fn what_is_planned_comes_along_and_what_cannot_be_is_told() {
    let more = json!({"publish_at": "2030-01-01T00:00:00.000Z", "expire_at": "some day", "_schedulings": [
        {"publish_at": "2031-01-01 10:00"}, {"publish_at": "2030-05-01 10:00", "status": "scheduled", "language": ""},
        {"publish_at": "2031-01-01T10:00:00Z"}, {"publish_at": "2029-01-01 10:00", "status": "schedule_published"},
        {"publish_at": "2032-01-01 10:00", "language": "de"}, {"publish_at": "soon"}]});
    let made = prepared(more.clone()).unwrap();
    assert_eq!((made.plan.publish_at, made.plan.expire_at), (Some("2030-01-01T00:00:00Z".parse().unwrap()), None));
    let times: Vec<String> = made.schedulings.iter().map(ToString::to_string).collect();
    assert_eq!(times, ["2030-05-01T10:00:00Z", "2031-01-01T10:00:00Z"]);
    let codes: Vec<_> = made.warnings.iter().map(|it| it.code.as_str()).collect();
    assert_eq!(codes, ["scheduleUnreadable", "scheduleOfLanguage", "scheduleUnreadable"]);

    let mut folder = more;
    folder.as_object_mut().unwrap().extend(json!({"is_folder": true, "content": {}}).as_object().unwrap().clone());
    let made = prepared(folder).unwrap();
    assert!(made.plan == crate::content::scheduling::Plan::default() && made.schedulings.is_empty());
}
