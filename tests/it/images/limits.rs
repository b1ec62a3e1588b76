//! No image and no space takes the workers from the others.

use super::{Picture, error, get, made, metric, server, uploaded};
use crate::assets;
use futures_util::{StreamExt, stream::FuturesUnordered};
use support::{multipart, prelude::*};

/// Uploads a file to another space.
async fn uploaded_to(fixture: &SpaceFixture, space: i64, token: &str, bytes: &[u8]) -> String {
    let (content_type, body) = multipart::form(&[("file", Some("b.png"), bytes)]);
    let path = format!("/api/v1/spaces/{space}/assets");
    let asset = fixture.send(Caller::Token(token), "POST", &path, content_type, body).await.expect(201);
    assets::path_of(fixture, &asset["filename"])
}

#[tokio::test]
async fn a_space_that_wants_much_waits_for_itself() {
    let fixture = &server(&[("APP_IMAGE_WORKERS", "2")]).await;
    let noise = Picture::noise(1_000, 1_000).png();
    let path = uploaded(fixture, "a.png", &noise).await;
    let other = fixture.another_space().await;
    let small = uploaded_to(fixture, other.id, &other.admin, &Picture::fields(20, 20).png()).await;
    let mut busy: FuturesUnordered<_> = (0..30_u32)
        .map(|number| {
            let path = format!("{path}/m/{}x0/filters:format(webp)", 900 + number);
            async move { get(fixture, &path, &[]).await.0 }
        })
        .collect();
    // The first of them is made, so the others are waiting.
    assert_eq!(busy.next().await, Some(200));
    let small = format!("{small}/m/10x10");
    let mut quick = std::pin::pin!(get(fixture, &small, &[]));
    let mut left = busy.len();
    let status = loop {
        tokio::select! {
            (status, ..) = &mut quick => break status,
            Some(status) = busy.next() => {
                assert_eq!(status, 200);
                left -= 1;
            }
        }
    };
    assert!(status == 200 && left > 15, "{left} of the other space were still waiting");
    drop(busy);
}

#[tokio::test]
async fn too_many_that_wait_are_told_to_come_back() {
    let fixture = &server(&[("APP_IMAGE_WORKERS", "1")]).await;
    let path = uploaded(fixture, "a.png", &Picture::noise(300, 300).png()).await;
    let answers = futures_util::future::join_all((0..120_u32).map(|number| {
        let path = format!("{path}/m/{}x0/filters:format(webp)", 100 + number);
        async move { get(fixture, &path, &[]).await }
    }))
    .await;
    let refused: Vec<_> = answers.iter().filter(|(status, ..)| *status == 503).collect();
    assert!(!refused.is_empty() && refused.len() < 120, "{}", refused.len());
    assert!(refused.iter().all(|(_, headers, _)| headers["retry-after"] == "5"));
    assert!(answers.iter().all(|(status, ..)| [200, 503].contains(status)));
    assert_eq!(metric(fixture, "svc_images_refused_total{reason=\"busy\"}").await, refused.len() as u64);
}

#[tokio::test]
async fn an_image_that_takes_too_long_is_given_up_and_its_place_is_free_again() {
    let fixture = &server(&[("APP_IMAGE_WORKERS", "1"), ("APP_IMAGE_TIMEOUT", "1")]).await;
    let path = uploaded(fixture, "a.png", &Picture::noise(200, 200).png()).await;
    let (status, message) = error(fixture, &format!("{path}/m/4000x4000/filters:format(avif)")).await;
    assert!(status == 422 && message.contains("too long"), "{status} {message}");
    assert_eq!(metric(fixture, "svc_images_refused_total{reason=\"time\"}").await, 1);
    made(fixture, &format!("{path}/m/50x50"), &[]).await;
}
