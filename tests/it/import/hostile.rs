//! Sources that send what cannot be held: each import fails with a reason, takes no more memory than it may,
//! and leaves the server as it was.

use super::{
    folder::Folder,
    kills::started,
    vendor::{imported, wanted, world_with},
};
use domain::content::import::{ImportError, Kind, Status};
use support::{
    database,
    import::{assert_same, dump, finished, import, sample_space},
    prelude::*,
};
use vendor_stand_in::{Fault, Options, StandIn, What};

const MEMORY: (&str, &str) = ("APP_IMPORT_MEMORY_MB", "16");

/// A body that begins so, goes on with a piece, and ends so.
fn pieces(head: &str, piece: &str, times: u64, tail: &str) -> What {
    What::Pieces { head: head.to_owned(), piece: piece.to_owned(), times, tail: tail.to_owned() }
}

/// A list whose pages never end.
fn endless(name: &str, record: &str, total: Option<&str>) -> What {
    What::Made { name: name.to_owned(), record: record.to_owned(), count: 100, total: total.map(str::to_owned) }
}

fn header(name: &str, value: &str) -> What {
    What::Header { name: name.to_owned(), value: value.to_owned() }
}

#[tokio::test]
async fn each_list_that_cannot_be_held_fails_the_import_with_a_reason() {
    let (stand_in, fixture) = world_with([sample_space()], None, &[MEMORY]).await;
    let long = format!(r#"{{"id":#,"name":"{}"}}"#, "x".repeat(1_000));
    let listed = r#"{"id":#,"uuid":"00000000-0000-4000-8000-000000000000","full_slug":"a/b/c"}"#;
    for (path, what, code, says) in [
        ("/components", pieces("{\"components\":[", "[],", 20_000_000, "[]]}"), "importTooLarge", "list of components"),
        (
            "/components",
            pieces("{\"components\":[{\"id\":1,\"schema\":[", "[],", 20_000_000, "[]]}]}"),
            "sourceTooLarge",
            "too many values",
        ),
        (
            "/components",
            pieces("{\"components\":[{\"id\":1},", "{\"id\":1,\"name\":\"a\"},", 1_000_000, "{}]}"),
            "importTooLarge",
            "APP_IMPORT_MEMORY_MB",
        ),
        ("/presets", pieces("{\"presets\":", "[", 100_000, ""), "sourceUnreadable", "deeper than 127"),
        ("/presets", pieces("{\"other\":", "{\"a\":", 100_000, ""), "sourceUnreadable", "list of presets"),
        (
            "/asset_folders",
            pieces("{\"asset_folders\":[{\"name\":\"", "x", 70_000_000, ""),
            "sourceTooLarge",
            "list of asset folders",
        ),
        ("/asset_folders", pieces("{\"asset_folders\":[", " ", 70_000_000, ""), "sourceTooLarge", "64 MB"),
        ("/assets?", header("content-encoding", "gzip"), "sourceUnreadable", "content coding"),
        ("/assets?", endless("assets", &long, Some("250")), "sourceEndless", "list of assets"),
        ("/datasources?", endless("datasources", &long, None), "importTooLarge", "list of datasources"),
        ("/datasource_entries", endless("datasource_entries", &long, Some("1000")), "sourceEndless", "entries of a datasource"),
        ("/stories?", endless("stories", listed, Some("#")), "sourceEndless", "list of stories"),
        ("/stories?", endless("stories", listed, Some("1000000000000000000")), "importTooLarge", "list of stories"),
        ("/story_schedulings", endless("story_schedulings", &long, Some("-1")), "importTooLarge", "list of schedulings"),
    ] {
        stand_in.control.set_faults(vec![Fault::of(path, what.clone())]);
        let done = imported(&fixture, fixture.space, &fixture.admin, wanted(&sample_space())).await;
        let ImportError { code: found, message } = done.error.unwrap_or_else(|| panic!("{path} {what:?}"));
        assert_eq!((done.status, found.as_str()), (Status::Failed, code), "{path}: {message}");
        assert!(message.contains(says), "{path}: {message}");
    }
    // What was written before is consistent: the next import completes it.
    stand_in.control.set_faults(Vec::new());
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(&sample_space())).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    let there = fixture.another_space().await;
    import(&fixture, there.id, &sample_space(), false).await;
    let store = &fixture.database.store;
    assert_same(&dump(store, fixture.space).await, &dump(store, there.id).await);
}

