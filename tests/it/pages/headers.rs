//! Headers, files, languages, and the pages of errors.

use super::{app, app_with};
use reqwest::header;
use std::io::Read;
use support::{Wire, prelude::*};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

#[tokio::test]
async fn every_page_has_the_headers_of_pages_and_nothing_inline() {
    let app = app().await;
    let person = Person::at(&app);
    person.sign_up("ann@example.org").await;
    person.sign_in("ann@example.org", super::PASSWORD).await;
    let stranger = Person::at(&app);
    let mut shown = 0;
    // A stream of events is no page, and a mail in its frame is a document of its own.
    let no_page = ["/admin/workers/events", "/admin/mail/preview/frame"];
    let is_shown =
        |endpoint: &&support::Declared| endpoint.is_page && endpoint.method == Method::GET && !no_page.contains(&endpoint.template);
    for endpoint in app.endpoints.iter().filter(is_shown) {
        let path = endpoint
            .template
            .replace("{id}", "00000000-0000-0000-0000-000000000000")
            .replace("{space}", "7")
            .replace("{name}", "webhooks")
            .replace("{document}", "operations")
            .replace("{rest..}", "stories/12")
            .replace("{file}", "none");
        // Documents and licences are the same for everybody.
        let kept = if path.starts_with("/docs") || path.starts_with("/licenses") { "private, no-cache" } else { "no-store" };
        // Applications open these in popups.
        let opener = if path.starts_with("/login") || path.starts_with("/interaction") { "" } else { "same-origin" };
        for page in [stranger.page(&path).await, person.page(&path).await] {
            let found = [
                "content-security-policy",
                "referrer-policy",
                "cross-origin-opener-policy",
                "cross-origin-resource-policy",
                "cache-control",
                "x-content-type-options",
            ]
            .map(|name| page.header(name));
            // This page shows a mail in a frame.
            let policy = if path == "/admin/mail/preview" && page.status == 200 {
                format!("{POLICY}; frame-src 'self'")
            } else {
                POLICY.to_owned()
            };
            assert_eq!(found, [policy.as_str(), "same-origin", opener, "same-origin", kept, "nosniff"], "{path}");
            // What is shown of a mail's source is text.
            let html = page.text.to_lowercase();
            let text: String = html.split("<pre").map(|part| part.rsplit("</pre>").next().unwrap()).collect();
            assert!(!text.contains(" style=") && !text.contains(" onclick") && !text.contains("<style"), "{path}");
            assert!(text.split("<script").skip(1).all(|script| script.split('>').next().unwrap().contains("src=")), "{path}");
            // The audit trail is a file as well, and the licences are a text.
            let is_file = ["text/csv; charset=utf-8", "text/plain; charset=utf-8"].contains(&page.header("content-type"));
            if page.status != 303 && !is_file {
                assert!(page.text.starts_with("<!DOCTYPE html><html lang=\"en\""), "{path}: {}", page.text);
                assert!(page.text.contains("<h1") && page.text.contains("name=\"viewport\""), "{path}");
                shown += 1;
            }
        }
    }
    assert!(shown > 30, "{shown}");
}

/// A page of another origin may not load what is about people as an image or a script of its own. Files of
/// assets are for every page.
#[tokio::test]
async fn no_other_origin_embeds_what_the_identity_service_answers() {
    let app = app().await;
    let ann = Person::signed_in(&app, super::ANN).await;
    let style = ann.page("/account").await.text.split("href=\"").find(|rest| rest.contains(".css\"")).unwrap().to_owned();
    for path in [
        "/api/me",
        "/api/csrf-token",
        "/api/me/export",
        "/api/admin/users",
        "/api/none",
        "/api/auth/none",
        "/oidc/userinfo",
        "/oidc/none",
        "/.well-known/openid-configuration",
        "/none",
        style.split('"').next().unwrap(),
    ] {
        for browser in [&ann.browser, &support::browser()] {
            let response = browser.get(ann.url(path)).send().await.unwrap();
            assert_eq!(response.headers()["cross-origin-resource-policy"], "same-origin", "{path} {}", response.status());
        }
    }
}

#[tokio::test]
async fn a_stranger_is_led_to_the_sign_in_and_back() {
    let app = app().await;
    let stranger = Person::at(&app);
    let of_a_person = |endpoint: &&support::Declared| {
        ["/account", "/admin", "/studio"].iter().any(|part| endpoint.template.starts_with(part)) && endpoint.method == Method::GET
    };
    let mut paths = 0;
    for endpoint in app.endpoints.iter().filter(of_a_person) {
        let path = endpoint
            .template
            .replace("{id}", "00000000-0000-0000-0000-000000000000")
            .replace("{space}", "7")
            .replace("{name}", "webhooks")
            .replace("{rest..}", "stories/12");
        let page = stranger.page(&path).await;
        assert_eq!(page.redirect(), (303, format!("/login?notice=sign-in&return_to={path}").as_str()));
        let page = stranger.page(page.location()).await;
        assert_eq!((page.field("return_to"), page.message().as_str()), (Some(path), "Please sign in to continue."));
        paths += 1;
    }
    assert!(paths > 20, "{paths}");
}

