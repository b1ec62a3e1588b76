//! What each part of a transformation does to the pixels.

use super::{BLUE, GREEN, Picture, RED, WHITE, decoded, get, picture, server, uploaded};
use domain::content::image::Format;

#[tokio::test]
async fn sizes_are_those_that_were_asked_for() {
    let fixture = &server(&[]).await;
    let wide = uploaded(fixture, "wide.png", &Picture::fields(400, 200).png()).await;
    for (transformation, size) in [
        ("/m/", (400, 200)),
        ("/m", (400, 200)),
        ("/m/100x0", (100, 50)),
        ("/m/0x100", (200, 100)),
        ("/m/100x100", (100, 100)),
        ("/m/800x0", (800, 400)),
        ("/m/800x0/filters:no_upscale()", (400, 200)),
        ("/m/fit-in/100x100", (100, 50)),
        ("/m/fit-in/100x100/filters:fill(transparent)", (100, 100)),
        ("/m/0x0:50x100", (50, 100)),
        ("/m/100x0/0x0:100x200", (100, 200)),
        ("/m/50x5000", (50, 4000)),
        ("/m/100x100/filters:rotate(90):quality(50)", (100, 100)),
        ("/m/100x50/filters:rotate(90)", (50, 100)),
        ("/m/filters%3Arotate(90)%3Astrip_icc()", (200, 400)),
    ] {
        assert_eq!(picture(fixture, &format!("{wide}{transformation}")).await.size, size, "{transformation}");
    }
}

#[tokio::test]
async fn every_filter_changes_pixels_as_it_says() {
    let fixture = &server(&[]).await;
    let path = uploaded(fixture, "fields.png", &Picture::fields(80, 40).png()).await;
    let of = |transformation: &str| {
        let path = format!("{path}/m/{transformation}");
        async move { picture(fixture, &path).await }
    };
    let corners = |picture: &Picture| {
        let (right, bottom) = (picture.size.0 - 1, picture.size.1 - 1);
        [picture.at(0, 0), picture.at(right, 0), picture.at(0, bottom), picture.at(right, bottom)]
    };
    assert_eq!(corners(&of("").await), [RED, GREEN, BLUE, WHITE]);
    assert_eq!(corners(&of("-0x0").await), [GREEN, RED, WHITE, BLUE]);
    assert_eq!(corners(&of("0x-0").await), [BLUE, WHITE, RED, GREEN]);
    assert_eq!(corners(&of("filters:rotate(90)").await), [GREEN, WHITE, RED, BLUE], "against the clock");
    assert_eq!(corners(&of("filters:rotate(180)").await), [WHITE, BLUE, GREEN, RED]);
    assert_eq!(corners(&of("filters:rotate(270)").await), [BLUE, RED, WHITE, GREEN]);
    let gray = |value| [value, value, value, 255];
    assert_eq!(corners(&of("filters:grayscale()").await), [gray(76), gray(150), gray(29), WHITE]);
    assert_eq!(corners(&of("filters:brightness(40)").await)[0], [255, 102, 102, 255]);
    assert_eq!(corners(&of("filters:brightness(-40)").await)[3], gray(153));
    let blurred = of("filters:blur(6,3)").await;
    blurred.assert_near(39, 5, [140, 115, 0, 255]);
    blurred.assert_near(5, 5, RED);
    assert_eq!(corners(&of("filters:round_corner(10,0,0,255)").await), [BLUE; 4]);
    let clear = of("filters:round_corner(10|20,0,0,255,1)").await;
    assert_eq!([clear.at(0, 0)[3], clear.at(11, 0)[3], clear.at(0, 5)[3], clear.at(0, 20)[3]], [0, 255, 0, 255]);
    let filled = of("fit-in/80x80/filters:fill(0f0)").await;
    assert_eq!([filled.at(0, 0), filled.at(0, 20), filled.at(0, 79)], [GREEN, RED, GREEN]);
    assert_eq!(of("fit-in/80x80/filters:fill(transparent):format(png)").await.at(0, 0)[3], 0);
    assert_eq!(of("40x40/filters:focal(0x0:2x2)").await.at(39, 0), RED, "the left half");
    assert_eq!(of("40x40/filters:focal(78x0:80x2)").await.at(0, 0), GREEN, "the right half");
    assert_eq!(corners(&of("0x0:40x40").await), [RED, RED, BLUE, BLUE]);

    let mut detailed = Picture::of(200, 50, |_, _| WHITE);
    for (number, pixel) in detailed.pixels.iter_mut().enumerate() {
        if number % 200 >= 150 && (number % 200 + number / 200) % 2 == 0 {
            *pixel = [0, 0, 0, 255];
        }
    }
    let path = uploaded(fixture, "detail.png", &detailed.png()).await;
    let darks = |picture: Picture| picture.pixels.iter().filter(|[red, ..]| *red < 128).count();
    assert_eq!(darks(picture(fixture, &format!("{path}/m/50x50")).await), 0);
    assert!(darks(picture(fixture, &format!("{path}/m/50x50/smart")).await) > 1_000);
}

