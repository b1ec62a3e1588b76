use super::{Edition, Publication, Story, StoryPlace, clean_name, clean_tags};
use crate::{content::scheduling::PublishSchedule, shared::StoryId};
use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::value::RawValue;
use uuid::Uuid;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn story(is_folder: bool) -> Story {
    Story {
        id: StoryId(1),
        uuid: Uuid::nil(),
        group_id: Uuid::nil(),
        is_folder,
        place: StoryPlace { parent: StoryId::ROOT, slug: "a".into(), full_slug: "a".into(), position: 0, is_startpage: false },
        default_root: None,
        disable_fe_editor: false,
        pinned: false,
        translations: None,
        publication: Publication::Draft,
        last_version: 0,
        created_at: at(0),
        updated_at: at(0),
        first_published_at: None,
        schedule: PublishSchedule::default(),
        deleted_at: None,
        revision: 1,
        author: crate::shared::Authorship::default(),
        is_autosaved: false,
    }
}

#[test]
fn a_folder_is_never_published_and_has_no_unpublished_changes() {
    assert!(story(true).publish(1, at(1)).is_err());
    assert!(!story(true).has_unpublished_changes());
}

#[test]
fn unpublish_needs_a_published_copy() {
    assert!(story(false).unpublish().is_err());
}

#[test]
fn a_name_is_kept_as_it_was_written_but_not_blank() {
    assert_eq!(clean_name(" A name ").unwrap(), " A name ");
    assert!(clean_name(" \t").is_err());
    assert!(clean_name(&"ä".repeat(255)).is_ok() && clean_name(&"ä".repeat(256)).is_err());
}

#[test]
fn tags_are_trimmed_and_unique() {
    let tags = |value: &[&str]| clean_tags(value.iter().map(ToString::to_string).collect());
    assert_eq!(tags(&[" a", "b", "a", ""]).unwrap(), ["a", "b"]);
    assert!(tags(&[&"x".repeat(256)]).is_err());
}

#[test]
fn an_edition_differs_by_its_values_and_not_by_the_order_of_its_keys() {
    let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
    let edition = |content: &str, meta_data: Option<&str>| Edition {
        name: "A".into(),
        component: Some("page".into()),
        content: raw(content).into(),
        tags: vec!["a".into(), "b".into()],
        sort_by_date: None,
        path: None,
        meta_data: meta_data.map(raw),
    };
    let one = edition(r#"{"component":"page","n":{"a":1,"b":2}}"#, Some(r#"{"x":1,"y":2}"#));
    let turned = edition(r#"{"n":{"b":2,"a":1},"component":"page"}"#, Some(r#"{"y":2,"x":1}"#));
    assert!(!one.differs_from(&turned) && !one.is_written_as(&turned) && one.is_written_as(&one.clone()));
    let tags = Edition { tags: vec!["b".into(), "a".into()], ..one.clone() };
    for other in
        [edition(r#"{"component":"page","n":{"a":1}}"#, Some(r#"{"x":1,"y":2}"#)), Edition { meta_data: None, ..one.clone() }, tags]
    {
        assert!(one.differs_from(&other) && !one.is_written_as(&other));
    }
}

proptest! {
    /// Whatever is done in whatever order: a draft always counts as changed, a fresh publish never, and the
    /// first publish is kept.
    #[test]
    fn states_stay_consistent(steps in proptest::collection::vec((0_u8..3, any::<bool>()), 0..30)) {
        let mut story = story(false);
        let mut first = None;
        for (number, (step, differs)) in steps.into_iter().enumerate() {
            let version = i32::try_from(number).unwrap() + 1;
            let now = at(i64::from(version));
            story = match step {
                0 => story.saved(version, now, differs),
                1 => {
                    first.get_or_insert(now);
                    let published = story.publish(version, now).unwrap();
                    prop_assert!(!published.has_unpublished_changes());
                    published
                }
                _ if story.is_published() => story.unpublish().unwrap(),
                _ => story,
            };
            prop_assert_eq!(story.first_published_at, first);
            prop_assert_eq!(story.is_published(), story.published_at().is_some());
            prop_assert!(story.is_published() || story.has_unpublished_changes());
        }
    }
}

#[test]
fn tags_are_bounded_in_number_and_length() {
    let tags = |count: usize| super::clean_tags((0..count).map(|tag| tag.to_string()).collect()).is_ok();
    assert!(tags(500) && !tags(501));
    let long = |length: usize| super::clean_tags(vec![format!(" {} ", "ü".repeat(length))]).is_ok();
    assert!(long(255) && !long(256));
}
