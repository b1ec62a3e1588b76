//! Planner statistics during imports.

use super::moves::many;
use domain::content::import::Status;
use support::{
    import::{held::End, start, waiting::once},
    prelude::*,
};

#[tokio::test]
async fn reads_are_planned_well_before_an_import_of_many_stories_ends() {
    let fixture = SpaceFixture::new().await;
    let database = &fixture.database;
    let folder = many(1_600);
    let end = End::held(&database.target).await;
    let import = start(&fixture, fixture.space, folder.path(), false).await.unwrap();
    // Statistics are updated after the page with the thousandth story, and a page has at most 250 records.
    // Other kinds have a few dozen.
    let far = once(&database.store, &import, Duration::from_mins(2), |value| value.done >= 1_600).await;
    assert_eq!(far.status, Status::Running);
    // Not by autovacuum, which has a column of its own.
    let sql = "select last_analyze is not null as known from pg_stat_user_tables where relname = 'editions'";
    assert!(database.value::<bool>(sql).await);
    end.let_go().await;
}
