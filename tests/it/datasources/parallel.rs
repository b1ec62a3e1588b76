//! Many writes of datasources at once.

use super::{datasource, each};
use support::prelude::*;

#[tokio::test]
async fn of_fifty_that_want_one_slug_one_gets_it() {
    let fixture = SpaceFixture::new().await;
    let path = fixture.path("/datasources");
    let create = |number: usize| {
        let body = json!({ "datasource": { "name": format!("Name {number}"), "slug": "labels" } });
        let (fixture, path) = (&fixture, &path);
        async move { fixture.post(Caller::Token(&fixture.editor), path, body).await.status }
    };
    let mut statuses = join_all((0..50).map(create)).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [[201].as_slice(), &[422; 49]].concat());
    assert_eq!(fixture.viewer().get("/datasources").await.header("total"), "1");
}

#[tokio::test]
async fn fifty_new_entries_stand_one_behind_the_other() {
    let fixture = SpaceFixture::new().await;
    let source = datasource(&fixture, "labels", &[]).await;
    let names: Vec<String> = (0..50).map(|number| number.to_string()).collect();
    join_all(names.iter().map(|name| super::entry(&fixture, &source, name))).await;
    let listed = fixture.viewer().get("/datasource_entries?per_page=50").await.expect(200);
    let positions: Vec<_> = each(&listed, "datasource_entries", "position").into_iter().map(|e| e.as_i64().unwrap()).collect();
    assert_eq!(positions, (1..=50).collect::<Vec<_>>());
}
