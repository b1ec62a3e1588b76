//! Lists of features that do not exist here.

use support::prelude::*;

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
        let reply = fixture.viewer().get(&path).await;
        assert_eq!((reply.header("total"), reply.header("per-page")), ("0", "10"), "{name}");
        assert_eq!(reply.expect(200), json!({ key: [] }));
        fixture.viewer().get(&format!("/{name}?nonsense=1")).await.expect(422);
        fixture.viewer().get(&format!("/{name}/1")).await.expect(404);
        fixture.admin().post(&format!("/{name}"), json!({})).await.expect(404);
        fixture.admin().delete(&format!("/{name}")).await.expect(404);
    }
    fixture.viewer().get("/workflow_stage_changes?with_story=1").await.expect(200);
    fixture.admin().post("/assets/1/convert?target_asset_folder_id=1", json!({})).await.expect(404);
}
