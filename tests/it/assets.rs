//! Assets through the wire. What has to do with bytes is tried on the local disk and in an object store.

mod folders;
mod forms;
mod management;
mod private;
mod serving;
mod sweeping;
mod validity;

use http::HeaderValue;
use std::ops::Deref;
use support::{
    Bucket,
    multipart::{Part, form},
    prelude::*,
};

/// A test that is run on both kinds of store.
macro_rules! on_both {
    ($($name:ident)+) => {$(
        mod $name {
            #[tokio::test]
            async fn on_disk() {
                super::$name(&$crate::assets::Kept::on_disk().await).await;
            }

            #[tokio::test]
            async fn in_s3() {
                super::$name(&$crate::assets::Kept::in_s3().await).await;
            }
        }
    )+};
}
use on_both;

/// An image of 3 by 2 pixels.
pub const GIF: &[u8] =
    b"GIF89a\x03\0\x02\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\0\0\0\0\0,\0\0\0\0\x03\0\x02\0\0\x02\x03\x84\x6f\x05\0;";

/// A server, and the bucket of its objects unless it keeps them on disk.
pub struct Kept {
    pub fixture: SpaceFixture,
    _bucket: Option<Bucket>,
}

impl Deref for Kept {
    type Target = SpaceFixture;

    fn deref(&self) -> &SpaceFixture {
        &self.fixture
    }
}

impl Kept {
    pub async fn on_disk() -> Self {
        let setup = Setup { variables: &[("APP_ASSET_MAX_MB", "1")], ..Setup::default() };
        Self { fixture: SpaceFixture::with(setup).await, _bucket: None }
    }

    pub async fn in_s3() -> Self {
        let bucket = Bucket::new().await;
        let fixture = SpaceFixture::with_variables(&[&[("APP_ASSET_MAX_MB", "1")][..], &bucket.variables()].concat()).await;
        Self { fixture, _bucket: Some(bucket) }
    }

    /// How many objects there are.
    pub async fn objects(&self) -> usize {
        self.fixture.blobs.list(None).await.unwrap().keys.len()
    }
}

/// Uploads by one request, as editor.
pub async fn upload(fixture: &SpaceFixture, parts: &[Part<'_>]) -> Response {
    let (content_type, body) = form(parts);
    fixture.send(Caller::Token(&fixture.editor), "POST", &fixture.path("/assets"), content_type, body).await
}

/// Uploads one file and returns the asset.
pub async fn uploaded(fixture: &SpaceFixture, name: &str, bytes: &[u8]) -> Value {
    upload(fixture, &[("file", Some(name), bytes)]).await.expect(201)
}

/// Begins an upload in three steps, as editor.
pub async fn begin(fixture: &SpaceFixture, body: Value) -> Value {
    fixture.editor().post("/assets", body).await.expect(200)
}

/// Sends the signed form.
pub async fn send(fixture: &SpaceFixture, begun: &Value, file: &[u8]) -> Response {
    let fields: Vec<(String, String)> = begun["fields"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()))
        .collect();
    send_fields(fixture, begun, &fields, file).await
}

pub async fn send_fields(fixture: &SpaceFixture, begun: &Value, fields: &[(String, String)], file: &[u8]) -> Response {
    let mut parts: Vec<Part<'_>> = fields.iter().map(|(name, value)| (name.as_str(), None, value.as_bytes())).collect();
    parts.push(("file", Some("whatever.bin"), file));
    let (content_type, body) = form(&parts);
    fixture.send(Caller::Anonymous, "POST", &path_of(fixture, &begun["post_url"]), content_type, body).await
}

/// The path of a URL of the server.
pub fn path_of(fixture: &SpaceFixture, url: &Value) -> String {
    url.as_str().unwrap().strip_prefix(&fixture.url("")).expect("an address of ours").to_owned()
}

/// The answer to a GET of a URL.
pub async fn fetch(fixture: &SpaceFixture, url: &Value, headers: &[(&str, &str)]) -> (u16, http::HeaderMap, Vec<u8>) {
    let mut request = fixture.app.client.get(url.as_str().unwrap());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    (status, headers, response.bytes().await.unwrap().to_vec())
}

pub async fn finish(fixture: &SpaceFixture, begun: &Value) -> Response {
    let path = fixture.path(&format!("/assets/{}/finish_upload", begun["id"]));
    fixture.get(Caller::Token(&fixture.editor), &path).await
}

on_both!(an_upload_in_three_steps_becomes_an_asset_with_the_last an_upload_in_one_request_becomes_an_asset a_replaced_file_has_another_url_and_answers_the_former_ones);

