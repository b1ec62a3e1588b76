//! Where the stories of a chunk go, in which order, and as which rows.

use super::{
    path_conflicts::{Conflict, PathScheduler},
    placement::{PlacedStory, place_stories},
    row,
};
use crate::content::import::{
    apply::{
        ChunkOutcome,
        record::{PreparedContent, PreparedRecord},
    },
    state::{Folder, ImportState, SourceStories, SourceStory},
};
use domain::{
    content::{
        import::{Finding, Kind, Record, Report, prepare, rewrite::IdMaps},
        story::Publication,
    },
    shared::StoryId,
};
use jiff::Timestamp;
use serde_json::{Value, json};
use storage::content::imports::{ids::IdMapping, stories::ExistingStory};
use uuid::Uuid;

fn uuid(id: u64) -> Uuid {
    Uuid::from_u64_pair(7, id)
}

/// A story of the source, prepared.
fn record(id: u64, more: &Value) -> PreparedRecord {
    let mut story = json!({"id": id, "uuid": uuid(id), "name": "A", "slug": "a", "full_slug": "", "content": {"component": "page", "_uid": "u"}});
    story.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let Record::Story(read) = Record::read(Kind::Story, &story.to_string()) else { panic!("{story}") };
    let prepared = prepare::story(*read, &IdMaps::default()).map(Box::new);
    PreparedRecord { content: PreparedContent::Story(prepared), fingerprint: [0; 16] }
}

/// What an import knows that has reserved the ids 1001 to 1009 for the stories 1 to 9 of the source.
fn state() -> ImportState {
    let mut state = ImportState::default();
    for id in 1..10 {
        state.insert_mapping(Kind::Story, id, IdMapping::reserved(1000 + id));
    }
    state
}

/// The same, with more that it knows.
fn state_with(more: impl FnOnce(&mut ImportState)) -> ImportState {
    let mut state = state();
    more(&mut state);
    state
}

fn folder(full_slug: &str, translated: &[(&str, &str)]) -> Folder {
    let translated = translated.iter().map(|(lang, path)| ((*lang).to_owned(), (*path).to_owned())).collect();
    Folder { id: 1009, full_slug: full_slug.to_owned(), translated }
}

fn listed(id: i64, is_folder: bool, path: Option<&str>) -> (i64, SourceStory) {
    (id, SourceStory { uuid: uuid(id.unsigned_abs()), is_folder, full_slug: path.map(str::to_owned) })
}

fn placed<'a>(state: &ImportState, records: &'a [PreparedRecord]) -> (Vec<PlacedStory<'a>>, ChunkOutcome) {
    let mut outcome = ChunkOutcome::new(Report::default(), state);
    let records: Vec<&PreparedRecord> = records.iter().collect();
    let placed = place_stories(Kind::Story, state, &records, &mut outcome);
    (placed, outcome)
}

/// The codes of failures and warnings of a story that is placed.
fn told(state: &ImportState, more: &Value) -> Vec<String> {
    let records = [record(1, more)];
    let (placed, mut outcome) = placed(state, &records);
    for story in &placed {
        story.report_place(Kind::Story, &mut outcome);
    }
    let found = [outcome.report.failures, outcome.report.warnings];
    found.into_iter().flat_map(|findings| findings.items).map(|finding| finding.code).collect()
}

#[test]
fn a_story_stands_in_its_folder_in_every_language() {
    let mut state = state();
    state.folders.insert(9, folder("f", &[("de", "ordner")]));
    let translations = json!([{"lang": "de", "slug": "b"}, {"lang": "fr", "slug": "c"}]);
    for (more, path, de, fr) in [
        (json!({}), "f/a", Some("ordner/a"), None),
        (json!({"translated_slugs": translations}), "f/a", Some("ordner/b"), Some("f/c")),
        (json!({"is_startpage": true, "translated_slugs": translations}), "f/", Some("ordner/"), Some("f/")),
    ] {
        let mut more = more;
        more["parent_id"] = json!(9);
        let records = [record(1, &more)];
        let (placed, _) = placed(&state, &records);
        assert_eq!((placed[0].id, placed[0].place.parent, placed[0].place.full_slug.as_str()), (1001, StoryId(1009), path));
        let translated = placed[0].translated_paths();
        let of = |lang: &str| translated.get(lang).map(String::as_str);
        assert_eq!((of("de"), of("fr")), (de, fr), "{more}");
        assert!(placed[0].alternative.is_none());
    }
    let records = [record(1, &json!({"translated_slugs": translations}))];
    let (placed, _) = placed(&state, &records);
    assert_eq!((placed[0].place.parent, placed[0].place.full_slug.as_str()), (StoryId(0), "a"));
    assert_eq!(placed[0].translated_paths()["de"], "b");
}

