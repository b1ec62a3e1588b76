//! Results that are kept: once for all, within a bound, for all processes.

use super::{BLUE, Picture, RED, TOKEN, decoded, get, metric, picture, server, uploaded, uploaded_with};
use crate::assets;
use support::{Bucket, prelude::*};

const MADE: &str = "svc_images_total{from=\"made\"}";
const FROM_STORE: &str = "svc_images_total{from=\"store\"}";
const FROM_MEMORY: &str = "svc_images_total{from=\"memory\"}";

/// How many results there are, how many bytes they have by their rows, and by the sum that is kept of them.
async fn usage(app: &TestApp) -> (i64, i64, i64) {
    let sql = "select count(*) as results, coalesce(sum(content_length), 0)::bigint as bytes, (select bytes from image_usage) as known from image_results";
    let row = app.row(sql, &[]).await;
    (row.get("results"), row.get("bytes"), row.get("known"))
}

async fn objects(app: &TestApp) -> usize {
    app.blobs.list(None).await.unwrap().keys.len()
}

#[tokio::test]
async fn twenty_who_ask_at_once_share_one_computation() {
    let fixture = &server(&[]).await;
    let path = format!("{}/m/100x100", uploaded(fixture, "a.png", &Picture::noise(600, 600).png()).await);
    let answers = join_all((0..20).map(|_| get(fixture, &path, &[]))).await;
    assert!(answers.iter().all(|(status, headers, _)| (*status, &headers["etag"]) == (200, &answers[0].1["etag"])));
    assert_eq!(metric(fixture, MADE).await, 1);
    assert_eq!(usage(fixture).await.0, 1);
    let before = metric(fixture, FROM_MEMORY).await;
    assert_eq!(get(fixture, &path, &[]).await.0, 200);
    assert_eq!((metric(fixture, MADE).await, metric(fixture, FROM_MEMORY).await), (1, before + 1));
}

#[tokio::test]
async fn results_survive_a_restart_and_are_shared_by_processes() {
    let bucket = Bucket::new().await;
    let variables = [&[("APP_METRICS_TOKEN", TOKEN)][..], &bucket.variables()].concat();
    let fixture = SpaceFixture::with_variables(&variables).await;
    let path = format!("{}/m/20x20", uploaded(&fixture, "a.png", &Picture::fields(80, 80).png()).await);
    let (_, first, body) = get(&fixture.app, &path, &[]).await;
    let database = Some(fixture.database.clone());
    let other = TestApp::with(Setup { variables: &variables, database, ..Setup::default() }).await;
    let (status, headers, same) = get(&other, &path, &[]).await;
    assert_eq!((status, &headers["etag"], &same), (200, &first["etag"], &body));
    assert_eq!((metric(&other, MADE).await, metric(&other, FROM_STORE).await), (0, 1));

    // What one process deletes, no other one serves.
    let list = fixture.viewer().get("/assets").await.expect(200);
    let asset = fixture.path(&format!("/assets/{}", list["assets"][0]["id"]));
    fixture.delete(Caller::Token(&fixture.editor), &asset).await.expect(200);
    assert_eq!(get(&fixture.app, &path, &[]).await.0, 404);
    // NOTIFY reaches the other process on its own time; asking its database does not wait for it.
    let other_spelling = path.replace("/m/20x20", "/m/20x20/");
    assert_eq!(get(&other, &other_spelling, &[]).await.0, 404);
}

#[tokio::test]
async fn a_result_whose_object_is_gone_is_made_again() {
    let fixture = &server(&[("APP_IMAGE_MEMORY_MB", "0")]).await;
    let path = format!("{}/m/20x20", uploaded(fixture, "a.png", &Picture::fields(80, 80).png()).await);
    assert_eq!(get(fixture, &path, &[]).await.0, 200);
    assert_eq!((get(fixture, &path, &[]).await.0, metric(fixture, FROM_STORE).await), (200, 1), "without memory, from the store");
    let row = fixture.row("select space_id, result from image_results", &[]).await;
    let key = domain::content::asset::ObjectKey { space: domain::shared::SpaceId(row.get("space_id")), id: row.get("result") };
    fixture.blobs.remove(key).await.unwrap();
    assert_eq!((get(fixture, &path, &[]).await.0, metric(fixture, MADE).await), (200, 2));
    assert_eq!((usage(fixture).await.0, objects(fixture).await), (1, 2));
}

