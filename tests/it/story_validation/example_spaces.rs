//! Every story of whole spaces, as they were imported.

use domain::content::validation::{ComponentSource, Schemas, Surroundings, begin, validate};
use std::hint::black_box;
use support::{
    import::{example_spaces, import, own_spaces},
    prelude::*,
    spaces::example_space,
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

/// 447 blocks, in both passes of a validation. The goal is 5 ms; what the test compares with is the time that
/// the content needs to be parsed.
#[test]
#[ignore = "reads the example spaces beside the repository: make shared-tests"]
fn a_large_story_is_validated_in_little_more_time_than_it_is_parsed() {
    let folder = example_space("energy-site");
    let records = |file: &str| {
        let text = std::fs::read_to_string(folder.join(format!("{file}.json"))).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()[file].as_array().unwrap().clone()
    };
    let stories = records("stories");
    let content = &stories.iter().find(|story| story["slug"] == "page-enroll").unwrap()["content"];
    let (text, components) = (content.to_string(), records("components"));
    let names = Schemas::names(content);
    let used: Vec<&Value> = components.iter().filter(|component| names.contains(component["name"].as_str().unwrap())).collect();
    let sources = || used.iter().map(|component| source(component)).collect::<Vec<_>>();
    let (mut parsing, mut validating) = (Vec::new(), Vec::new());
    for _ in 0..50 {
        let began = Instant::now();
        let content: Value = serde_json::from_str(&text).unwrap();
        parsing.push(began.elapsed());
        let sources = sources();
        let began = Instant::now();
        let schemas = Schemas::new(sources, &[]);
        black_box(begin(&content, &schemas));
        black_box(validate(&content, &schemas, &Surroundings::default()));
        validating.push(began.elapsed());
    }
    let [parsing, validating] = [parsing, validating].map(|mut took| {
        took.sort();
        took[took.len() / 2]
    });
    println!("{} bytes: parsed in {parsing:?}, validated in {validating:?}", text.len());
    assert!(validating < 10 * parsing, "{validating:?} beside {parsing:?}");
}

fn source(component: &Value) -> ComponentSource {
    ComponentSource {
        name: component["name"].as_str().unwrap().to_owned(),
        schema: component["schema"].as_object().unwrap().clone(),
        group: None,
        tags: Vec::new(),
    }
}
