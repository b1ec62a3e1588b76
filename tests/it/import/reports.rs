//! What is told of imports that ended before their time, and of those that went on: exactly what is written.

use super::{
    folder::Folder,
    resume::folder,
    vendor::{imported, wanted, world},
};
use domain::{
    content::import::{Import, ImportError, Kind, Phase, Status},
    shared::{ImportId, SpaceId},
};
use storage::content::imports::jobs;
use support::{
    import::{assert_same, dump, example_spaces, finished, import, own_spaces, waiting::once},
    prelude::*,
};
use vendor_stand_in::{Fault, TOKEN, What};

/// Begins an import, and waits until it has come so far.
async fn begun(fixture: &SpaceFixture, folder: &Path, holds: impl Fn(&Import) -> bool) -> Import {
    let made = fixture.admin().post("/import/vendor", wanted(folder)).await.expect(202);
    let app = &fixture.app;
    let session = app.connection().await;
    let id = ImportId(made["import"]["id"].as_i64().unwrap());
    let row = jobs::find(&session, SpaceId(fixture.space), id).await.unwrap().unwrap();
    drop(session);
    once(&app.database.store, &row, Duration::from_mins(1), holds).await
}

async fn count(fixture: &SpaceFixture, table: &str, space: i64) -> u64 {
    let row = fixture.row(&format!("select count(*) as n from {table} where space_id = $1"), &[&space]).await;
    row.get::<_, i64>("n").unsigned_abs()
}

#[tokio::test]
async fn from_storyblok_a_dry_run_reports_the_same_and_a_second_import_changes_nothing() {
    imports_from_storyblok(own_spaces()).await;
}

#[tokio::test]
#[ignore = "reads the example spaces beside the repository: make shared-tests"]
async fn from_storyblok_this_also_holds_for_the_example_spaces() {
    imports_from_storyblok(example_spaces()).await;
}

async fn imports_from_storyblok(all: Vec<(String, PathBuf)>) {
    let (_stand_in, fixture) = world(all.iter().map(|(_, folder)| folder.clone()), None).await;
    for (name, folder) in &all {
        let here = fixture.another_space().await;
        let mut body = wanted(folder);
        body["dry_run"] = json!(true);
        let dry = imported(&fixture, here.id, &here.admin, body).await;
        let first = imported(&fixture, here.id, &here.admin, wanted(folder)).await;
        assert!(dry.report == first.report, "{name}: {:#?} {:#?}", dry.report, first.report);
        let second = imported(&fixture, here.id, &here.admin, wanted(folder)).await;
        for (kind, count) in &second.report.counts {
            assert_eq!((count.created, count.updated), (0, 0), "{name} {kind:?}");
            assert_eq!(count.unchanged, first.report.counts[kind].created, "{name} {kind:?}");
        }
    }
}

#[tokio::test]
async fn a_cancelled_import_tells_every_record_that_it_wrote() {
    let folder = folder();
    let (stand_in, fixture) = world([folder.path().to_owned()], None).await;
    stand_in.control.fault(Fault::of("datasource_id=63", What::Silence));
    // All entries before those that the source is silent about.
    let entries = |value: &Import| value.report.counts.get(&Kind::DatasourceEntry).map_or(0, |counts| counts.created);
    let row = begun(&fixture, folder.path(), |value| entries(value) == 4).await;
    fixture.admin().delete(&format!("/imports/{}", row.id)).await.expect(200);
    let over = finished(&fixture.database, &row).await;
    assert_eq!(over.status, Status::Cancelled);
    assert_eq!(over.report.counts[&Kind::DatasourceEntry].created, 4);
    for (kind, table) in [
        (Kind::DatasourceEntry, "datasource_entries"),
        (Kind::Datasource, "datasources"),
        (Kind::Component, "components"),
        (Kind::Asset, "assets"),
    ] {
        assert_eq!(over.report.counts[&kind].created, count(&fixture, table, fixture.space).await, "{table}");
    }
    let told = over.report.done();
    assert_eq!(told, u64::try_from(over.done).unwrap());
}

