//! The media type of a file by its first bytes, and whether a browser may show the file as a page of its own.
//!
//! The type that a client declares is not used: an HTML page that is declared as an image must not be served
//! as a page of this server. The name decides only where bytes show too little: the kind of a text, or of a
//! document in a ZIP.

use super::FileName;

/// How many first bytes are examined.
pub const HEAD: usize = 512;

const UNKNOWN: &str = "application/octet-stream";

/// First bytes and the media types that begin with them. `?` stands for any byte.
const MAGIC: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"RIFF????WEBP", "image/webp"),
    (b"RIFF????WAVE", "audio/wav"),
    (b"RIFF????AVI ", "video/x-msvideo"),
    (b"????ftypavif", "image/avif"),
    (b"????ftypavis", "image/avif"),
    (b"????ftyphei", "image/heic"),
    (b"????ftypmif1", "image/heic"),
    (b"????ftypqt  ", "video/quicktime"),
    (b"????ftypM4A ", "audio/mp4"),
    (b"????ftyp", "video/mp4"),
    (b"BM????\0\0\0\0", "image/bmp"),
    (b"\0\0\x01\0", "image/x-icon"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"OggS", "application/ogg"),
    (b"fLaC", "audio/flac"),
    (b"ID3", "audio/mpeg"),
    (b"\xff\xfb", "audio/mpeg"),
    (b"\xff\xf3", "audio/mpeg"),
    (b"\xff\xf2", "audio/mpeg"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"\0\x01\0\0\0", "font/ttf"),
    (b"OTTO", "font/otf"),
];

/// The media types of containers and texts by their extension.
const BY_NAME: &[(&str, &str, &str)] = &[
    ("application/ogg", "oga", "audio/ogg"),
    ("application/ogg", "ogg", "audio/ogg"),
    ("application/ogg", "ogv", "video/ogg"),
    ("application/ogg", "opus", "audio/ogg"),
    ("application/zip", "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("application/zip", "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("application/zip", "pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("application/x-ole-storage", "doc", "application/msword"),
    ("application/x-ole-storage", "xls", "application/vnd.ms-excel"),
    ("application/x-ole-storage", "ppt", "application/vnd.ms-powerpoint"),
    ("text/plain", "css", "text/css"),
    ("text/plain", "csv", "text/csv"),
    ("text/plain", "js", "text/javascript"),
    ("text/plain", "mjs", "text/javascript"),
    ("text/plain", "json", "application/json"),
    ("text/plain", "md", "text/markdown"),
];

/// The types that a browser may show as a page, because none of them can run a script. Everything else is
/// downloaded.
const INLINE: &[&str] = &[
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/avif",
    "image/heic",
    "image/bmp",
    "image/x-icon",
    "audio/wav",
    "audio/mp4",
    "audio/ogg",
    "audio/flac",
    "audio/mpeg",
    "video/mp4",
    "video/webm",
    "video/ogg",
    "video/quicktime",
    "text/plain",
    "text/vtt",
];

/// The media type of a file with these first bytes and this name.
pub fn content_type(head: &[u8], name: &FileName) -> &'static str {
    let by_bytes = MAGIC.iter().find(|(magic, _)| begins(head, magic)).map(|(_, value)| *value);
    let kind = by_bytes.or_else(|| text(head)).unwrap_or(UNKNOWN);
    let extension = name.extension().unwrap_or_default();
    BY_NAME.iter().find(|(container, it, _)| *container == kind && *it == extension).map_or(kind, |(_, _, it)| it)
}

/// Whether a file may be of the type that another system declares, after its bytes have shown a type. Bytes
/// that show nothing may be anything, a text any text, and a container anything that comes in one.
pub fn may_be(declared: &str, found: &str) -> bool {
    let declared = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let plain = |kind: &str| match kind.replace("/x-", "/").as_str() {
        "image/jpg" | "image/pjpeg" => "image/jpeg".to_owned(),
        "image/vnd.microsoft.icon" | "image/ico" => "image/icon".to_owned(),
        other => other.to_owned(),
    };
    let (declared, found) = (plain(&declared), plain(found));
    let (family, found_family) = (declared.split('/').next().unwrap_or_default(), found.split('/').next().unwrap_or_default());
    let is_text =
        |kind: &str| kind.starts_with("text/") || ["json", "xml", "javascript", "yaml"].iter().any(|value| kind.ends_with(value));
    let is_unknown = |kind: &str| kind.is_empty() || kind.ends_with("/octet-stream");
    let is_stream = |family: &str| matches!(family, "audio" | "video");
    let is_container =
        matches!(found.as_str(), "application/zip" | "application/gzip" | "application/ole-storage" | "application/ogg");
    declared == found
        || is_unknown(&declared)
        || is_unknown(&found)
        || (is_text(&declared) && is_text(&found))
        || (is_stream(family) && is_stream(found_family))
        || (is_container && (family == "application" || is_stream(family)))
}

/// Whether a browser may show the type as a page. Other types are downloaded; an `<img>` of another page may
/// show them still.
pub fn is_inline(content_type: &str) -> bool {
    INLINE.contains(&content_type)
}

/// What types of scripts have in their names (MIME Sniffing, "JavaScript MIME type").
const SCRIPT: [&str; 4] = ["javascript", "ecmascript", "jscript", "livescript"];

/// The type that a file is served with: its own, but a script is served as a text. Pages of this server load
/// scripts from its origin, where the files are as well, and a browser that is told not to guess runs nothing
/// as a script that is not of such a type.
pub fn served_type(content_type: &str) -> &str {
    if SCRIPT.iter().any(|word| content_type.contains(word)) { "text/plain" } else { content_type }
}

/// The size of an SVG in pixels, by its `width` and `height` or its `viewBox`.
pub fn svg_size(head: &[u8]) -> Option<(u32, u32)> {
    let text = String::from_utf8_lossy(head);
    let tag = text.split_once("<svg")?.1.split('>').next()?;
    let length = |name: &str| attribute(tag, name).and_then(|a| pixels(a.strip_suffix("px").unwrap_or(a)));
    if let (Some(width), Some(height)) = (length("width"), length("height")) {
        return Some((width, height));
    }
    let mut numbers = attribute(tag, "viewBox")?.split([' ', ',']).filter(|part| !part.is_empty()).skip(2).map(pixels);
    Some((numbers.next()??, numbers.next()??))
}

fn begins(head: &[u8], magic: &[u8]) -> bool {
    head.len() >= magic.len() && head.iter().zip(magic).all(|(have, want)| *want == b'?' || have == want)
}

/// The media type of a text; `None` for bytes that are no text.
fn text(head: &[u8]) -> Option<&'static str> {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let mut head = head.get(..HEAD).unwrap_or(head);
    // The last character may be cut in two.
    if let Err(error) = std::str::from_utf8(head) {
        if error.error_len().is_some() {
            return None;
        }
        head = head.get(..error.valid_up_to())?;
    }
    if head.iter().any(|h| h.is_ascii_control() && !h.is_ascii_whitespace() && *h != 0x1b) {
        return None;
    }
    let text = String::from_utf8_lossy(head).trim_start().to_ascii_lowercase();
    let has = |tag: &str| text.contains(tag);
    Some(if text.starts_with("webvtt") {
        "text/vtt"
    } else if text.starts_with("#extm3u") {
        "application/vnd.apple.mpegurl"
    } else if first_tag(&text).starts_with("<svg") {
        // Also an SVG with a script or HTML in it: an `<img>` runs neither.
        "image/svg+xml"
    } else if ["<!doctype html", "<html", "<head", "<body", "<script", "<iframe"].into_iter().any(has) {
        "text/html"
    } else if has("<svg") {
        "image/svg+xml"
    } else if text.starts_with('<') {
        "application/xml"
    } else {
        "text/plain"
    })
}