#[tokio::test]
async fn lists_whose_headers_lie_and_that_end_are_read_to_their_ends() {
    let (stand_in, fixture) = world_with([sample_space()], None, &[MEMORY]).await;
    let there = fixture.another_space().await;
    import(&fixture, there.id, &sample_space(), false).await;
    for lie in [
        header("total", "-1"),
        header("total", "1000000000000000000"),
        header("total", "0"),
        header("total", "many"),
        header("per-page", "0"),
        header("per-page", "18446744073709551616"),
        What::NoTotal,
    ] {
        stand_in.control.set_faults(vec![Fault::of("page=", lie.clone())]);
        let space = fixture.another_space().await;
        let done = imported(&fixture, space.id, &space.admin, wanted(&sample_space())).await;
        assert_eq!(done.status, Status::Succeeded, "{lie:?}: {:?}", done.error);
        let store = &fixture.database.store;
        assert_same(&dump(store, space.id).await, &dump(store, there.id).await);
    }
}

#[tokio::test]
async fn stories_that_cannot_be_held_fail_alone() {
    let (stand_in, fixture) = world_with([sample_space()], None, &[("APP_IMPORT_MEMORY_MB", "128")]).await;
    let begin = "{\"story\":{\"id\":206,\"content\":";
    for (what, says) in [
        (pieces(&format!("{begin}["), "[],", 20_000_000, "[]]}}"), "too many values"),
        (pieces(&format!("{begin}\""), "x", 70_000_000, ""), "too large"),
        (pieces(begin, "[", 100_000, ""), "deeper than 127"),
    ] {
        stand_in.control.set_faults(vec![Fault::of("/stories/206", what)]);
        let space = fixture.another_space().await;
        let done = imported(&fixture, space.id, &space.admin, wanted(&sample_space())).await;
        assert_eq!((done.status, done.report.counts[&Kind::Story].created), (Status::Succeeded, 4), "{:?}", done.error);
        let [failure] = done.report.failures.items.as_slice() else { panic!("{:?}", done.report.failures) };
        assert_eq!((failure.id, failure.code.as_str()), (206, "unreadable"));
        assert!(failure.message.contains(says), "{}", failure.message);
    }
}

#[tokio::test]
async fn large_stories_are_read_a_few_at_a_time() {
    let folder = Folder::new();
    for id in [203, 204, 205, 206, 207] {
        folder.story(id, |story| story["content"]["large"] = json!("x".repeat(3 << 20)));
    }
    let (_stand_in, fixture) = world_with([folder.path().to_owned()], None, &[MEMORY]).await;
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!((done.status, done.report.counts[&Kind::Story].created), (Status::Succeeded, 5), "{:?}", done.error);
}

