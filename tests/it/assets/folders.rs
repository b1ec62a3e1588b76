//! Folders of assets.

use super::{GIF, Kept, upload};
use support::prelude::*;

#[tokio::test]
async fn folders_stand_in_each_other_and_what_stands_in_one_outlives_it() {
    let fixture = &Kept::on_disk().await;
    let outer = fixture.create("asset_folder", json!({ "name": "Outer" })).await;
    let inner = fixture.create("asset_folder", json!({ "name": "Inner", "parent_id": outer["id"] })).await;
    assert_eq!(inner["parent_uuid"], outer["uuid"]);
    let id = inner["id"].to_string();
    let asset = upload(fixture, &[("asset_folder_id", None, id.as_bytes()), ("file", Some("a.gif"), GIF)]).await.expect(201);
    assert_eq!(asset["asset_folder_id"], inner["id"]);

    let editor = Caller::Token(&fixture.editor);
    let list = |query: &'static str| async move {
        fixture.get(editor, &fixture.path(&format!("/asset_folders?{query}"))).await.expect(200)["asset_folders"].clone()
    };
    assert_eq!(list("").await, json!([outer, inner]));
    assert_eq!(list("search=inn").await, json!([inner]));
    assert_eq!(list("with_parent=0").await, json!([outer]));
    let by_uuid = format!("/asset_folders?by_uuids={}", inner["uuid"].as_str().unwrap());
    assert_eq!(fixture.get(editor, &fixture.path(&by_uuid)).await.expect(200)["asset_folders"], json!([inner]));
    let by_id = format!("/asset_folders?by_ids={}", outer["id"]);
    assert_eq!(fixture.get(editor, &fixture.path(&by_id)).await.expect(200)["asset_folders"], json!([outer]));

    let path = |value: &serde_json::Value| fixture.path(&format!("/asset_folders/{}", value["id"]));
    let circle = json!({ "asset_folder": { "parent_id": inner["id"] } });
    fixture.put(editor, &path(&outer), circle).await.expect(422);
    let renamed = fixture.put(editor, &path(&inner), json!({ "asset_folder": { "name": "New" } })).await.expect(200);
    assert_eq!([&renamed["asset_folder"]["name"], &renamed["asset_folder"]["parent_id"]], [&json!("New"), &outer["id"]]);
    assert_eq!(
        fixture.put(Caller::Token(&fixture.viewer), &path(&inner), json!({ "asset_folder": { "name": "x" } })).await.status,
        403
    );

    fixture.delete(editor, &path(&inner)).await.expect(200);
    assert_eq!(fixture.newest_entry().await, ["asset_folder.delete", "asset_folder", "New"]);
    assert_eq!(fixture.get(editor, &path(&inner)).await.status, 404);
    let after = fixture.get(editor, &fixture.path(&format!("/assets/{}", asset["id"]))).await.expect(200);
    assert_eq!(after["asset_folder_id"], outer["id"]);
}
