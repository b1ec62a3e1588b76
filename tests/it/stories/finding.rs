//! The index tables of stories agree with their editions, whatever is done to a story.

use super::{id, page};
use support::{
    import::{import, sample_space},
    prelude::*,
};

/// The rows that are missing in the index tables, and those that are too many.
const DIFFERENCES: &str = "
    with counted as (
        select edition::text, coalesce(component, '') as what, count(*) from editions where not is_folder group by 1, 2
    ), in_folders as (
        select edition::text || ' in ' || parent_id, coalesce(component, ''), count(*) from editions where not is_folder group by 1, 2
    ), tags as (
        select edition::text || story_id || ' ' || position, unnest(tags), 0::bigint from editions where not is_folder
    ), fields as (
        select edition::text || story_id || ' ' || position || field, value, 0::bigint
        from editions, jsonb_each_text(doc) as each (field, value) where not is_folder
    ), found as (
        select edition::text, component, stories from edition_counts where stories <> 0
        union all select edition::text || ' in ' || parent_id, component, stories from folder_counts
        union all select edition::text || story_id || ' ' || position, tag, 0 from edition_tags
        union all select edition::text || story_id || ' ' || position || field, value, 0 from edition_fields
    ), entries as (
        select space_id, edition, story_id, content_hash(is_element::integer, field, value) as hash from edition_fields
        union all select space_id, edition, story_id, content_hash(2, '', tag) from edition_tags
    ), marked as (
        select space_id, edition, story_id, bit_or(1::bigint << (hash & 63)::integer) as marks,
               bit_or(1::bigint << ((hash >> 6) & 63)::integer) as more_marks
        from entries group by 1, 2, 3
    ), wrongly_marked as (
        select it.edition::text || it.story_id || ' has other marks than its entries', '', 0::bigint
        from editions it left join marked using (space_id, edition, story_id)
        where not is_folder and (it.marks, it.more_marks) <> (coalesce(marked.marks, 0), coalesce(marked.more_marks, 0))
    ), wanted as (table counted union all table in_folders union all table tags union all table fields)
    select * from ((table found except all table wanted) union all (table wanted except all table found)
                   union all table wrongly_marked) it";

async fn agree(fixture: &SpaceFixture, after: &str) {
    let differences = fixture.rows(DIFFERENCES, &[]).await;
    assert!(
        differences.is_empty(),
        "after {after}: {:?}",
        differences.iter().map(|difference| difference.get::<_, &str>(1)).collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn the_tables_that_stories_are_found_by_follow_them_everywhere() {
    let fixture = SpaceFixture::new().await;
    agree(&fixture, "nothing").await;
    let blog = fixture.folder("Blog", "blog", 0).await;
    let tagged = |slug: &str| page(slug, slug, json!({ "parent_id": blog, "tag_list": ["a", "b"] }));
    let one = id(&fixture.published(tagged("one")).await);
    let two = id(&fixture.story(tagged("two")).await);
    let three = id(&fixture.published(tagged("three")).await);
    agree(&fixture, "creating").await;
    fixture.update(one, json!({ "tag_list": ["c"], "content": { "component": "post", "title": "new", "more": "text" } })).await;
    agree(&fixture, "saving with another content type").await;
    fixture.act("GET", one, "publish").await;
    fixture.act("GET", two, "publish").await;
    agree(&fixture, "publishing").await;
    fixture.act("PUT", one, &format!("move?after_id={three}")).await;
    fixture.update(three, json!({ "position": 77 })).await;
    fixture.update(two, json!({ "parent_id": 0 })).await;
    agree(&fixture, "moving").await;
    fixture.update(blog, json!({ "slug": "news" })).await;
    fixture.act("GET", two, "unpublish").await;
    agree(&fixture, "renaming a folder and unpublishing").await;
    fixture.write("DELETE", &format!("/stories/{blog}"), json!({}), 200).await;
    agree(&fixture, "deleting").await;
    fixture.act("GET", blog, "undelete").await;
    agree(&fixture, "undeleting").await;
    let store = &fixture.database.store;
    store.connection("test").await.unwrap().execute("delete from stories", &[]).await.unwrap();
    agree(&fixture, "removing for good").await;
}

#[tokio::test]
async fn an_import_writes_the_marks_that_any_other_write_makes() {
    let fixture = SpaceFixture::new().await;
    import(&fixture, fixture.space, &sample_space(), false).await;
    let session = fixture.connection().await;
    let marks = async || {
        let sql = "select edition::text || story_id, marks, more_marks from editions where not is_folder order by 1";
        let rows = session.rows(sql, &[]).await.unwrap();
        rows.iter().map(|row| (row.get::<_, String>(0), row.get::<_, i64>(1), row.get::<_, i64>(2))).collect::<Vec<_>>()
    };
    let imported = marks().await;
    let is_marked = |(_, marks, more): &&(String, i64, i64)| ![0, -1].contains(marks) && ![0, -1].contains(more);
    assert!(imported.iter().filter(is_marked).count() > 3, "{imported:?}");
    session.execute("update editions set tags = tags where not is_folder", &[]).await.unwrap();
    assert_eq!(marks().await, imported);
}

/// The indexes that 0058 drops, as far as it has to find them.
const ORDERS: [&str; 8] = ["order", "created", "updated", "published", "first_published", "name", "slug", "full_slug"];

#[tokio::test]
async fn stories_from_before_there_were_marks_get_them() {
    let fixture = SpaceFixture::new().await;
    fixture.folder("Blog", "blog", 0).await;
    fixture.published(page("one", "one", json!({ "tag_list": ["a", "b"] }))).await;
    fixture.story(page("two", "two", json!({ "content": { "component": "post", "title": "new" } }))).await;
    let (client, _) = storage::connect::single(&fixture.database.target, "").await.unwrap();
    client
        .batch_execute(
            "drop function editions_marked() cascade; drop function content_hash, content_marks;
             alter table editions drop column marks, drop column more_marks",
        )
        .await
        .unwrap();
    for order in ORDERS {
        client.batch_execute(&format!("create index editions_{order} on editions (space_id)")).await.unwrap();
    }
    for migration in [
        include_str!("../../../migrations/0058_content_marks.sql"),
        include_str!("../../../migrations/0059_marked_orders.sql"),
        include_str!("../../../migrations/0064_marks_of_content.sql"),
    ] {
        client.batch_execute(migration).await.unwrap();
    }
    agree(&fixture, "migrating").await;
    fixture.published(page("three", "three", json!({ "tag_list": ["a"] }))).await;
    agree(&fixture, "writing after that").await;
}