#[tokio::test]
async fn every_format_is_written_at_its_quality() {
    let fixture = &server(&[]).await;
    let fields = Picture::fields(80, 40);
    for (name, original) in
        [("a.png", fields.png()), ("a.jpg", fields.encoded(Format::Jpeg)), ("a.webp", fields.encoded(Format::Webp))]
    {
        let path = uploaded(fixture, name, &original).await;
        for (format, content_type, extension) in [
            ("webp", "image/webp", "webp"),
            ("jpeg", "image/jpeg", "jpeg"),
            ("jpg", "image/jpeg", "jpeg"),
            ("png", "image/png", "png"),
            ("avif", "image/avif", "avif"),
        ] {
            let (status, headers, body) =
                get(fixture, &format!("{path}/m/40x0/filters:format({format})"), &[("accept", "image/webp")]).await;
            assert_eq!((status, headers["content-type"].to_str().unwrap()), (200, content_type), "{name} {format}");
            assert!(!headers.contains_key("vary"), "a format that was named is not negotiated");
            if content_type != path.rsplit('.').next().map_or("", |extension| if extension == "jpg" { "image/jpeg" } else { "" }) {
                let disposition = headers["content-disposition"].to_str().unwrap();
                assert!(disposition.starts_with("inline; "), "{disposition}");
                assert!(
                    disposition.ends_with(extension) || disposition.ends_with(name.rsplit('.').next().unwrap()),
                    "{disposition}"
                );
            }
            if format == "avif" {
                assert_eq!(&body[4..12], b"ftypavif");
            } else {
                let result = decoded(&body);
                assert_eq!(result.size, (40, 20));
                result.assert_near(5, 5, RED);
                result.assert_near(35, 15, WHITE);
            }
        }
    }
    let noise = uploaded(fixture, "noise.png", &Picture::noise(200, 200).png()).await;
    for format in ["webp", "jpeg", "avif"] {
        let bytes = |quality: u8| {
            let path = format!("{noise}/m/filters:format({format}):quality({quality})");
            async move { get(fixture, &path, &[]).await.2.len() }
        };
        assert!(bytes(10).await * 2 < bytes(90).await, "{format}");
    }
}

#[tokio::test]
async fn no_result_has_metadata_and_a_photo_is_shown_upright() {
    let fixture = &server(&[]).await;
    let jpeg = Picture::fields(64, 32).encoded(Format::Jpeg);
    // Orientation 6: a quarter with the clock.
    let exif = b"\xff\xe1\0\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
    let photo = [&jpeg[..2], exif, &jpeg[2..]].concat();
    let path = uploaded(fixture, "photo.jpg", &photo).await;
    for transformation in ["", "filters:strip_exif()", "filters:strip_icc()"] {
        let (_, _, body) = get(fixture, &format!("{path}/m/{transformation}"), &[]).await;
        assert!(!body.windows(4).any(|bytes| bytes == b"Exif"));
        let result = decoded(&body);
        assert_eq!(result.size, (32, 64));
        result.assert_near(3, 3, BLUE);
        result.assert_near(28, 3, RED);
        result.assert_near(28, 60, GREEN);
    }
    assert_eq!(get(fixture, &path, &[]).await.2, photo, "the file itself stays as it is");
}
