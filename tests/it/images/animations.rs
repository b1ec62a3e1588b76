//! Animations: each frame is transformed, within the bounds of pixels and of time.

use super::{
    BLUE, GREEN, Picture, RED, WHITE,
    animated::{gif, of_gif, of_webp},
    decoded, error, get, made, metric, server, uploaded, uploaded_with,
};
use domain::content::image::Format;
use support::prelude::*;

const BROWSER: (&str, &str) = ("accept", "image/avif,image/webp,image/apng,*/*;q=0.8");
const FROM_STORE: &str = "svc_images_total{from=\"store\"}";
const MADE: &str = "svc_images_total{from=\"made\"}";

/// The size of the body that HEAD names, and the header about frames.
async fn head(app: &TestApp, path: &str) -> (String, Option<String>) {
    let response = app.client.head(app.url(path)).send().await.unwrap();
    let text = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    (text("content-length").unwrap(), text("x-image-frames"))
}

#[tokio::test]
async fn each_frame_is_transformed_and_a_client_gets_the_format_that_it_takes() {
    let fixture = &server(&[]).await;
    let colors = [RED, GREEN, BLUE];
    let path = uploaded(fixture, "moving.gif", &gif((40, 20), Some(2), colors)).await;
    let gray = |value| [value, value, value, 255];
    for (transformation, size, seen) in [
        ("/m/", (40, 20), colors),
        ("/m/20x0", (20, 10), colors),
        ("/m/20x20/smart", (20, 20), colors),
        ("/m/5x5:15x10", (10, 5), colors),
        ("/m/filters:rotate(90)", (20, 40), colors),
        ("/m/filters:grayscale()", (40, 20), [gray(76), gray(150), gray(29)]),
        ("/m/20x0/filters:brightness(100):quality(60)", (20, 10), [WHITE; 3]),
    ] {
        let path = format!("{path}{transformation}");
        // Twice: made, and from the memory.
        for _ in 0..2 {
            let (status, headers, body) = get(fixture, &path, &[BROWSER]).await;
            assert_eq!(
                (status, &headers["content-type"], &headers["vary"]),
                (200, &"image/webp".parse().unwrap(), &"accept".parse().unwrap())
            );
            let animation = of_webp(&body);
            assert_eq!((animation.times, animation.durations()), (3, vec![100, 200, 300]), "{path}");
            animation.assert_shows(size, &seen);

            let (status, headers, body) = get(fixture, &path, &[]).await;
            assert_eq!(
                (status, &headers["content-type"], &headers["vary"]),
                (200, &"image/gif".parse().unwrap(), &"accept".parse().unwrap())
            );
            assert!(!headers.contains_key("x-image-frames"), "all of them are there");
            let animation = of_gif(&body);
            assert_eq!((animation.times, animation.durations()), (3, vec![100, 200, 300]), "{path}");
            animation.assert_shows(size, &seen);
        }
    }

    let (_, headers, webp) = get(fixture, &format!("{path}/m/filters:format(webp)"), &[]).await;
    assert_eq!(headers["content-disposition"], "inline; filename*=UTF-8''moving%2Ewebp");
    assert!(!headers.contains_key("vary"), "a format that was named is not negotiated");
    of_webp(&webp).assert_shows((40, 20), &colors);
    let webp = uploaded(fixture, "moving.webp", &webp).await;
    for (path, accept) in [(format!("{webp}/m/10x0"), &[][..]), (format!("{webp}/m/10x0/filters:format(webp)"), &[BROWSER])] {
        let animation = of_webp(&get(fixture, &path, accept).await.2);
        assert_eq!((animation.times, animation.durations()), (3, vec![100, 200, 300]));
        animation.assert_shows((10, 5), &colors);
    }
    for (original, format) in [(&path, "png"), (&path, "jpeg"), (&webp, "png"), (&webp, "jpeg")] {
        let (status, headers, body) = get(fixture, &format!("{original}/m/10x0/filters:format({format})"), &[BROWSER]).await;
        assert_eq!((status, headers["content-type"].to_str().unwrap()), (200, &*format!("image/{format}")));
        assert!(!headers.contains_key("x-image-frames"), "one frame is what was asked for");
        let first = decoded(&body);
        assert_eq!(first.size, (10, 5));
        first.assert_near(5, 2, RED);
    }
}

