//! Many commands at once: versions and audit entries have no gap, `cv` strictly increases, and paths stay
//! unique.

use super::{id, page};
use support::prelude::*;

/// Runs requests at once and counts the answers by status.
async fn at_once<F: Future<Output = u16>>(requests: impl IntoIterator<Item = F>) -> BTreeMap<u16, usize> {
    let mut statuses = BTreeMap::new();
    for status in futures_util::future::join_all(requests).await {
        *statuses.entry(status).or_insert(0) += 1;
    }
    statuses
}

#[tokio::test]
async fn of_fifty_that_want_one_place_one_gets_it() {
    let fixture = SpaceFixture::new().await;
    let path = fixture.path("/stories");
    let create = || async {
        let body = json!({ "story": page("S", "s", json!({})) });
        fixture.post(Caller::Token(&fixture.editor), &path, body).await.status
    };
    assert_eq!(at_once((0..50).map(|_| create())).await, BTreeMap::from([(201, 1), (422, 49)]));
}

#[tokio::test]
async fn fifty_publishes_make_fifty_versions_events_and_entries() {
    let fixture = SpaceFixture::new().await;
    let story = id(&fixture.story(page("S", "s", json!({}))).await);
    let (entries, seen) = (fixture.audit_count().await, fixture.cv().await);
    let path = fixture.path(&format!("/stories/{story}/publish"));
    let publish = || async { fixture.post(Caller::Token(&fixture.editor), &path, json!({})).await.status };
    assert_eq!(at_once((0..50).map(|_| publish())).await, BTreeMap::from([(200, 50)]));

    let row = fixture
        .row(
            "select (select array_agg(number order by number) from story_versions where story_id = $1) as versions,
                    (select published_version from stories where id = $1) as published,
                    (select array_agg(seq order by seq) from story_events) as events,
                    (select array_agg(seq order by seq) from audit_log where space_id = $2) as entries",
            &[&story, &fixture.space],
        )
        .await;
    assert_eq!(row.get::<_, Vec<i32>>("versions"), (1..=51).collect::<Vec<_>>());
    assert_eq!(row.get::<_, i32>("published"), 51);
    assert_eq!(row.get::<_, Vec<i64>>("events"), (1..=50).collect::<Vec<_>>());
    assert_eq!(row.get::<_, Vec<i64>>("entries"), (1..=entries + 50).collect::<Vec<_>>());
    assert!(fixture.cv().await >= seen + 50);
}
