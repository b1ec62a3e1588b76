//! Stops imports on purpose after every record, in every phase: the result is that of an import that nothing
//! stopped.
//!
//! Pages of one record make each record a page boundary. A trigger stops the import in the very transaction
//! that writes a page, so that the next page is written by a worker that knows only what is in rows. An
//! import that is stopped after every page shows that a page needs nothing that earlier pages left in memory;
//! one that is stopped once shows that nothing is lost which a later stop would have brought back.

use super::{
    folder::Folder,
    moves::exchange,
    vendor::{imported, wanted, world_of},
};
use domain::content::import::{Import, Kind, Phase, Status};
use futures_util::{StreamExt, stream};
use support::{
    import::{assert_same, dump, finished, import},
    prelude::*,
    space_fixture::OtherSpace,
};
use vendor_stand_in::{Options, StandIn, TOKEN};

/// How an import is stopped, as a statement of the trigger on its row.
const LOSE_LEASE: &str = "update jobs set lease_token = gen_random_uuid(), lease_until = clock_timestamp()
    where queue in ('import', 'import.local') and key = new.space_id::text and finished_at is null;";
const CANCEL: &str = "new.cancel_requested := true;";
/// How many imports run at a time.
const AT_ONCE: usize = 4;

/// Counts the pages of all imports from now on, and stops those that [`strike`] names.
async fn prepare_strikes(fixture: &SpaceFixture, how: &str) {
    // In phases that start again from their beginning, a page is one that brings more records than there ever
    // were.
    let statements = [
        "create table pages (space_id bigint not null, phase text not null)",
        "create table strikes (space_id bigint not null, page bigint)",
        &format!(
            "create function strike() returns trigger language plpgsql as $$ begin
                 insert into pages values (new.space_id, old.phase);
                 if exists (select from strikes where space_id = new.space_id and coalesce(
                                page = (select count(*) from pages where space_id = new.space_id), true)) then
                     {how}
                 end if;
                 return new;
             end $$"
        ),
        "create trigger strike before update on import_jobs for each row
             when (new.finished_at is null and ((old.phase, old.cursor) is distinct from (new.phase, new.cursor) or old.done < new.done))
             execute function strike()",
    ];
    for statement in statements {
        fixture.sql(statement).await;
    }
}

/// Stops the next import into a space after a page, counted from 1, or after each.
async fn strike(fixture: &SpaceFixture, space: i64, page: Option<i64>) {
    fixture.execute("delete from pages where space_id = $1", &[&space]).await;
    fixture.execute("insert into strikes values ($1, $2)", &[&space, &page]).await;
}

/// The phases of the pages of an import. Fails unless each phase had a page.
async fn pages(fixture: &SpaceFixture, space: i64) -> Vec<Phase> {
    let rows = fixture.rows("select phase from pages where space_id = $1 order by ctid", &[&space]).await;
    let phases: Vec<Phase> = rows.iter().map(|row| Phase::of(row.get("phase")).unwrap()).collect();
    for phase in Phase::ALL {
        assert!(phases.contains(&phase), "{phase:?} in {phases:?}");
    }
    phases
}

async fn server(folder: &Folder) -> (StandIn, SpaceFixture) {
    world_of([folder.path().to_owned()], None, Setup { import_page: Some(1), ..Setup::default() }).await
}

/// Imports over HTTP, and resumes the import over HTTP each time that it is cancelled.
async fn brought(fixture: &SpaceFixture, (space, admin): (i64, &str), folder: &Folder) -> Import {
    let mut import = imported(fixture, space, admin, wanted(folder.path())).await;
    while import.status == Status::Cancelled {
        let path = format!("/api/v1/spaces/{space}/imports/{}/resume", import.id);
        fixture.post(Caller::Token(admin), &path, json!({ "oauth_token": TOKEN })).await.expect(202);
        import = finished(&fixture.database, &import).await;
    }
    import
}

/// Compares the spaces and the reports of an import that was stopped and of one that was not.
async fn assert_as_clean(fixture: &SpaceFixture, done: &Import, whole: &Import, what: &str) {
    for import in [done, whole] {
        assert_eq!(import.status, Status::Succeeded, "{what}: {:?}", import.error);
    }
    let store = &fixture.database.store;
    assert_same(&dump(store, done.space.0).await, &dump(store, whole.space.0).await);
    assert_eq!(done.report, whole.report, "{what}");
}

/// The sample space, with content that refers to each asset, also from the last story, and with two entries
/// of one name.
fn source() -> Folder {
    let folder = Folder::new();
    folder.story(207, |story| {
        let urls = ["8x6/0a1b2c3d4e/bench.png", "x/1b2c3d4e5f/price%20list%20%C3%A4.txt", "4x4/2c3d4e5f60/vice.png"];
        for (number, url) in urls.iter().enumerate() {
            story["content"][format!("picture_{number}")] = json!(format!("https://a.storyblok.com/f/70001/{url}"));
        }
    });
    folder.change("datasource_entries", |file| {
        let entries = file["datasource_entries"].as_array_mut().unwrap();
        entries.push(json!({ "id": 84, "name": "Quiet", "value": "another", "datasource_id": 61 }));
    });
    folder
}