/// After a sign-in a person is led to the path of the form that was sent without a session, with a GET.
#[tokio::test]
async fn every_form_has_a_page_at_its_path() {
    let app = app().await;
    let forms: Vec<_> = app.endpoints.iter().filter(|endpoint| endpoint.is_page && endpoint.method == Method::POST).collect();
    assert!(forms.len() > 15, "{}", forms.len());
    for form in forms {
        assert!(app.endpoints.iter().any(|page| page.method == Method::GET && page.template == form.template), "{}", form.template);
    }
}

#[tokio::test]
async fn files_are_kept_for_good_and_change_their_names_with_their_content() {
    let app = app().await;
    let person = Person::at(&app);
    let login = person.page("/login").await;
    let linked = |attribute: &str| {
        login
            .text
            .split(attribute)
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap())
            .filter(|path| path.starts_with("/assets/"))
            .collect::<Vec<_>>()
    };
    let files = [linked("href=\""), linked("src=\"")].concat();
    assert_eq!(files.len(), 3, "{files:?}");
    for file in files {
        let page = person.browser.get(person.url(file)).answer().await;
        assert_eq!((page.status, page.header("cache-control")), (200, "public, max-age=31536000, immutable"), "{file}");
        let other = file.replace('.', ".0");
        assert_eq!(person.page(&other).await.status, 404);
        let request = person.browser.get(person.url(file)).header(header::ACCEPT_ENCODING, "br, gzip");
        let response = request.send().await.unwrap();
        assert_eq!(
            (response.headers()["content-encoding"].to_str().unwrap(), response.headers()["vary"].to_str().unwrap()),
            ("gzip", "accept-encoding")
        );
        let mut plain = String::new();
        flate2::read::GzDecoder::new(&*response.bytes().await.unwrap()).read_to_string(&mut plain).unwrap();
        assert_eq!(plain, page.text, "{file}");
    }
}

#[tokio::test]
async fn the_page_to_sign_in_with_is_small() {
    let app = app().await;
    let person = Person::at(&app);
    let html = person.page("/login").await.text;
    let gzipped = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut encoder, bytes).unwrap();
        encoder.finish().unwrap().len()
    };
    let mut sizes = Vec::new();
    for (before, extension) in [("href=\"", ".css\""), ("src=\"", ".js\""), ("href=\"", ".svg\"")] {
        let path = html
            .split(before)
            .map(|rest| rest.split_inclusive('"').next().unwrap())
            .find(|path| path.ends_with(extension))
            .unwrap();
        let response = person.browser.get(person.url(path.trim_end_matches('"'))).send().await.unwrap();
        sizes.push(gzipped(&response.bytes().await.unwrap()));
    }
    let [css, script, icon] = sizes[..] else { panic!("{sizes:?}") };
    let html = gzipped(html.as_bytes());
    assert!(html <= 8 << 10 && css <= 12 << 10 && script <= 8 << 10, "{html} {css} {script}");
    assert!(html + css + script + icon <= 40 << 10, "{}", html + css + script + icon);
}

#[tokio::test]
async fn the_language_is_that_of_the_browser_until_another_one_is_chosen() {
    let app = app().await;
    let person = Person::at(&app);
    let german = person.browser.get(person.url("/login")).header(header::ACCEPT_LANGUAGE, "de-AT,en;q=0.5");
    assert!(german.answer().await.text.contains("<html lang=\"de\""));
    assert!(
        person
            .page("/login?return_to=%2Faccount%2Fdata")
            .await
            .text
            .contains("href=\"/login?return_to=%2Faccount%2Fdata&amp;lang=de\"")
    );
    let switched = person.page("/login?return_to=%2Faccount%2Fdata&lang=de").await;
    assert_eq!(switched.redirect(), (303, "/login?return_to=%2Faccount%2Fdata"));
    for path in ["/login", "/register", "/none"] {
        assert!(person.page(path).await.text.contains("<html lang=\"de\""), "{path}");
    }

    let english = app_with(&[("APP_SUPPORTED_LOCALES", "en")]).await;
    assert!(!Person::at(&english).page("/login").await.text.contains("lang=de"), "there is nothing to choose");
}

#[tokio::test]
async fn no_link_and_no_redirect_leads_where_the_path_of_a_request_points() {
    let app = app().await;
    for path in ["//evil.example/", "///evil.example/", "/\\evil.example", "//evil.example/login", "/a\\b//evil.example"] {
        for query in ["", "?lang=de", "?return_to=%2Faccount"] {
            let mut wire = Wire::open(app.address).await;
            wire.send(format!("GET {path}{query} HTTP/1.1\r\nHost: own.example\r\nAccept: text/html\r\n\r\n")).await;
            let answer = wire.answer().await.unwrap();
            let switches = query == "?lang=de";
            assert_eq!(
                (answer.status, answer.head.lines().any(|line| line == "location: /")),
                if switches { (303, true) } else { (404, false) }
            );
            let links: Vec<&str> = answer.body.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
            let base = "http://own.example/".parse::<reqwest::Url>().unwrap();
            let leads_away = |link: &&&str| base.join(link).unwrap().host_str() != Some("own.example");
            assert_eq!(links.iter().filter(leads_away).collect::<Vec<_>>(), [] as [&&str; 0], "{path}{query}");
            assert!(switches || links.contains(&"/?lang=de"), "{path}{query}: {links:?}");
        }
    }
}

