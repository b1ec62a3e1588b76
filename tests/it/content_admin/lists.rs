//! The parameters that every list of the Management API knows.

use support::prelude::*;

/// Every list, with the parameters that it cannot do without.
const LISTS: &[&str] = &[
    "/stories?",
    "/components?",
    "/component_groups?",
    "/presets?",
    "/datasources?",
    "/datasource_entries?",
    "/assets?",
    "/asset_folders?",
    "/webhooks?",
    "/tokens?",
    "/api_keys?",
    "/imports?",
    "/audit_log?",
    "/story_schedulings?",
    "/tags?",
    "/internal_tags?",
    "/activities?",
    "/collaborators?",
    "/space_roles?",
    "/webhook_endpoints?",
    "/workflows?",
    "/workflow_stages?",
    "/releases?",
    "/branches?",
    "/components?in_trash=1&",
];

#[tokio::test]
async fn every_list_takes_what_get_all_of_the_client_adds() {
    let fixture = SpaceFixture::new().await;
    let admin = Caller::Token(&fixture.admin);
    let story = json!({ "story": { "name": "S", "slug": "s", "content": { "component": "page" } } });
    let story = fixture.post(admin, &fixture.path("/stories"), story).await.expect(201)["story"]["id"].clone();
    let webhook =
        json!({ "name": "W", "url": "https://example.com/hook", "events": ["story.published"], "secret": "0123456789abcdef" });
    let webhook = fixture.post(admin, &fixture.path("/webhooks"), webhook).await.expect(201)["webhook"]["id"].clone();
    let more = [
        format!("/stories/{story}/versions?"),
        format!("/versions?model=stories&model_id={story}&"),
        format!("/story_versions?by_story_id={story}&"),
        format!("/webhooks/{webhook}/deliveries?"),
    ];
    let lists: Vec<String> = LISTS.iter().map(|list| (*list).to_owned()).chain(more).map(|list| fixture.path(&list)).collect();
    for list in lists.iter().map(String::as_str).chain(["/api/v1/spaces?"]) {
        for version in ["published", "draft", ""] {
            let reply = fixture.get(admin, &format!("{list}version={version}&page=1&per_page=2")).await;
            assert_eq!(reply.status, 200, "{list}: {}", reply.text);
            assert!(!reply.header("total").is_empty() && reply.header("per-page") == "2", "{list}");
        }
        let reply = fixture.get(admin, &format!("{list}version=newest")).await;
        assert_eq!((reply.status, &reply.body["details"][0]["field"]), (422, &json!("version")), "{list}");
        let unknown = fixture.get(admin, &format!("{list}verison=published")).await;
        assert_eq!(unknown.status, 422, "{list}");
    }
}
