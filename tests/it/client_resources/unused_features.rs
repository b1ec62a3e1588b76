//! Lists of features that do not exist here.

use super::{SpaceFixture, get, send};
use serde_json::{Value, json};

#[tokio::test]
async fn what_a_space_does_not_use_is_an_empty_list() {
    let fixture = SpaceFixture::new().await;
    for name in
        ["approvals", "branches", "releases", "space_roles", "tasks", "workflow_stage_changes", "workflow_stages", "workflows"]
    {
        let path = format!("/{name}?page=1&per_page=10&search=a&by_ids=1,2");
        let reply = get(&fixture, &path).await;
        assert_eq!((reply.header("total"), reply.header("per-page")), (Some("0"), Some("10")), "{name}");
        assert_eq!(reply.expect(200), json!({ name: [] }));
        get(&fixture, &format!("/{name}?nonsense=1")).await.expect(422);
        get(&fixture, &format!("/{name}/1")).await.expect(404);
        send(&fixture, "admin", "POST", &format!("/{name}"), json!({})).await.expect(405);
    }
    get(&fixture, "/workflow_stage_changes?with_story=1").await.expect(200);
    for absent in ["shared_assets", "experiments"] {
        send(&fixture, "admin", "GET", &format!("/{absent}"), Value::Null).await.expect(404);
    }
}
