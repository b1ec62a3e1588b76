//! Sources that publish each translation by itself: unpublished translations stay unpublished.

use super::{
    folder::Folder,
    vendor::{imported, wanted, world},
};
use domain::content::import::{Report, Status};
use support::{import::import, prelude::*};
use vendor_stand_in::{Fault, What};

/// The published content of a story, and its draft.
async fn contents(fixture: &SpaceFixture, space: i64, path: &str) -> (String, String) {
    let sql = "select content::text as content from editions where space_id = $1 and full_slug = $2 order by edition desc";
    let rows = fixture.rows(sql, &[&space, &path]).await;
    let [published, draft] = [0, 1].map(|value| rows[value].get::<_, String>("content"));
    (published, draft)
}

fn left_out(report: &Report) -> Vec<(i64, &str)> {
    let told = report.warnings.items.iter().filter(|item| item.code == "translationUnpublished");
    told.map(|told| (told.id, told.label.as_str())).collect()
}

/// A story with a German translation that is not published.
fn unpublished() -> Folder {
    let folder = Folder::new();
    folder.story(206, |story| {
        story["content"]["body"][0]["kind__i18n__de"] = json!("leise");
        story["translated_slugs"] = json!([{"lang": "de", "slug": "schraubstock", "name": "Schraubstock", "published": false}]);
    });
    folder
}

#[tokio::test]
async fn a_translation_that_is_not_published_there_is_not_published_here() {
    let folder = unpublished();
    let (stand_in, fixture) = world([folder.path().to_owned()], None).await;
    let [second, local] = [fixture.another_space().await, fixture.another_space().await];
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    // The same if the delivery API returns nothing, and from a folder.
    stand_in.control.fault(Fault::of("/v2/cdn/", What::Status { code: 403, retry_after: None }));
    let blind = imported(&fixture, second.id, &second.admin, wanted(folder.path())).await;
    let from_folder = import(&fixture, local.id, folder.path(), false).await;
    for (space, done) in [(fixture.space, done), (second.id, blind), (local.id, from_folder)] {
        assert_eq!((done.status, left_out(&done.report)), (Status::Succeeded, vec![(206, "tools/vice")]));
        let (published, draft) = contents(&fixture, space, "tools/vice").await;
        assert!(!published.contains("leise") && published.contains("calmo"), "{published}");
        assert!(draft.contains("leise") && draft.contains("calmo"), "{draft}");
    }
}

#[tokio::test]
async fn a_translation_that_was_changed_since_is_published_as_it_was() {
    let folder = Folder::new();
    folder.change("space", |space| space["use_translated_stories"] = json!(true));
    folder.story(206, |story| {
        let mut published = story["content"].clone();
        published["body"][0]["kind__i18n__de"] = json!("leise");
        story["_published"] = json!({ "content": published });
        story["content"]["body"][0]["kind__i18n__de"] = json!("lautlos");
        story["translated_stories"] =
            json!([{"lang": "de", "published_at": "2024-03-02T08:00:00.000Z", "unpublished_changes": true}]);
    });
    let (_stand_in, fixture) = world([folder.path().to_owned()], None).await;
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    assert_eq!(left_out(&done.report), []);
    let (published, draft) = contents(&fixture, fixture.space, "tools/vice").await;
    assert!(published.contains("leise") && published.contains("calmo") && draft.contains("lautlos"), "{published}");
    // A folder contains its published content in all languages.
    let local = fixture.another_space().await;
    import(&fixture, local.id, folder.path(), false).await;
    let there = contents(&fixture, local.id, "tools/vice").await;
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!((read(&published), read(&draft)), (read(&there.0), read(&there.1)));
}

#[tokio::test]
async fn where_translations_are_published_with_their_stories_nothing_more_is_asked() {
    let folder = Folder::new();
    let (stand_in, fixture) = world([folder.path().to_owned()], None).await;
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!((done.status, left_out(&done.report)), (Status::Succeeded, vec![]));
    let paths = stand_in.control.counters().paths;
    // One story has changed since it was published; the delivery API redirects once.
    assert_eq!((paths["/v2/cdn/stories"], paths["/v1/spaces/70001/story_versions"]), (2, 1));
}

#[tokio::test]
async fn what_an_import_brings_again_counts_as_up_to_date() {
    let folder = Folder::new();
    folder.story(203, |story| story["content"]["headline__i18n__de"] = json!("Auf Deutsch"));
    let fixture = SpaceFixture::new().await;
    import(&fixture, fixture.space, folder.path(), false).await;
    let sql = "select story_id from editions where edition = 'draft' and content::text like '%Auf Deutsch%'";
    let id: i64 = fixture.row(sql, &[]).await.get("story_id");
    let outdated =
        async || fixture.row("select count(*) from story_translations where outdated <> '{}'", &[]).await.get::<_, i64>(0);
    assert_eq!(outdated().await, 0);

    let mut content = fixture.read(id).await["content"].clone();
    content["headline"] = json!("Edited here");
    fixture.update(id, json!({ "content": content })).await;
    assert_eq!(outdated().await, 1);
    folder.story(203, |story| story["content"]["headline"] = json!("Edited at the source"));
    import(&fixture, fixture.space, folder.path(), false).await;
    assert_eq!((&fixture.read(id).await["content"]["headline"], outdated().await), (&json!("Edited at the source"), 0));
}

#[tokio::test]
async fn how_far_stories_are_translated_is_kept_when_they_arrive() {
    let (folder, fixture) = (Folder::new(), SpaceFixture::new().await);
    let kept = async || {
        let sql = "select count(*) filter (where kept.schemas_revision = space.schemas_revision and kept.counts <> '[]') = count(*) as is_complete,
                          sum((select sum((language ->> 'missing')::integer) from jsonb_array_elements(kept.counts) as language))::bigint as missing
                   from stories story join spaces space on space.id = story.space_id
                   left join story_translations kept on kept.space_id = story.space_id and kept.story_id = story.id
                   where story.space_id = $1 and not story.is_folder";
        let rows = fixture.rows(sql, &[&fixture.space]).await;
        assert!(rows[0].get::<_, bool>("is_complete"));
        rows[0].get::<_, i64>("missing")
    };
    let done = import(&fixture, fixture.space, folder.path(), false).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    let missing = kept().await;
    folder.story(206, |story| {
        story["content"]["body"] =
            json!([{ "_uid": "6a1ef1b4-8d3a-4c7a-9f0e-4cf7b4f5d001", "component": "teaser", "headline": "In one language" }]);
    });
    let done = import(&fixture, fixture.space, folder.path(), false).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    assert!(kept().await > missing);
}