#[tokio::test]
async fn a_hostile_source_takes_no_more_memory_than_an_import_may_and_others_go_on() {
    let stand_in = StandIn::start(Options { assets: Some("self".to_owned()), ..Options::of([sample_space()]) }).await;
    let (database, data) = (database().await, scratch());
    let (origin, target) = (stand_in.origin(), stand_in.address.to_string());
    let variables = [
        ("APP_DATABASE_URL", database.target.url.expose_secret()),
        ("APP_VENDOR_MAPI_URL", &origin),
        ("APP_VENDOR_CDN_URL", &origin),
        ("APP_ALLOWED_PRIVATE_TARGETS", &target),
        ("APP_RATE_LIMITS", "off"),
        ("APP_IMPORT_MEMORY_MB", "32"),
    ];
    let server = Server::start(data.path(), &variables).await;
    let person = server.person("ann@example.org").await;
    let run = async |expected: Status| {
        let import = started(&database, &person.space().await, &sample_space()).await;
        let done = finished(&database, &import).await;
        assert_eq!(done.status, expected, "{:?}", done.error);
    };
    run(Status::Succeeded).await;
    let before = server.peak_memory();
    let content =
        "{\"story\":{\"id\":206,\"uuid\":\"00000000-0000-4000-8000-0000000000ce\",\"content\":{\"component\":\"page\",\"a\":[";
    for (path, what, expected) in [
        ("/components", pieces("{\"components\":[", "[],", 20_000_000, "[]]}"), Status::Failed),
        ("/components", pieces("{\"components\":[{\"id\":1,\"schema\":[", "[],", 20_000_000, "[]]}]}"), Status::Failed),
        ("/presets", pieces("{\"presets\":[{\"id\":1,\"name\":\"", "x", 60_000_000, "\"}]}"), Status::Failed),
        ("/stories?", endless("stories", r#"{"id":#,"full_slug":"a"}"#, Some("1000000000000000000")), Status::Failed),
        ("/stories/206", pieces(content, "[],", 20_000_000, "[]]}}}"), Status::Succeeded),
        ("/stories/206", pieces(content, "[],", 30_000, "[]]}}}"), Status::Succeeded),
    ] {
        stand_in.control.set_faults(vec![Fault::of(path, what)]);
        run(expected).await;
        assert_eq!(server.get("/api/ready").await, 200);
        let grown = server.peak_memory() - before;
        assert!(grown < 128 << 10, "{path}: {grown} KiB");
    }
    stand_in.control.set_faults(Vec::new());
    run(Status::Succeeded).await;
}

#[tokio::test]
async fn a_folder_of_what_cannot_be_held_fails_its_import_with_a_reason() {
    let (_stand_in, fixture) = world_with([], None, &[MEMORY]).await;
    let text = |head: &str, piece: &str, times: usize, tail: &str| format!("{head}{}{tail}", piece.repeat(times));
    for (name, text, code, says) in [
        ("components", text("{\"components\":[", "[],", 2_000_000, "[]]}"), "importTooLarge", "components.json"),
        (
            "components",
            text("{\"components\":[{\"id\":1,\"schema\":[", "[],", 2_000_000, "[]]}]}"),
            "sourceTooLarge",
            "too many values",
        ),
        ("presets", text("{\"presets\":[{\"id\":1,\"name\":\"", "x", 6_000_000, "\"}]}"), "sourceTooLarge", "presets.json"),
        ("presets", text("{\"presets\":", "[", 100_000, ""), "sourceUnreadable", "deeper than 127"),
        ("presets", text("{\"presets\":[{\"id\":1},", "{\"id\":2} ", 2, "]}"), "sourceUnreadable", "presets.json"),
        ("presets", text("{\"presets\":[{\"id\":1},", "{\"id\":2,}", 1, "]}"), "sourceUnreadable", "record 2 is no JSON"),
        ("stories", text("{\"stories\":[", "{\"id\":1},", 200_000, "{}]}"), "importTooLarge", "APP_IMPORT_MEMORY_MB"),
        ("space", text("{\"languages\":[", "[],", 200_000, "[]]}"), "sourceTooLarge", "space.json"),
        ("space", text("{\"languages\":", "[", 100_000, ""), "sourceUnreadable", "space.json"),
        ("space", text("{\"name\":\"", "x", 6_000_000, "\"}"), "sourceTooLarge", "space.json"),
    ] {
        let folder = Folder::new();
        std::fs::write(folder.path().join(format!("{name}.json")), text).unwrap();
        let done = import(&fixture, fixture.space, folder.path(), false).await;
        let ImportError { code: found, message } = done.error.unwrap_or_else(|| panic!("{name} {code}"));
        assert_eq!((done.status, found.as_str()), (Status::Failed, code), "{name}: {message}");
        assert!(message.contains(says), "{name}: {message}");
    }
}