#[tokio::test]
async fn errors_are_pages_for_browsers() {
    let app = app().await;
    let person = Person::at(&app);
    for (path, status, title) in
        [("/none", 404, "Page not found"), ("/login/none", 404, "Page not found"), ("/account/none", 404, "Page not found")]
    {
        let page = person.page(path).await;
        assert_eq!((page.status, page.header("content-type")), (status, "text/html; charset=utf-8"), "{path}");
        assert!(page.text.contains(title) && page.text.contains("Request "), "{path}: {}", page.text);
        assert_eq!(page.header("content-security-policy"), POLICY, "{path}");
    }
    let put = person.browser.put(person.url("/login")).answer().await;
    assert_eq!((put.status, put.header("allow"), put.text.starts_with("<!DOCTYPE")), (405, "GET, POST, HEAD, OPTIONS", true));
    // A program that names no HTML gets what it can read.
    let json = person.browser.get(person.url("/none")).answer().await;
    assert_eq!((json.status, json.header("content-type")), (404, "application/json; charset=utf-8"));
    assert_eq!(
        person.browser.get(person.url("/api/none")).header("accept", "text/html").answer().await.header("content-type"),
        "application/json; charset=utf-8"
    );
}

#[tokio::test]
async fn the_start_leads_to_where_something_can_be_done() {
    let app = app().await;
    let person = Person::at(&app);
    assert_eq!(person.page("/").await.redirect(), (303, "/register"));
    assert!(person.page("/register").await.message().contains("becomes the administrator"));
    person.sign_up("ann@example.org").await;
    assert_eq!(person.page("/").await.redirect(), (303, "/login"));
    assert_eq!(person.page("/register").await.message(), "");
    person.sign_in("ann@example.org", super::PASSWORD).await;
    assert_eq!(person.page("/").await.redirect(), (303, "/account"));
    assert_eq!(person.page("/login").await.redirect(), (303, "/account"));

    let closed = app_with(&[("APP_REGISTRATION_ENABLED", "false")]).await;
    let person = Person::at(&closed);
    assert_eq!(person.page("/").await.redirect(), (303, "/login"));
    assert!(!person.page("/login").await.text.contains("/register"));
    let page = person.page("/register").await;
    assert!(page.status == 403 && page.text.contains("Nobody can register here"), "{}", page.text);
}

#[tokio::test]
async fn a_server_without_the_identity_service_has_no_pages_but_those_about_itself() {
    let app = app_with(&[("APP_SERVICES", "content")]).await;
    let mut pages = app.endpoints.iter().filter(|endpoint| endpoint.is_page);
    let about_itself = ["/api/docs", "/assets/pages/", "/docs", "/licenses"];
    assert!(pages.all(|page| about_itself.iter().any(|begin| page.template.starts_with(begin))));
    for path in ["/", "/login", "/account"] {
        let page = Person::at(&app).page(path).await;
        assert_eq!((page.status, page.header("content-type")), (404, "application/json; charset=utf-8"), "{path}");
    }
}

#[tokio::test]
async fn help_privacy_and_imprint_stand_at_the_foot_of_every_page_at_the_same_place() {
    let links = [
        ("APP_HELP_URL", "mailto:help@example.org"),
        ("APP_PRIVACY_URL", "https://example.org/privacy?a=b&c=d"),
        ("APP_IMPRINT_URL", "https://example.org/imprint"),
    ];
    let app = app_with(&links).await;
    let ann = super::Person::signed_in(&app, super::ANN).await;
    let stranger = Person::at(&app);
    let foot = |html: &str| html.split("<footer").nth(1).unwrap().split("class=\"languages\"").next().unwrap().to_owned();
    let expected = foot(&stranger.page("/login").await.text);
    let order: Vec<usize> =
        ["mailto:help@example.org", "privacy?a=b&amp;c=d", "/imprint"].map(|part| expected.find(part).unwrap()).to_vec();
    assert!(order.is_sorted() && expected.contains("Help</a>"), "{expected}");
    for path in ["/account", "/account/security", "/admin", "/docs", "/api/docs", "/none", "/logout"] {
        assert_eq!(foot(&ann.page(path).await.text), expected, "{path}");
    }
    let german = stranger.page("/login?lang=de").await.location().to_owned();
    assert!(stranger.page(&german).await.text.contains("Impressum</a>"));
    let without = super::app().await;
    assert!(!Person::at(&without).page("/login").await.text.contains("class=\"about\""));
}
