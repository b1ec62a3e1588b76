//! Where the stories of a chunk go, in which order, and as which rows.

use super::{
    Occupant,
    path_conflicts::{Conflict, PathScheduler},
    placement::{PlacedStory, place_stories, wanted},
    row, run,
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
        import::{Finding, IdMapping, Kind, Record, Report, SourceId, prepare, record as source, rewrite::IdMaps},
        story::Publication,
    },
    shared::StoryId,
};
use jiff::Timestamp;
use serde_json::{Value, json};
use storage::content::imports::stories::ExistingStory;
use uuid::Uuid;

fn uuid(id: u64) -> Uuid {
    Uuid::from_u64_pair(7, id)
}

/// A story of the source, prepared.
fn record(id: u64, more: &Value) -> PreparedRecord {
    let mut story = json!({"id": id, "uuid": uuid(id), "name": "A", "slug": "a", "full_slug": "", "content": {"component": "page", "_uid": "u"}});
    story.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let Record::Story(read) = Record::read(Kind::Story, &story.to_string()) else { panic!("{story}") };
    let prepared = prepare::story(&read, &IdMaps::default()).map(Box::new);
    PreparedRecord { content: PreparedContent::Story(prepared), fingerprint: [0; 16] }
}

/// What an import knows that has reserved the ids 1001 to 1009 for the stories 1 to 9 of the source.
fn state() -> ImportState {
    let mut state = ImportState::default();
    for id in 1..10 {
        state.maps.ids.insert(SourceId::<source::Story>::of(id), IdMapping::reserved(StoryId(1000 + id)));
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
    Folder { id: StoryId(1009), full_slug: full_slug.to_owned(), translated }
}

fn listed(id: i64, is_folder: bool, path: Option<&str>) -> SourceStory {
    listed_in(0, id, is_folder, path)
}

fn listed_in(parent: i64, id: i64, is_folder: bool, path: Option<&str>) -> SourceStory {
    SourceStory {
        id: SourceId::of(id),
        uuid: uuid(id.unsigned_abs()),
        parent: SourceId::of(parent),
        is_folder,
        is_startpage: false,
        slug: None,
        full_slug: path.map(str::to_owned),
        localized: Vec::new(),
    }
}

fn placed<'a>(state: &ImportState, records: &'a [PreparedRecord]) -> (Vec<PlacedStory<'a>>, ChunkOutcome) {
    let mut outcome = ChunkOutcome::new(Report::default(), state);
    let placed = place_stories(Kind::Story, state, records, &mut outcome);
    (placed, outcome)
}

/// The codes of failures and warnings of a story that is placed.
fn told(state: &ImportState, more: &Value) -> Vec<String> {
    let records = [record(1, more)];
    let (placed, mut outcome) = placed(state, &records);
    for story in &placed {
        story.report_place(state, &mut outcome);
    }
    let found = [outcome.report.failures, outcome.report.warnings];
    found.into_iter().flat_map(|findings| findings.items).map(|finding| finding.code).collect()
}