/// An XML text from its first tag on, without its declarations and comments.
fn first_tag(mut text: &str) -> &str {
    let past = |text: &str, opens: &str, closes: &str| {
        let (_, rest) = text.strip_prefix(opens)?.split_once(closes)?;
        Some(text.len() - rest.len())
    };
    // A document type that declares entities ends behind them.
    let doctype = |text: &str| {
        let has_entities = text.split('>').next().is_some_and(|part| part.contains('['));
        past(text, "<!doctype svg", if has_entities { "]>" } else { ">" })
    };
    while let Some(at) = past(text, "<?", "?>").or_else(|| past(text, "<!--", "-->")).or_else(|| doctype(text)) {
        text = text.get(at..).unwrap_or_default().trim_start();
    }
    text
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.match_indices(name).find_map(|(at, _)| {
        let (before, after) = tag.split_at_checked(at)?;
        let value = before.ends_with(char::is_whitespace).then(|| after.strip_prefix(name))??.trim_start();
        let value = value.strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|c| *c == '"' || *c == '\'')?;
        value.split(quote).nth(1).map(str::trim)
    })
}

/// Whole pixels, rounded; `None` for a text that is no length in pixels.
fn pixels(text: &str) -> Option<u32> {
    let length: f64 = text.parse().ok().filter(|p: &f64| (0.5..=1e6).contains(p))?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it lies between 0 and a million")]
    Some(length.round() as u32)
}

#[cfg(test)]
mod tests {
    use super::{FileName, content_type, is_inline, svg_size};
    use proptest::prelude::*;

