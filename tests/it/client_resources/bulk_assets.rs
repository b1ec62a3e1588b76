//! Changes of many assets at once, and files that are copied from other servers.

use super::each;
use crate::assets::{fetch, uploaded};
use support::{Peer, Reply, prelude::*};

async fn post(fixture: &SpaceFixture, role: &str, below: &str, body: Value) -> Response {
    fixture.role(role).post(&format!("/assets/{below}"), body).await
}

/// Three assets, by their numbers.
async fn three(fixture: &SpaceFixture) -> Vec<Value> {
    let mut ids = Vec::new();
    for name in ["a.txt", "b.txt", "c.txt"] {
        ids.push(uploaded(fixture, name, name.as_bytes()).await["id"].clone());
    }
    ids
}

#[tokio::test]
async fn many_assets_move_go_and_come_back_at_once() {
    let fixture = SpaceFixture::new().await;
    let ids = three(&fixture).await;
    let folder = json!({ "asset_folder": { "name": "Folder" } });
    let folder = fixture.editor().post("/asset_folders", folder).await.expect(201)["asset_folder"]["id"].clone();
    let body = json!({ "ids": ids, "asset": { "asset_folder_id": folder } });
    let moved = post(&fixture, "editor", "bulk_update", body).await.expect(200);
    assert_eq!(each(&moved["assets"], "asset_folder_id"), vec![folder.clone(); 3]);
    assert_eq!(fixture.viewer().get(&format!("/assets?in_folder={folder}")).await.header("total"), "3");
    assert_eq!(fixture.newest_entry().await, ["asset.update", "asset", "c.txt"]);
    let out = post(
        &fixture,
        "editor",
        "bulk_update",
        json!({ "ids": [ids[0]], "asset_folder_id": null, "asset": { "asset_folder_id": null } }),
    )
    .await;
    assert_eq!(each(&out.expect(200)["assets"], "asset_folder_id"), [Value::Null]);

    let url = fixture.viewer().get(&format!("/assets/{}", ids[1])).await.expect(200)["filename"].clone();
    let before = fixture.cv().await;
    let gone = post(&fixture, "editor", "bulk_destroy", json!({ "ids": [ids[0], ids[1], ids[1]] })).await.expect(200);
    assert_eq!(each(&gone["assets"], "id"), ids[..2]);
    assert!(fixture.cv().await > before);
    assert_eq!(fetch(&fixture, &url, &[]).await.0, 404);
    assert_eq!(fixture.viewer().get("/assets?in_folder=-1").await.header("total"), "2");
    assert_eq!(fixture.newest_entry().await, ["asset.delete", "asset", "b.txt"]);
    let rest = post(&fixture, "editor", "bulk_destroy", json!({ "ids": ids })).await.expect(200);
    assert_eq!(each(&rest["assets"], "id"), ids[2..], "the others are in the trash already");
    let back = post(&fixture, "editor", "bulk_restore", json!({ "ids": ids })).await.expect(200);
    assert_eq!(each(&back["assets"], "id"), ids);
    assert_eq!(fetch(&fixture, &url, &[]).await.0, 200);
}

