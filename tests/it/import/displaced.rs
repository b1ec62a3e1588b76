//! Displaced stories whose own turn never came: they are restored to their slug or the nearest free one, and
//! the report says where they are.

use super::{
    folder::Folder,
    moves::{exchange, many},
    vendor::{imported, wanted, world_of},
};
use domain::{
    content::import::{Import, Status},
    shared::{ImportId, SpaceId},
};
use storage::content::imports::jobs;
use support::{
    import::{finished, import},
    prelude::*,
};
use vendor_stand_in::{Fault, StandIn, What};

/// A space with an imported source, in which two stories have exchanged their slugs since. They are on
/// different pages.
async fn exchanged() -> (StandIn, SpaceFixture, Folder) {
    let (before, after) = (many(300), many(300));
    exchange(&after, &[(1000, "story-299", "tools/story-299"), (1299, "story-0", "tools/story-0")]);
    let setup = Setup { import_lease: Some(Duration::from_secs(2)), ..Setup::default() };
    let (stand_in, fixture) = world_of([after.path().to_owned()], None, setup).await;
    assert_eq!(import(&fixture, fixture.space, before.path(), false).await.status, Status::Succeeded);
    (stand_in, fixture, after)
}

/// Id and path of the two stories and of all displaced ones.
async fn standing(fixture: &SpaceFixture) -> Vec<(String, String)> {
    let sql = "select ids.source_id::text as id, story.full_slug from stories story
               join import_ids ids on ids.space_id = story.space_id and ids.kind = 'story' and ids.id = story.id
               where ids.source_id in (1000, 1299) or story.slug like 'moving-%' order by 1";
    let rows = fixture.rows(sql, &[]).await;
    rows.iter().map(|row| (row.get("id"), row.get("full_slug"))).collect()
}

fn places(of_1000: &str, of_1299: &str) -> Vec<(String, String)> {
    vec![("1000".to_owned(), format!("tools/{of_1000}")), ("1299".to_owned(), format!("tools/{of_1299}"))]
}

fn codes(import: &Import) -> Vec<(i64, &str)> {
    let mut all: Vec<_> = import.report.failures.items.iter().map(|item| (item.id, item.code.as_str())).collect();
    all.sort_unstable();
    all
}

fn refused() -> Vec<Fault> {
    vec![Fault::of("/stories/1299", What::Status { code: 422, retry_after: None })]
}

#[tokio::test]
async fn a_displaced_story_that_the_source_then_refuses_gets_a_numbered_slug_and_is_reported() {
    let (stand_in, fixture, folder) = exchanged().await;
    stand_in.control.set_faults(refused());
    let mut body = wanted(folder.path());
    body["dry_run"] = json!(true);
    let dry = imported(&fixture, fixture.space, &fixture.admin, body).await;
    assert_eq!(standing(&fixture).await, places("story-0", "story-299"));

    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    assert_eq!(standing(&fixture).await, places("story-299", "story-299-2"));
    assert_eq!(codes(&done), [(1299, "displaced"), (1299, "unreadable")]);
    let told = done.report.failures.items.iter().find(|item| item.code == "displaced").unwrap();
    assert!(told.label == "story-299" && told.message.contains("tools/story-299-2 now"), "{told:?}");
    assert_eq!((&dry.report.failures, &dry.report.counts), (&done.report.failures, &done.report.counts));

    // Another import changes nothing and reports the same.
    let again = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!((standing(&fixture).await, codes(&again)), (places("story-299", "story-299-2"), codes(&done)));

    stand_in.control.set_faults(Vec::new());
    let whole = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!((standing(&fixture).await, codes(&whole)), (places("story-299", "story-0"), vec![]));
    assert!(!fixture.every_row(&["import_displaced_stories"]).await.contains("story"), "nothing is left of it");
}

