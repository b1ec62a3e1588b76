//! Access to webhooks: every role reads them, and admins alone change them.

use super::{ALL, fixture, registration};
use support::prelude::*;

#[tokio::test]
async fn every_role_reads_and_admins_alone_write() {
    let fixture = fixture().await;
    let path = fixture.path("/webhooks");
    let body = registration("https://ci.example.org/hook", &ALL);
    let made = fixture.post(Caller::Token(&fixture.admin), &path, body.clone()).await.expect(201);
    let one = format!("{path}/{}", made["webhook"]["id"]);
    let delivery = format!("{one}/deliveries/whd_00000000000000000000000000000000/redeliver");
    for token in [&fixture.editor, &fixture.viewer] {
        for read in [&path, &one, &format!("{one}/deliveries")] {
            fixture.get(Caller::Token(token), read).await.expect(200);
        }
        for (method, path, body) in [
            ("POST", &path, body.clone()),
            ("PUT", &one, json!({ "name": "X" })),
            ("DELETE", &one, json!({})),
            ("POST", &format!("{one}/ping"), json!({})),
            ("POST", &format!("{one}/redeliver"), json!({})),
            ("POST", &delivery, json!({})),
        ] {
            fixture.json(Caller::Token(token), method, path, body).await.expect(403);
        }
    }
    fixture.post(Caller::Token(&fixture.admin), &delivery, json!({})).await.expect(404);
    fixture.get(Caller::Anonymous, &path).await.expect(401);
    fixture.get(Caller::Token(&fixture.public), &path).await.expect(401);
}

/// For a token of another space the webhook does not exist.
#[tokio::test]
async fn another_space_sees_nothing() {
    let fixture = fixture().await;
    let other = fixture.another_space().await;
    let body = registration("https://ci.example.org/hook", &ALL);
    let made = fixture.admin().post("/webhooks", body).await.expect(201);
    let id = &made["webhook"]["id"];
    for space in [fixture.space, other.id] {
        let path = format!("/api/v1/spaces/{space}/webhooks/{id}");
        for (method, path) in [
            ("GET", path.clone()),
            ("DELETE", path.clone()),
            ("GET", format!("{path}/deliveries")),
            ("POST", format!("{path}/ping")),
        ] {
            fixture.json(Caller::Token(&other.admin), method, &path, json!({})).await.expect(404);
        }
    }
    assert_eq!(fixture.admin().get("/webhooks").await.expect(200)["webhooks"][0]["id"], *id);
}