#[tokio::test]
async fn an_animation_is_kept_and_asked_for_by_its_tag_like_an_image() {
    let fixture = &server(&[("APP_IMAGE_MEMORY_MB", "0")]).await;
    let path = format!("{}/m/20x0", uploaded(fixture, "moving.gif", &gif((40, 20), None, [RED, GREEN])).await);
    let (_, made, body) = get(fixture, &path, &[BROWSER]).await;
    assert_eq!(made["cache-control"], "public, max-age=31536000, immutable");
    let (_, kept, same) = get(fixture, &path, &[BROWSER]).await;
    assert_eq!((&made["etag"], &made["content-type"], &body), (&kept["etag"], &kept["content-type"], &same));
    assert_eq!((metric(fixture, MADE).await, metric(fixture, FROM_STORE).await), (1, 1));
    let (status, _, nothing) = get(fixture, &path, &[BROWSER, ("if-none-match", made["etag"].to_str().unwrap())]).await;
    assert_eq!((status, nothing.len()), (304, 0));
    let (_, gif, body) = get(fixture, &path, &[]).await;
    assert_ne!(gif["etag"], made["etag"]);
    assert_eq!(head(fixture, &path).await, (body.len().to_string(), None));
}

#[tokio::test]
async fn above_the_bound_of_pixels_it_is_the_first_frame_and_says_so() {
    let fixture = &server(&[("APP_IMAGE_MAX_MEGAPIXELS", "1")]).await;
    let colors = |count: usize| [GREEN, RED, BLUE].into_iter().cycle().take(count);
    let within = uploaded(fixture, "within.gif", &gif((500, 200), None, colors(10))).await;
    let (_, headers, body) = get(fixture, &format!("{within}/m/50x0"), &[BROWSER]).await;
    assert!(!headers.contains_key("x-image-frames"));
    of_webp(&body).assert_shows((50, 20), &colors(10).collect::<Vec<_>>());

    let above = uploaded(fixture, "above.gif", &gif((500, 200), None, colors(11))).await;
    let result = format!("{above}/m/50x0");
    for (accept, content_type) in [(&[BROWSER][..], "image/webp"), (&[], "image/png")] {
        for _ in 0..2 {
            let (status, headers, body) = get(fixture, &result, accept).await;
            assert_eq!((status, headers["content-type"].to_str().unwrap()), (200, content_type));
            assert_eq!((&headers["x-image-frames"], &headers["vary"]), (&"1/11".parse().unwrap(), &"accept".parse().unwrap()));
            assert!(headers["access-control-expose-headers"].to_str().unwrap().contains("X-Image-Frames"));
            let first = decoded(&body);
            assert_eq!(first.size, (50, 20));
            first.assert_near(25, 10, GREEN);
            let tag = headers["etag"].to_str().unwrap();
            let (status, headers, _) = get(fixture, &result, &[accept, &[("if-none-match", tag)]].concat()).await;
            assert_eq!((status, &headers["x-image-frames"]), (304, &"1/11".parse().unwrap()));
        }
    }
    assert_eq!(head(fixture, &result).await.1.as_deref(), Some("1/11"));
    // What is wanted of it counts as well, and a format of one frame is no animation.
    let (_, headers, _) = get(fixture, &format!("{within}/m/1000x0"), &[]).await;
    assert_eq!(headers["x-image-frames"], "1/10");
    let (_, headers, _) = get(fixture, &format!("{above}/m/50x0/filters:format(jpeg)"), &[]).await;
    assert!(!headers.contains_key("x-image-frames"));
    // Not even one frame.
    let large = uploaded(fixture, "large.gif", &gif((1_001, 1_000), None, colors(2))).await;
    assert!(error(fixture, &format!("{large}/m/10x0")).await.1.contains("1 million pixels"));
}

