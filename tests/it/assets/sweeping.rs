//! What the janitor removes, and what it does not.

use super::{GIF, Kept, begin, fetch, on_both, send, upload, uploaded};
use domain::{
    content::asset::{FileName, ObjectKey},
    shared::{Fault, SpaceId},
};
use futures_util::stream;
use support::{entropy, prelude::*};

on_both!(an_object_that_never_got_its_row_is_removed_after_a_day what_an_asset_lets_go_of_is_removed);

/// A process that is killed between the object and its row leaves exactly this.
async fn an_object_that_never_got_its_row_is_removed_after_a_day(kept: &Kept) {
    let app = &kept.fixture.app;
    let key = ObjectKey::new(SpaceId(kept.fixture.space), app.clock.now(), entropy(77).as_ref());
    let pieces = stream::iter([Ok::<_, Fault>(bytes::Bytes::from_static(GIF))]);
    app.blobs.put(key, &FileName::of("a.gif"), pieces).await.unwrap();
    let asset = uploaded(&kept.fixture, "b.gif", GIF).await;
    let begun = begin(&kept.fixture, serde_json::json!({ "filename": "c.gif" })).await;
    assert_eq!(send(&kept.fixture, &begun, GIF).await.status, 204);
    kept.fixture.sweep(SignedDuration::from_hours(23)).await;
    assert_eq!(kept.objects().await, 3, "its row may still be on its way");
    kept.fixture.sweep(SignedDuration::from_hours(2)).await;
    assert_eq!(kept.objects().await, 1);
    assert_eq!(fetch(&kept.fixture, &asset["filename"], &[]).await.2, GIF);
    let path = kept.fixture.path(&format!("/assets/{}/finish_upload", begun["id"]));
    assert_eq!(kept.fixture.get(Caller::Token(&kept.fixture.editor), &path).await.status, 404, "the upload is forgotten too");
}

async fn what_an_asset_lets_go_of_is_removed(kept: &Kept) {
    let fixture = &kept.fixture;
    let replaced = uploaded(fixture, "a.gif", GIF).await;
    let id = replaced["id"].to_string();
    let after = upload(fixture, &[("id", None, id.as_bytes()), ("file", Some("b.txt"), b"words")]).await.expect(200);
    let deleted = uploaded(fixture, "c.gif", GIF).await;
    fixture.editor().delete(&format!("/assets/{}", deleted["id"])).await.expect(200);
    assert_eq!(kept.objects().await, 3);
    kept.fixture.sweep(SignedDuration::from_hours(25)).await;
    assert_eq!(kept.objects().await, 2, "the trash keeps its files");
    kept.fixture.sweep(SignedDuration::from_hours(24 * 90)).await;
    kept.fixture.sweep(SignedDuration::from_hours(2)).await;
    assert_eq!(kept.objects().await, 1);
    assert_eq!(fetch(fixture, &after["filename"], &[]).await.2, b"words");
    let rows = fixture.editor().get("/assets?in_folder=-1").await;
    assert_eq!(rows.header("total"), "0");
}