#[tokio::test]
async fn a_resumed_import_continues_where_it_failed() {
    let folder = folder();
    let (stand_in, fixture) = world([folder.path().to_owned()], None).await;
    let admin = Caller::Token(&fixture.admin);
    // The token is revoked during the phase of entries.
    stand_in.control.fault(Fault::of("datasource_id=63", What::Status { code: 401, retry_after: None }));
    let failed = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    let ImportError { code, message } = failed.error.clone().unwrap();
    assert_eq!((failed.status, code.as_str()), (Status::Failed, "tokenRejected"));
    assert!(message.ends_with("It can be resumed: what it has done stays done"), "{message}");
    assert_eq!(failed.report.counts[&Kind::DatasourceEntry].created, 4);
    let resume = fixture.path(&format!("/imports/{}/resume", failed.id));

    let refused = fixture.post(admin, &resume, json!({})).await.expect(422);
    assert_eq!(refused["details"][0]["field"], "oauth_token");
    fixture.post(Caller::Token(&fixture.editor), &resume, json!({ "oauth_token": TOKEN })).await.expect(403);
    fixture.post(admin, &fixture.path("/imports/999999/resume"), json!({ "oauth_token": TOKEN })).await.expect(404);

    // Another import is running, and a space has only one at a time.
    stand_in.control.set_faults(vec![Fault::of("/asset_folders", What::Silence)]);
    let other = begun(&fixture, folder.path(), |value| value.status == Status::Running).await;
    assert_eq!(fixture.post(admin, &resume, json!({ "oauth_token": TOKEN })).await.expect(409)["error"], "importRunning");
    let path = fixture.path(&format!("/imports/{}", other.id));
    fixture.delete(admin, &path).await.expect(200);
    finished(&fixture.database, &other).await;

    stand_in.control.set_faults(Vec::new());
    let before = stand_in.control.counters().paths;
    let resumed = fixture.post(admin, &resume, json!({ "oauth_token": TOKEN })).await.expect(202)["import"].clone();
    assert_eq!((&resumed["status"], &resumed["error"], &resumed["finished_at"]), (&json!("queued"), &json!(null), &json!(null)));
    let done = finished(&fixture.database, &failed).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    let after = stand_in.control.counters().paths;
    let asked = |path: &str| after.get(path).copied().unwrap_or(0) - before.get(path).copied().unwrap_or(0);
    assert_eq!(asked("/v1/spaces/70001/presets"), 0, "what was done is not read again");
    assert_eq!(fixture.post(admin, &resume, json!({ "oauth_token": TOKEN })).await.expect(422)["error"], "notResumable");
    assert!(fixture.every_row(&["audit_log"]).await.contains("import.resumed"));
    assert!(!fixture.every_row(&["import_jobs", "jobs", "audit_log"]).await.contains(TOKEN));

    // The result equals that of an uninterrupted import.
    let clean = fixture.another_space().await;
    let whole = imported(&fixture, clean.id, &clean.admin, wanted(folder.path())).await;
    assert_eq!((&done.report, done.done), (&whole.report, whole.done));
    let store = &fixture.database.store;
    assert_same(&dump(store, fixture.space).await, &dump(store, clean.id).await);
}

#[tokio::test]
async fn a_cancelled_import_can_be_resumed_and_one_of_a_folder_cannot() {
    let folder = Folder::new();
    let (stand_in, fixture) = world([folder.path().to_owned()], None).await;
    let admin = Caller::Token(&fixture.admin);
    stand_in.control.fault(Fault::of("/stories/", What::Silence));
    let row = begun(&fixture, folder.path(), |value| value.phase == Phase::Folders).await;
    let import_path = fixture.path(&format!("/imports/{}", row.id));
    let resume = format!("{import_path}/resume");
    assert_eq!(fixture.post(admin, &resume, json!({ "oauth_token": TOKEN })).await.expect(409)["error"], "importRunning");
    fixture.delete(admin, &import_path).await.expect(200);
    finished(&fixture.database, &row).await;
    stand_in.control.set_faults(Vec::new());
    fixture.post(admin, &resume, json!({ "oauth_token": TOKEN })).await.expect(202);
    let done = finished(&fixture.database, &row).await;
    assert_eq!((done.status, done.report.counts[&Kind::Story].created), (Status::Succeeded, 5));

    let other = fixture.another_space().await;
    folder.change("space", |space| *space = json!([]));
    let failed = import(&fixture, other.id, folder.path(), false).await;
    assert_eq!(failed.status, Status::Failed);
    assert!(!failed.error.unwrap().message.contains("resumed"));
    let path = format!("/api/v1/spaces/{}/imports/{}/resume", other.id, failed.id);
    let refused = fixture.post(Caller::Token(&other.admin), &path, json!({ "oauth_token": TOKEN })).await.expect(422);
    assert_eq!(refused["error"], "notResumable");
}