    #[test]
    fn a_declared_type_is_believed_unless_the_bytes_show_another() {
        for (said, found) in [
            ("image/png", "image/png"),
            ("image/jpg", "image/jpeg"),
            ("IMAGE/PNG; q=1", "image/png"),
            ("image/vnd.microsoft.icon", "image/x-icon"),
            ("", "image/png"),
            ("application/octet-stream", "text/plain"),
            ("video/x-matroska", "video/webm"),
            ("application/vnd.oasis.opendocument.text", "application/zip"),
            ("application/ld+json", "text/plain"),
            ("image/svg+xml", "text/plain"),
            ("application/wasm", "application/octet-stream"),
        ] {
            assert!(super::may_be(said, found), "{said} {found}");
        }
        for (said, found) in
            [("image/png", "image/jpeg"), ("video/mp4", "text/html"), ("image/png", "text/plain"), ("application/pdf", "image/png")]
        {
            assert!(!super::may_be(said, found), "{said} {found}");
        }
    }

    #[test]
    fn a_script_is_served_as_a_text_and_everything_else_as_it_is() {
        for script in
            ["text/javascript", "application/javascript", "text/javascript1.5", "application/x-ecmascript", "text/jscript"]
        {
            assert_eq!(super::served_type(script), "text/plain");
        }
        for other in ["text/css", "application/json", "image/svg+xml", "text/html", "application/octet-stream"] {
            assert_eq!(super::served_type(other), other);
        }
    }

    #[test]
    fn bytes_decide_and_names_only_refine() {
        for (head, name, kind) in [
            (&b"\x89PNG\r\n\x1a\n...."[..], "a.txt", "image/png"),
            (b"<html><script>", "a.png", "text/html"),
            (b"  \n<!DOCTYPE HTML>", "a.gif", "text/html"),
            (b"GIF89a/*<script>*/", "a.js", "image/gif"),
            (b"<?xml version='1.0'?>\n<!-- x -->\n<SVG xmlns=''>", "a.png", "image/svg+xml"),
            (b"<?xml version='1.0'?><feed/>", "a.svg", "application/xml"),
            (b"\xef\xbb\xbf<svg/>", "a", "image/svg+xml"),
            (b"<?xml version='1.0'?><!-- a --><!DOCTYPE svg PUBLIC ''><!-- b --><svg><script>", "a", "image/svg+xml"),
            (b"<svg xmlns=''><foreignObject><body>", "a.svg", "image/svg+xml"),
            (b"<!-- a --><?xml-stylesheet?><!DOCTYPE svg [ <!ENTITY a '>'> ]>\n<svg><script>", "a.svg", "image/svg+xml"),
            (b"<p><svg></svg><script>", "a.svg", "text/html"),
            (b"RIFF\x01\x02\x03\x04WEBPVP8 ", "a.webp", "image/webp"),
            (b"\0\0\0\x20ftypisom", "a.mp4", "video/mp4"),
            (b"\0\0\0\x20ftypavif", "a.avif", "image/avif"),
            (b"%PDF-1.7", "a.pdf", "application/pdf"),
            (b"PK\x03\x04", "a.DOCX", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
            (b"PK\x03\x04", "a.html", "application/zip"),
            (b"WEBVTT\n", "a.vtt", "text/vtt"),
            (b"#EXTM3U\n", "a.m3u8", "application/vnd.apple.mpegurl"),
            (b"a,b\n1,2\n", "a.csv", "text/csv"),
            (b"alert(1)", "a.js", "text/javascript"),
            (b"alert(1)", "a.html", "text/plain"),
            (b"just words \xc3", "a.txt", "text/plain"),
            (b"\x01\x02\x03", "a.png", "application/octet-stream"),
            (b"words\0", "a.txt", "application/octet-stream"),
            (b"\xff\xfe<\0h\0t\0m\0l\0", "a.html", "application/octet-stream"),
        ] {
            assert_eq!(content_type(head, &FileName::of(name)), kind, "{name} {}", String::from_utf8_lossy(head));
        }
    }

    #[test]
    fn nothing_that_can_run_a_script_is_shown() {
        for kind in [
            "text/html",
            "image/svg+xml",
            "application/xml",
            "application/pdf",
            "text/javascript",
            "text/css",
            "application/octet-stream",
        ] {
            assert!(!is_inline(kind), "{kind}");
        }
        assert!(is_inline("image/webp") && is_inline("video/mp4") && is_inline("text/plain"));
    }

    #[test]
    fn an_svg_has_the_size_that_it_says() {
        for (svg, size) in [
            ("<svg xmlns='x' width='24' height=\"12px\">", Some((24, 12))),
            ("<?xml?><svg viewBox='0 0 100.4 50'>", Some((100, 50))),
            ("<svg width='100%' height='100%' viewBox='0,0,8,9'>", Some((8, 9))),
            ("<svg stroke-width='3' height='5'>", None),
            ("<svg width='-1' height='5'>", None),
            ("<svg", None),
            ("<p>", None),
        ] {
            assert_eq!(svg_size(svg.as_bytes()), size, "{svg}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_have_a_type(head in proptest::collection::vec(any::<u8>(), 0..600), name in ".{0,20}") {
            let kind = content_type(&head, &FileName::of(&name));
            prop_assert!(kind.contains('/'));
            let _ = svg_size(&head);
        }
    }
}
