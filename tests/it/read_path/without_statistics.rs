//! Reads of a space that was just written, of which PostgreSQL has no statistics yet.

use super::list_rows::{STORIES, Statistics, large, plan, rows_read};
use domain::{content::story_scope::StoryScope, shared::SpaceId};
use storage::content::delivery::{ContentVersion, ReadScope, relations::RelationPlan, stories};
use support::prelude::*;

/// A statement that compares each story with each other one, or with each entry of an index, reads hundreds
/// of times as many rows as the space has.
#[tokio::test]
async fn no_read_depends_on_statistics() {
    let fixture = large(Statistics::Missing).await;
    let scope = ReadScope { space: SpaceId(fixture.space), version: ContentVersion::Published, stories: &StoryScope::All };
    let filters = [
        "",
        "starts_with=blog/",
        "with_tag=tag-1",
        "content_type=post",
        "search_term=blog",
        "filter_query[kind][in]=kind-2",
        "filter_query[kind][in]=kind-2&with_tag=tag-2",
        "filter_query[kind][in]=kind-2&starts_with=blog/",
        "filter_query[kind][in]=kind-2&filter_query[price][lt_int]=500",
        "filter_query[kind][in]=kind-2&filter_query[price][any_in_array]=500",
        "filter_query[__or][][kind][in]=kind-2",
        "filter_query[__or][][kind][in]=kind-2&filter_query[__or][][kind][in]=kind-3",
        "filter_query[price][gt_int]=500",
    ];
    let orders =
        ["", "sort_by=name:desc", "sort_by=published_at:desc", "sort_by=content.price:asc:int", "sort_by=content.kind:desc"];
    let mut session = fixture.database.store.connection("test.rows").await.unwrap();
    let mut failures = Vec::new();
    for (filter, order) in filters.iter().flat_map(|filter| orders.map(|order| (filter, order))) {
        // A number that leaves out nothing, as conditions that no index answers.
        let filter = format!("{filter}&excluding_ids=1");
        let tx = session.begin();
        let relations = RelationPlan { steps: vec![vec!["page.related".to_owned()]], limit: 50 };
        let before = rows_read(&tx).await;
        let (page, _) = stories::list(&tx, scope, &plan(&filter, order, 1), &relations).await.unwrap();
        let between = rows_read(&tx).await;
        let keys = stories::list_keys(&tx, scope, &plan(&filter, order, 1)).await.unwrap();
        let reads = [between - before, rows_read(&tx).await - between];
        assert_eq!(page.total, keys.total(), "{filter} {order}");
        if reads.iter().any(|read| *read > 10 * STORIES) {
            failures.push(format!("{filter} {order}: a page {}, all keys {}", reads[0], reads[1]));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[tokio::test]
async fn one_story_and_what_it_refers_to_are_looked_up() {
    let fixture = large(Statistics::Missing).await;
    let scope = ReadScope { space: SpaceId(fixture.space), version: ContentVersion::Published, stories: &StoryScope::All };
    let database = &fixture.database.store;
    let refer = "update editions set refs = array(select 'page.related ' || uuid from editions other
                                                  where other.space_id = $1 and other.edition = 'published' order by story_id limit 5)
                 where space_id = $1 and edition = 'published' and slug = 's7'";
    database.connection("test.refer").await.unwrap().execute(refer, &[&fixture.space]).await.unwrap();
    let mut session = database.connection("test.rows").await.unwrap();
    let sql = "select story_id, uuid from editions where space_id = $1 and edition = 'published' and slug = 's7'";
    let row = session.rows(sql, &[&fixture.space]).await.unwrap();
    let (id, uuid): (i64, Uuid) = (row[0].get("story_id"), row[0].get("uuid"));
    let relations = RelationPlan { steps: vec![vec!["page.related".to_owned()]], limit: 50 };
    for (text, language) in
        ["s7", &id.to_string(), &uuid.to_string()].into_iter().flat_map(|text| [(text, None), (text, Some("de"))])
    {
        let identifier = stories::Identifier { text: text.to_owned(), language: language.map(str::to_owned) };
        let tx = session.begin();
        let before = rows_read(&tx).await;
        let (story, related) = stories::find(&tx, scope, &identifier, &relations).await.unwrap().unwrap();
        let read = rows_read(&tx).await - before;
        assert_eq!(story.id.0, id);
        assert!(story.linked.is_empty() && related.get(uuid).is_none());
        // A path is looked for among all stories of the space while PostgreSQL does not know which index of
        // the version is best: once, and once in the language.
        let paths = 2 * STORIES;
        assert!(read < 100 + paths, "{text} {language:?}: {read}");

        let before = rows_read(&tx).await;
        assert_eq!(stories::by_uuids(&tx, scope, &[uuid]).await.unwrap().len(), 1);
        let read = rows_read(&tx).await - before;
        assert!(read < 50, "by UUID: {read}");
    }
}
