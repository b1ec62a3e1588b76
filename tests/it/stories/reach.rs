//! Operations in a large space read only the rows that they are about. A plan that scans the space gives the
//! same result, far too slowly.

use super::page;
use domain::{
    content::{
        query::{ListOrder, Slugs},
        story::Story,
    },
    shared::{PageRequest, SpaceId, StoryId},
};
use storage::{
    Tx,
    content::stories::{
        list::{Extras, StoryFilter, list},
        read, translations, tree,
    },
};
use support::prelude::*;

/// How many stories no operation is about.
const OTHERS: i64 = 2_000;
/// The most rows that an operation may read.
const MOST: i64 = 100;

/// A space with a folder of three stories, which have paths in another language, and many others a hundred to
/// a folder.
async fn large() -> (SpaceFixture, SpaceId, StoryId) {
    let fixture = SpaceFixture::new().await;
    let languages = json!({ "space": { "languages": [{ "code": "de", "name": "Deutsch" }] } });
    fixture.json(super::Caller::Owner, "PUT", &fixture.path(""), languages).await.expect(200);
    let small = fixture.folder("Small", "small", 0).await;
    for number in 0..3 {
        let translated = json!([{ "lang": "de", "slug": format!("nummer-{number}") }]);
        let more = json!({ "parent_id": small, "translated_slugs_attributes": translated });
        fixture.published(page("Story", &format!("story-{number}"), more)).await;
    }
    let session = fixture.database.store.connection("test.fill").await.unwrap();
    let fill = "with made as (
            insert into stories (space_id, uuid, group_id, parent_id, is_folder, slug, full_slug, created_at, updated_at)
            select $1, gen_random_uuid(), gen_random_uuid(), 1000000 + n / 100, false, 'other-' || n, 'other-' || n, now(), now()
            from generate_series(1, $2::bigint) n returning *
        )
        insert into editions (space_id, edition, story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder,
                              content, doc, group_id, created_at, updated_at)
        select space_id, 'draft', id, uuid, slug, slug, full_slug, parent_id, 0, false, false, '{}', '{}', group_id, created_at, updated_at from made";
    session.execute(fill, &[&fixture.space, &OTHERS]).await.unwrap();
    session.execute("analyze stories, editions, translated_slugs", &[]).await.unwrap();
    drop(session);
    let space = SpaceId(fixture.space);
    (fixture, space, StoryId(small))
}

/// Rows of stories that this transaction has read so far, whichever way.
async fn rows_read(tx: &Tx<'_>) -> i64 {
    let sql = "select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint as read
               from pg_stat_xact_user_tables where relname in ('stories', 'editions', 'translated_slugs')";
    tx.row(sql, &[]).await.unwrap().get("read")
}

/// Runs an operation in a transaction that is rolled back.
async fn reads_little(fixture: &SpaceFixture, what: &str, work: impl AsyncFnOnce(&Tx<'_>)) {
    let mut session = fixture.database.store.connection("test.reach").await.unwrap();
    let tx = session.begin();
    let before = rows_read(&tx).await;
    work(&tx).await;
    let read = rows_read(&tx).await - before;
    assert!((1..=MOST).contains(&read), "{what} read {read} rows of {OTHERS} and a few");
}

async fn story(tx: &Tx<'_>, space: SpaceId, id: StoryId) -> Story {
    read::find(tx, space, id).await.unwrap().unwrap().story
}

#[tokio::test]
async fn what_happens_to_a_folder_reads_what_is_below_it() {
    let (fixture, space, small) = large().await;
    reads_little(&fixture, "a move", async |tx| {
        assert_eq!(tree::move_below(tx, space, "small", "tiny").await.unwrap().len(), 3);
    })
    .await;
    reads_little(&fixture, "new paths in other languages", async |tx| {
        translations::refresh_paths(tx, space, &story(tx, space, small).await).await.unwrap();
    })
    .await;
    reads_little(&fixture, "the search for paths that are taken in a language", async |tx| {
        assert!(translations::find_shared_path(tx, space, &story(tx, space, small).await).await.unwrap().is_none());
    })
    .await;
    let now = fixture.clock.now();
    reads_little(&fixture, "a deletion, and taking it back", async |tx| {
        let deleted = tree::delete(tx, space, &story(tx, space, small).await, now).await.unwrap();
        assert_eq!(deleted.len(), 4);
        tree::undelete(tx, space, &story(tx, space, small).await, "small").await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn the_list_reads_what_it_is_narrowed_to() {
    let (fixture, space, small) = large().await;
    let by = |filter: StoryFilter| (filter, PageRequest { page: 1, per_page: 25 });
    let slugs = |text: &str| Slugs::parse("by_slugs", vec![text.to_owned()]).unwrap();
    for (what, expected, (filter, page)) in [
        ("by its path", 1, by(StoryFilter { with_slug: Some("small/story-1".to_owned()), ..StoryFilter::default() })),
        ("by several paths", 1, by(StoryFilter { slugs: slugs("small/story-1"), ..StoryFilter::default() })),
        ("by the beginning of several paths", 3, by(StoryFilter { slugs: slugs("small/*"), ..StoryFilter::default() })),
        ("by the beginning of paths", 3, by(StoryFilter { starts_with: Some("small/".to_owned()), ..StoryFilter::default() })),
        ("by the folder", 3, by(StoryFilter { parent: Some(small.0), ..StoryFilter::default() })),
    ] {
        reads_little(&fixture, what, async |tx| {
            let found = list(tx, space, &filter, &ListOrder::Position, page, Extras::default()).await.unwrap().page;
            assert_eq!((found.total, found.items.len()), (expected, usize::try_from(expected).unwrap()), "{what}");
        })
        .await;
    }
}