#[tokio::test]
async fn a_displaced_story_is_restored_once_its_slug_is_free_again() {
    let (stand_in, fixture, folder) = exchanged().await;
    stand_in.control.set_faults(refused());
    imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    let sql = "select id from stories where full_slug = 'tools/story-299'";
    let id: i64 = fixture.value(sql).await;
    fixture.editor().delete(&format!("/stories/{id}")).await.expect(200);
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!(codes(&done), [(1299, "unreadable")]);
    assert_eq!(standing(&fixture).await[1].1, "tools/story-299");
}

#[tokio::test]
async fn displaced_stories_are_restored_when_an_import_is_cancelled_or_its_process_is_gone() {
    let (stand_in, fixture, folder) = exchanged().await;
    for is_gone in [false, true] {
        stand_in.control.set_faults(vec![Fault::of("/stories/1299", What::Silence)]);
        let (id, row) = begun(&fixture, &folder).await;
        moved_aside(&fixture).await;
        if is_gone {
            // The job is put off, so no process claims it again while the clock stands still.
            let lost = "update jobs set lease_until = clock_timestamp(), lease_token = gen_random_uuid(), due_at = due_at + interval '1 minute'
                        where queue = 'import' and finished_at is null";
            fixture.sql(lost).await;
        }
        fixture.admin().delete(&format!("/imports/{id}")).await.expect(200);
        let over = finished(&fixture.database, &row).await;
        assert_eq!((over.status, codes(&over)), (Status::Cancelled, vec![(1299, "displaced")]), "gone: {is_gone}");
        assert_eq!(standing(&fixture).await, places("story-299", "story-299-2"));
        if !is_gone {
            // Restores the situation at the start, for the second round.
            let before = many(300);
            import(&fixture, fixture.space, before.path(), false).await;
            assert_eq!(standing(&fixture).await, places("story-0", "story-299"));
        }
    }
}

async fn begun(fixture: &SpaceFixture, folder: &Folder) -> (ImportId, Import) {
    let made = fixture.admin().post("/import/vendor", wanted(folder.path())).await.expect(202);
    let id = ImportId(made["import"]["id"].as_i64().unwrap());
    let session = fixture.connection().await;
    (id, jobs::find(&session, SpaceId(fixture.space), id).await.unwrap().unwrap())
}

async fn moved_aside(fixture: &SpaceFixture) {
    super::leases::until(fixture, "select exists (select from stories where slug like 'moving-%')").await;
}

#[tokio::test]
async fn a_displaced_folder_is_restored_with_everything_below_it() {
    let folder = Folder::new();
    let fixture = SpaceFixture::new().await;
    import(&fixture, fixture.space, folder.path(), false).await;
    // Its slug goes to a new folder, and it is a story at the source now, which a folder cannot become.
    folder.change("stories", |file| {
        let stories = file["stories"].as_array_mut().unwrap();
        let tools = stories.iter().position(|story| story["id"] == 201).unwrap();
        let mut new = stories[tools].clone();
        let uuid = "6f1c7bb5-6d5c-4d1e-9e0e-0c9a0d2f7b44";
        (new["id"], new["uuid"], new["group_id"]) = (json!(150), json!(uuid), json!(uuid));
        new["translated_slugs"] = json!([]);
        (stories[tools]["slug"], stories[tools]["full_slug"]) = (json!("elsewhere"), json!("elsewhere"));
        (stories[tools]["is_folder"], stories[tools]["content"]) = (json!(false), json!({ "component": "page" }));
        stories.insert(0, new);
    });
    let done = import(&fixture, fixture.space, folder.path(), false).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    let mine: Vec<_> = codes(&done).into_iter().filter(|code| code.0 == 201).collect();
    assert_eq!(mine, [(201, "displaced"), (201, "kindChanged")]);
    let paths = "select array_agg(full_slug order by full_slug) as all from stories where full_slug like '%/bench'";
    let all: Vec<String> = fixture.value(paths).await;
    assert_eq!(all, ["tools-2/bench"]);
    let readers = "select array_agg(distinct full_slug) as all from editions where full_slug like 'moving-%'";
    let none: Option<Vec<String>> = fixture.value(readers).await;
    assert_eq!(none, None);
}