#[tokio::test]
async fn bulk_changes_that_are_refused_change_no_asset() {
    let fixture = SpaceFixture::new().await;
    let ids = three(&fixture).await;
    let foreign = json!({ "internal_tag": { "name": "x", "object_type": "component" } });
    let tag = fixture.admin().post("/internal_tags", foreign).await.expect(200)["internal_tag"]["id"].clone();
    let body = json!({ "internal_tag": { "name": "y", "object_type": "asset" } });
    let own = fixture.admin().post("/internal_tags", body).await.expect(200)["internal_tag"]["id"].clone();
    let listed = fixture.viewer().get("/assets").await.expect(200);
    let entries = fixture.audit_count().await;
    let (unknown, many) = (json!([ids[0], 999_999]), vec![json!(1); 101]);
    for (action, body, status) in [
        ("bulk_update", json!({ "ids": unknown, "asset": { "asset_folder_id": null } }), 404),
        ("bulk_update", json!({ "ids": ids, "asset": { "asset_folder_id": 999_999 } }), 422),
        ("bulk_update", json!({ "ids": ids, "asset": { "alt": "x" } }), 422),
        ("bulk_update", json!({ "ids": ids }), 422),
        ("bulk_update", json!({ "asset": { "asset_folder_id": null } }), 422),
        ("bulk_update", json!({ "ids": many, "asset": { "asset_folder_id": null } }), 422),
        ("bulk_destroy", json!({ "ids": unknown }), 404),
        ("bulk_destroy", json!({ "ids": many }), 422),
        ("bulk_destroy", json!({}), 422),
        ("bulk_tags_association", json!({ "ids": ids, "internal_tag_ids": [tag] }), 422),
        ("bulk_tags_association", json!({ "ids": ids, "internal_tag_ids": [] }), 422),
        ("bulk_tags_association", json!({ "ids": ids }), 422),
        ("bulk_tags_association", json!({ "ids": ids, "removed_internal_tag_ids": vec![tag.clone(); 101] }), 422),
        ("bulk_tags_association", json!({ "ids": ids, "internal_tag_ids": [own], "removed_internal_tag_ids": [own] }), 422),
        ("bulk_tags_association", json!({ "ids": unknown, "internal_tag_ids": [tag] }), 404),
    ] {
        post(&fixture, "editor", action, body.clone()).await.expect(status);
        post(&fixture, "viewer", action, body).await.expect(403);
    }
    assert_eq!(fixture.audit_count().await, entries);
    assert_eq!(fixture.viewer().get("/assets").await.expect(200), listed);
}

#[tokio::test]
async fn many_assets_get_tags_at_once_and_each_tag_once() {
    let fixture = SpaceFixture::new().await;
    let ids = three(&fixture).await;
    let mut tags = Vec::new();
    for name in ["Press", "Web"] {
        let body = json!({ "internal_tag": { "name": name, "object_type": "asset" } });
        tags.push(fixture.editor().post("/internal_tags", body).await.expect(200)["internal_tag"]["id"].clone());
    }
    let body = json!({ "ids": ids, "internal_tag_ids": [tags[1], tags[0], tags[1]] });
    let replies = join_all((0..5).map(|_| post(&fixture, "editor", "bulk_tags_association", body.clone()))).await;
    for reply in replies {
        assert_eq!(each(&reply.expect(200)["assets"], "internal_tag_ids"), vec![json!([tags[1], tags[0]]); 3]);
    }
    let named = fixture.viewer().get(&format!("/assets/{}", ids[0])).await.expect(200)["internal_tags_list"].clone();
    assert_eq!(each(&named, "name"), ["Press", "Web"]);
    assert_eq!(fixture.viewer().get(&format!("/assets?with_tags={}", tags[0])).await.header("total"), "3");
    // Others may put tags on them meanwhile: what is not named stays.
    let body = json!({ "ids": ids, "removed_internal_tag_ids": [tags[1], 999_999] });
    let replies = join_all((0..5).map(|_| post(&fixture, "editor", "bulk_tags_association", body.clone()))).await;
    for reply in replies {
        assert_eq!(each(&reply.expect(200)["assets"], "internal_tag_ids"), vec![json!([tags[0]]); 3]);
    }
    let body = json!({ "ids": ids, "internal_tag_ids": [tags[1]], "removed_internal_tag_ids": [tags[0]] });
    let reply = post(&fixture, "editor", "bulk_tags_association", body).await.expect(200);
    assert_eq!(each(&reply["assets"], "internal_tag_ids"), vec![json!([tags[1]]); 3]);
}

/// A server that may download from this machine.
async fn downloading() -> SpaceFixture {
    SpaceFixture::with_variables(&[("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1"), ("APP_ASSET_MAX_MB", "1")]).await
}

