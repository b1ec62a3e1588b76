//! The story list of the Delivery API against a plain model in memory: random stories, random queries.

mod generate;
mod model;
mod search;

use generate::{queries, stories};
use model::Model;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};
use std::cell::Cell;
use support::space_fixture::{Caller, SpaceFixture};
use tokio::runtime::Handle;

/// How many random queries are tried.
const CASES: u32 = 1_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_database_and_the_model_agree_on_every_query() {
    let fixture = SpaceFixture::new().await;
    let mut model = Model::default();
    for story in stories() {
        let body = json!({ "story": story, "publish": 1 });
        let made = fixture.post(Caller::Token(&fixture.editor), &fixture.path("/stories"), body).await.expect(201)["story"].clone();
        model.add(made);
    }
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let (fixture, model, runtime) = (&fixture, &model, Handle::current());
    let fruitful = Cell::new(0);
    tokio::task::block_in_place(|| {
        runner
            .run(&queries(model), |query| {
                let path = format!("/api/v2/cdn/stories?token={}&{}", fixture.preview, encoded(&query));
                let reply = runtime.block_on(fixture.get(Caller::Anonymous, &path));
                let total = reply.header("total").map(str::to_owned);
                let body = reply.expect(200);
                let found: Vec<&str> = body["stories"].as_array().unwrap().iter().map(|b| b["slug"].as_str().unwrap()).collect();
                let (expected, count) = model.answer(&query);
                fruitful.set(fruitful.get() + u32::from(!found.is_empty()));
                assert_eq!(found, expected, "{query:?}");
                assert_eq!(total, Some(count.to_string()), "{query:?}");
                Ok(())
            })
            .unwrap();
    });
    assert!(fruitful.get() > CASES / 4, "only {} queries found anything", fruitful.get());
}

fn encoded(query: &[(String, String)]) -> String {
    let pairs = query.iter().map(|(name, value)| format!("{name}={}", encode(value)));
    pairs.collect::<Vec<_>>().join("&")
}

fn encode(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

/// The slugs that a query of the draft answers, in order.
async fn slugs(fixture: &SpaceFixture, query: &str) -> Vec<String> {
    let path = format!("/api/v2/cdn/stories?token={}&version=draft&{query}", fixture.preview);
    let body: Value = fixture.get(Caller::Anonymous, &path).await.expect(200);
    body["stories"].as_array().unwrap().iter().map(|b| b["slug"].as_str().unwrap().to_owned()).collect()
}
