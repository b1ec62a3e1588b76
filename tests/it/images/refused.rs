//! What the image service refuses.

use super::{Picture, error, get, metric, server, uploaded};
use domain::content::image::Format;

#[tokio::test]
async fn what_is_not_known_or_cannot_be_read_is_422_and_named() {
    let fixture = &server(&[]).await;
    let path = uploaded(fixture, "a.png", &Picture::fields(8, 8).png()).await;
    for (transformation, named) in [
        ("/m/filters:sepia()", "«sepia»"),
        ("/m/100x100/filters:quality(80):watermark(http%3A,1)", "«watermark»"),
        ("/m/meta", "«meta»"),
        ("/m/filters:quality(101)", "«quality(101)»"),
        ("/m/filters:rotate(45)", "«rotate(45)»"),
        ("/m/filters:format(gif)", "«format(gif)»"),
        ("/m/1e3x2", "«1e3x2»"),
        ("/m/filters:blur(1", "«blur(1»"),
    ] {
        let (status, message) = error(fixture, &format!("{path}{transformation}")).await;
        assert!(status == 422 && message.contains(named), "{transformation}: {status} {message}");
    }
    assert_eq!(get(fixture, &format!("{path}/x"), &[]).await.0, 404);
    assert_eq!(get(fixture, &format!("{path}/m/%ff"), &[]).await.0, 404);
    let other = path.replacen(&format!("/f/{}/", fixture.space), "/f/999/", 1);
    assert_eq!(get(fixture, &format!("{other}/m/10x10"), &[]).await.0, 404);
    assert_eq!(get(fixture, &format!("{}/m/10x10", path.replace("a.png", "b.png")), &[]).await.0, 404);
    assert_eq!(metric(fixture, "svc_images_total{from=\"made\"}").await, 0);
}

#[tokio::test]
async fn what_is_no_image_or_a_broken_one_is_422() {
    let fixture = &server(&[]).await;
    let mp4 = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom";
    for (name, bytes) in [("a.pdf", &b"%PDF-1.7 ..."[..]), ("a.mp4", mp4), ("a.txt", b"words"), ("a.bin", b"\x01\x02")] {
        let path = uploaded(fixture, name, bytes).await;
        let (status, message) = error(fixture, &format!("{path}/m/10x10")).await;
        assert!(status == 422 && message.contains("images only"), "{name}: {status} {message}");
        assert_eq!(get(fixture, &path, &[]).await.0, 200);
    }
    let fields = Picture::fields(40, 40);
    for (name, bytes) in
        [("a.png", fields.png()), ("a.jpg", fields.encoded(Format::Jpeg)), ("a.webp", fields.encoded(Format::Webp))]
    {
        let path = uploaded(fixture, name, &bytes[..bytes.len() / 3]).await;
        // Twice: a failure is not kept.
        for _ in 0..2 {
            let (status, message) = error(fixture, &format!("{path}/m/10x10")).await;
            assert!(status == 422 && message.contains("broken"), "{name}: {status} {message}");
        }
    }
}

/// A PNG of few bytes that says that it is this large.
fn bomb(width: u32, height: u32) -> Vec<u8> {
    let mut file = Picture::fields(1, 1).png();
    file[16..20].copy_from_slice(&width.to_be_bytes());
    file[20..24].copy_from_slice(&height.to_be_bytes());
    let crc = file[12..29].iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(crc & 1)))
    });
    file[29..33].copy_from_slice(&(!crc).to_be_bytes());
    file
}

#[tokio::test]
async fn an_image_that_says_it_is_huge_is_refused_before_it_is_decoded() {
    let fixture = &server(&[("APP_IMAGE_MAX_MEGAPIXELS", "1")]).await;
    for (width, height) in [(50_000, 50_000), (1_001, 1_000), (u32::MAX >> 1, 2)] {
        let path = uploaded(fixture, "bomb.png", &bomb(width, height)).await;
        let (status, message) = error(fixture, &format!("{path}/m/10x10")).await;
        assert!(status == 422 && message.contains("1 million pixels"), "{status} {message}");
    }
    let path = uploaded(fixture, "large.png", &bomb(1_000, 1_000)).await;
    assert!(error(fixture, &format!("{path}/m/10x10")).await.1.contains("broken"), "within the limit it is looked at");
    assert_eq!(metric(fixture, "svc_images_refused_total{reason=\"pixels\"}").await, 3);
}
