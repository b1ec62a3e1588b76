//! Options of a field that another server has.

use support::{Peer, Reply, prelude::*};

/// A component with a field for each of these URLs: `field0` and on. Answers the path of its options.
async fn component(fixture: &SpaceFixture, urls: &[String]) -> String {
    let field = |url: &String| json!({ "type": "option", "source": "external", "external_datasource": url });
    let mut schema: serde_json::Map<String, Value> =
        urls.iter().enumerate().map(|(number, url)| (format!("field{number}"), field(url))).collect();
    schema.insert("plain".to_owned(), json!({ "type": "text" }));
    let made = fixture.admin().post("/components", json!({ "component": { "name": "page", "schema": schema } })).await.expect(201);
    format!("/components/{}/options", made["component"]["id"])
}

#[tokio::test]
async fn options_of_a_url_are_read_searched_and_kept_for_a_minute() {
    let fixture = SpaceFixture::with_variables(&[("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1")]).await;
    let colors: Vec<Value> = (0..300).map(|number| json!({ "name": format!("Color {number}"), "value": number })).collect();
    let peer = Peer::start(move |_| Reply::with("200 OK", &[], &json!(colors).to_string())).await;
    let path = component(&fixture, &[format!("http://{}/colors", peer.address)]).await;

    let all = fixture.viewer().get(&format!("{path}?field=field0")).await.expect(200);
    assert_eq!((all["options"].as_array().unwrap().len(), &all["total"]), (200, &json!(300)));
    let found = fixture.viewer().get(&format!("{path}?field=field0&search=color%20299")).await.expect(200);
    assert_eq!(found, json!({ "options": [{ "name": "Color 299", "value": "299" }], "total": 1 }));
    assert_eq!(peer.seen().len(), 1, "it is kept");
    fixture.clock.advance(SignedDuration::from_mins(1));
    fixture.viewer().get(&format!("{path}?field=field0")).await.expect(200);
    assert_eq!(peer.seen().len(), 2);

    for (query, field) in [("field=plain", "field"), ("field=none", "field"), ("", "field")] {
        let refused = fixture.viewer().get(&format!("{path}?{query}")).await.expect(422);
        assert!(refused["fields"][field].is_array(), "{query}: {refused}");
    }
    fixture.viewer().get(&format!("{path}?field=field0&page=1")).await.expect(422);
    assert_eq!(fixture.viewer().get("/components/999/options?field=x").await.status, 404);
}

#[tokio::test]
async fn what_is_no_list_of_options_is_refused_with_the_reason() {
    let fixture = SpaceFixture::with_variables(&[("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1")]).await;
    let peer = Peer::start(|path| match path {
        "/page" => Reply::with("200 OK", &[], "<html>"),
        "/entry" => Reply::with("200 OK", &[], r#"[{"name": "A"}]"#),
        "/large" => Reply::with("200 OK", &[], &"x".repeat((1 << 20) + 1)),
        "/moved" => Reply::to("/none"),
        _ => Reply::with("404 Not Found", &[], "no"),
    })
    .await;
    let mut urls: Vec<String> =
        ["page", "entry", "large", "moved"].iter().map(|path| format!("http://{}/{path}", peer.address)).collect();
    urls.extend(["http://10.0.0.1/".to_owned(), "file:///etc/passwd".to_owned(), String::new()]);
    // It takes connections and never says anything.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    urls.push(format!("http://{}/", silent.local_addr().unwrap()));
    let path = component(&fixture, &urls).await;
    for (number, (code, reason)) in [
        ("wrongType", "does not answer with a list in JSON"),
        ("wrongType", "without a value: entry 1"),
        ("tooLarge", "too large"),
        ("unavailable", "status 404"),
        ("blocked_target", "may not be called"),
        ("blocked_target", "may not be called"),
        ("blank", "can't be blank"),
        ("timedOut", "did not answer"),
    ]
    .into_iter()
    .enumerate()
    {
        let refused = fixture.viewer().get(&format!("{path}?field=field{number}")).await.expect(422);
        let message = refused["fields"]["external_datasource"][0].as_str().unwrap_or_default();
        assert!(message.contains(reason), "{number}: {refused}");
        assert_eq!(refused["details"][0]["code"], code, "{number}: {refused}");
    }

    // A failure is known for some seconds, so that it does not take the reads of other fields.
    let asked = || peer.seen().iter().filter(|path| path.contains("/page")).count();
    let before = asked();
    fixture.viewer().get(&format!("{path}?field=field0")).await.expect(422);
    assert_eq!(asked(), before);
    fixture.clock.advance(SignedDuration::from_secs(10));
    fixture.viewer().get(&format!("{path}?field=field0")).await.expect(422);
    assert_eq!(asked(), before + 1);
}

#[tokio::test]
async fn a_space_reads_twenty_lists_a_minute() {
    let fixture = SpaceFixture::with_variables(&[("APP_RATE_LIMITS", "on"), ("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1")]).await;
    let peer = Peer::start(|_| Reply::with("200 OK", &[], "[]")).await;
    let urls: Vec<String> = (0..25).map(|number| format!("http://{}/{number}", peer.address)).collect();
    let path = component(&fixture, &urls).await;
    let viewer = fixture.viewer();
    let answers = join_all((0..25).map(|number| viewer.get(format!("{path}?field=field{number}").leak()))).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 20, "{statuses:?}");
    assert_eq!(statuses[24], 429);
    assert_eq!(peer.seen().len(), 20);
}
