//! How results are served: negotiation, caching, rights.

use super::{Picture, decoded, error, get, metric, server, uploaded, uploaded_with};
use crate::assets::GIF;
use domain::content::image::Format;
use support::prelude::*;

const BROWSER: (&str, &str) = ("accept", "image/avif,image/webp,image/apng,*/*;q=0.8");

#[tokio::test]
async fn a_client_gets_webp_when_it_takes_it_and_caches_know() {
    let fixture = &server(&[]).await;
    let png = uploaded(fixture, "a.png", &Picture::fields(40, 40).png()).await;
    let jpeg = uploaded(fixture, "a.jpg", &Picture::fields(40, 40).encoded(Format::Jpeg)).await;
    let webp = uploaded(fixture, "a.webp", &Picture::fields(40, 40).encoded(Format::Webp)).await;
    for (path, without) in [(&png, "image/png"), (&jpeg, "image/jpeg"), (&webp, "image/webp")] {
        let path = format!("{path}/m/20x20");
        // Twice: made, and from the memory.
        for _ in 0..2 {
            for (accept, expected) in
                [(&[][..], without), (&[BROWSER][..], "image/webp"), (&[("accept", "image/webp;q=0")][..], without)]
            {
                let (status, headers, body) = get(fixture, &path, accept).await;
                assert_eq!((status, headers["content-type"].to_str().unwrap()), (200, expected), "{path}");
                assert_eq!(headers["vary"], "accept");
                assert_eq!(decoded(&body).size, (20, 20));
            }
        }
    }
}

