//! `/docs`: each document is a page, and every link on it leads somewhere.

use super::documents;
use reqwest::{StatusCode, header};
use support::prelude::*;

/// The path of a document's page.
fn path_of(document: &str) -> String {
    match document.strip_prefix("docs/").and_then(|name| name.strip_suffix(".md")) {
        Some(name) => format!("/docs/{name}"),
        None => "/docs".to_owned(),
    }
}

/// The values of an attribute, in the order of the page.
fn values(html: &str, attribute: &str) -> Vec<String> {
    let begin = format!(" {attribute}=\"");
    let tags = html.split('<').filter_map(|part| part.split('>').next());
    let values = tags.filter_map(|tag| tag.split_once(&begin)?.1.split('"').next());
    values.map(|value| value.replace("&amp;", "&")).collect()
}

#[tokio::test]
async fn every_document_is_a_page_and_every_link_on_it_leads_somewhere() {
    let app = TestApp::start().await;
    let mut anchors: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut links: BTreeSet<(String, String)> = BTreeSet::new();
    let documents = documents();
    assert!(documents.len() > 8, "{documents:?}");
    for document in &documents {
        let path = path_of(document);
        let response = app.get(&path).send().await.unwrap();
        assert_eq!(
            (response.status(), &response.headers()["content-type"]),
            (StatusCode::OK, &"text/html; charset=utf-8".parse().unwrap())
        );
        let html = response.text().await.unwrap();
        let title = tools::text_of(document).lines().find_map(|line| line.strip_prefix("# ").map(str::to_owned)).unwrap();
        assert!(html.contains(&format!("<title>{title} · Lectern</title>")), "{path}");
        assert!(html.contains(&format!(" href=\"{path}\" aria-current=\"page\"")), "{path} is not in its navigation");
        let ids = values(&html, "id");
        let distinct: BTreeSet<String> = ids.iter().cloned().collect();
        assert_eq!(distinct.len(), ids.len(), "{path} has an anchor twice: {ids:?}");
        links.extend(values(&html, "href").into_iter().map(|link| (path.clone(), link)));
        anchors.insert(path, distinct);
    }
    let mut dead = Vec::new();
    for (page, link) in &links {
        let (target, anchor) = link.split_once('#').map_or((link.as_str(), None), |(target, anchor)| (target, Some(anchor)));
        let leads_somewhere = match (target, anchor) {
            ("", Some(anchor)) => anchors[page].contains(anchor),
            (target, Some(anchor)) if target.starts_with("/docs") => {
                anchors.get(target).is_some_and(|known| known.contains(anchor))
            }
            (target, None) if target.starts_with('/') => {
                let status = app.get(target).send().await.unwrap().status();
                status.is_success() || status.is_redirection()
            }
            (target, _) => target.starts_with("http://") || target.starts_with("https://"),
        };
        if !leads_somewhere {
            dead.push(format!("{page}: {link}"));
        }
    }
    assert!(links.len() > 100, "{}", links.len());
    assert_eq!(dead, [""; 0]);
}

/// Who opens `/docs` finds every document there, in the list that README.md has of them.
#[test]
fn the_first_document_names_all_others() {
    let readme = tools::text_of("README.md");
    let missing: Vec<String> =
        documents().into_iter().filter(|document| document != "README.md" && !readme.contains(&format!("]({document})"))).collect();
    assert_eq!(missing, [""; 0]);
}

#[tokio::test]
async fn they_have_the_policy_of_all_pages_and_are_sent_once() {
    let app = TestApp::start().await;
    let page = app.get("/docs/operations").header(header::ACCEPT_ENCODING, "gzip").send().await.unwrap();
    assert_eq!(page.status(), StatusCode::OK);
    let policy = page.headers()["content-security-policy"].to_str().unwrap();
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'") && !policy.contains("unsafe"),
        "{policy}"
    );
    assert_eq!(page.headers()["content-encoding"], "gzip");
    assert_eq!(
        (&page.headers()["cache-control"], &page.headers()["vary"]),
        (&"private, no-cache".parse().unwrap(), &"accept-encoding".parse().unwrap())
    );
    let tag = page.headers()["etag"].clone();

    let again = app.get("/docs/operations").header(header::IF_NONE_MATCH, tag.clone()).send().await.unwrap();
    assert_eq!((again.status(), &again.headers()["etag"]), (StatusCode::NOT_MODIFIED, &tag));
    assert_eq!(again.text().await.unwrap(), "");
    let other = app.get("/docs/clients").header(header::IF_NONE_MATCH, tag.clone()).send().await.unwrap();
    assert_eq!(other.status(), StatusCode::OK);

    // What is around a document has the language of the reader; the document is English.
    let german = app.get("/docs/operations").header(header::ACCEPT_LANGUAGE, "de").send().await.unwrap();
    assert_ne!(german.headers()["etag"], tag);
    let html = german.text().await.unwrap();
    assert!(html.contains("<html lang=\"de\"") && html.contains("lang=\"en\"") && html.contains("Auf dieser Seite"));
    assert!(!html.contains("<script>") && !html.contains(" style=") && !html.contains(" onclick="));

    let head = app.client.head(app.url("/docs")).send().await.unwrap();
    assert_eq!(head.status(), StatusCode::OK);
    for nothing in ["/docs/nothing", "/docs/operations.md", "/docs/operations/", "/docs/a/b"] {
        assert_eq!(app.get(nothing).send().await.unwrap().status(), StatusCode::NOT_FOUND, "{nothing}");
    }
    let posted = app.client.post(app.url("/docs")).send().await.unwrap();
    assert_eq!(
        (posted.status(), &posted.headers()["allow"]),
        (StatusCode::METHOD_NOT_ALLOWED, &"GET, HEAD, OPTIONS".parse().unwrap())
    );
}

#[tokio::test]
async fn each_service_alone_has_them() {
    for services in ["content", "identity"] {
        let app = TestApp::with_variables(&[("APP_SERVICES", services)]).await;
        let html = app.get("/docs").send().await.unwrap().text().await.unwrap();
        let style = values(&html, "href").into_iter().find(|link| link.starts_with("/assets/pages/docs.")).unwrap();
        assert_eq!(app.get(&style).send().await.unwrap().status(), StatusCode::OK, "{services}: {style}");
    }
}