/// Imports that are stopped after every page, and imports that are stopped after one page, for each page that
/// `is_struck` chooses by its number and by whether it is the first of its phase.
async fn stopped_imports_end_as_if_they_had_not_been(how: &str, is_struck: impl Fn(bool) -> bool) {
    let folder = source();
    let (_stand_in, fixture) = server(&folder).await;
    prepare_strikes(&fixture, how).await;
    let whole = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!(whole.report.failures.by_code["nameTaken"], 1);
    let phases = pages(&fixture, fixture.space).await;
    let is_first = |page: usize| page == 0 || phases.get(page - 1) != phases.get(page);
    let chosen = (0..phases.len()).filter(|page| is_struck(is_first(*page))).map(|page| Some(i64::try_from(page + 1).unwrap()));
    let strikes: Vec<Option<i64>> = [None].into_iter().chain(chosen).collect();
    let strikes = stream::iter(strikes).map(|page| {
        let (fixture, folder, whole) = (&fixture, &folder, &whole);
        async move {
            let OtherSpace { id, admin } = fixture.another_space().await;
            strike(fixture, id, page).await;
            let done = brought(fixture, (id, &admin), folder).await;
            assert_as_clean(fixture, &done, whole, &format!("stopped after {page:?}")).await;
        }
    });
    strikes.buffer_unordered(AT_ONCE).collect::<Vec<()>>().await;
}

#[tokio::test]
async fn an_import_that_loses_its_lease_after_any_page_ends_as_if_it_had_not() {
    stopped_imports_end_as_if_they_had_not_been(LOSE_LEASE, |_| true).await;
}

#[tokio::test]
async fn an_import_that_is_cancelled_in_any_phase_and_resumed_ends_as_if_it_had_not_been() {
    stopped_imports_end_as_if_they_had_not_been(CANCEL, |is_first| is_first).await;
}

#[tokio::test]
async fn an_import_of_a_folder_that_loses_its_lease_after_every_page_ends_as_if_it_had_not() {
    let folder = source();
    let (_stand_in, fixture) = server(&folder).await;
    prepare_strikes(&fixture, LOSE_LEASE).await;
    let clean = fixture.another_space().await;
    strike(&fixture, fixture.space, None).await;
    let done = import(&fixture, fixture.space, folder.path(), false).await;
    let whole = import(&fixture, clean.id, folder.path(), false).await;
    assert_as_clean(&fixture, &done, &whole, "after every page").await;
    assert_eq!(done.report.failures.by_code["nameTaken"], 1);
    assert_eq!(pages(&fixture, fixture.space).await, pages(&fixture, clean.id).await);
}

/// The second import meets assets that the source has deleted or changed since, stories that exchanged their
/// places, and new content.
async fn a_second_import_ends_as_if_nothing_had_stopped_it(how: &str) {
    let folder = source();
    let (stand_in, fixture) = server(&folder).await;
    let spaces = [fixture.another_space().await, fixture.another_space().await, fixture.another_space().await];
    for OtherSpace { id, admin } in &spaces {
        assert_eq!(imported(&fixture, *id, admin, wanted(folder.path())).await.status, Status::Succeeded);
    }
    let listen = stand_in.address;
    stand_in.stop().await;
    folder.change("assets", |file| {
        file["assets"][0]["deleted_at"] = json!("2025-01-01T00:00:00.000Z");
        file["assets"][1]["alt"] = json!("Prices");
    });
    exchange(&folder, &[(205, "vice", "tools/vice"), (206, "bench", "tools/bench")]);
    for id in [203, 205, 207] {
        folder.story(id, |story| story["content"]["note"] = json!("changed since"));
    }
    let options = Options { assets: Some("self".to_owned()), listen, ..Options::of([folder.path().to_owned()]) };
    let _changed = StandIn::start(options).await;
    prepare_strikes(&fixture, how).await;
    let [clean, always, once] = &spaces;
    let whole = brought(&fixture, (clean.id, &clean.admin), &folder).await;
    let phases = pages(&fixture, clean.id).await;
    // The last page of assets but one.
    let within_assets = phases.iter().rposition(|phase| *phase == Phase::Assets).unwrap();
    for (space, page) in [(always, None), (once, Some(i64::try_from(within_assets).unwrap()))] {
        strike(&fixture, space.id, page).await;
        let done = brought(&fixture, (space.id, &space.admin), &folder).await;
        assert_as_clean(&fixture, &done, &whole, &format!("stopped after {page:?}")).await;
        assert_eq!((done.report.counts[&Kind::Asset].skipped, done.report.counts[&Kind::Asset].updated), (1, 1));
        let sql = "select string_agg(content::text, ' ') as all from editions where space_id = $1";
        let content: String = fixture.row(sql, &[&space.id]).await.get("all");
        assert!(!content.contains(&listen.to_string()), "each URL of an asset is one of this server: {content}");
    }
}

#[tokio::test]
async fn a_second_import_that_loses_its_lease_ends_as_if_it_had_not() {
    a_second_import_ends_as_if_nothing_had_stopped_it(LOSE_LEASE).await;
}

#[tokio::test]
async fn a_second_import_that_is_cancelled_and_resumed_ends_as_if_it_had_not_been() {
    a_second_import_ends_as_if_nothing_had_stopped_it(CANCEL).await;
}
