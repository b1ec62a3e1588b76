//! Which content types the stories of a folder may have.

use support::prelude::*;

async fn folder(fixture: &SpaceFixture, slug: &str, parent: i64, content: Value) -> i64 {
    let folder = json!({ "name": slug, "slug": slug, "is_folder": true, "parent_id": parent, "content": content });
    fixture.story(folder).await["id"].as_i64().unwrap()
}

fn page(slug: &str, parent: i64, component: &str) -> Value {
    json!({ "story": { "name": slug, "slug": slug, "parent_id": parent, "content": { "component": component } } })
}

#[tokio::test]
async fn a_story_of_another_type_gets_into_a_folder_by_no_way() {
    let fixture = SpaceFixture::new().await;
    let posts = folder(&fixture, "posts", 0, json!({ "content_types": ["post"], "lock_subfolders_content_types": true })).await;
    let below = folder(&fixture, "below", posts, json!({})).await;
    let open = folder(&fixture, "open", 0, json!({ "content_types": ["post"], "lock_subfolders_content_types": false })).await;
    let free = folder(&fixture, "free", open, json!({})).await;
    let made = async |story: Value| fixture.editor().post("/stories", story).await;
    for parent in [posts, below, open] {
        let refused = made(page("x", parent, "page")).await.expect(422);
        assert_eq!(refused["fields"]["content_types"], json!(["of the folder do not allow page: it takes post"]));
    }
    let id = async |story: Value| made(story).await.expect(201)["story"]["id"].as_i64().unwrap();
    id(page("a", free, "page")).await;
    id(page("b", posts, "post")).await;
    let post = id(page("c", below, "post")).await;
    let other = id(page("d", 0, "page")).await;

    let editor = fixture.editor();
    let content = json!({ "component": "page" });
    for (path, body) in [
        (format!("/stories/{post}"), json!({ "story": { "content": content } })),
        (format!("/stories/{post}?autosave=1"), json!({ "story": { "content": content } })),
        (format!("/stories/{other}"), json!({ "story": { "parent_id": posts } })),
        (format!("/stories/{other}/move?to_folder={below}"), json!({})),
    ] {
        let refused = editor.put(&path, body).await.expect(422);
        assert!(refused["fields"]["content_types"].is_array(), "{path}: {refused}");
    }
    editor.post("/stories/bulk_move", json!({ "ids": [post, other], "to_folder": posts })).await.expect(422);
    assert_eq!([&fixture.read(post).await["parent_id"], &fixture.read(other).await["parent_id"]], [&json!(below), &json!(0)]);
    // An older version has the type that the story had then.
    let was_page = id(page("e", free, "page")).await;
    let versions = fixture.viewer().get(&format!("/stories/{was_page}/versions")).await.expect(200);
    fixture.update(was_page, json!({ "content": { "component": "post" }, "parent_id": posts })).await;
    let back = format!("/stories/{was_page}/restore_with?version={}", versions["versions"][0]["id"]);
    let refused = editor.get(&back).await.expect(422);
    assert!(refused["fields"]["content_types"].is_array(), "{refused}");
    // A folder brings no other types either, and only what a folder has for itself does not hold below.
    let mixed = folder(&fixture, "mixed", 0, json!({})).await;
    let inner = folder(&fixture, "inner", mixed, json!({})).await;
    let inside = id(page("f", inner, "page")).await;
    id(page("g", mixed, "post")).await;
    for (path, body) in [
        (format!("/stories/{mixed}"), json!({ "story": { "parent_id": below } })),
        (format!("/stories/{mixed}/move?to_folder={posts}"), json!({})),
    ] {
        let refused = editor.put(&path, body).await.expect(422);
        assert_eq!(refused["fields"]["content_types"], json!(["of the folder do not allow page: it takes post"]), "{path}");
    }
    assert_eq!(fixture.read(inside).await["full_slug"], "mixed/inner/f");
    editor.put(&format!("/stories/{mixed}/move?to_folder={open}"), json!({})).await.expect(200);
    fixture.update(inside, json!({ "content": { "component": "post" } })).await;
    editor.put(&format!("/stories/{mixed}/move?to_folder={below}"), json!({})).await.expect(200);
    // What stands there already is edited and moved within the folder as before.
    fixture.update(posts, json!({ "content": { "content_types": ["news"] } })).await;
    fixture.update(post, json!({ "name": "C" })).await;
    editor.put(&format!("/stories/{post}/move?to_folder={below}"), json!({})).await.expect(200);
}
