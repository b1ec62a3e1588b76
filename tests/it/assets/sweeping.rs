//! What the janitor removes, and what it does not.

use super::{GIF, Kept, begin, fetch, on_both, send, upload, uploaded};
use crate::support::{desk::Caller, entropy};
use domain::{
    content::asset::{FileName, ObjectKey},
    shared::{Clock, Fault, SpaceId},
};
use futures_util::stream;
use jiff::SignedDuration;

/// Sweeps as if an hour or more had passed.
async fn sweep(kept: &Kept, after: SignedDuration) {
    let app = kept.desk.app();
    app.clock.advance(after);
    app.actors.handles().notifications.wake_all();
    assert_eq!(app.actors.handles().observe_all().await["janitor"]["failures"], 0);
}

on_both!(an_object_that_never_got_its_row_is_removed_after_a_day what_an_asset_lets_go_of_is_removed);

/// A process that is killed between the object and its row leaves exactly this.
async fn an_object_that_never_got_its_row_is_removed_after_a_day(kept: &Kept) {
    let app = kept.desk.app();
    let key = ObjectKey::new(SpaceId(kept.desk.space), app.clock.now(), entropy(77).as_ref());
    let pieces = stream::iter([Ok::<_, Fault>(bytes::Bytes::from_static(GIF))]);
    app.blobs.put(key, &FileName::of("a.gif"), pieces).await.unwrap();
    let asset = uploaded(&kept.desk, "b.gif", GIF).await;
    let begun = begin(&kept.desk, serde_json::json!({ "filename": "c.gif" })).await;
    assert_eq!(send(&kept.desk, &begun, GIF).await.status, 204);
    sweep(kept, SignedDuration::from_hours(23)).await;
    assert_eq!(kept.objects().await, 3, "its row may still be on its way");
    sweep(kept, SignedDuration::from_hours(2)).await;
    assert_eq!(kept.objects().await, 1);
    assert_eq!(fetch(&kept.desk, &asset["filename"], &[]).await.2, GIF);
    let path = kept.desk.path(&format!("/assets/{}/finish_upload", begun["id"]));
    assert_eq!(kept.desk.get(Caller::Token(&kept.desk.editor), &path).await.status, 404, "the upload is forgotten too");
}

async fn what_an_asset_lets_go_of_is_removed(kept: &Kept) {
    let desk = &kept.desk;
    let replaced = uploaded(desk, "a.gif", GIF).await;
    let id = replaced["id"].to_string();
    let after = upload(desk, &[("id", None, id.as_bytes()), ("file", Some("b.txt"), b"words")]).await.expect(200);
    let deleted = uploaded(desk, "c.gif", GIF).await;
    desk.delete(Caller::Token(&desk.editor), &desk.path(&format!("/assets/{}", deleted["id"]))).await.expect(200);
    assert_eq!(kept.objects().await, 3);
    sweep(kept, SignedDuration::from_hours(25)).await;
    assert_eq!(kept.objects().await, 2, "the trash keeps its files");
    sweep(kept, SignedDuration::from_hours(24 * 90)).await;
    sweep(kept, SignedDuration::from_hours(2)).await;
    assert_eq!(kept.objects().await, 1);
    assert_eq!(fetch(desk, &after["filename"], &[]).await.2, b"words");
    let rows = desk.get(Caller::Token(&desk.editor), &desk.path("/assets?in_folder=-1")).await;
    assert_eq!(rows.header("total"), Some("0"));
}
