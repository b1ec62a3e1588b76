use super::{Place, Publication, Story, clean_name, clean_tags};
use crate::{content::scheduling::PublishSchedule, shared::StoryId};
use jiff::Timestamp;
use proptest::prelude::*;
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
        place: Place { parent: StoryId::ROOT, slug: "a".into(), full_slug: "a".into(), position: 0, is_startpage: false },
        default_root: None,
        disable_fe_editor: false,
        pinned: false,
        publication: Publication::Draft,
        last_version: 0,
        created_at: at(0),
        updated_at: at(0),
        first_published_at: None,
        schedule: PublishSchedule::default(),
        deleted_at: None,
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

proptest! {
    /// Whatever is done in whatever order: a draft always counts as changed, a fresh publish never, and the first publish is kept.
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
