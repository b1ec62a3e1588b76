//! The story list of the Delivery API against a plain model in memory: random stories, random queries.

mod generate;
mod model;
mod search;

use generate::{queries, stories};
use model::Model;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::Cell;
use support::prelude::*;
use tokio::runtime::Handle;

/// How many random queries are tried.
const CASES: u32 = 1_000;

/// A space with the random stories, all published, and the model of it.
async fn filled() -> (SpaceFixture, Model) {
    let fixture = SpaceFixture::new().await;
    let mut model = Model::default();
    for story in stories() {
        let body = json!({ "story": story, "publish": 1 });
        let made = fixture.editor().post("/stories", body).await.expect(201)["story"].clone();
        model.add(made);
    }
    (fixture, model)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_database_and_the_model_agree_on_every_query() {
    let (fixture, model) = filled().await;
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let (fixture, model, runtime) = (&fixture, &model, Handle::current());
    let fruitful = Cell::new(0);
    tokio::task::block_in_place(|| {
        runner
            .run(&queries(model), |query| {
                let path = format!("/api/v2/cdn/stories?token={}&{}", fixture.preview, encoded(&query));
                let reply = runtime.block_on(fixture.get(Caller::Anonymous, &path));
                let total = reply.header("total").to_owned();
                let body = reply.expect(200);
                let found: Vec<&str> = body["stories"].as_array().unwrap().iter().map(|b| b["slug"].as_str().unwrap()).collect();
                let (expected, count) = model.answer(&query);
                fruitful.set(fruitful.get() + u32::from(!found.is_empty()));
                assert_eq!(found, expected, "{query:?}");
                assert_eq!(total, count.to_string(), "{query:?}");
                Ok(())
            })
            .unwrap();
    });
    assert!(fruitful.get() > CASES / 4, "only {} queries found anything", fruitful.get());
}

/// Filters that an index of fields or tags answers, and pairs of them, in every order that has an index, by
/// pages of every size: where many stories match, the keys of a page are found on a walk through the order
/// (`select/walk.rs`), where few do, they are sorted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn indexed_filters_agree_with_the_model_in_every_order() {
    let (fixture, model) = filled().await;
    let filters = [
        ("filter_query[a][in]", "x"),
        ("filter_query[a][in]", "x,X,xy,5,true"),
        ("filter_query[component][in]", "page"),
        ("filter_query[b][any_in_array]", "y"),
        ("filter_query[b][all_in_array]", "y,5"),
        ("with_tag", "red"),
        ("with_tag", "red,green"),
    ];
    let pairs = filters.iter().enumerate().flat_map(|(at, one)| {
        let others = filters.iter().skip(at + 1).filter(move |two| two.0 != one.0);
        std::iter::once(vec![*one]).chain(others.map(move |two| vec![*one, *two]))
    });
    let properties = ["name", "slug", "full_slug", "position", "created_at", "updated_at", "published_at", "first_published_at"];
    let orders: Vec<String> =
        properties.iter().flat_map(|property| ["asc", "desc"].map(|direction| format!("{property}:{direction}"))).collect();
    let mut walked = 0;
    for filter in pairs {
        for order in [None].into_iter().chain(orders.iter().map(Some)) {
            for (page, per_page) in [("1", "1"), ("1", "4"), ("2", "3"), ("1", "100")] {
                let mut query: Vec<(String, String)> =
                    filter.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
                query.extend(order.map(|order| ("sort_by".to_owned(), order.clone())));
                query.extend([("page", page), ("per_page", per_page)].map(|(name, value)| (name.to_owned(), value.to_owned())));
                let path = format!("/api/v2/cdn/stories?token={}&{}", fixture.preview, encoded(&query));
                let reply = fixture.get(Caller::Anonymous, &path).await;
                let total = reply.header("total").to_owned();
                let body = reply.expect(200);
                let found: Vec<&str> = body["stories"].as_array().unwrap().iter().map(|b| b["slug"].as_str().unwrap()).collect();
                let (expected, count) = model.answer(&query);
                assert_eq!(found, expected, "{query:?}");
                assert_eq!(total, count.to_string(), "{query:?}");
                walked += usize::from(page == "1" && per_page == "1" && count * count * 10 >= 60);
            }
        }
    }
    assert!(walked > 100, "only {walked} lists were long enough for a walk");
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