#[test]
fn a_story_whose_folder_cannot_be_here_stands_at_the_top_and_that_is_told() {
    let in_folder = json!({"parent_id": 9});
    assert_eq!(told(&state(), &in_folder), ["parentMissing"], "the source does not have it");
    let story = state_with(|state| state.source_stories = SourceStories::new([listed(9, false, None)]));
    assert_eq!(told(&story, &in_folder), ["parentMissing"], "it is a story");
    let folder = || state_with(|state| state.source_stories = SourceStories::new([listed(9, true, None)]));
    let mut trashed = folder();
    trashed.trashed_folders.insert(9);
    assert_eq!(told(&trashed, &in_folder), ["parentMissing"], "it was deleted here");
    assert_eq!(told(&folder(), &in_folder), ["folderMissing"], "it was not imported, so the story is not either");
}

#[test]
fn a_record_that_cannot_be_placed_is_told() {
    assert_eq!(told(&ImportState::default(), &json!({})), ["late"]);
    let gone = |content| [PreparedRecord { content, fingerprint: [0; 16] }];
    for (content, code) in [
        (PreparedContent::Story(Err(Finding::new("invalid", Kind::Story, 1, "a", "is wrong"))), "invalid"),
        (PreparedContent::Plain(Record::Gone { id: 1 }), "gone"),
        (PreparedContent::Plain(Record::Unreadable { id: 1, why: "no JSON".to_owned() }), "unreadable"),
    ] {
        let records = gone(content);
        let (placed, outcome) = placed(&state(), &records);
        let found = outcome.report.failures.items.into_iter().chain(outcome.report.warnings.items);
        let codes: Vec<String> = found.map(|finding| finding.code).collect();
        assert_eq!((placed.len(), codes), (0, vec![code.to_owned()]));
    }
}

#[test]
fn a_path_that_differs_from_that_of_the_source_is_told() {
    for (more, codes) in [
        (json!({"full_slug": "a"}), &[][..]),
        (json!({"full_slug": "/a/"}), &[]),
        (json!({"full_slug": "b/a"}), &["pathDiffers"]),
        (json!({"slug": "x/y"}), &["pathDiffers"]),
        (json!({"slug": "x/y", "full_slug": "x-y"}), &[]),
        (json!({"localized_paths": [{"lang": "de", "path": "de/a"}]}), &[]),
        (json!({"localized_paths": [{"lang": "de", "path": "a"}]}), &[]),
        (json!({"localized_paths": [{"lang": "de", "path": "dea"}]}), &["pathDiffers"]),
        (json!({"localized_paths": [{"lang": "de", "path": "b"}]}), &["pathDiffers"]),
        (json!({"translated_slugs": [{"lang": "de", "slug": "b"}], "localized_paths": [{"lang": "de", "path": "de/b"}]}), &[]),
    ] {
        assert_eq!(told(&state(), &more), codes, "{more}");
    }
}

#[test]
fn a_path_that_the_source_does_not_know_gives_way() {
    let odd = |full_slug: &str| record(1, &json!({"slug": "x/y", "full_slug": full_slug}));
    let records = [odd("x/y")];
    let (stories, _) = placed(&state(), &records);
    assert_eq!(stories[0].place.full_slug, "x-y");
    assert_eq!(stories[0].alternative.as_ref().unwrap().full_slug, "x-y-1");
    // Another story of the source has that path.
    let taken = state_with(|state| state.source_stories = SourceStories::new([listed(2, false, Some("x-y"))]));
    let (stories, _) = placed(&taken, &records);
    assert_eq!((stories[0].place.full_slug.as_str(), stories[0].alternative.is_none()), ("x-y-1", true));
    // It is the path of the story itself.
    let records = [odd("x-y")];
    assert!(placed(&state(), &records).0[0].alternative.is_none());
    // A story at the top whose folder is missing has another path, too.
    let records = [record(1, &json!({"parent_id": 9, "full_slug": "f/a"}))];
    assert_eq!(placed(&state(), &records).0[0].alternative.as_ref().unwrap().full_slug, "a-1");
}

#[test]
fn a_path_that_is_too_long_in_any_language_is_refused() {
    let mut state = state();
    state.folders.insert(9, folder("f", &[("de", &"x".repeat(1_997))]));
    let with_slug = |slug: &str| json!({"parent_id": 9, "translated_slugs": [{"lang": "de", "slug": slug}]});
    assert_eq!(told(&state, &with_slug("bb")), [""; 0]);
    assert_eq!(told(&state, &with_slug("bbb")), ["invalid"]);
    assert_eq!(told(&state, &json!({"parent_id": 9, "slug": "y".repeat(1_999)})), ["invalid"]);
}

