//! A page of a list reads about the rows that it answers, and not those that match.

use super::fixture;
use domain::{
    content::{query::Plan, story_scope::StoryScope},
    shared::{Parameters, SpaceId},
};
use storage::{
    Tx,
    content::delivery::{ContentVersion, ReadScope, relations::RelationPlan, stories, story},
};
use support::prelude::*;

/// How many stories the space has.
pub(super) const STORIES: i64 = 3_000;
/// How many of them match each filter.
const MATCHES: i64 = 600;
/// The most rows that a page of 25 may read: itself, the look-ups of its alternates, and a walk of five
/// entries for each where no index has all that is asked.
const MOST: i64 = 250;

/// Whether PostgreSQL knows what the tables contain.
#[derive(Clone, Copy)]
pub(super) enum Statistics {
    /// As in a space that was just written.
    Missing,
    /// As a minute later.
    Known,
}

/// The tables that lists read.
const TABLES: [&str; 7] =
    ["stories", "editions", "edition_fields", "edition_tags", "edition_counts", "folder_counts", "translated_slugs"];

/// A space in which every filter below has the same number of matches, scattered over the orders.
pub(super) async fn large(statistics: Statistics) -> SpaceFixture {
    let fixture = fixture(&[]).await;
    let session = fixture.database.store.connection("test.fill").await.unwrap();
    // Not by a vacuum of its own that happens to run.
    for table in TABLES {
        session.execute(&format!("alter table {table} set (autovacuum_enabled = false)"), &[]).await.unwrap();
    }
    let folder = json!({ "story": { "name": "Blog", "slug": "blog", "is_folder": true } });
    let made = fixture.editor().post("/stories", folder).await.expect(201);
    let blog = made["story"]["id"].as_i64().unwrap();
    let fill = "with made as (
            insert into stories (space_id, uuid, group_id, parent_id, is_folder, slug, full_slug, position, created_at, updated_at)
            select $1, gen_random_uuid(), gen_random_uuid(), case when n % 5 = 0 then $2::bigint else 0 end, false, 's' || n,
                   case when n % 5 = 0 then 'blog/' else '' end || 's' || n, (n * 7 % 1000)::integer, now() + n * interval '1 minute', now() - n * interval '1 minute'
            from generate_series(1, $3::bigint) n returning *
        ), published as (
            insert into editions (space_id, edition, story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder,
                                  component, content, doc, tags, group_id, created_at, updated_at, published_at, first_published_at)
            select space_id, 'published', id, uuid, md5(slug), slug, full_slug, parent_id, position, false, false,
                   case when id % 5 = 0 then 'post' else 'page' end, '{}',
                   jsonb_build_object('kind', 'kind-' || id % 5, 'price', (id * 7919 % 1009)::text), array['tag-' || id % 5], group_id,
                   created_at, updated_at, created_at + id % 7 * interval '1 day', updated_at + id % 11 * interval '1 hour'
            from made returning *
        ), fields as (
            insert into edition_fields (space_id, edition, story_id, position, field, value, is_whole, is_element)
            select space_id, edition, story_id, position, 'kind', 'kind-' || story_id % 5, true, false from published
            union all select space_id, edition, story_id, position, 'price', (story_id * 7919 % 1009)::text, true, false from published
        )
        insert into edition_tags (space_id, edition, story_id, position, tag)
        select space_id, edition, story_id, position, unnest(tags) from published";
    session.execute(fill, &[&fixture.space, &blog, &STORIES]).await.unwrap();
    if let Statistics::Known = statistics {
        for table in TABLES {
            session.execute(&format!("vacuum analyze {table}"), &[]).await.unwrap();
        }
    }
    drop(session);
    fixture
}

/// Rows that this transaction has read so far, whichever way.
pub(super) async fn rows_read(tx: &Tx<'_>) -> i64 {
    let sql = "select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint as read from pg_stat_xact_user_tables";
    tx.row(sql, &[]).await.unwrap().get("read")
}

pub(super) fn plan(filter: &str, order: &str, page: u32) -> Plan {
    let mut pairs = vec![("page".to_owned(), page.to_string())];
    let given = filter.split('&').chain(order.split('&')).filter_map(|pair| pair.split_once('='));
    pairs.extend(given.map(|(name, value)| (name.to_owned(), value.to_owned())));
    Plan::compile(&Parameters::new(pairs)).unwrap()
}