#[tokio::test]
async fn a_replaced_asset_shows_its_new_pixels_and_its_results_go() {
    let fixture = &server(&[]).await;
    // The janitor's first look is over: one that came late would remove the result of the former file before
    // it is counted.
    fixture.sweep(SignedDuration::ZERO).await;
    let field = |color| Picture::of(40, 40, move |_, _| color).png();
    let (asset, old) = uploaded_with(fixture, &[("file", Some("a.png"), &field(RED))]).await;
    assert_eq!(picture(fixture, &format!("{old}/m/20x20")).await.at(3, 3), RED);
    let id = asset["id"].to_string();
    let replaced = assets::upload(fixture, &[("id", None, id.as_bytes()), ("file", Some("a.png"), &field(BLUE))]).await.expect(200);
    let new = assets::path_of(fixture, &replaced["filename"]);
    for path in [&old, &new] {
        assert_eq!(picture(fixture, &format!("{path}/m/20x20")).await.at(3, 3), BLUE, "{path}");
    }
    let cached = |headers: http::HeaderMap| headers["cache-control"].to_str().unwrap().to_owned();
    assert_eq!(cached(get(fixture, &format!("{old}/m/20x20"), &[]).await.1), "public, max-age=60", "it can be replaced again");
    assert!(cached(get(fixture, &format!("{new}/m/20x20"), &[]).await.1).ends_with("immutable"));
    assert_eq!((usage(fixture).await.0, objects(fixture).await), (2, 4));
    fixture.sweep(SignedDuration::from_hours(2)).await;
    assert_eq!(
        (usage(fixture).await.0, objects(fixture).await),
        (1, 3),
        "the result of the former file; the file itself goes a day later"
    );
    fixture.sweep(SignedDuration::from_hours(25)).await;
    assert_eq!(objects(fixture).await, 2);
    assert_eq!(picture(fixture, &format!("{new}/m/20x20")).await.at(3, 3), BLUE);
}

#[tokio::test]
async fn the_bound_in_bytes_holds_and_what_was_not_used_for_longest_goes_first() {
    let fixture = &server(&[("APP_IMAGE_CACHE_MB", "1"), ("APP_IMAGE_MEMORY_MB", "0")]).await;
    let path = uploaded(fixture, "noise.png", &Picture::noise(400, 400).png()).await;
    let result = |width: u32| format!("{path}/m/{width}x200/filters:format(png)");
    let first = result(200);
    assert_eq!(get(fixture, &first, &[]).await.0, 200);
    fixture.clock.advance(SignedDuration::from_hours(2));
    let answers = join_all((201..225).map(|width| {
        let path = result(width);
        async move { get(fixture, &path, &[]).await }
    }))
    .await;
    let sizes: usize = answers.iter().map(|(_, _, body)| body.len()).sum();
    assert!(answers.iter().all(|(status, _, _)| *status == 200) && sizes > 2 << 20, "more than twice the bound: {sizes}");
    let (results, bytes, known) = usage(fixture).await;
    assert!(bytes == known && bytes <= 1 << 20 && bytes > (1 << 20) - 200_000, "{results} {bytes} {known}");
    assert_eq!(objects(fixture).await, usize::try_from(results).unwrap() + 1, "what was evicted is gone from the store");

    // The one that is asked for now and then stays; those of its age that are not go.
    let row = fixture.row("select transformation from image_results order by used_at desc, result desc limit 1", &[]).await;
    let kept: String = row.get("transformation");
    let kept = format!("{path}/m/{}", kept.split_once('>').unwrap().0);
    let made = metric(fixture, MADE).await;
    for round in 0..3 {
        fixture.clock.advance(SignedDuration::from_hours(2));
        assert_eq!(get(fixture, &kept, &[]).await.0, 200);
        assert_eq!(get(fixture, &result(300 + round), &[]).await.0, 200);
    }
    assert_eq!(metric(fixture, MADE).await, made + 3);
    assert_eq!(decoded(&get(fixture, &first, &[]).await.2).size, (200, 200), "the first one was evicted, and is made again");
    assert_eq!(metric(fixture, MADE).await, made + 4);
}
