//! Every story of whole spaces, as they were imported.

use support::{
    import::{example_spaces, import, own_spaces},
    prelude::*,
};

#[tokio::test]
async fn every_story_of_a_space_is_validated() {
    validates(own_spaces()).await;
}

#[tokio::test]
#[ignore = "reads the example spaces beside the repository: make shared-tests"]
async fn every_story_of_the_example_spaces_is_validated() {
    assert_eq!(validates(example_spaces()).await, 710);
}

/// Validates each story of these spaces twice, as draft and as content; how many there are.
async fn validates(spaces: Vec<(String, PathBuf)>) -> usize {
    let fixture = SpaceFixture::new().await;
    let mut count = 0;
    for (name, folder) in spaces {
        let space = fixture.another_space().await;
        let body = json!({ "space": { "publish_requires_valid": true } });
        let path = |below: &str| format!("/api/v1/spaces/{}{below}", space.id);
        fixture.put(Caller::Token(&space.admin), &path(""), body).await.expect(200);
        let done = import(&fixture, space.id, &folder, false).await;
        assert!(done.error.is_none(), "{name}: {:?}", done.error);
        let published = fixture
            .row("select count(*) as stories from editions where space_id = $1 and edition = 'published'", &[&space.id])
            .await;
        assert!(published.get::<_, i64>("stories") > 0, "{name}: an import does not validate");
        let rows = fixture
            .rows(
                "select story_id, content from editions where space_id = $1 and edition = 'draft' and component is not null",
                &[&space.id],
            )
            .await;
        for row in &rows {
            let (story, content) = (row.get::<_, i64>("story_id"), row.get::<_, Value>("content"));
            let path = path(&format!("/stories/{story}/validate"));
            let draft = fixture.post(Caller::Token(&space.admin), &path, json!({})).await.expect(200);
            let given = fixture.post(Caller::Token(&space.admin), &path, json!({ "content": content })).await.expect(200);
            assert_eq!(draft, given, "{name} {story}");
        }
        count += rows.len();
    }
    count
}