#[tokio::test]
async fn less_than_all_frames_is_kept_for_an_hour_only() {
    let fixture = &server(&[("APP_IMAGE_MAX_MEGAPIXELS", "1")]).await;
    let file = gif((800, 800), None, [GREEN, RED]);
    let path = format!("{}/m/50x0", uploaded(fixture, "moving.gif", &file).await);
    assert_eq!(get(fixture, &path, &[]).await.1["cache-control"], "public, max-age=3600");
    fixture.clock.advance(SignedDuration::from_mins(20));
    assert_eq!(get(fixture, &path, &[]).await.1["cache-control"], "public, max-age=2400");
    // Another spelling is another entry of the memory, and not kept in the store.
    assert_eq!(get(fixture, &format!("{path}/"), &[]).await.1["cache-control"], "public, max-age=3600");
    assert_eq!((metric(fixture, MADE).await, metric(fixture, FROM_STORE).await), (2, 0));
    fixture.clock.advance(SignedDuration::from_mins(40));
    assert_eq!(get(fixture, &path, &[]).await.1["cache-control"], "public, max-age=3600");
    assert_eq!(metric(fixture, MADE).await, 3);

    // What ends sooner than that is not kept for longer.
    let expire_at = (fixture.clock.now() + SignedDuration::from_mins(10)).to_string();
    let (_, path) = uploaded_with(fixture, &[("expire_at", None, expire_at.as_bytes()), ("file", Some("a.gif"), &file)]).await;
    assert_eq!(get(fixture, &format!("{path}/m/50x0"), &[]).await.1["cache-control"], "public, max-age=600");

    let (asset, path) = uploaded_with(fixture, &[("is_private", None, b"1"), ("file", Some("a.gif"), &file)]).await;
    let me = format!("/api/v2/cdn/assets/me?token={}&filename={}", fixture.private, asset["filename"].as_str().unwrap());
    let signed = fixture.get(Caller::Anonymous, &me).await.expect(200)["asset"]["signed_url"].as_str().unwrap().to_owned();
    let (_, headers, _) = get(fixture, &format!("{path}/m/50x0?{}", signed.split_once('?').unwrap().1), &[]).await;
    assert_eq!(
        (&headers["x-image-frames"], &headers["cache-control"]),
        (&"1/2".parse().unwrap(), &"private, max-age=3600".parse().unwrap())
    );
}

#[tokio::test]
async fn above_the_bound_of_time_it_is_the_first_frame_and_says_so() {
    let fixture = &server(&[("APP_IMAGE_WORKERS", "1"), ("APP_IMAGE_TIMEOUT", "2"), ("APP_IMAGE_MAX_MEGAPIXELS", "500")]).await;
    let colors = [GREEN, RED, BLUE, WHITE].into_iter().cycle().take(2_000);
    let path = uploaded(fixture, "long.gif", &gif((4, 4), None, colors)).await;
    let (headers, body) = made(fixture, &format!("{path}/m/100x0/filters:blur(20)"), &[BROWSER]).await;
    assert_eq!(&headers["x-image-frames"], "1/2000");
    let first = decoded(&body);
    assert_eq!(first.size, (100, 100));
    first.assert_near(50, 50, GREEN);
    // Its place is free again.
    let (headers, _) = made(fixture, &format!("{path}/m/2x0/filters:format(png)"), &[]).await;
    assert!(!headers.contains_key("x-image-frames"));
}

#[tokio::test]
async fn what_is_not_decoded_is_answered_as_it_is_and_says_so() {
    let fixture = &server(&[]).await;
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'/>";
    let avif = Picture::fields(16, 16).encoded(Format::Avif);
    for (name, bytes) in [
        ("a.avif", avif.as_slice()),
        ("a.svg", svg),
        ("a.bmp", b"BM\x1e\0\0\0\0\0\0\0\x1a\0\0\0\x0c\0\0\0\x01\0\x01\0\x01\0\x18\0\0\0\xff\0"),
    ] {
        let path = uploaded(fixture, name, bytes).await;
        for transformation in ["/m/", "/m/2x2/filters:format(png)"] {
            let (status, headers, body) = get(fixture, &format!("{path}{transformation}"), &[BROWSER]).await;
            assert_eq!(
                (status, &headers["x-image-original"], body.as_slice()),
                (200, &"unchanged".parse().unwrap(), bytes),
                "{name}"
            );
            assert!(headers["access-control-expose-headers"].to_str().unwrap().contains("X-Image-Original"));
            assert_eq!(headers["cache-control"], "public, max-age=31536000, immutable");
            let tag = headers["etag"].to_str().unwrap();
            let (status, headers, _) = get(fixture, &format!("{path}{transformation}"), &[("if-none-match", tag)]).await;
            assert_eq!((status, &headers["x-image-original"]), (304, &"unchanged".parse().unwrap()));
        }
        assert!(!get(fixture, &path, &[]).await.1.contains_key("x-image-original"), "the file itself was asked for");
    }
    let png = uploaded(fixture, "a.png", &Picture::fields(8, 8).png()).await;
    assert!(!get(fixture, &format!("{png}/m/"), &[]).await.1.contains_key("x-image-original"));
}