#[test]
fn what_was_found_in_a_story_is_added_to_the_report() {
    let mut prepared = record(1, &json!({"name": " "}));
    let PreparedContent::Story(Ok(story)) = &mut prepared.content else { panic!() };
    story.urls_in_text = 3;
    story.broken.push(Finding::new("brokenReference", Kind::Story, 1, "a", "is missing"));
    let records = [prepared];
    let mut outcome = ChunkOutcome::new(Report { urls_in_text: 4, ..Report::default() }, &state());
    place_stories(Kind::Story, &state(), &[&records[0]], &mut outcome);
    let report = outcome.report;
    assert_eq!((report.urls_in_text, report.warnings.total, report.broken_references.total), (7, 1, 1));
}

#[test]
fn a_story_is_unchanged_when_all_that_is_stored_of_it_is_the_same() {
    let fingerprint = |more: &Value| placed(&state(), &[record(1, more)]).0[0].fingerprint;
    let usual = fingerprint(&json!({}));
    let mut known = state();
    known.insert_mapping(Kind::Story, 1, IdMapping { id: 1001, fingerprint: Some(usual), outcome: None });
    let is_unchanged = |more: &Value| placed(&known, &[record(1, more)]).0[0].is_unchanged;
    assert!(is_unchanged(&json!({})));
    assert!(is_unchanged(&json!({"content": {"_uid": "u", "component": "page"}})), "the order of keys is no part of it");
    let mut all = vec![usual];
    for more in [
        json!({"name": "B"}),
        json!({"slug": "b"}),
        json!({"tag_list": ["x"]}),
        json!({"position": 5}),
        json!({"path": "/x"}),
        json!({"published": true}),
        json!({"published": true, "published_at": "2026-01-01T00:00:00Z"}),
        json!({"published": true, "_published": {"name": "B"}}),
        json!({"is_startpage": true}),
        json!({"pinned": true}),
        json!({"meta_data": {"n": 1}}),
        json!({"sort_by_date": "2026-01-01"}),
        json!({"first_published_at": "2026-01-01T00:00:00Z"}),
        json!({"created_at": "2026-01-01T00:00:00Z"}),
        json!({"updated_at": "2026-01-01T00:00:00Z"}),
        json!({"publish_at": "2026-01-01T00:00:00Z"}),
        json!({"expire_at": "2026-01-01T00:00:00Z"}),
        json!({"translated_slugs": [{"lang": "de", "slug": "b"}]}),
        json!({"content": {"component": "page", "_uid": "u", "a": 1}}),
    ] {
        assert!(!is_unchanged(&more), "{more}");
        all.push(fingerprint(&more));
    }
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count, "no two of them are the same");
}

/// A story that is here, under the id of the story of this number.
fn existing(number: u64, path: &str) -> ExistingStory {
    let id = 1000 + i64::try_from(number).unwrap();
    ExistingStory { id, uuid: uuid(number), full_slug: path.to_owned(), is_folder: false, is_deleted: false }
}

/// The ids in the order of the schedule with their conflicts, when each story leaves its former path.
fn schedule(state: &ImportState, here: &[ExistingStory], wanted: &[(u64, &str)]) -> Vec<(i64, Option<Conflict>)> {
    let records: Vec<PreparedRecord> = wanted.iter().map(|(id, slug)| record(*id, &json!({ "slug": slug }))).collect();
    let (placed, _) = placed(state, &records);
    let mut scheduler = PathScheduler::new(here, placed, state);
    let mut order = Vec::new();
    while let Some((placed, conflict)) = scheduler.next(state) {
        scheduler.vacate(placed.id);
        order.push((placed.id, conflict));
    }
    order
}

#[test]
fn a_story_goes_before_the_one_that_takes_its_path() {
    let here = [existing(1, "a"), existing(2, "b"), existing(3, "c")];
    let order = schedule(&state(), &here, &[(1, "b"), (2, "c"), (3, "d")]);
    assert_eq!(order, [(1003, None), (1002, None), (1001, None)]);
    let order = schedule(&state(), &here, &[(1, "a"), (4, "new"), (2, "b")]);
    assert_eq!(order, [(1001, None), (1004, None), (1002, None)], "those that stay keep their order");
}

#[test]
fn of_stories_that_wait_in_a_circle_the_first_displaces_the_next() {
    let here = [existing(1, "a"), existing(2, "b")];
    let order = schedule(&state(), &here, &[(1, "b"), (2, "a")]);
    assert_eq!(order, [(1001, Some(Conflict::WillMove { id: 1002, source_id: 2 })), (1002, None)]);
}

