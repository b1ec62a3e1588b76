//! Whole spaces, imported from their folders.

use domain::content::import::{Kind, Report, Status};
use support::{
    import::{assert_same, dump, example_spaces, import, own_spaces},
    prelude::*,
};

fn records(folder: &Path, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(format!("{file}.json"))).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()[file].as_array().unwrap().clone()
}

/// The lines of a report, for a readable comparison.
fn lines(report: &Report) -> Vec<String> {
    serde_json::to_string_pretty(report).unwrap().lines().map(str::to_owned).collect()
}

fn created(report: &Report, kind: Kind) -> u64 {
    report.counts.get(&kind).map_or(0, |count| count.created)
}

#[tokio::test]
async fn a_space_is_imported_completely() {
    imports_completely(own_spaces()).await;
}

#[tokio::test]
#[ignore = "reads the example spaces beside the repository: make shared-tests"]
async fn every_example_space_is_imported_completely() {
    imports_completely(example_spaces()).await;
}

async fn imports_completely(spaces: Vec<(String, PathBuf)>) {
    let fixture = SpaceFixture::new().await;
    for (name, folder) in spaces {
        let space = fixture.another_space().await;
        let done = import(&fixture, space.id, &folder, false).await;
        assert_eq!(done.status, Status::Succeeded, "{name}: {:?}", done.error);
        let report = &done.report;
        assert!(name == "sample_space" || report.failures.items.is_empty(), "{name}: {:#?}", report.failures.items);
        let stories = records(&folder, "stories");
        let folders = stories.iter().filter(|story| story["is_folder"] == true).count() as u64;
        assert_eq!(created(report, Kind::Folder), folders, "{name}");
        assert_eq!(created(report, Kind::Story), stories.len() as u64 - folders, "{name}");
        for (kind, file) in [
            (Kind::ComponentGroup, "component_groups"),
            (Kind::Preset, "presets"),
            (Kind::Datasource, "datasources"),
            (Kind::DatasourceEntry, "datasource_entries"),
        ] {
            assert_eq!(created(report, kind), records(&folder, file).len() as u64, "{name} {file}");
        }
        let components = report.counts[&Kind::Component];
        assert_eq!(components.created + components.skipped, records(&folder, "components").len() as u64, "{name}");
        // The content that is read back equals the source's, to the byte where nothing was rewritten.
        for story in stories.iter().filter(|story| story["is_folder"] == false) {
            let uuid: uuid::Uuid = story["uuid"].as_str().unwrap().parse().unwrap();
            let rows = fixture
                .rows(
                    "select edition::text, name, content, full_slug, tags from editions
                     where space_id = $1 and uuid = $2 order by edition",
                    &[&space.id, &uuid],
                )
                .await;
            let editions: Vec<&str> = rows.iter().map(|row| row.get("edition")).collect();
            let expected: &[&str] = if story["published"] == true { &["draft", "published"] } else { &["draft"] };
            assert_eq!(editions, expected, "{name} {}", story["full_slug"]);
            for row in &rows {
                let published = row.get::<_, &str>("edition") == "published";
                let of = |key: &str| story["_published"].get(key).filter(|_| published).unwrap_or(&story[key]).clone();
                assert_eq!(row.get::<_, &str>("name"), of("name"), "{name}");
                assert_eq!(row.get::<_, &str>("full_slug"), story["full_slug"], "{name}");
                assert_eq!(json!(row.get::<_, Vec<String>>("tags")), story["tag_list"], "{name}");
            }
        }
    }
}

#[tokio::test]
async fn a_second_import_changes_nothing() {
    imports_twice(own_spaces()).await;
}

#[tokio::test]
#[ignore = "reads the example spaces beside the repository: make shared-tests"]
async fn a_second_import_of_an_example_space_changes_nothing() {
    imports_twice(example_spaces()).await;
}

async fn imports_twice(spaces: Vec<(String, PathBuf)>) {
    let fixture = SpaceFixture::new().await;
    for (name, folder) in spaces {
        let space = fixture.another_space().await;
        let first = import(&fixture, space.id, &folder, false).await;
        let before = dump(&fixture.database.store, space.id).await;
        let second = import(&fixture, space.id, &folder, false).await;
        assert_same(&before, &dump(&fixture.database.store, space.id).await);
        for (kind, count) in &second.report.counts {
            assert_eq!((count.created, count.updated), (0, 0), "{name} {kind:?}");
            assert_eq!(count.unchanged, first.report.counts[kind].created, "{name} {kind:?}");
        }
        assert_eq!(second.report.checksums, first.report.checksums);
    }
}

#[tokio::test]
async fn a_dry_run_reports_the_same_and_writes_nothing() {
    runs_dry(own_spaces()).await;
}

#[tokio::test]
#[ignore = "reads the example spaces beside the repository: make shared-tests"]
async fn a_dry_run_of_an_example_space_reports_the_same_and_writes_nothing() {
    runs_dry(example_spaces()).await;
}

async fn runs_dry(spaces: Vec<(String, PathBuf)>) {
    let fixture = SpaceFixture::new().await;
    for (_, folder) in spaces {
        let space = fixture.another_space().await;
        let empty = dump(&fixture.database.store, space.id).await;
        let dry = import(&fixture, space.id, &folder, true).await;
        assert_same(&empty, &dump(&fixture.database.store, space.id).await);
        let real = import(&fixture, space.id, &folder, false).await;
        assert_same(&lines(&dry.report), &lines(&real.report));
        assert_eq!(import(&fixture, space.id, &folder, true).await.report.counts[&Kind::Story].created, 0);
    }
}
