//! The keys of a list are worked out once for all its later pages, and never show a state of the space that
//! is over.

use super::{fixture, publish, read};
use domain::{
    content::{query::Plan, story_scope::StoryScope},
    shared::{Parameters, SpaceId},
};
use storage::content::delivery::{ContentVersion, ReadScope, relations::RelationPlan, stories};
use support::prelude::*;

/// How many stories the spaces have.
const STORIES: usize = 12;
const METRICS_TOKEN: &str = "sixteen bytes or more";

async fn filled(variables: &[(&str, &str)]) -> SpaceFixture {
    let fixture = fixture(&[variables, &[("APP_METRICS_TOKEN", METRICS_TOKEN)]].concat()).await;
    for number in 0..STORIES {
        publish(&fixture, &format!("s{number:02}"), "one").await;
    }
    fixture
}

/// The slugs of a page, in the order of their names.
async fn page(fixture: &SpaceFixture, number: usize) -> (String, Vec<String>) {
    let response = read(&fixture.app, &fixture.public, &format!("stories?sort_by=name:asc&per_page=2&page={number}")).await;
    let total = response.headers()["total"].to_str().unwrap().to_owned();
    let body: Value = response.json().await.unwrap();
    let slugs = body["stories"].as_array().unwrap().iter().map(|story| story["slug"].as_str().unwrap().to_owned());
    (total, slugs.collect())
}

async fn metric(fixture: &SpaceFixture, name: &str) -> u64 {
    let text = fixture.app.get("/metrics").bearer_auth(METRICS_TOKEN).send().await.unwrap().text().await.unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{name} is missing"));
    line.trim().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_that_are_asked_for_at_once_share_one_computation() {
    let fixture = filled(&[]).await;
    let all = join_all((2..=7).map(|number| page(&fixture, number))).await;
    for (at, (total, slugs)) in all.into_iter().enumerate() {
        let first = (at + 1) * 2;
        let expected: Vec<String> = (first..STORIES.min(first + 2)).map(|number| format!("s{number:02}")).collect();
        assert_eq!((total, slugs), (STORIES.to_string(), expected));
    }
    assert_eq!(metric(&fixture, "svc_delivery_list_keys_misses_total ").await, 1);
    assert!(metric(&fixture, "svc_delivery_list_keys_bytes ").await > 8 * 12);
    // What was worked out serves other parameters of the same list, and its first page, too.
    let store = &fixture.database.store;
    let before = store.round_trips();
    read(&fixture.app, &fixture.public, "stories?sort_by=name:asc&per_page=5&page=2&excluding_fields=text").await;
    read(&fixture.app, &fixture.public, "stories?sort_by=name:asc&per_page=5").await;
    assert_eq!(store.round_trips() - before, 2);
    assert_eq!(metric(&fixture, "svc_delivery_list_keys_misses_total ").await, 1);
}

#[tokio::test]
async fn a_later_page_shows_what_was_published_before_it_was_asked_for() {
    let fixture = filled(&[]).await;
    let slugs = |names: [&str; 2]| names.map(str::to_owned).to_vec();
    assert_eq!(page(&fixture, 2).await, ("12".to_owned(), slugs(["s02", "s03"])));
    let between = publish(&fixture, "s001", "between the first two").await;
    assert_eq!(page(&fixture, 2).await, ("13".to_owned(), slugs(["s01", "s02"])));
    let unpublish = fixture.path(&format!("/stories/{between}/unpublish"));
    fixture.get(Caller::Token(&fixture.editor), &unpublish).await.expect(200);
    assert_eq!(page(&fixture, 2).await, ("12".to_owned(), slugs(["s02", "s03"])));
}

/// Also a process that was not told of a publication never answers from keys of the time before it.
#[tokio::test]
async fn keys_of_a_state_that_is_over_are_refused_by_the_statement_of_the_page() {
    let fixture = filled(&[]).await;
    let pairs = [("page", "2"), ("per_page", "2")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let plan = Plan::compile(&Parameters::new(pairs.to_vec())).unwrap();
    let connection = fixture.database.store.connection("test.keys").await.unwrap();
    for version in [ContentVersion::Published, ContentVersion::Draft] {
        let scope = ReadScope { space: SpaceId(fixture.space), version, stories: &StoryScope::All };
        let relations = RelationPlan::default();
        let keys = stories::list_keys(&connection, scope, &plan).await.unwrap();
        let found = stories::list_by_keys(&connection, scope, &keys, plan.page, &relations).await.unwrap();
        assert_eq!(found.unwrap().0.items.len(), 2);
        publish(&fixture, &format!("more-{}", version.into_str()), "later").await;
        assert!(stories::list_by_keys(&connection, scope, &keys, plan.page, &relations).await.unwrap().is_none());
    }
}

#[tokio::test]
async fn without_memory_for_keys_the_answers_are_the_same() {
    let fixture = filled(&[("APP_DELIVERY_LIST_KEYS_MB", "0")]).await;
    let with = filled(&[]).await;
    for number in [1, 2, 6, 7] {
        assert_eq!(page(&fixture, number).await, page(&with, number).await);
    }
    assert_eq!(metric(&fixture, "svc_delivery_list_keys_misses_total ").await, 0);
}