#[test]
fn a_story_that_stays_at_a_path_blocks_it() {
    let blocked = [(1001, Some(Conflict::Blocked))];
    assert_eq!(schedule(&state(), &[existing(1, "a"), existing(5, "b")], &[(1, "b")]), blocked, "it is not of the source");
    let here = [existing(1, "a"), existing(2, "b")];
    let order = schedule(&state(), &here, &[(1, "b"), (2, "b")]);
    assert_eq!(order.first(), blocked.first(), "it wants the same path");
}

#[test]
fn a_story_that_moves_in_a_later_chunk_is_displaced_until_then() {
    let here = [existing(1, "a"), existing(2, "b")];
    let with = |path: &str| state_with(|state| state.source_stories = SourceStories::new([listed(2, false, Some(path))]));
    let will_move = [(1001, Some(Conflict::WillMove { id: 1002, source_id: 2 }))];
    assert_eq!(schedule(&with("c"), &here, &[(1, "b")]), will_move);
    let blocked = [(1001, Some(Conflict::Blocked))];
    assert_eq!(schedule(&with("/b/"), &here, &[(1, "b")]), blocked, "it has that path at the source as well");
    let mut settled = with("c");
    settled.settled_stories.insert(2);
    assert_eq!(schedule(&settled, &here, &[(1, "b")]), blocked, "this import has settled it");
}

#[test]
fn a_path_is_free_without_a_story_that_is_there_to_stay() {
    let mut deleted = existing(2, "b");
    deleted.is_deleted = true;
    assert_eq!(schedule(&state(), &[existing(1, "a"), deleted], &[(1, "b")]), [(1001, None)]);
    let arrived = state_with(|state| state.arrived = [1002].into());
    assert_eq!(schedule(&arrived, &[existing(2, "b")], &[(1, "b")]), [(1001, None)], "a dry run would have moved it");
    let (here, empty) = ([existing(1, "a"), existing(2, "b")], state());
    let mut scheduler = PathScheduler::new(&here, Vec::new(), &empty);
    assert!(scheduler.is_free("a", 1001) && !scheduler.is_free("a", 1002) && scheduler.is_free("c", 1001));
    scheduler.vacate(1001);
    assert!(scheduler.is_free("a", 1002));
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[test]
fn the_row_of_a_new_story_has_the_times_and_versions_of_the_source() {
    let now = at("2026-05-01T00:00:00Z");
    let row = |more: &Value| row::new_story(&placed(&state(), &[record(1, more)]).0[0], now).story;
    let draft = row(&json!({}));
    assert_eq!((draft.id, draft.publication, draft.last_version), (StoryId(1001), Publication::Draft, 1));
    assert_eq!((draft.created_at, draft.updated_at, draft.first_published_at), (now, now, None));
    let times = json!({"published": true, "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-02-01T00:00:00Z"});
    let same = row(&times);
    assert_eq!(same.publication, Publication::Published { version: 1, at: at("2026-02-01T00:00:00Z"), changed: false });
    assert_eq!(
        (same.created_at, same.last_version, same.first_published_at),
        (at("2026-01-01T00:00:00Z"), 1, Some(same.updated_at))
    );
    let differing =
        row(&json!({"published": true, "published_at": "2026-03-01T00:00:00Z", "first_published_at": "2025-01-01T00:00:00Z",
        "_published": {"name": "B"}}));
    assert_eq!(differing.publication, Publication::Published { version: 1, at: at("2026-03-01T00:00:00Z"), changed: true });
    assert_eq!((differing.last_version, differing.first_published_at), (2, Some(at("2025-01-01T00:00:00Z"))));
    assert_eq!(row(&json!({"is_folder": true, "content": {}})).last_version, 0);
}

#[test]
fn times_that_have_passed_are_not_planned_again() {
    let now = at("2026-05-01T00:00:00Z");
    let planned = |publish: &str| {
        let more = json!({"publish_at": publish, "expire_at": publish, "_schedulings": [{"publish_at": publish}]});
        let records = [record(1, &more)];
        let (placed, _) = placed(&state(), &records);
        let schedule = row::future_schedule(placed[0].source, now);
        (schedule.publish_at.is_some(), schedule.expire_at.is_some(), row::future_schedulings(placed[0].source, now).len())
    };
    assert_eq!(planned("2026-05-01T00:01:00Z"), (true, true, 1));
    assert_eq!(planned("2026-05-01T00:00:00Z"), (false, false, 0));
    assert_eq!(planned("2026-04-30T23:59:00Z"), (false, false, 0));
}
