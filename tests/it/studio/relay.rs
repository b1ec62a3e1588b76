//! The scripts that sites load so that their previews speak with the studio.

use support::prelude::*;

#[tokio::test]
async fn a_site_loads_the_relay_of_this_studio_from_anywhere() {
    let app = TestApp::start().await;
    let page = support::browser();
    for (path, text) in [("/f/bridge.js", format!("'{}';\n", app.url(""))), ("/f/storyblok-v2-latest.js", "'class';\n".to_owned())]
    {
        // Sites append what they like, against caches.
        let script = page.get(app.url(&format!("{path}?t=1&v"))).answer().await;
        assert_eq!((script.status, script.text.as_str()), (200, text.as_str()));
        for (name, value) in [
            ("content-type", "text/javascript; charset=utf-8"),
            ("cache-control", "public, max-age=300"),
            ("cross-origin-resource-policy", "cross-origin"),
        ] {
            assert_eq!(script.header(name), value, "{path} {name}");
        }
        let known = page.get(app.url(path)).header("if-none-match", script.header("etag")).answer().await;
        assert_eq!((known.status, known.text.as_str(), known.header("etag")), (304, "", script.header("etag")));
    }
    assert_eq!(page.get(app.url("/f/other.js")).answer().await.status, 404);
}
