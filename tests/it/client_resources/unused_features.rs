//! Lists of features that do not exist here.

use super::{SpaceFixture, get, send};
use serde_json::{Value, json};

#[tokio::test]
async fn what_a_space_does_not_use_is_an_empty_list() {
    let fixture = SpaceFixture::new().await;
    for (name, key) in [
        ("approvals", "approvals"),
        ("background_tasks", "background_tasks"),
        ("backups", "backups"),
        ("branches", "branches"),
        ("experiments", "experiments"),
        ("field_types", "field_types"),
        ("releases", "releases"),
        ("shared_asset_folders", "asset_folders"),
        ("shared_assets", "assets"),
        ("shared_internal_tags", "internal_tags"),
        ("space_roles", "space_roles"),
        ("tasks", "tasks"),
        ("workflow_stage_changes", "workflow_stage_changes"),
        ("workflow_stages", "workflow_stages"),
        ("workflows", "workflows"),
    ] {
        let path = format!("/{name}?page=1&per_page=10&search=a&by_ids=1,2");
        let reply = get(&fixture, &path).await;
        assert_eq!((reply.header("total"), reply.header("per-page")), ("0", "10"), "{name}");
        assert_eq!(reply.expect(200), json!({ key: [] }));
        get(&fixture, &format!("/{name}?nonsense=1")).await.expect(422);
        get(&fixture, &format!("/{name}/1")).await.expect(404);
        send(&fixture, "admin", "POST", &format!("/{name}"), json!({})).await.expect(404);
        send(&fixture, "admin", "DELETE", &format!("/{name}"), Value::Null).await.expect(404);
    }
    get(&fixture, "/workflow_stage_changes?with_story=1").await.expect(200);
    send(&fixture, "admin", "POST", "/assets/1/convert?target_asset_folder_id=1", json!({})).await.expect(404);
}
