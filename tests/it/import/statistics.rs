//! What PostgreSQL knows of many stories.

use super::{held::End, moves::many, support::start, waiting::once};
use crate::support::space_fixture::SpaceFixture;
use domain::content::import::Status;
use std::time::Duration;
use storage::Executor;

#[tokio::test]
async fn reads_are_planned_well_before_an_import_of_many_stories_ends() {
    let fixture = SpaceFixture::new().await;
    let database = &fixture.app().database;
    let folder = many(1_600);
    let end = End::held(&database.target).await;
    let import = start(&fixture, fixture.space, folder.path(), false).await.unwrap();
    // Stock is taken behind the page with the thousandth story, and no page has more than 250. Of other kinds there are a few dozen.
    let far = once(&database.store, &database.target, &import, Duration::from_mins(2), |value| value.done >= 1_600).await;
    assert_eq!(far.status, Status::Running);
    let session = database.store.connection("test").await.unwrap();
    // What PostgreSQL does by itself is told apart from that.
    let sql = "select last_analyze is not null as known from pg_stat_user_tables where relname = 'editions'";
    assert!(session.row(sql, &[]).await.unwrap().get::<_, bool>("known"));
    end.let_go().await;
}
