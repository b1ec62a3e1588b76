//! Private assets: served with a signed URL only.

use super::{GIF, Kept, fetch, upload};
use support::prelude::*;

#[tokio::test]
async fn a_private_asset_is_served_with_a_signature_for_an_hour() {
    let fixture = &Kept::on_disk().await;
    let made = upload(fixture, &[("is_private", None, b"1"), ("file", Some("a.gif"), GIF)]).await.expect(201);
    let url = made["filename"].as_str().unwrap();
    assert_eq!(fetch(fixture, &made["filename"], &[]).await.0, 403);

    let me = |token: &str| format!("/api/v2/cdn/assets/me?token={token}&filename={url}");
    assert_eq!(fixture.get(Caller::Anonymous, &me(&fixture.public)).await.status, 401);
    assert_eq!(fixture.get(Caller::Anonymous, &me("sbpriv_x")).await.status, 401);
    let answer = fixture.get(Caller::Anonymous, &me(&fixture.private)).await;
    assert_eq!(answer.header("cache-control"), "private, no-store");
    let asset = answer.expect(200)["asset"].clone();
    assert_eq!([&asset["filename"], &asset["is_private"]], [&made["filename"], &Value::Bool(true)]);
    let signed = asset["signed_url"].as_str().unwrap();
    let managed = fixture.editor().get(&format!("/assets/{}", made["id"])).await.expect(200);
    assert_eq!(managed["signed_url"], asset["signed_url"], "the Management API has it, too");
    let small = signed.replacen('?', "/m/1x1/filters:format(png)?", 1);
    assert_eq!(fetch(fixture, &Value::from(small), &[]).await.0, 200, "it opens images that are made of it");
    let (status, headers, body) = fetch(fixture, &asset["signed_url"], &[]).await;
    assert_eq!((status, body.as_slice(), headers["cache-control"].to_str().unwrap()), (200, GIF, "private, max-age=3600"));

    let other = upload(fixture, &[("is_private", None, b"1"), ("file", Some("a.gif"), GIF)]).await.expect(201);
    let query = signed.split_once('?').unwrap().1;
    let expires: i64 = query.split_once('=').unwrap().1.split('&').next().unwrap().parse().unwrap();
    for wrong in [
        format!("{}?{query}", other["filename"].as_str().unwrap()),
        signed.replace(&expires.to_string(), &(expires + 1).to_string()),
        signed[..signed.len() - 1].to_owned(),
        format!("{url}?expires=x&signature="),
        format!("{url}?expires={}&signature=", i64::MIN),
        format!("{url}?expires={}&signature=", i64::MAX),
    ] {
        assert_eq!(fetch(fixture, &Value::from(wrong.as_str()), &[]).await.0, 403, "{wrong}");
    }
    fixture.clock.advance(SignedDuration::from_hours(1));
    assert_eq!(fetch(fixture, &asset["signed_url"], &[]).await.0, 403);
}

#[tokio::test]
async fn only_assets_of_the_tokens_own_space_are_signed() {
    let fixture = &Kept::on_disk().await;
    let made = upload(fixture, &[("file", Some("a.gif"), GIF)]).await.expect(201);
    let ask = |filename: String| {
        let path = format!("/api/v2/cdn/assets/me?token={}&filename={filename}", fixture.preview);
        async move { fixture.get(Caller::Anonymous, &path).await }
    };
    let url = made["filename"].as_str().unwrap().to_owned();
    let plain = ask(url.clone()).await.expect(200);
    assert_eq!(plain["asset"]["signed_url"], plain["asset"]["filename"], "a public one needs none");
    assert_eq!(ask(url.replace("http://", "//")).await.status, 200);
    assert_eq!(ask(url.replace(&format!("/f/{}/", fixture.space), "/f/9/")).await.status, 404);
    assert_eq!(ask("https://example.com/x".to_owned()).await.status, 404);
    assert_eq!(ask(String::new()).await.status, 422);
    let other = fixture.another_space().await;
    let path = format!("/api/v1/spaces/{}/api_keys", other.id);
    let key = fixture.post(Caller::Token(&other.admin), &path, serde_json::json!({ "api_key": { "access": "private" } })).await;
    let body = key.body;
    let token = body.pointer("/api_key/token").or(body.pointer("/token")).and_then(Value::as_str).expect("a token").to_owned();
    fixture.get(Caller::Anonymous, &format!("/api/v2/cdn/assets/me?token={token}&filename={url}")).await.expect(404);
}

#[tokio::test]
async fn no_slip_makes_a_private_asset_public() {
    let kept = Kept::on_disk().await;
    let (fixture, editor) = (&kept.fixture, Caller::Token(&kept.fixture.editor));
    let refused = upload(fixture, &[("is_private", None, b"True"), ("file", Some("a.gif"), GIF)]).await;
    assert_eq!(refused.expect(422)["details"][0]["field"], "is_private");
    let made =
        upload(fixture, &[("is_private", None, b"true"), ("locked", None, b"1"), ("file", Some("a.gif"), GIF)]).await.expect(201);
    let path = fixture.path(&format!("/assets/{}", made["id"]));
    for slip in [json!("maybe"), json!("TRUE"), json!(5), json!({})] {
        for name in ["is_private", "locked"] {
            fixture.put(editor, &path, json!({ "asset": { name: slip } })).await.expect(422);
        }
    }
    for nothing in [json!(null), json!("")] {
        let silent = json!({ "asset": { "is_private": nothing, "locked": nothing, "alt": "A" } });
        assert_eq!(fixture.put(editor, &path, silent).await.status, 204);
    }
    let now = fixture.get(editor, &path).await.expect(200);
    assert_eq!([&now["is_private"], &now["locked"], &now["alt"]], [&json!(true), &json!(true), &json!("A")]);
    assert_eq!(fetch(fixture, &made["filename"], &[]).await.0, 403);
    assert_eq!(fixture.put(editor, &path, json!({ "asset": { "is_private": "0" } })).await.status, 204);
    assert_eq!(fetch(fixture, &made["filename"], &[]).await.0, 200);
}
