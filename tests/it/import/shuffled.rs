//! Random sources with records of one path, circles and missing folders, imported again and again with their
//! lists in other orders.

use super::folder::Folder;
use domain::content::import::Status;
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use support::{import::import, prelude::*};

/// How many sources are imported.
const CASES: usize = 12;
/// The id of the first record; its UUID follows from its id.
const FIRST: i64 = 1000;

/// A record: its slug, the index of its folder if it has one, and what it is.
type Made = (&'static str, Option<usize>, What);

#[derive(Debug, Clone, Copy, PartialEq)]
enum What {
    Folder,
    Story,
    StartPage,
}

fn records() -> impl Strategy<Value = Vec<Made>> {
    let slug = prop::sample::select(vec!["a", "b", "a-1001", "a-1002-2", "x/y", "x-y"]);
    let what = prop_oneof![3 => Just(What::Folder), 4 => Just(What::Story), 1 => Just(What::StartPage)];
    // Indexes up to one behind the last record, whose folders do not exist.
    prop::collection::vec((slug, prop::option::weighted(0.7, 0_usize..19), what), 4..18)
}

/// The list of a source in which each record has the path that follows from the folders above it, as far as
/// it ends.
fn stories(all: &[Made]) -> Vec<Value> {
    let path = |at: usize| {
        let (mut path, mut above) = (all[at].0.to_owned(), all[at].1);
        for _ in 0..all.len() {
            let Some((slug, next, _)) = above.and_then(|at| all.get(at)) else { break };
            (path, above) = (format!("{slug}/{path}"), *next);
        }
        path
    };
    let story = |at: usize| {
        let (slug, above, what) = all[at];
        let id = FIRST + i64::try_from(at).unwrap();
        let parent = above.map_or(0, |above| FIRST + i64::try_from(above).unwrap());
        let uuid = Uuid::from_u128(0x4000_8000_0000_0000_0000 + u128::try_from(id).unwrap());
        let content = if what == What::Folder { json!({}) } else { json!({ "component": "page", "_uid": uuid }) };
        json!({ "id": id, "uuid": uuid, "name": slug, "slug": slug, "full_slug": path(at), "parent_id": parent,
                "is_folder": what == What::Folder, "is_startpage": what == What::StartPage, "content": content, "published": id % 2 == 0 })
    };
    (0..all.len()).map(story).collect()
}

/// The UUIDs and paths of all stories and folders of a space.
async fn standing(fixture: &SpaceFixture, space: i64) -> Vec<(String, String)> {
    let sql = "select uuid::text as uuid, full_slug from stories where space_id = $1 and deleted_at is null order by 1";
    fixture.rows(sql, &[&space]).await.iter().map(|row| (row.get("uuid"), row.get("full_slug"))).collect()
}

#[tokio::test]
async fn nothing_is_lost_and_each_order_of_the_lists_gives_the_same_paths() {
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let fixture = SpaceFixture::new().await;
    let folder = Folder::new();
    for case in 0..CASES {
        let made = records().new_tree(&mut runner).unwrap().current();
        let listed = stories(&made);
        let mut shuffle = |all: &[Value]| Just(all.to_vec()).prop_shuffle().new_tree(&mut runner).unwrap().current();
        let orders = [listed.clone(), shuffle(&listed), shuffle(&listed)];
        let (one, other) = (fixture.another_space().await.id, fixture.another_space().await.id);
        let mut paths: Vec<Vec<(String, String)>> = Vec::new();
        for (order, space) in orders.into_iter().zip([one, one, other]) {
            folder.change("stories", |file| file["stories"] = order.into());
            let dry = import(&fixture, space, folder.path(), true).await;
            let done = import(&fixture, space, folder.path(), false).await;
            assert_eq!((done.status, &done.report.failures.items), (Status::Succeeded, &vec![]), "{case}: {made:?}");
            assert_eq!(dry.report, done.report, "{case}: {made:?}");
            let again = paths.len() == 1;
            let written: u64 = done.report.counts.values().map(|count| count.created + count.updated).sum();
            assert!(!again || written == 0, "{case}: {made:?} {:?}", done.report.counts);
            paths.push(standing(&fixture, space).await);
        }
        assert_eq!(paths[0].len(), made.len(), "{case}: {made:?}");
        assert!(paths.iter().all(|these| *these == paths[0]), "{case}: {made:?}\n{paths:#?}");
    }
}
