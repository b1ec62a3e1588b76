//! Interrupted imports whose source has changed when they continue.

use super::{
    folder::Folder,
    leases::{planted, until},
    vendor::{wanted, world},
};
use domain::{
    content::import::{Kind, Phase, Status},
    shared::{ImportId, SpaceId},
};
use storage::content::imports::jobs;
use support::{
    import::{finished, import, waiting::once},
    prelude::*,
};
use vendor_stand_in::{Fault, Options, StandIn, What};

/// Three datasources with two entries each, and nested folders.
pub fn folder() -> Folder {
    let folder = Folder::new();
    folder.change("datasources", |file| {
        let of = |id: i64| json!({ "id": id, "name": format!("D{id}"), "slug": format!("d{id}"), "dimensions": [] });
        file["datasources"] = json!([of(61), of(62), of(63)]);
    });
    folder.change("datasource_entries", |file| {
        let of = |id: i64| json!({ "id": id, "datasource_id": id / 10, "name": format!("e{id}"), "value": "v" });
        file["datasource_entries"] = Value::Array([611, 612, 621, 622, 631, 632].map(of).to_vec());
    });
    folder
}

#[tokio::test]
async fn no_record_is_skipped_when_a_datasource_is_deleted_during_an_interruption() {
    let folder = folder();
    let (stand_in, fixture) = world([folder.path().to_owned()], None).await;
    stand_in.control.fault(Fault::of("datasource_id=63", What::Silence));
    let made = fixture.admin().post("/import/vendor", wanted(folder.path())).await.expect(202);
    let store = &fixture.database.store;
    let id = ImportId(made["import"]["id"].as_i64().unwrap());
    let session = store.connection("test").await.unwrap();
    let row = jobs::find(&session, SpaceId(fixture.space), id).await.unwrap().unwrap();
    drop(session);
    stand_in.control.faulted(1).await;
    // The entries of the first two are written, and the others are being read.
    let before =
        once(store, &row, Duration::from_mins(1), |value| value.phase == Phase::DatasourceEntries && value.done >= 16).await;
    let address = stand_in.address;
    drop(stand_in);
    // Another process claims the job after the first datasource was deleted.
    let session = store.connection("test").await.unwrap();
    let taken = "update jobs set lease_until = clock_timestamp(), lease_token = gen_random_uuid() where queue = 'import'";
    session.execute(taken, &[]).await.unwrap();
    drop(session);
    until(&fixture, "select attempt = 2 from jobs where queue = 'import'").await;
    folder.change("datasources", |file| {
        file["datasources"].as_array_mut().unwrap().remove(0);
    });
    let options = Options { assets: Some("self".to_owned()), listen: address, ..Options::of([folder.path().to_owned()]) };
    let _changed = StandIn::start(options).await;
    let done = finished(&fixture.database, &row).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    assert!(done.done >= before.done);
    let session = store.connection("test").await.unwrap();
    let names = session.row("select string_agg(name, ' ' order by name) as names from datasource_entries", &[]).await.unwrap();
    assert_eq!(names.get::<_, String>("names"), "e611 e612 e621 e622 e631 e632");
    let counts = done.report.counts[&Kind::DatasourceEntry];
    assert_eq!((counts.created, counts.unchanged), (6, 0), "what it wrote before it was cut off is what it wrote");
}

#[tokio::test]
async fn an_interrupted_import_of_a_folder_continues_unless_the_folder_changed() {
    let (fixture, folder) = (SpaceFixture::new().await, Folder::new());
    import(&fixture, fixture.space, folder.path(), false).await;
    let cut_off = ["update import_jobs set status = 'running', phase = 'stories', cursor = 3, source_fingerprint = 
        (select source_fingerprint from import_jobs where finished_at is not null order by id limit 1) where finished_at is null"];
    let again = planted(&fixture, folder.path(), &cut_off).await;
    let done = finished(&fixture.database, &again).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    assert_eq!(done.report.counts[&Kind::Story].unchanged, 2, "the first three of five were done");

    folder.story(203, |story| story["name"] = json!("Another"));
    let again = planted(&fixture, folder.path(), &cut_off).await;
    let done = finished(&fixture.database, &again).await;
    assert_eq!((done.status, done.error.unwrap().code.as_str()), (Status::Failed, "folderChanged"));
    let done = import(&fixture, fixture.space, folder.path(), false).await;
    assert_eq!((done.report.counts[&Kind::Story].updated, done.report.counts[&Kind::Story].unchanged), (1, 4));
}
