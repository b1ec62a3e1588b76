use super::{Original, Region, SourceFormat, Transformation, TransformationError};
use proptest::prelude::*;

fn parse(path: &str) -> Transformation {
    Transformation::parse(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The result's size for an original of 400 by 200 pixels.
fn size(path: &str) -> (u32, u32) {
    let placement = parse(path).place((400, 200));
    (placement.width, placement.height)
}

#[test]
fn the_documented_forms_are_read() {
    for (path, canonical) in [
        ("", ""),
        ("/", ""),
        ("600x0", "600x0"),
        ("600x", "600x0"),
        ("/600x400/smart", "600x400/smart"),
        ("/fit-in/200x200/filters:fill(CCCCCC)", "fit-in/200x200/filters:fill(ccccccff)"),
        ("/fit-in/200x200/filters:fill(transparent):format(png)", "fit-in/200x200/filters:fill(transparent):format(png)"),
        ("/-500x300", "-500x300"),
        ("/-0x-0", "-0x-0"),
        ("/10x20:300x400", "10x20:300x400"),
        ("/800x600/10x20:300x400/filters:grayscale()", "10x20:300x400/800x600/filters:grayscale()"),
        ("/200x5000", "200x4000"),
        ("/filters:format(jpg):quality(60)", "filters:format(jpeg):quality(60)"),
        ("/filters:blur(10)", "filters:blur(10,10)"),
        ("/filters:blur(10, 5)", "filters:blur(10,5)"),
        ("/filters:blur(0):brightness(0):rotate(0)", ""),
        ("/filters:brightness(-20)", "filters:brightness(-20)"),
        ("/filters:focal(719x153:720x154)", "filters:focal(719x153:720x154)"),
        ("/filters:round_corner(20)", "filters:round_corner(20|20,255,255,255,0)"),
        ("/filters:round_corner(20|10,1,2,3,1)", "filters:round_corner(20|10,1,2,3,1)"),
        ("/filters:no_upscale():strip_exif():strip_icc()", "filters:no_upscale()"),
        ("/filters:focal():quality(null):format(undefined)", ""),
        ("/filters:rotate(90)/filters:rotate(180)", "filters:rotate(180)"),
        ("/filters:grayscale", "filters:grayscale()"),
        ("/filters:fill(#f00)", "filters:fill(ff0000ff)"),
        ("/filters:fill(White)", "filters:fill(ffffffff)"),
        ("/fit-in/smart/filters:", ""),
    ] {
        assert_eq!(parse(path).to_string(), canonical, "{path}");
    }
}

#[test]
fn what_is_not_known_or_cannot_be_read_is_named() {
    for (path, named) in [
        ("/filters:sepia()", "sepia"),
        ("/600x400/filters:quality(80):watermark(a)", "watermark"),
        ("/meta/600x400", "meta"),
        ("/600", "600"),
        ("/--6x7", "--6x7"),
        ("/filtersX", "filtersX"),
    ] {
        assert_eq!(Transformation::parse(path), Err(TransformationError::Unknown(named.to_owned())), "{path}");
    }
    for filter in [
        "quality(101)",
        "quality(-1)",
        "quality(+1)",
        "quality(x)",
        "format(gif)",
        "rotate(45)",
        "blur(151)",
        "blur(1,2,3)",
        "brightness(101)",
        "focal(1x1:1x1)",
        "fill(12345)",
        "fill(auto)",
        "round_corner(1,2,3)",
        "round_corner(1,2,3,256)",
        "quality(80",
        "quality(80)x",
    ] {
        let error = Transformation::parse(&format!("/filters:{filter}")).unwrap_err();
        assert_eq!(error, TransformationError::Unreadable(filter.to_owned()));
    }
    let long = Transformation::parse(&format!("/filters:{}()", "x".repeat(10_000))).unwrap_err();
    assert!(long.to_string().chars().count() < 120);
}

#[test]
fn sizes_follow_from_what_is_asked_for() {
    for (path, expected) in [
        ("", (400, 200)),
        ("/0x0", (400, 200)),
        ("/100x0", (100, 50)),
        ("/0x100", (200, 100)),
        ("/800x0", (800, 400)),
        ("/800x0/filters:no_upscale()", (400, 200)),
        ("/100x100", (100, 100)),
        ("/1000x100/filters:no_upscale()", (400, 100)),
        ("/fit-in/100x100", (100, 50)),
        ("/fit-in/1000x1000", (400, 200)),
        ("/100x0/0x0:200x200", (100, 100)),
        ("/0x0:4000x100", (400, 100)),
        ("/900x900:1000x1000", (400, 200)),
        ("/0x4000", (4000, 2000)),
        ("/1x0", (1, 1)),
    ] {
        assert_eq!(size(path), expected, "{path}");
    }
    let placement = Transformation::default().place((10_000, 100));
    assert_eq!((placement.width, placement.height), (4_000, 40));
    let canvas = parse("/fit-in/100x100/filters:fill(000)").place((400, 200)).canvas.unwrap();
    assert_eq!((canvas.width, canvas.height), (100, 100));
}

#[test]
fn a_crop_lies_around_the_focal_point_and_within_the_original() {
    let left = |filters: &str| parse(&format!("/100x100/{filters}")).place((400, 200)).crop.left;
    assert!((left("") - 100.0).abs() < 1e-9);
    assert!((left("filters:focal(0x0:2x2)") - 0.0).abs() < 1e-9);
    assert!((left("filters:focal(398x0:400x2)") - 200.0).abs() < 1e-9);
    assert!((left("filters:focal(149x0:151x2)") - 50.0).abs() < 1e-9);
}

#[test]
fn a_format_is_negotiated_and_only_images_are_touched() {
    // Without and with a client that takes WebP; then named.
    for (content_type, expected) in [
        ("image/jpeg", ["jpeg", "webp", "webp", "png", "jpeg", "avif"]),
        ("image/png", ["png", "webp", "webp", "png", "jpeg", "avif"]),
        ("image/gif", ["gif|png", "webp|webp", "webp|webp", "png", "jpeg", "avif"]),
        ("image/webp", ["webp|webp", "webp|webp", "webp|webp", "png", "jpeg", "avif"]),
    ] {
        let Original::Raster(source) = Original::of(content_type) else { panic!("{content_type}") };
        let target = |path: &str, accepts_webp| parse(path).target(source, accepts_webp).to_string();
        let named = ["webp", "png", "jpg", "avif"].map(|format| target(&format!("/filters:format({format})"), false));
        let found: Vec<String> = [target("/", false), target("/10x0", true)].into_iter().chain(named).collect();
        assert_eq!(found, expected, "{content_type}");
    }
    assert_eq!(Original::of("image/svg+xml"), Original::Untouched);
    assert_eq!(Original::of("image/avif"), Original::Untouched);
    assert_eq!(Original::of("image/png"), Original::Raster(SourceFormat::Png));
    assert_eq!(Original::of("video/mp4"), Original::Other);
}

/// Paths of parts that the image service has, with numbers that may be too large.
fn paths() -> impl Strategy<Value = String> {
    let number = || 0_u32..5_000;
    let filter = prop_oneof![
        (0_u8..=100).prop_map(|quality| format!("quality({quality})")),
        (0_u16..=150, 0_u16..=150).prop_map(|(radius, sigma)| format!("blur({radius},{sigma})")),
        (-100_i8..=100).prop_map(|by| format!("brightness({by})")),
        (0_u32..4).prop_map(|turns| format!("rotate({})", turns * 90)),
        (number(), number()).prop_map(|(x, y)| format!("focal({x}x{y}:{}x{})", x + 1, y + 1)),
        (number(), number(), any::<[u8; 3]>(), 0_u8..2)
            .prop_map(|(a, b, [red, green, blue], clear)| format!("round_corner({a}|{b},{red},{green},{blue},{clear})")),
        any::<u32>().prop_map(|color| format!("fill({color:08x})")),
        prop::sample::select(vec!["grayscale()", "no_upscale()", "strip_exif()", "format(webp)", "format(jpg)"])
            .prop_map(str::to_owned),
    ];
    let part = prop_oneof![
        (any::<bool>(), number(), any::<bool>(), number()).prop_map(|(x, width, y, height)| format!(
            "{}{width}x{}{height}",
            if x { "-" } else { "" },
            if y { "-" } else { "" }
        )),
        (number(), number(), 1..5_000_u32).prop_map(|(x, y, more)| format!("{x}x{y}:{}x{}", x + more, y + more)),
        prop::sample::select(vec!["fit-in", "smart", ""]).prop_map(str::to_owned),
        prop::collection::vec(filter, 0..6).prop_map(|filters| format!("filters:{}", filters.join(":"))),
    ];
    prop::collection::vec(part, 0..6).prop_map(|parts| parts.join("/"))
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(path in ".{0,80}") {
        if let Ok(read) = Transformation::parse(&path) {
            prop_assert_eq!(Transformation::parse(&read.to_string()), Ok(read));
        }
    }

    #[test]
    fn the_canonical_form_reads_back_as_the_same(path in paths()) {
        let read = parse(&path);
        let canonical = read.to_string();
        prop_assert_eq!(parse(&canonical), read);
        prop_assert_eq!(parse(&canonical).to_string(), canonical);
    }

    #[test]
    fn a_placement_lies_within_the_original_and_the_largest_size(path in paths(), width in 1_u32..20_000, height in 1_u32..20_000) {
        let placement = parse(&path).place((width, height));
        let inside = |region: Region, width: f64, height: f64| {
            region.left >= -1e-6 && region.top >= -1e-6 && region.width > 0.0 && region.height > 0.0
                && region.left + region.width <= width + 1e-6 && region.top + region.height <= height + 1e-6
        };
        prop_assert!(inside(placement.crop, f64::from(width), f64::from(height)), "{:?}", placement);
        prop_assert!(inside(placement.base, f64::from(width), f64::from(height)), "{:?}", placement);
        prop_assert!((1..=4_000).contains(&placement.width) && (1..=4_000).contains(&placement.height));
    }
}