#[test]
fn a_story_stands_in_its_folder_in_every_language() {
    let mut state = state();
    state.folders.insert(SourceId::of(9), folder("f", &[("de", "ordner")]));
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
        assert_eq!(
            (placed[0].id, placed[0].place.parent, placed[0].place.full_slug.as_str()),
            (StoryId(1001), StoryId(1009), path)
        );
        let translated = placed[0].translated_paths();
        let of = |lang: &str| translated.get(lang).map(String::as_str);
        assert_eq!((of("de"), of("fr")), (de, fr), "{more}");
        assert!(placed[0].has_known_path());
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
    trashed.trashed_folders.insert(SourceId::of(9));
    assert_eq!(told(&trashed, &in_folder), ["parentMissing"], "it was deleted here");
    assert_eq!(told(&folder(), &in_folder), ["parentMissing"], "it was not imported");
    let circle = || SourceStories::new([listed_in(9, 1, true, None), listed_in(1, 9, true, None)]);
    let mut round = state_with(|state| state.source_stories = circle());
    round.folders.insert(SourceId::of(9), self::folder("f", &[]));
    assert_eq!(told(&round, &in_folder), ["parentMissing"], "each stands in the other one");
    let mut inside = state();
    inside.folders.insert(SourceId::of(1), Folder { id: StoryId(1001), ..self::folder("a", &[]) });
    inside.folders.insert(SourceId::of(9), self::folder("a/f", &[]));
    assert_eq!(told(&inside, &json!({"parent_id": 9, "is_folder": true})), ["parentMissing"], "its folder stands in it here");
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
fn below_a_folder_that_is_elsewhere_only_the_end_of_a_path_is_compared() {
    let mut state = state_with(|state| state.source_stories = SourceStories::new([listed(9, true, Some("f"))]));
    state.folders.insert(SourceId::of(9), folder("f-9", &[("de", "ordner")]));
    for (more, codes) in [
        (json!({"full_slug": "f/a"}), &[][..]),
        (json!({"full_slug": "f/b"}), &["pathDiffers"]),
        (json!({"full_slug": "f/", "is_startpage": true}), &[]),
        (json!({"full_slug": "f/a", "localized_paths": [{"lang": "de", "path": "mappe/a"}]}), &[]),
        (json!({"full_slug": "f/a", "localized_paths": [{"lang": "de", "path": "mappe/b"}]}), &["pathDiffers"]),
    ] {
        let mut more = more;
        more["parent_id"] = json!(9);
        assert_eq!(told(&state, &more), codes, "{more}");
    }
}

#[test]
fn below_a_folder_that_is_elsewhere_in_one_language_only_ends_are_compared_in_it() {
    let mut state = state_with(|state| {
        let path = |(lang, path): (&str, &str)| source::LocalizedPath { lang: lang.to_owned(), path: path.to_owned() };
        let localized = [("de", "de/mappe"), ("fr", "dossier")].map(path).to_vec();
        state.source_stories = SourceStories::new([SourceStory { localized, ..listed(9, true, Some("f")) }]);
    });
    state.folders.insert(SourceId::of(9), folder("f", &[("de", "ordner"), ("fr", "dossier")]));
    for (lang, path, codes) in [
        ("de", "de/mappe/a", &[][..]),
        ("de", "mappe/a", &[]),
        ("de", "mappe/b", &["pathDiffers"]),
        ("fr", "dossier/a", &[]),
        ("fr", "mappe/a", &["pathDiffers"]),
        ("it", "f/a", &[]),
        ("it", "mappe/a", &["pathDiffers"]),
    ] {
        let more = json!({"full_slug": "f/a", "parent_id": 9, "localized_paths": [{"lang": lang, "path": path}]});
        assert_eq!(told(&state, &more), codes, "{lang} {path}");
    }
}

/// The paths that a story tries one after the other, with whether each is that of the source.
fn tried(state: &ImportState, more: &Value) -> Vec<(String, bool)> {
    let records = [record(1, more)];
    let mut placed = placed(state, &records).0.remove(0);
    let mut all = Vec::new();
    for _ in 0..3 {
        all.push((placed.place.full_slug.clone(), placed.has_known_path()));
        placed.try_next_slug(state).unwrap();
    }
    all
}

fn paths(all: &[(&str, bool)]) -> Vec<(String, bool)> {
    all.iter().map(|(path, is_known)| ((*path).to_owned(), *is_known)).collect()
}

#[test]
fn a_story_whose_path_is_taken_has_its_id_at_the_source_behind_its_slug_and_then_a_number() {
    assert_eq!(tried(&state(), &json!({})), paths(&[("a", true), ("a-1", false), ("a-1-2", false)]));
    let mut state = state_with(|state| {
        let all = [listed(9, true, Some("f")), listed_in(9, 2, false, Some("f/a-1")), listed(3, false, Some("a-1-2"))];
        state.source_stories = SourceStories::new(all);
    });
    state.folders.insert(SourceId::of(9), folder("f-9", &[]));
    let in_folder = json!({"parent_id": 9});
    assert_eq!(
        tried(&state, &in_folder),
        paths(&[("f-9/a", true), ("f-9/a-1-2", false), ("f-9/a-1-3", false)]),
        "one of the source has a-1"
    );
    // A second start page is an ordinary story.
    let start = json!({"parent_id": 9, "is_startpage": true});
    assert_eq!(tried(&state, &start)[..2], paths(&[("f-9/", true), ("f-9/a-1-2", false)]));
    assert_eq!(tried(&state, &json!({"is_startpage": true}))[..2], paths(&[("a", true), ("a-1", false)]));
}

#[test]
fn a_path_that_the_source_does_not_know_gives_way() {
    let odd = |full_slug: &str| json!({"slug": "x/y", "full_slug": full_slug});
    assert_eq!(tried(&state(), &odd("x/y"))[..2], paths(&[("x-y", false), ("x-y-1", false)]));
    // Another story of the source has that path.
    let taken = state_with(|state| state.source_stories = SourceStories::new([listed(2, false, Some("x-y"))]));
    assert_eq!(tried(&taken, &odd("x/y"))[0].0, "x-y-1");
    // It is the path of the story itself.
    assert_eq!(tried(&state(), &odd("x-y"))[0], ("x-y".to_owned(), true));
    // A story at the top whose folder is missing has a path that the source does not know, too.
    assert_eq!(tried(&state(), &json!({"parent_id": 9, "full_slug": "f/a"}))[..2], paths(&[("a", false), ("a-1", false)]));
}

#[test]
fn what_a_listed_story_wants_follows_from_its_folder_here() {
    let mut state = state_with(|state| {
        let all = [
            listed(9, true, Some("f")),
            listed_in(9, 1, false, Some("f/a")),
            SourceStory { is_startpage: true, ..listed_in(9, 2, false, Some("f/")) },
            SourceStory { slug: Some("x/y".to_owned()), ..listed_in(9, 3, false, Some("f/x/y")) },
            listed_in(8, 4, false, Some("g/b")),
        ];
        state.source_stories = SourceStories::new(all);
    });
    state.folders.insert(SourceId::of(9), folder("f-9", &[]));
    let outcome = ChunkOutcome::new(Report::default(), &state);
    let of = |id| wanted(&state, &outcome, SourceId::of(id)).map(|wanted| (wanted.full_slug, wanted.is_known));
    let all = [1, 2, 3, 4].map(|id| of(id).unwrap());
    assert_eq!(all.to_vec(), paths(&[("f-9/a", true), ("f-9/", true), ("f-9/x-y", false), ("b", false)]));
    assert_eq!(of(7), None);
}

#[test]
fn a_path_that_is_too_long_in_any_language_is_refused() {
    let mut state = state();
    state.folders.insert(SourceId::of(9), folder("f", &[("de", &"x".repeat(1_997))]));
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
    place_stories(Kind::Story, &state(), &records, &mut outcome);
    let report = outcome.report;
    assert_eq!((report.urls_in_text, report.warnings.total, report.broken_references.total), (7, 1, 1));
}

#[test]
fn a_story_is_unchanged_when_all_that_is_stored_of_it_is_the_same() {
    let fingerprint = |more: &Value| placed(&state(), &[record(1, more)]).0[0].fingerprint;
    let usual = fingerprint(&json!({}));
    let mut known = state();
    let before = IdMapping { fingerprint: Some(usual), ..IdMapping::reserved(StoryId(1001)) };
    known.maps.ids.insert(SourceId::<source::Story>::of(1), before);
    let is_unchanged = |more: &Value| placed(&known, &[record(1, more)]).0[0].is_unchanged();
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
    let id = StoryId(1000 + i64::try_from(number).unwrap());
    ExistingStory { id, uuid: uuid(number), full_slug: path.to_owned(), is_folder: false, is_deleted: false }
}

/// The ids in the order of the schedule with their conflicts, when each story leaves its former path.
fn schedule(state: &ImportState, here: &[ExistingStory], wanted: &[(u64, &str)]) -> Vec<(i64, Option<Conflict>)> {
    let records: Vec<PreparedRecord> = wanted.iter().map(|(id, slug)| record(*id, &json!({ "slug": slug }))).collect();
    let (placed, outcome) = placed(state, &records);
    let mut scheduler = PathScheduler::new(here, placed, state, &outcome);
    let mut order = Vec::new();
    while let Some(placed) = scheduler.next() {
        order.push((placed.id.0, scheduler.conflict(&placed, &outcome)));
        scheduler.vacate(placed.id);
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
    assert_eq!(order, [(1001, Some(Conflict::WillMove(Occupant { id: StoryId(1002), source_id: SourceId::of(2) }))), (1002, None)]);
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
    let will_move = [(1001, Some(Conflict::WillMove(Occupant { id: StoryId(1002), source_id: SourceId::of(2) })))];
    assert_eq!(schedule(&with("c"), &here, &[(1, "b")]), will_move);
    let blocked = [(1001, Some(Conflict::Blocked))];
    assert_eq!(schedule(&with("/b/"), &here, &[(1, "b")]), blocked, "it has that path at the source as well");
    let mut settled = with("c");
    settled.settled_stories.insert(SourceId::of(2));
    assert_eq!(schedule(&settled, &here, &[(1, "b")]), blocked, "this import has settled it");
}

#[test]
fn a_path_is_free_without_a_story_that_is_there_to_stay() {
    let mut deleted = existing(2, "b");
    deleted.is_deleted = true;
    assert_eq!(schedule(&state(), &[existing(1, "a"), deleted], &[(1, "b")]), [(1001, None)]);
    let arrived = state_with(|state| state.arrived = [StoryId(1002)].into());
    assert_eq!(schedule(&arrived, &[existing(2, "b")], &[(1, "b")]), [(1001, None)], "a dry run would have moved it");
    let occupied = state_with(|state| state.occupied = ["b".to_owned()].into());
    assert_eq!(schedule(&occupied, &[], &[(1, "b")]), [(1001, Some(Conflict::Blocked))], "a dry run would have put one there");
}

#[test]
fn records_are_written_in_their_order_up_to_one_whose_folder_is_among_them() {
    let record = |id: u64, parent: u64, is_folder: bool| record(id, &json!({"parent_id": parent, "is_folder": is_folder}));
    let length = |records: &[PreparedRecord]| run(records);
    assert_eq!(length(&[record(1, 0, true), record(2, 9, true), record(3, 2, true), record(4, 0, true)]), 2);
    assert_eq!(length(&[record(1, 1, true), record(2, 3, true), record(3, 0, true)]), 3);
    assert_eq!(length(&[record(1, 0, false), record(2, 1, false)]), 2, "a story holds nothing");
    assert_eq!(length(&[]), 0);
}

#[test]
fn of_stories_of_one_path_the_one_that_stands_there_keeps_it() {
    let with = |all: Vec<SourceStory>| state_with(|state| state.source_stories = SourceStories::new(all));
    let both = with(vec![listed(1, false, Some("b")), listed(2, false, Some("b"))]);
    let blocked = [(1001, Some(Conflict::Blocked))];
    assert_eq!(schedule(&both, &[existing(2, "b")], &[(1, "b")]), blocked);
    // Below a folder that has another path here it is the same.
    let mut below =
        with(vec![listed(9, true, Some("f")), listed_in(9, 1, false, Some("f/b")), listed_in(9, 2, false, Some("f/b"))]);
    below.folders.insert(SourceId::of(9), folder("f-9", &[]));
    let records = [record(1, &json!({"slug": "b", "parent_id": 9}))];
    let (stories, outcome) = placed(&below, &records);
    let mut scheduler = PathScheduler::new(&[existing(2, "f-9/b")], stories, &below, &outcome);
    let first = scheduler.next().unwrap();
    assert_eq!(scheduler.conflict(&first, &outcome), Some(Conflict::Blocked));
    // Unless the source does not know it there: its folder is missing.
    let lonely = with(vec![listed(1, false, Some("b")), listed_in(8, 2, false, Some("g/b"))]);
    let will_move = [(1001, Some(Conflict::WillMove(Occupant { id: StoryId(1002), source_id: SourceId::of(2) })))];
    assert_eq!(schedule(&lonely, &[existing(2, "b")], &[(1, "b")]), will_move);
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
        (schedule.publish_at.is_some(), schedule.expire_at.is_some(), placed[0].plans.future(now).len())
    };
    assert_eq!(planned("2026-05-01T00:01:00Z"), (true, true, 1));
    assert_eq!(planned("2026-05-01T00:00:00Z"), (false, false, 0));
    assert_eq!(planned("2026-04-30T23:59:00Z"), (false, false, 0));
}
