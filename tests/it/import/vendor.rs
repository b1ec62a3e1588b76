//! Imports from the Storyblok stand-in.

use domain::{
    content::import::{Import, Status},
    shared::{ImportId, SpaceId},
};
use storage::content::imports::jobs;
use support::{
    import::{assert_same, dump, example_spaces, finished, import, own_spaces, sample_space},
    prelude::*,
};
use vendor_stand_in::{Fault, Options, StandIn, TOKEN, What};

/// A stand-in for these folders, and a server that imports from it.
pub async fn world(folders: impl IntoIterator<Item = PathBuf>, rate: Option<u32>) -> (StandIn, SpaceFixture) {
    world_with(folders, rate, &[]).await
}

/// The same with other settings of the server.
pub async fn world_with(
    folders: impl IntoIterator<Item = PathBuf>,
    rate: Option<u32>,
    more: &[(&str, &str)],
) -> (StandIn, SpaceFixture) {
    world_of(folders, rate, Setup { variables: more, ..Setup::default() }).await
}

/// The same with another setup of the server.
pub async fn world_of(folders: impl IntoIterator<Item = PathBuf>, rate: Option<u32>, setup: Setup<'_>) -> (StandIn, SpaceFixture) {
    let stand_in = StandIn::start(Options { rate, assets: Some("self".to_owned()), ..Options::of(folders) }).await;
    let origin = stand_in.origin();
    let target = stand_in.address.to_string();
    let variables = [
        ("APP_VENDOR_MAPI_URL", origin.as_str()),
        ("APP_VENDOR_CDN_URL", origin.as_str()),
        ("APP_ALLOWED_PRIVATE_TARGETS", target.as_str()),
    ];
    let variables: Vec<_> = variables.iter().chain(setup.variables).copied().collect();
    let fixture = SpaceFixture::with(Setup { variables: &variables, ..setup }).await;
    (stand_in, fixture)
}

fn number(folder: &Path) -> i64 {
    let space: Value = serde_json::from_str(&std::fs::read_to_string(folder.join("space.json")).unwrap()).unwrap();
    space.get("space").unwrap_or(&space)["id"].as_i64().unwrap()
}

pub fn wanted(folder: &Path) -> Value {
    json!({ "source_space_id": number(folder), "oauth_token": TOKEN, "region": "eu" })
}

/// Starts an import over HTTP and waits for its end.
pub async fn imported(fixture: &SpaceFixture, space: i64, token: &str, body: Value) -> Import {
    let path = format!("/api/v1/spaces/{space}/import/vendor");
    let made = fixture.post(Caller::Token(token), &path, body).await.expect(202);
    assert_eq!(made["import"]["status"], "queued");
    let id = ImportId(made["import"]["id"].as_i64().unwrap());
    let store = &fixture.database.store;
    let session = store.connection("test").await.unwrap();
    let row = jobs::find(&session, SpaceId(space), id).await.unwrap().unwrap();
    drop(session);
    finished(&fixture.database, &row).await
}

#[tokio::test]
async fn from_storyblok_a_space_is_the_same_as_from_its_folder() {
    imports_the_same(own_spaces()).await;
}

#[tokio::test]
#[ignore = "reads the example spaces beside the repository: make shared-tests"]
async fn from_storyblok_every_example_space_is_the_same_as_from_its_folder() {
    imports_the_same(example_spaces()).await;
}

async fn imports_the_same(all: Vec<(String, PathBuf)>) {
    let (_stand_in, fixture) = world(all.iter().map(|(_, folder)| folder.clone()), None).await;
    let store = &fixture.database.store;
    for (name, folder) in &all {
        let (here, there) = (fixture.another_space().await, fixture.another_space().await);
        let done = imported(&fixture, here.id, &here.admin, wanted(folder)).await;
        assert_eq!(done.status, Status::Succeeded, "{name}: {:?}", done.error);
        let local = import(&fixture, there.id, folder, false).await;
        assert_same(&dump(store, here.id).await, &dump(store, there.id).await);
        assert_eq!(done.report.counts, local.report.counts, "{name}");
    }
}

#[tokio::test]
async fn transient_faults_of_the_source_lose_no_record() {
    let (stand_in, fixture) = world([sample_space()], Some(200)).await;
    for fault in [
        Fault::of("/v1/", What::Status { code: 500, retry_after: None }).each(11),
        Fault::of("/v1/", What::Status { code: 429, retry_after: None }).each(13),
        Fault::of("/v1/", What::CutJson).each(17),
        Fault::of("/v1/", What::Cut).each(19),
        Fault::of("/v1/", What::Reset).each(23),
        Fault::of("/stories?", What::Shuffle).each(2),
    ] {
        stand_in.control.fault(fault);
    }
    let there = fixture.another_space().await;
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(&sample_space())).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    import(&fixture, there.id, &sample_space(), false).await;
    let store = &fixture.database.store;
    assert_same(&dump(store, fixture.space).await, &dump(store, there.id).await);
}

#[tokio::test]
async fn a_source_that_rejects_the_token_fails_the_import_with_a_reason() {
    let (_stand_in, fixture) = world([sample_space()], None).await;
    for (body, code) in [
        (json!({ "source_space_id": number(&sample_space()), "oauth_token": "wrong", "region": "eu" }), "tokenRejected"),
        (json!({ "source_space_id": 4242, "oauth_token": TOKEN, "region": "eu" }), "spaceNotFound"),
    ] {
        let done = imported(&fixture, fixture.space, &fixture.admin, body).await;
        assert_eq!((done.status, done.error.unwrap().code.as_str()), (Status::Failed, code));
    }
    // The token is deleted at the end, and was never stored in plain text.
    let rows = fixture.every_row(&["import_jobs", "jobs", "audit_log"]).await;
    assert!(!rows.contains(TOKEN) && rows.contains("\"sealed_token\":null"));
}

