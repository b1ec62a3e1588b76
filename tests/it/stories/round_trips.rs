//! What commands of stories cost, in round trips to PostgreSQL, and that they answer what is stored although
//! they do not read it back.

use super::{id, page};
use domain::shared::{SpaceId, StoryId};
use services::content::{
    Authorized, SpaceCommand,
    command::{self, Capture},
    stories::{DiscardChanges, MoveStory, Publish, Unpublish},
};
use support::prelude::*;

/// Executes a command beside the server, and returns its round trips: `begin` goes along with the first
/// statement, `commit` counts.
async fn round_trips<C: SpaceCommand>(fixture: &SpaceFixture, command: C) -> u64 {
    let store = fixture.database.store.counting_apart();
    let authorized = Authorized::for_command_line(SpaceId(fixture.space));
    let now = fixture.clock.now();
    let entropy = support::entropy(11);
    command::execute(&store, entropy.as_ref(), &authorized, now, &Capture::new(command)).await.unwrap();
    store.round_trips()
}

#[tokio::test]
async fn publishing_takes_at_most_nine_round_trips() {
    let fixture = SpaceFixture::new().await;
    let parent = fixture.folder("Blog", "blog", 0).await;
    let slug = json!([{ "lang": "de", "slug": "erste" }]);
    let story = fixture.story(page("First", "first", json!({ "parent_id": parent, "translated_slugs_attributes": slug }))).await;
    let story = StoryId(id(&story));
    let at = json!({ "story_scheduling": { "story_id": story.0, "publish_at": "2035-01-01T00:00:00Z" } });
    fixture.editor().post("/story_schedulings", at).await;
    for _ in 0..2 {
        let cost = round_trips(&fixture, Publish { id: story }).await;
        assert!(cost <= 9, "{cost}");
        assert_eq!(cost, 7, "space, story, state and version, edition, schedulings, log, commit");
    }
    assert_eq!(round_trips(&fixture, DiscardChanges { id: story }).await, 7);
    assert_eq!(round_trips(&fixture, Unpublish { id: story }).await, 6);
    assert!(round_trips(&fixture, MoveStory { id: story, to_folder: None, after: None }).await <= 9);
}

/// The answer of a command, which is also what a read answers afterwards.
async fn stored(fixture: &SpaceFixture, method: &str, below: &str, body: Value) -> Value {
    let caller = fixture.editor();
    let reply = caller.json(method, below, body).await;
    assert!(reply.status == 200 || reply.status == 201, "{below}: {}", reply.text);
    let answered = reply.body["story"].clone();
    assert_eq!(answered, fixture.read(id(&answered)).await, "{method} {below}");
    answered
}

#[tokio::test]
async fn a_command_answers_what_is_stored() {
    let fixture = SpaceFixture::new().await;
    let folder = json!({ "name": "Blog", "slug": "blog", "is_folder": true, "translated_slugs_attributes": [{ "lang": "de", "slug": "tagebuch" }] });
    let folder = id(&stored(&fixture, "POST", "/stories", json!({ "story": folder })).await);
    let other =
        id(&stored(&fixture, "POST", "/stories", json!({ "story": page("Other", "other", json!({})), "publish": 1 })).await);
    let full = page(
        "Post",
        "post",
        json!({
            "parent_id": folder, "tag_list": ["b", "a"], "sort_by_date": "2026-01-02", "path": "/real", "meta_data": { "x": 1.50 },
            "publish_at": "2035-01-01T00:00:00.123Z", "translated_slugs_attributes": [{ "lang": "de", "slug": "beitrag", "name": "Beitrag" }],
        }),
    );
    let story = stored(&fixture, "POST", "/stories", json!({ "story": full })).await;
    assert_eq!(story["breadcrumbs"][0]["slug"], "blog");
    let (group, story) = (story["group_id"].clone(), id(&story));
    let at = |action: &str| format!("/stories/{story}{action}");
    let update = |change: Value| json!({ "story": change });
    stored(&fixture, "POST", &at("/publish"), json!({})).await;
    stored(&fixture, "PUT", &at(""), update(json!({ "name": "New", "content": { "component": "page", "n": 1 }, "tag_list": [] })))
        .await;
    stored(&fixture, "PUT", &at(""), update(json!({ "name": "Newer" }))).await;
    stored(&fixture, "POST", &at("/discard_changes"), json!({})).await;
    stored(&fixture, "PUT", &format!("/stories/{other}"), update(json!({ "group_id": group }))).await;
    stored(&fixture, "PUT", &at(""), update(json!({ "slug": "renamed", "pinned": true, "expire_at": "2036-01-01T00:00:00Z" })))
        .await;
    let translated = stored(
        &fixture,
        "PUT",
        &at(""),
        update(json!({ "translated_slugs_attributes": [{ "lang": "de", "slug": "neu" }, { "lang": "fr", "slug": "nouveau" }] })),
    )
    .await;
    assert_eq!(translated["translated_slugs"].as_array().unwrap().len(), 2);
    assert_eq!(translated["alternates"][0]["id"], other);
    stored(&fixture, "PUT", &at("/move?to_folder=0"), json!({})).await;
    stored(&fixture, "POST", &at("/unpublish"), json!({})).await;
    stored(&fixture, "PUT", &at("/duplicate"), json!({ "story": { "slug": "copy" } })).await;
    stored(&fixture, "PUT", &at(&format!("/move?to_folder={folder}")), json!({})).await;
    for id in [story, folder] {
        stored(&fixture, "DELETE", &format!("/stories/{id}"), json!({})).await;
        stored(&fixture, "POST", &format!("/stories/{id}/undelete"), json!({})).await;
    }
}