async fn an_upload_in_three_steps_becomes_an_asset_with_the_last(kept: &Kept) {
    let fixture = &kept.fixture;
    let begun = begin(fixture, json!({ "filename": "Photo 1.gif", "size": "9x9", "alt": "A", "validate_upload": 1 })).await;
    let path = fixture.path(&format!("/assets/{}", begun["id"]));
    let admin = Caller::Token(&fixture.admin);
    assert_eq!(fixture.get(admin, &path).await.status, 404, "no asset without its file");
    finish(fixture, &begun).await.expect(422);
    let promised = &begun["public_url"];
    assert_eq!(format!("http:{}", begun["pretty_url"].as_str().unwrap()), promised.as_str().unwrap());

    assert_eq!(send(fixture, &begun, GIF).await.status, 204);
    assert_eq!(fixture.get(admin, &path).await.status, 404);
    assert_eq!(fetch(fixture, promised, &[]).await.0, 404, "not before the last step");
    let done = finish(fixture, &begun).await.expect(200);
    let id = &done["id"];
    assert_eq!(id, &begun["id"]);
    assert_eq!(done["alt"], "A");
    assert_eq!([&done["content_type"], &done["short_filename"]], ["image/gif", "Photo-1.gif"]);
    assert_eq!(done["content_length"], GIF.len());
    assert!(done["filename"].as_str().unwrap().contains(&format!("/f/{}/3x2/", fixture.space)), "the size is the file's: {done}");
    assert_eq!(fixture.newest_entry().await, ["asset.create", "asset", "Photo-1.gif"]);
    let (status, _, bytes) = fetch(fixture, &done["filename"], &[]).await;
    assert_eq!((status, bytes.as_slice()), (200, GIF));
    let (status, _, bytes) = fetch(fixture, promised, &[]).await;
    assert_eq!((status, bytes.as_slice()), (200, GIF), "{promised}");

    let entries = fixture.audit_count().await;
    assert_eq!(finish(fixture, &begun).await.expect(200), done, "done again, it is the same");
    assert_eq!(fixture.audit_count().await, entries);
    assert_eq!(fixture.get(admin, &path).await.expect(200), done);
}

async fn an_upload_in_one_request_becomes_an_asset(kept: &Kept) {
    let fixture = &kept.fixture;
    let made = upload(
        fixture,
        &[
            ("title", None, b"T"),
            ("file", Some("a.pdf"), b"%PDF-1.7 ..."),
            ("meta_data", None, br#"{"a": 1}"#),
            ("is_private", None, b"0"),
        ],
    )
    .await
    .expect(201);
    assert_eq!([&made["title"], &made["content_type"]], ["T", "application/pdf"]);
    assert_eq!(made["meta_data"], json!({ "a": 1 }));
    assert_eq!(made["filename"].as_str().unwrap().split('/').count(), 7, "no size where there is none: {made}");
    let (status, _, bytes) = fetch(fixture, &made["filename"], &[]).await;
    assert_eq!((status, bytes.as_slice()), (200, &b"%PDF-1.7 ..."[..]));
    let list = fixture.viewer().get("/assets").await;
    assert_eq!((list.header("total"), list.body["assets"].clone()), ("1", json!([made])));
}

async fn a_replaced_file_has_another_url_and_answers_the_former_ones(kept: &Kept) {
    let fixture = &kept.fixture;
    let first = uploaded(fixture, "a.gif", GIF).await;
    let id = first["id"].to_string();
    let second =
        upload(fixture, &[("id", None, id.as_bytes()), ("alt", None, b"B"), ("file", Some("b.txt"), b"words")]).await.expect(200);
    assert_eq!([&second["id"], &second["created_at"]], [&first["id"], &first["created_at"]]);
    assert_eq!([&second["alt"], &second["short_filename"]], ["B", "a.gif"], "a file keeps its name");
    assert_ne!(second["filename"], first["filename"]);
    assert_eq!(fixture.newest_entry().await, ["asset.replace", "asset", "a.gif"]);

    let begun = begin(fixture, json!({ "filename": "c.gif", "id": first["id"] })).await;
    assert_eq!(begun["id"], first["id"]);
    assert_eq!(send(fixture, &begun, GIF).await.status, 204);
    assert_eq!(fetch(fixture, &second["filename"], &[]).await.2, b"words", "until the last step it is the old one");
    let third = finish(fixture, &begun).await.expect(200);
    assert_eq!(third["alt"], "B", "what is told about it stays");
    for (url, is_original) in
        [(&third["filename"], true), (&begun["public_url"], true), (&first["filename"], false), (&second["filename"], false)]
    {
        let (status, headers, bytes) = fetch(fixture, url, &[]).await;
        assert_eq!((status, bytes.as_slice()), (200, GIF), "{url}");
        let cached = headers["cache-control"].to_str().unwrap();
        assert_eq!(cached, if is_original { "public, max-age=31536000, immutable" } else { "public, max-age=60" }, "{url}");
        let tag = headers["etag"].to_str().unwrap().to_owned();
        assert_eq!(fetch(fixture, url, &[("if-none-match", &tag)]).await.0, 304);
    }

    upload(fixture, &[("id", None, id.as_bytes()), ("file", Some("d.txt"), b"more words")]).await.expect(200);
    for url in [&first["filename"], &begun["public_url"]] {
        let (_, headers, bytes) = fetch(fixture, url, &[]).await;
        assert_eq!(
            (bytes.as_slice(), &headers["cache-control"]),
            (&b"more words"[..], &HeaderValue::from_static("public, max-age=60"))
        );
    }
    upload(fixture, &[("id", None, b"999"), ("file", Some("a"), b"x")]).await.expect(404);
    fixture.delete(Caller::Token(&fixture.editor), &fixture.path(&format!("/assets/{id}"))).await.expect(200);
    assert_eq!(fetch(fixture, &first["filename"], &[]).await.0, 404, "the trash has no addresses");
}