#[tokio::test]
async fn a_result_is_kept_by_clients_and_asked_for_by_its_tag() {
    let fixture = &server(&[]).await;
    let path = format!("{}/m/20x20", uploaded(fixture, "ü.png", &Picture::fields(40, 40).png()).await);
    let (_, made, body) = get(fixture, &path, &[]).await;
    let (_, again, same) = get(fixture, &path, &[]).await;
    assert_eq!((&made["etag"], &body), (&again["etag"], &same));
    for headers in [&made, &again] {
        for (name, value) in [
            ("cache-control", "public, max-age=31536000, immutable"),
            ("access-control-allow-origin", "*"),
            ("cross-origin-resource-policy", "cross-origin"),
            ("x-content-type-options", "nosniff"),
            ("content-disposition", "inline; filename*=UTF-8''%C3%BC%2Epng"),
        ] {
            assert_eq!(headers[name], value, "{name}");
        }
        assert!(headers["content-security-policy"].to_str().unwrap().starts_with("sandbox; default-src 'none'"));
    }
    let tag = made["etag"].to_str().unwrap();
    for known in [tag.to_owned(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
        let (status, headers, body) = get(fixture, &path, &[("if-none-match", &known)]).await;
        assert_eq!((status, headers["etag"].to_str().unwrap(), body.len()), (304, tag, 0), "{known}");
    }
    assert_eq!(get(fixture, &path, &[("if-none-match", "\"other\"")]).await.0, 200);
    let (_, webp, _) = get(fixture, &path, &[BROWSER]).await;
    assert_ne!(webp["etag"], made["etag"]);
    for _ in 0..2 {
        let head = fixture.client.head(fixture.url(&path)).send().await.unwrap();
        let length = head.headers()["content-length"].to_str().unwrap().parse::<usize>().unwrap();
        assert_eq!((head.status().as_u16(), length), (200, body.len()));
    }
    // Other spellings of the same picture are the same result.
    let before = metric(fixture, "svc_images_total{from=\"made\"}").await;
    for spelling in ["/m/20x20/", "/m//20x20/filters:", "/m/20x20/filters:blur(0):strip_exif()"] {
        let other = path.replace("/m/20x20", spelling);
        assert_eq!(get(fixture, &other, &[]).await.1["etag"], made["etag"], "{spelling}");
    }
    assert_eq!(metric(fixture, "svc_images_total{from=\"made\"}").await, before);
}

#[tokio::test]
async fn images_that_are_not_decoded_are_served_as_they_are() {
    let fixture = &server(&[]).await;
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'/>";
    let avif = Picture::fields(16, 16).encoded(Format::Avif);
    for (name, bytes, content_type) in [("a.svg", &svg[..], "image/svg+xml"), ("a.avif", &avif, "image/avif")] {
        let path = uploaded(fixture, name, bytes).await;
        let (status, headers, body) = get(fixture, &format!("{path}/m/2x2/filters:format(png)"), &[BROWSER]).await;
        assert_eq!((status, headers["content-type"].to_str().unwrap(), body.as_slice()), (200, content_type, bytes), "{name}");
        assert_eq!(headers["etag"], get(fixture, &path, &[]).await.1["etag"]);
    }
    let still = uploaded(fixture, "still.gif", GIF).await;
    assert_eq!(get(fixture, &format!("{still}/m/"), &[]).await.1["content-type"], "image/png");
    assert_eq!(decoded(&get(fixture, &format!("{still}/m/6x0"), &[BROWSER]).await.2).size, (6, 4));
}

#[tokio::test]
async fn a_result_of_a_private_asset_needs_the_signature_of_its_file() {
    let fixture = &server(&[]).await;
    let png = Picture::fields(40, 40).png();
    let (asset, path) = uploaded_with(fixture, &[("is_private", None, b"1"), ("file", Some("a.png"), &png)]).await;
    let me = format!("/api/v2/cdn/assets/me?token={}&filename={}", fixture.private, asset["filename"].as_str().unwrap());
    let signed = fixture.get(Caller::Anonymous, &me).await.expect(200)["asset"]["signed_url"].as_str().unwrap().to_owned();
    let query = signed.split_once('?').unwrap().1;
    let result = format!("{path}/m/20x20");
    assert_eq!(error(fixture, &result).await.0, 403);
    for _ in 0..2 {
        let (status, headers, body) = get(fixture, &format!("{result}?{query}"), &[]).await;
        assert_eq!(
            (status, headers["cache-control"].to_str().unwrap(), decoded(&body).size),
            (200, "private, max-age=3600", (20, 20))
        );
        assert_eq!(error(fixture, &result).await.0, 403, "what was made for one client is not another's");
    }
    assert_eq!(metric(fixture, "svc_images_total{from=\"made\"}").await, 1);
    fixture.clock.advance(SignedDuration::from_hours(1));
    assert_eq!(get(fixture, &format!("{result}?{query}"), &[]).await.0, 403);

    // A public asset that becomes private is private at once, also for what is in the memory.
    let (asset, path) = uploaded_with(fixture, &[("file", Some("b.png"), &png)]).await;
    let result = format!("{path}/m/20x20");
    assert_eq!(get(fixture, &result, &[]).await.0, 200);
    assert_eq!(get(fixture, &result, &[]).await.0, 200);
    let asset = format!("/assets/{}", asset["id"]);
    fixture.editor().put(&asset, json!({ "asset": { "is_private": true } })).await;
    assert_eq!(get(fixture, &result, &[]).await.0, 403);
}

#[tokio::test]
async fn what_is_not_served_has_no_results_and_what_is_kept_of_it_is_not_served_either() {
    let fixture = &server(&[]).await;
    let png = Picture::fields(40, 40).png();
    let after = |hours| (fixture.clock.now() + SignedDuration::from_hours(hours)).to_string();
    let (publish_at, expire_at) = (after(1), after(3));
    let parts = [
        ("publish_at", None, publish_at.as_bytes()),
        ("expire_at", None, expire_at.as_bytes()),
        ("file", Some("a.png"), png.as_slice()),
    ];
    let result = format!("{}/m/20x20", uploaded_with(fixture, &parts).await.1);
    assert_eq!(get(fixture, &result, &[]).await.0, 404);
    fixture.clock.advance(SignedDuration::from_hours(1));
    let (status, headers, _) = get(fixture, &result, &[]).await;
    assert_eq!((status, headers["cache-control"].to_str().unwrap()), (200, "public, max-age=7200"));
    fixture.clock.advance(SignedDuration::from_mins(30));
    assert_eq!(get(fixture, &result, &[]).await.1["cache-control"], "public, max-age=5400", "from the memory");
    fixture.clock.advance(SignedDuration::from_mins(90));
    assert_eq!(get(fixture, &result, &[]).await.0, 404);
    assert_eq!(get(fixture, &result, &[("if-none-match", headers["etag"].to_str().unwrap())]).await.0, 404);

    let (asset, path) = uploaded_with(fixture, &[("file", Some("b.png"), &png)]).await;
    let result = format!("{path}/m/20x20");
    assert_eq!(get(fixture, &result, &[]).await.0, 200);
    let asset = format!("/assets/{}", asset["id"]);
    fixture.editor().delete(&asset).await.expect(200);
    assert_eq!(get(fixture, &result, &[]).await.0, 404);
}
