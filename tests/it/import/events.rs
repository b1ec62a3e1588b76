//! Webhooks of imports: none unless requested.

use domain::{
    content::import::{SourceRef, Status},
    shared::SpaceId,
};
use services::content::{Authorized, import::jobs::StartImport};
use support::{
    import::{finished, sample_space},
    prelude::*,
};

async fn import(fixture: &SpaceFixture, folder: &Path, webhooks: bool, dry_run: bool) {
    let source = SourceRef::Directory { path: folder.to_str().unwrap().to_owned() };
    let write = StartImport { source, dry_run, webhooks, sealed_token: None };
    let started =
        fixture.actors.handles().spaces.execute(Authorized::for_command_line(SpaceId(fixture.space)), write).await.unwrap();
    let done = finished(&fixture.database, &started).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
}

/// The events of the space after the first `since` ones, in order: kind, path and old path.
async fn events(fixture: &SpaceFixture, since: i64) -> Vec<String> {
    let sql =
        "select concat_ws(' ', substr(action, 7), full_slug, old_full_slug) as told from story_events where seq > $1 order by seq";
    fixture.rows(sql, &[&since]).await.iter().map(|row| row.get("told")).collect()
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let copied = to.join(entry.file_name());
        if entry.path().is_dir() {
            std::fs::create_dir(&copied).unwrap();
            copy(&entry.path(), &copied);
        } else {
            std::fs::copy(entry.path(), copied).unwrap();
        }
    }
}

/// Replaces texts in the stories of a folder, without parsing the JSON, which would reformat the content.
fn change(folder: &Path, changes: &[(&str, &str)]) {
    let path = folder.join("stories.json");
    let mut text = std::fs::read_to_string(&path).unwrap();
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    std::fs::write(path, text).unwrap();
}

#[tokio::test]
async fn an_import_sends_webhooks_if_requested() {
    let variables = [("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1")];
    let (fixture, receiver) = (SpaceFixture::with_variables(&variables).await, Receiver::start().await);
    let all = ["story.published", "story.unpublished", "story.moved"];
    let body = json!({ "name": "All", "url": receiver.url(), "events": all, "secret": "a secret of the tests" });
    fixture.admin().post("/webhooks", body).await.expect(201);

    let folder = scratch();
    copy(&sample_space(), folder.path());
    import(&fixture, folder.path(), true, true).await;
    assert_eq!(events(&fixture, 0).await.len(), 0, "a dry run does nothing that could be told");
    import(&fixture, folder.path(), true, false).await;
    let mut first = events(&fixture, 0).await;
    first.sort();
    assert_eq!(first, ["published home", "published tools/", "published tools/bench", "published tools/vice"]);
    let told = receiver.got(4).await;
    let home = told.iter().map(support::receiver::Got::json).find(|t| t["full_slug"] == "home").unwrap();
    assert_eq!(
        (&home["action"], &home["space_id"], &home["uuid"]),
        (&json!("story.published"), &json!(fixture.space), &json!("220fe672-352d-5b6a-93b4-840a81d42e8b"))
    );
    import(&fixture, folder.path(), true, false).await;
    assert_eq!(events(&fixture, 4).await.len(), 0, "nothing changed, and nothing is told");

    let folder_moves = ("\"published\": false,\n   \"slug\": \"tools\"", "\"published\": false,\n   \"slug\": \"gear\"");
    let bench_goes = ("\"published\": true,\n   \"slug\": \"bench\"", "\"published\": false,\n   \"slug\": \"bench\"");
    change(folder.path(), &[folder_moves, bench_goes, ("\"name\": \"Home\"", "\"name\": \"Another name\"")]);
    import(&fixture, folder.path(), true, false).await;
    assert_eq!(
        events(&fixture, 4).await,
        [
            "moved gear tools",
            "moved gear/ tools/",
            "moved gear/bench tools/bench",
            "moved gear/old tools/old",
            "moved gear/old/saw tools/old/saw",
            "moved gear/vice tools/vice",
            "published home",
            "unpublished gear/bench",
        ]
    );
}

#[tokio::test]
async fn an_import_sends_no_webhooks_unless_requested() {
    let fixture = SpaceFixture::new().await;
    import(&fixture, &sample_space(), false, false).await;
    assert_eq!(events(&fixture, 0).await.len(), 0);
}

#[tokio::test]
async fn webhooks_are_requested_in_the_body_or_in_the_query() {
    let fixture = SpaceFixture::new().await;
    let body = json!({ "source_space_id": 606, "oauth_token": "t", "region": "eu" });
    for (query, more, wanted) in [
        ("", json!({}), false),
        ("?webhooks=1", json!({}), true),
        ("", json!({ "webhooks": true }), true),
        ("", json!({ "webhooks": "0" }), false),
    ] {
        let space = fixture.another_space().await;
        let mut asked = body.clone();
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let path = format!("/api/v1/spaces/{}/import/vendor{query}", space.id);
        let made = fixture.post(Caller::Token(&space.admin), &path, asked).await.expect(202);
        assert_eq!(made["import"]["webhooks"], wanted, "{query} {more}");
        let path = format!("/api/v1/spaces/{}/imports/{}", space.id, made["import"]["id"]);
        fixture.delete(Caller::Token(&space.admin), &path).await.expect(200);
    }
}
