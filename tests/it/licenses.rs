//! `/licenses`: that it names what is in the binary, neither less nor more, and how it is served.

use http::{HeaderMap, StatusCode};
use support::prelude::*;

/// The crates of the binary, as cargo builds it for the targets of deny.toml, without those of this
/// repository.
fn crates_of_the_binary() -> BTreeSet<String> {
    let manifest = tools::repository("Cargo.toml");
    let tree = |target: &str| {
        let arguments =
            ["tree", "--locked", "--package=lectern", "--edges=normal", "--prefix=none", "--format={p}", "--target", target];
        let manifest = ["--manifest-path", manifest.to_str().unwrap()];
        tools::printed(tools::run(Path::new(env!("CARGO")), arguments.into_iter().chain(manifest)))
    };
    let trees = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"].map(tree).concat();
    let ours = format!("({}", manifest.parent().unwrap().display());
    trees
        .lines()
        .filter(|line| !line.is_empty() && !line.contains(&ours))
        .map(|line| {
            let mut words = line.split(' ');
            let (name, version) = (words.next().unwrap(), words.next().unwrap());
            format!("{name} {}", version.trim_start_matches('v'))
        })
        .collect()
}

/// What the plain text lists as crates.
fn listed(plain: &str) -> BTreeSet<String> {
    let before_the_texts = plain.split("\n-----").next().unwrap();
    let blocks = before_the_texts.split("\n\n").filter(|block| block.contains("\n  https://crates.io/crates/"));
    blocks.map(|block| block.lines().next().unwrap().to_owned()).collect()
}

async fn ask(app: &TestApp, path: &str, headers: &[(&str, &str)]) -> (StatusCode, HeaderMap, Vec<u8>) {
    let asked = headers.iter().fold(app.get(path), |asked, (name, value)| asked.header(*name, *value));
    let answer = asked.send().await.unwrap();
    (answer.status(), answer.headers().clone(), answer.bytes().await.unwrap().to_vec())
}

#[tokio::test]
async fn every_crate_of_the_binary_is_listed_and_nothing_else() {
    let app = TestApp::start().await;
    let (status, _, plain) = ask(&app, "/licenses.txt", &[]).await;
    let plain = String::from_utf8(plain).unwrap();
    assert_eq!(status, 200);
    let (listed, built) = (listed(&plain), crates_of_the_binary());
    assert!(built.len() > 400, "{}", built.len());
    let difference: Vec<&String> = listed.symmetric_difference(&built).collect();
    assert!(difference.is_empty(), "{difference:?}: run `make licenses`");
    // What the studio is written with is in its bundle.
    for package in ["clsx", "svelte", "vite"] {
        assert!(plain.contains(&format!("\n  https://www.npmjs.com/package/{package}/v/")), "{package}");
    }
    for library in ["AWS-LC", "libwebp", "MozJPEG", "dav1d, assembly", "x86inc.asm", "Rust standard library"] {
        assert!(plain.contains(&format!("\n\n{library} ")), "{library}");
    }
    // The page says the same.
    let (status, _, page) = ask(&app, "/licenses", &[]).await;
    let page = String::from_utf8(page).unwrap();
    assert_eq!(status, 200);
    for name in &listed {
        let (name, version) = name.split_once(' ').unwrap();
        assert!(page.contains(&format!("href=\"https://crates.io/crates/{name}/{version}\"")), "{name}");
    }
    // A crate with its text, and one that comes without.
    assert!(page.contains("Permission is hereby granted, free of charge") && page.contains("by Chris Wong"));
}

#[test]
fn the_files_are_what_the_sources_of_the_crates_say() {
    let script = tools::repository("scripts/inventory/licenses.py");
    tools::printed(tools::run(Path::new("python3"), [script.as_os_str(), "--compare".as_ref()]));
}

#[tokio::test]
async fn a_browser_gets_it_compressed_and_only_once() {
    let app = TestApp::with_variables(&[("APP_SERVICES", "content")]).await;
    for path in ["/licenses", "/licenses.txt"] {
        let (status, headers, whole) = ask(&app, path, &[]).await;
        assert_eq!((status.as_u16(), headers["cache-control"].to_str().unwrap()), (200, "private, no-cache"));
        let (status, compressed, small) = ask(&app, path, &[("accept-encoding", "gzip")]).await;
        assert_eq!((status.as_u16(), compressed["content-encoding"].to_str().unwrap()), (200, "gzip"));
        assert!(small.len() * 4 < whole.len(), "{path}: {} of {}", small.len(), whole.len());
        assert_eq!(headers["etag"], compressed["etag"]);
        let tag = compressed["etag"].to_str().unwrap();
        let (_, uncompressed, large) = ask(&app, path, &[("accept-encoding", "gzip;q=0, br")]).await;
        assert!(!uncompressed.contains_key("content-encoding") && large.len() > small.len());
        let (status, again, nothing) = ask(&app, path, &[("accept-encoding", "gzip"), ("if-none-match", tag)]).await;
        assert_eq!((status.as_u16(), again["etag"].to_str().unwrap(), nothing.len()), (304, tag, 0));
        let vary: Vec<_> = again.get_all("vary").iter().map(|value| value.to_str().unwrap()).collect();
        assert!(vary.contains(&"accept-encoding"), "{vary:?}");
    }
}

#[tokio::test]
async fn the_page_is_under_the_policy_of_all_pages_in_both_languages() {
    let app = TestApp::start().await;
    let (_, headers, english) = ask(&app, "/licenses", &[]).await;
    let policy = headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self'") && !policy.contains("unsafe"), "{policy}");
    let (_, other, german) = ask(&app, "/licenses?x=%3Cscript%3E", &[("accept-language", "de")]).await;
    let (english, german) = (String::from_utf8(english).unwrap(), String::from_utf8(german).unwrap());
    assert!(english.contains("<h1>Licences</h1>") && german.contains("<h1>Lizenzen</h1>"));
    assert_ne!(headers["etag"], other["etag"]);
    for html in [&english, &german] {
        assert!(!html.contains("<script>") && !html.contains(" style=") && !html.contains("%3Cscript"));
    }
    let api = app.get("/api/docs").send().await.unwrap().text().await.unwrap();
    assert!(api.contains("href=\"/licenses\""));
}
