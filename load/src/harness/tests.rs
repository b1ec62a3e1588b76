//! A whole run, against a server that makes spaces and cannot delete them.

use crate::harness::serve::{listen, serve};
use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};
use std::fs;
use tokio::task::JoinSet;

/// What such a server answers.
fn answer(request: &Request<Bytes>) -> Response<Bytes> {
    let below = request.uri().path().strip_prefix("/api/v1/spaces").map(|below| below.trim_start_matches("/7"));
    let story = json!({ "story": { "id": 1, "full_slug": "own-0", "name": name(request) } });
    let (status, body) = match (request.method(), request.uri().path(), below) {
        (_, "/api/csrf-token", _) => (200, json!({ "csrfToken": "c" })),
        (_, "/api/auth/login", _) => (200, json!({ "user": {} })),
        (&Method::POST, _, Some("")) => (201, json!({ "space": { "id": 7 }, "tokens": { "public": "p", "preview": "q" } })),
        (&Method::POST, _, Some("/tokens")) => (201, json!({ "plaintext": "t" })),
        (&Method::POST, _, Some("/stories")) => (201, story),
        (&Method::PUT, _, Some("/stories/1")) => (200, story),
        (&Method::GET, "/api/v2/cdn/stories/own-0", _) => (200, json!({ "story": { "name": "Round 1" } })),
        (&Method::DELETE, _, Some("")) => (500, json!({ "error": "no" })),
        _ => (409, json!({})),
    };
    let mut response = Response::new(Bytes::from(body.to_string()));
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    response
}

fn name(request: &Request<Bytes>) -> Value {
    let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
    body["story"]["name"].clone()
}

#[tokio::test]
async fn a_space_that_cannot_be_deleted_does_not_take_the_result_with_it() {
    let (listener, url) = listen().await.unwrap();
    let mut server = JoinSet::new();
    server.spawn(serve(listener, |request| answer(&request)));
    let folder = std::env::temp_dir().join(format!("lectern-load-result-{}", std::process::id()));
    let line = format!("load run publish-read --url {url} --quiet --ramp 0 --users 1 --turns 1 --out {}", folder.display());
    let code = crate::main(line.split(' ').map(Into::into)).await;
    let result: Value = serde_json::from_str(&fs::read_to_string(folder.join("publish-read.json")).unwrap()).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(code, 2, "the space is still there, which is said");
    let names: Vec<_> = result["operations"].as_array().unwrap().iter().map(|line| line["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["publish", "read after publish"]);
}