#[tokio::test]
async fn a_wrong_total_loses_nothing() {
    let (stand_in, fixture) = world([sample_space()], None).await;
    let there = fixture.another_space().await;
    stand_in.control.fault(Fault::of("/stories?", What::Total { by: -3 }));
    stand_in.control.fault(Fault::of("/assets?", What::Total { by: 1000 }));
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(&sample_space())).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    import(&fixture, there.id, &sample_space(), false).await;
    let store = &fixture.database.store;
    assert_same(&dump(store, fixture.space).await, &dump(store, there.id).await);
}

#[tokio::test]
async fn requests_are_validated_field_by_field() {
    let (_stand_in, fixture) = world([sample_space()], None).await;
    let path = fixture.path("/import/vendor");
    let refused = fixture.post(Caller::Token(&fixture.admin), &path, json!({ "region": "mars" })).await.expect(422);
    let fields: Vec<&str> = refused["details"].as_array().unwrap().iter().map(|r| r["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["source_space_id", "oauth_token", "region"]);
    for token in [&fixture.editor, &fixture.viewer] {
        fixture.post(Caller::Token(token), &path, wanted(&sample_space())).await.expect(403);
        assert_eq!(fixture.get(Caller::Token(token), &fixture.path("/imports")).await.expect(200), json!({ "imports": [] }));
    }
    fixture.post(Caller::Anonymous, &path, wanted(&sample_space())).await.expect(401);
}

#[tokio::test]
async fn a_second_import_waits_its_turn_and_a_running_one_can_be_stopped() {
    // The lease is long: a heartbeat, which looks for a cancellation as well, comes too late for this test.
    let setup = Setup { import_lease: Some(Duration::from_mins(9)), ..Setup::default() };
    let (stand_in, fixture) = world_of([sample_space()], None, setup).await;
    stand_in.control.fault(Fault::of("/stories/", What::Silence));
    let (admin, path) = (Caller::Token(&fixture.admin), fixture.path("/import/vendor"));
    let made = fixture.post(admin, &path, wanted(&sample_space())).await.expect(202)["import"].clone();
    assert_eq!(fixture.post(admin, &path, wanted(&sample_space())).await.expect(409)["error"], "importRunning");

    let import = fixture.path(&format!("/imports/{}", made["id"]));
    for token in [&fixture.editor, &fixture.viewer] {
        assert_eq!(fixture.get(Caller::Token(token), &import).await.expect(200)["import"]["id"], made["id"]);
        fixture.send(Caller::Token(token), "DELETE", &import, "", Vec::new()).await.expect(403);
    }
    fixture.send(admin, "DELETE", &import, "", Vec::new()).await.expect(200);
    let session = fixture.connection().await;
    let id = ImportId(made["id"].as_i64().unwrap());
    let row = jobs::find(&session, SpaceId(fixture.space), id).await.unwrap().unwrap();
    drop(session);
    let over = finished(&fixture.database, &row).await;
    assert_eq!(over.status, Status::Cancelled);
    assert_eq!(fixture.get(admin, &import).await.expect(200)["import"]["status"], "cancelled");

    stand_in.control.set_faults(Vec::new());
    assert_eq!(imported(&fixture, fixture.space, &fixture.admin, wanted(&sample_space())).await.status, Status::Succeeded);
    let listed = fixture.get(admin, &fixture.path("/imports")).await.expect(200);
    let statuses: Vec<&str> = listed["imports"].as_array().unwrap().iter().map(|l| l["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["succeeded", "cancelled"]);
}

#[tokio::test]
async fn the_stream_of_events_ends_with_the_import() {
    let (_stand_in, fixture) = world([sample_space()], None).await;
    let admin = fixture.admin();
    let made = admin.post("/import/vendor", wanted(&sample_space())).await.expect(202)["import"].clone();
    let events = admin.get(&format!("/imports/{}/events", made["id"])).await;
    assert_eq!((events.status, events.header("content-type")), (200, "text/event-stream"));
    let last = events.text.trim_end().rsplit("\n\n").next().unwrap();
    let (name, data) = last.split_once('\n').unwrap();
    assert_eq!(name.replace(' ', ""), "event:import");
    let told: Value = serde_json::from_str(data.split_once(':').unwrap().1).unwrap();
    assert_eq!(told["import"]["status"], "succeeded");
    admin.get("/imports/999999/events").await.expect(404);
}

#[tokio::test]
async fn a_dry_run_reports_what_would_be_imported_and_changes_nothing() {
    let (_stand_in, fixture) = world([sample_space()], None).await;
    let store = &fixture.database.store;
    let before = dump(store, fixture.space).await;
    let mut body = wanted(&sample_space());
    for (name, value) in [("dry_run", json!("True")), ("dry_run", json!(2)), ("dry_run", json!([])), ("webhooks", json!("yes"))] {
        body[name] = value;
        let refused = fixture.admin().post("/import/vendor", body.clone()).await;
        assert_eq!(refused.expect(422)["details"][0]["field"], name, "what is no switch starts nothing");
        body[name] = json!(false);
    }
    body["dry_run"] = json!(true);
    let dry = imported(&fixture, fixture.space, &fixture.admin, body).await;
    assert_eq!(dry.status, Status::Succeeded, "{:?}", dry.error);
    assert_same(&before, &dump(store, fixture.space).await);
    let real = imported(&fixture, fixture.space, &fixture.admin, wanted(&sample_space())).await;
    assert_eq!(dry.report.checksums, real.report.checksums);
    assert_eq!(dry.report.broken_references, real.report.broken_references);
}
