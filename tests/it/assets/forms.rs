//! Upload forms that are refused, of which nothing is left.

use super::{GIF, Kept, begin, finish, form, on_both, send, send_fields, upload};
use support::prelude::*;

on_both!(a_file_that_is_refused_leaves_nothing);

async fn a_file_that_is_refused_leaves_nothing(fixture: &Kept) {
    let too_large = vec![7; (1 << 20) + 1];
    assert_eq!(upload(fixture, &[("file", Some("a"), &too_large)]).await.status, 413);
    upload(fixture, &[("file", Some("a"), b"")]).await.expect(422);
    upload(fixture, &[("alt", None, b"no file")]).await.expect(422);
    upload(fixture, &[("expire_at", None, b"soon"), ("file", Some("a"), b"x")]).await.expect(422);
    upload(fixture, &[("file", Some("a"), b"x"), ("asset_folder_id", None, b"9")]).await.expect(422);
    upload(fixture, &[("file", Some("a"), b"x"), ("file", Some("b"), b"y")]).await.expect(400);
    upload(fixture, &[("alt", None, &vec![b'x'; 300 << 10]), ("file", Some("a"), b"x")]).await.expect(413);
    let (_, cut) = form(&[("file", Some("a"), GIF)]);
    let cut = cut[..cut.len() - 20].to_vec();
    let path = fixture.path("/assets");
    let editor = Caller::Token(&fixture.editor);
    fixture.send(editor, "POST", &path, "multipart/form-data; boundary=line", cut).await.expect(400);
    fixture.send(editor, "POST", &path, "multipart/form-data", b"x".to_vec()).await.expect(415);
    fixture.send(editor, "POST", &path, "text/plain", b"x".to_vec()).await.expect(415);

    let begun = begin(fixture, json!({ "filename": "a" })).await;
    assert_eq!(send(fixture, &begun, &too_large).await.status, 413);
    send(fixture, &begun, b"").await.expect(422);
    finish(fixture, &begun).await.expect(422);
    assert_eq!(fixture.get(editor, &path).await.expect(200)["assets"], json!([]));
    // The folder that does not exist was found out after the file had come: its object is the janitor's.
    assert_eq!(fixture.objects().await, 2);
    let incoming = fixture.data.path().join("assets/incoming");
    assert_eq!(std::fs::read_dir(incoming).unwrap().count(), 0);
}

#[tokio::test]
async fn a_body_in_chunks_is_bounded_too() {
    let fixture = &Kept::on_disk().await;
    let mut wire = fixture.connect().await;
    let head = format!(
        "POST {} HTTP/1.1\r\nhost: x\r\nauthorization: {}\r\ncontent-type: multipart/form-data; boundary=line\r\n\
         transfer-encoding: chunked\r\n\r\n",
        fixture.path("/assets"),
        fixture.editor
    );
    wire.send(head.as_bytes()).await;
    let begin = b"--line\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n";
    wire.send(&[format!("{:x}\r\n", begin.len()).as_bytes(), begin, b"\r\n"].concat()).await;
    let piece = [&b"10000\r\n"[..], &vec![7; 0x10000], b"\r\n"].concat();
    for _ in 0..17 {
        wire.send(&piece).await;
    }
    assert_eq!(wire.answer().await.unwrap().status, 413);
}

#[tokio::test]
async fn a_form_is_taken_once_and_only_as_it_was_signed() {
    let fixture = &Kept::on_disk().await;
    let begun = begin(fixture, json!({ "filename": "a.gif" })).await;
    let other = begin(fixture, json!({ "filename": "b.gif" })).await;
    let field = |of: &Value, name: &str| of["fields"][name].as_str().unwrap().to_owned();
    let fields =
        |policy: String, signature: String| [("policy".to_owned(), policy), ("x-amz-signature".to_owned(), signature)].to_vec();
    let (policy, signature) = (field(&begun, "policy"), field(&begun, "x-amz-signature"));
    for (what, fields) in [
        ("none", Vec::new()),
        ("another signature", fields(policy.clone(), field(&other, "x-amz-signature"))),
        ("another policy", fields(policy.replace("1048576", "9048576"), signature.clone())),
        ("another asset's form", fields(field(&other, "policy"), field(&other, "x-amz-signature"))),
        ("no signature", fields(policy.clone(), String::new())),
    ] {
        assert_eq!(send_fields(fixture, &begun, &fields, GIF).await.status, 403, "{what}");
    }
    assert_eq!(send(fixture, &begun, GIF).await.status, 204);
    assert_eq!(send(fixture, &begun, b"another file").await.status, 403, "it was used");
    assert_eq!(finish(fixture, &begun).await.expect(200)["content_type"], "image/gif");
    assert_eq!(send(fixture, &begun, GIF).await.status, 403, "it is done");

    fixture.clock.advance(SignedDuration::from_mins(61));
    assert_eq!(send(fixture, &other, GIF).await.status, 403, "it is too old");
    let again = begin(fixture, json!({ "filename": "c.gif", "id": begun["id"] })).await;
    let newer = begin(fixture, json!({ "filename": "d.gif", "id": begun["id"] })).await;
    assert_eq!(send(fixture, &again, GIF).await.status, 403, "a newer form makes it void");
    assert_eq!(send(fixture, &newer, GIF).await.status, 204);
    fixture.clock.advance(SignedDuration::from_hours(23));
    finish(fixture, &newer).await.expect(409);
}