#[tokio::test]
async fn a_file_of_another_server_becomes_an_asset() {
    let fixture = downloading().await;
    let peer = Peer::start(|path| match path {
        "/files/my%20notes.txt?v=1" => Reply::with("200 OK", &[("content-type", "image/png")], "some notes"),
        "/moved" => Reply::to("/files/my%20notes.txt?v=1"),
        _ => Reply::with("404 Not Found", &[], "no"),
    })
    .await;
    let url = |path: &str| format!("http://{}{path}", peer.address);
    let body = json!({ "url": url("/files/my%20notes.txt?v=1"), "alt": "Notes" });
    let made = post(&fixture, "editor", "copy_from_url", body).await.expect(200);
    assert_eq!((&made["content_length"], &made["alt"], &made["content_type"]), (&json!(10), &json!("Notes"), &json!("text/plain")));
    assert_eq!(fixture.newest_entry().await[..2], ["asset.create", "asset"]);
    let (status, _, bytes) = fetch(&fixture, &made["filename"], &[]).await;
    assert_eq!((status, bytes.as_slice()), (200, b"some notes".as_slice()));
    let named = post(&fixture, "editor", "copy_from_url", json!({ "url": url("/moved"), "filename": "b.txt" })).await.expect(200);
    assert_eq!(named["short_filename"], "b.txt");
    let entries = fixture.audit_count().await;
    for wrong in
        [json!({ "url": url("/none") }), json!({}), json!({ "url": " " }), json!({ "url": url("/moved"), "asset_folder_id": "x" })]
    {
        let refused = post(&fixture, "editor", "copy_from_url", wrong).await.expect(422);
        assert!(refused["fields"].is_object(), "{refused}");
    }
    post(&fixture, "viewer", "copy_from_url", json!({ "url": url("/moved") })).await.expect(403);
    assert_eq!(fixture.audit_count().await, entries);
    assert_eq!(fixture.cdn("spaces/me").await.expect(200)["space"]["id"], fixture.space);
}

#[tokio::test]
async fn a_file_is_only_copied_from_where_the_guard_lets_it() {
    let fixture = SpaceFixture::new().await;
    let peer = Peer::start(|_| Reply::with("200 OK", &[], "secret")).await;
    let entries = fixture.audit_count().await;
    for url in [
        format!("http://{}/", peer.address),
        format!("http://localhost:{}/", peer.address.port()),
        format!("http://2130706433:{}/", peer.address.port()),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://[::1]/".to_owned(),
        "file:///etc/passwd".to_owned(),
        "gopher://127.0.0.1/".to_owned(),
        "no url".to_owned(),
    ] {
        let refused = post(&fixture, "editor", "copy_from_url", json!({ "url": url })).await.expect(422);
        assert_eq!(refused["fields"]["url"], json!(["may not be called"]), "{url}");
    }
    assert_eq!(peer.seen().len(), 0);
    assert_eq!(fixture.audit_count().await, entries);

    // A redirect into the inside is refused as well.
    let fixture = SpaceFixture::with_variables(&[("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.2")]).await;
    let target = peer.address;
    let outside = Peer::at("127.0.0.2:0", move |_| Reply::to(&format!("http://{target}/"))).await;
    let refused =
        post(&fixture, "editor", "copy_from_url", json!({ "url": format!("http://{}/", outside.address) })).await.expect(422);
    assert_eq!(refused["fields"]["url"], json!(["may not be called"]));
    assert_eq!(peer.seen().len(), 0);
}

#[tokio::test]
async fn a_file_that_is_too_large_or_empty_leaves_nothing() {
    let fixture = downloading().await;
    let peer = Peer::start(|path| match path {
        "/empty" => Reply::with("200 OK", &[], ""),
        _ => Reply::with("200 OK", &[], &"x".repeat(2 << 20)),
    })
    .await;
    for path in ["/large", "/empty"] {
        let url = format!("http://{}{path}", peer.address);
        let reply = post(&fixture, "editor", "copy_from_url", json!({ "url": url })).await;
        assert!([413, 422].contains(&reply.status), "{}", reply.text);
    }
    assert_eq!(fixture.viewer().get("/assets").await.header("total"), "0");
}