#[tokio::test]
async fn a_page_reads_what_it_answers_whatever_the_filter_and_the_order() {
    let fixture = large(Statistics::Known).await;
    let scope = ReadScope { space: SpaceId(fixture.space), version: ContentVersion::Published, stories: &StoryScope::All };
    let orders = ["published_at", "first_published_at", "created_at", "updated_at", "name", "slug", "position"]
        .iter()
        .flat_map(|property| [format!("sort_by={property}:asc"), format!("sort_by={property}:desc")])
        .chain([String::new()]);
    let filters = [
        "starts_with=blog/",
        "with_tag=tag-1",
        "content_type=post",
        "filter_query[kind][in]=kind-2",
        "filter_query[kind][in]=kind-2&with_tag=tag-2",
        "filter_query[kind][in]=kind-2,kind-7&with_tag=tag-2,tag-7",
    ]
    .map(|filter| (filter, MATCHES));
    let mut session = fixture.database.store.connection("test.rows").await.unwrap();
    let relations = RelationPlan::default();
    let mut failures = Vec::new();
    for order in orders {
        for (filter, matches) in filters.into_iter().chain([("", STORIES)]) {
            let tx = session.begin();
            let first = plan(filter, &order, 1);
            let before = rows_read(&tx).await;
            let (page, _) = stories::list(&tx, scope, &first, &relations).await.unwrap();
            let read = rows_read(&tx).await - before;
            assert_eq!((page.total, page.items.len()), (matches, 25), "{filter} {order}");
            if !(25..=MOST).contains(&read) {
                failures.push(format!("{filter} {order}: {read}"));
            }

            let later = plan(filter, &order, 7);
            let keys = stories::list_keys(&tx, scope, &later).await.unwrap();
            let before = rows_read(&tx).await;
            let (by_keys, _) = stories::list_by_keys(&tx, scope, &keys, later.page, &relations).await.unwrap().unwrap();
            let read = rows_read(&tx).await - before;
            let (by_itself, _) = stories::list(&tx, scope, &later, &relations).await.unwrap();
            let ids =
                |page: &domain::shared::Page<story::DeliveredStory>| page.items.iter().map(|story| story.id.0).collect::<Vec<_>>();
            assert_eq!((by_keys.total, ids(&by_keys)), (matches, ids(&by_itself)), "{filter} {order}");
            assert!((25..=100).contains(&read), "a page by its keys: {filter} {order}: {read}");
        }
    }
    assert!(failures.is_empty(), "more than {MOST} rows: {failures:#?}");
}

/// How often this transaction has looked into the indexes of fields and tags so far.
async fn looked_up(tx: &Tx<'_>) -> i64 {
    let sql = "select coalesce(sum(idx_scan), 0)::bigint as looked_up from pg_stat_xact_user_tables
               where relname in ('edition_fields', 'edition_tags')";
    tx.row(sql, &[]).await.unwrap().get("looked_up")
}

/// The index knows of each story what it cannot have: an order is walked past the others without a look at
/// them.
#[tokio::test]
async fn a_walk_looks_up_what_has_the_marks_of_the_filter() {
    let fixture = large(Statistics::Known).await;
    let scope = ReadScope { space: SpaceId(fixture.space), version: ContentVersion::Published, stories: &StoryScope::All };
    let mut session = fixture.database.store.connection("test.rows").await.unwrap();
    for filter in ["filter_query[kind][in]=kind-2", "with_tag=tag-2", "filter_query[kind][in]=kind-2&with_tag=tag-2"] {
        for order in [
            "published_at:desc",
            "created_at:asc",
            "updated_at:desc",
            "first_published_at:desc",
            "name:asc",
            "slug:desc",
            "full_slug:asc",
        ] {
            let tx = session.begin();
            let before = looked_up(&tx).await;
            let (page, _) =
                stories::list(&tx, scope, &plan(filter, &format!("sort_by={order}"), 1), &RelationPlan::default()).await.unwrap();
            assert_eq!((page.total, page.items.len()), (MATCHES, 25), "{filter} {order}");
            let scans = looked_up(&tx).await - before;
            let each = if filter.contains('&') { 2 } else { 1 };
            assert!((25 * each..40 * each).contains(&scans), "{filter} {order}: {scans} for 25 stories out of 125");
        }
    }
}