#[tokio::test]
async fn a_space_has_so_many_uploads_under_way_and_no_more() {
    let fixture = &Kept::on_disk().await;
    let fill = "insert into asset_uploads (space_id, asset_id, ticket, replaces, name, change, expires_at)
                select $1, 100000 + n, gen_random_uuid(), false, 'a', '{}', $2 from generate_series(1, 1997) as n";
    let in_an_hour = fixture.clock.now() + SignedDuration::from_hours(1);
    fixture.execute(fill, &[&fixture.space, &in_an_hour]).await;
    let path = fixture.path("/assets");
    let begun = join_all((0..8).map(|_| fixture.post(Caller::Token(&fixture.editor), &path, json!({ "filename": "a.gif" })))).await;
    let (made, refused): (Vec<_>, Vec<_>) = begun.into_iter().partition(|b| b.status == 200);
    assert_eq!(made.len(), 3);
    for it in refused {
        let body = it.expect(422).to_string();
        assert!(body.contains("not finished"), "{body}");
    }
    fixture.clock.advance(SignedDuration::from_mins(61));
    begin(fixture, json!({ "filename": "a.gif" })).await;
}

#[tokio::test]
async fn odd_names_become_safe_ones() {
    let kept = Kept::on_disk().await;
    let long = format!("{}.png", "x".repeat(300));
    for (sent, name) in [
        ("../../etc/passwd", "passwd"),
        ("..\\\\..\\\\boot.ini", "boot.ini"),
        ("a.png%00.html", "a.png-00.html"),
        ("\u{202e}gnp.exe", "gnp.exe"),
        ("日本語 1.png", "日本語-1.png"),
        ("...", "file"),
        (&long, &format!("{}.png", "x".repeat(116))),
    ] {
        let made = super::uploaded(&kept.fixture, sent, GIF).await;
        assert_eq!(made["short_filename"], name, "{sent}");
        assert_eq!(super::fetch(&kept.fixture, &made["filename"], &[]).await.2, GIF, "{made}");
    }
}

#[tokio::test]
async fn a_caller_without_write_access_uploads_nothing() {
    let fixture = &Kept::on_disk().await;
    let other = fixture.another_space().await;
    let (content_type, body) = form(&[("file", Some("a.gif"), GIF)]);
    let path = fixture.path("/assets");
    for (caller, status) in [
        (Caller::Anonymous, 401),
        (Caller::Token(&fixture.preview), 401),
        (Caller::Token(&fixture.viewer), 403),
        (Caller::Token(&other.admin), 404),
        (Caller::Other, 404),
        (Caller::OwnerWithoutCsrf, 403),
    ] {
        assert_eq!(fixture.send(caller, "POST", &path, content_type, body.clone()).await.status, status);
        assert_eq!(fixture.post(caller, &path, json!({ "filename": "a" })).await.status, status);
    }
    let made = super::uploaded(fixture, "a.gif", GIF).await;
    let one = fixture.path(&format!("/assets/{}", made["id"]));
    for (caller, status) in [(Caller::Token(&fixture.viewer), 403), (Caller::Token(&other.admin), 404), (Caller::Anonymous, 401)] {
        assert_eq!(fixture.json(caller, "PATCH", &one, json!({ "asset": { "alt": "x" } })).await.status, status);
        assert_eq!(fixture.delete(caller, &one).await.status, status);
        assert_eq!(fixture.get(caller, &format!("{one}/finish_upload")).await.status, status);
        assert_eq!(fixture.post(caller, &format!("{path}/bulk_restore"), json!({ "ids": [made["id"]] })).await.status, status);
    }
    let foreign = format!("/api/v1/spaces/{}/assets/{}", other.id, made["id"]);
    assert_eq!(fixture.get(Caller::Token(&other.admin), &foreign).await.status, 404);
    assert_eq!(fixture.get(Caller::Token(&fixture.viewer), &one).await.expect(200), made);
    assert_eq!(fixture.objects().await, 1);
}

#[tokio::test]
async fn a_disk_that_fails_is_503_and_leaves_no_asset() {
    let fixture = &Kept::on_disk().await;
    let assets = fixture.data.path().join("assets");
    let space = assets.join(format!("f/{}", fixture.space));
    std::fs::write(&space, "in the way").unwrap();
    let refused = upload(fixture, &[("file", Some("a.gif"), GIF)]).await;
    assert_eq!(refused.header("retry-after"), "1");
    let text = refused.text.clone();
    refused.expect(503);
    assert!(!text.contains("assets/"), "no path of ours is told: {text}");
    std::fs::remove_file(&space).unwrap();
    std::fs::rename(assets.join("incoming"), assets.join("gone")).unwrap();
    upload(fixture, &[("file", Some("a.gif"), GIF)]).await.expect(503);
    std::fs::rename(assets.join("gone"), assets.join("incoming")).unwrap();
    assert_eq!(fixture.objects().await, 0);
    super::uploaded(fixture, "a.gif", GIF).await;
    assert_eq!(fixture.viewer().get("/assets").await.header("total"), "1");
}
