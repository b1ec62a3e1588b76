//! A second import of a source that has changed has the same result as a first import of the changed source.

use super::{
    folder::Folder,
    vendor::{imported, wanted, world},
};
use domain::content::import::{Kind, Status};
use support::{
    import::{assert_same, dry_and_done, dump, import},
    prelude::*,
};
use vendor_stand_in::{Fault, What};

/// A dump without the version history, which an update extends.
pub async fn present(fixture: &SpaceFixture, space: i64) -> Vec<String> {
    let lines = dump(&fixture.database.store, space).await;
    let history = ["last_version", "published_version"];
    let without = |line: String| match line.strip_prefix("story ") {
        Some(row) => {
            let mut row: Value = serde_json::from_str(row).unwrap();
            for key in history {
                row.as_object_mut().unwrap().remove(key);
            }
            format!("story {row}")
        }
        None => line,
    };
    lines.into_iter().filter(|line| !line.starts_with("version ")).map(without).collect()
}

/// Imports, changes the source, imports again, and compares with a space into which only the changed source
/// was imported.
async fn becomes(change: impl FnOnce(&Folder), updated: u64) {
    becomes_from(Folder::new(), change, updated).await;
}

/// The same with a given source.
pub async fn becomes_from(folder: Folder, change: impl FnOnce(&Folder), updated: u64) {
    let fixture = SpaceFixture::new().await;
    import(&fixture, fixture.space, folder.path(), false).await;
    change(&folder);
    let (dry, done) = dry_and_done(&fixture, folder.path()).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    assert_eq!(done.report.failures.items, []);
    assert_eq!(done.report.counts[&Kind::Story].updated + done.report.counts[&Kind::Folder].updated, updated);
    assert_eq!(dry.report.counts, done.report.counts);
    let clean = fixture.another_space().await;
    import(&fixture, clean.id, folder.path(), false).await;
    assert_same(&present(&fixture, fixture.space).await, &present(&fixture, clean.id).await);
    let again = import(&fixture, fixture.space, folder.path(), false).await;
    assert_eq!(again.report.counts[&Kind::Story].updated, 0, "it is what it is to be");
}

#[tokio::test]
async fn a_story_that_was_edited_published_or_taken_offline() {
    becomes(
        |folder| {
            folder.story(203, |story| {
                story["content"]["headline"] = json!("Another one");
                story["name"] = json!("Another name");
                story["tag_list"] = json!(["new"]);
            });
            folder.story(205, |story| {
                story["published"] = json!(true);
                story["unpublished_changes"] = json!(false);
                story.as_object_mut().unwrap().remove("_published");
            });
            folder.story(206, |story| story["published"] = json!(false));
            folder.story(207, |story| story["published"] = json!(true));
        },
        4,
    )
    .await;
}

#[tokio::test]
async fn a_story_that_was_changed_behind_what_is_published() {
    becomes(
        |folder| {
            folder.story(206, |story| {
                story["_published"] = json!({ "content": story["content"].clone(), "name": "As before" });
                story["unpublished_changes"] = json!(true);
                story["content"]["headline"] = json!("To come");
            });
            // Published again without changes: only the time differs.
            folder.story(203, |story| story["published_at"] = json!("2025-05-05T05:05:05.000Z"));
        },
        2,
    )
    .await;
}

#[tokio::test]
async fn a_story_that_is_offline_has_no_time_of_publishing_but_that_of_the_first() {
    let (fixture, folder) = (SpaceFixture::new().await, Folder::new());
    folder.story(207, |story| {
        story["published_at"] = json!("2025-05-05T05:05:05.000Z");
        story["first_published_at"] = json!("2024-04-04T04:04:04.000Z");
    });
    import(&fixture, fixture.space, folder.path(), false).await;
    for table in ["stories", "editions"] {
        let sql = format!(
            "select published_at::text as at, first_published_at::text as first from {table} where full_slug = 'tools/old/saw'"
        );
        let row = fixture.row(&sql, &[]).await;
        let (at, first): (Option<String>, Option<String>) = (row.get("at"), row.get("first"));
        assert_eq!((at, first.as_deref()), (None, Some("2024-04-04 04:04:04+00")), "{table}");
    }
}

#[tokio::test]
async fn a_story_that_the_source_gave_another_uuid() {
    becomes(|folder| folder.story(206, |story| story["uuid"] = json!("6f1c7bb5-6d5c-4d1e-9e0e-0c9a0d2f7b22")), 1).await;
}

#[tokio::test]
async fn stories_and_folders_that_were_moved_or_translated_anew() {
    becomes(
        |folder| {
            folder.story(206, |story| (story["parent_id"], story["full_slug"]) = (json!(202), json!("tools/old/vice")));
            folder.story(202, |story| (story["slug"], story["full_slug"]) = (json!("ancient"), json!("tools/ancient")));
            folder.story(203, |story| story["translated_slugs"] = json!([{"lang": "de", "slug": "heim", "name": "Heim"}]));
            folder.story(205, |story| story["position"] = json!(77));
        },
        4,
    )
    .await;
}

#[tokio::test]
async fn stories_moved_here_move_back_with_everything_below_them() {
    let (fixture, folder) = (SpaceFixture::new().await, Folder::new());
    import(&fixture, fixture.space, folder.path(), false).await;
    let before = present(&fixture, fixture.space).await;
    let sql = "select id from stories where space_id = $1 and full_slug = 'tools' and is_folder";
    let id: i64 = fixture.row(sql, &[&fixture.space]).await.get("id");
    let moved = json!({ "story": { "name": "Tools", "slug": "elsewhere" } });
    fixture.editor().put(&format!("/stories/{id}"), moved).await.expect(200);
    folder.change("stories", |file| {
        let stories = file["stories"].as_array_mut().unwrap();
        let mut more = stories.iter().find(|story| story["id"] == 206).unwrap().clone();
        (more["id"], more["slug"], more["full_slug"]) = (json!(208), json!("more"), json!("tools/more"));
        more["uuid"] = json!("6f1c7bb5-6d5c-4d1e-9e0e-0c9a0d2f7b11");
        more["group_id"] = more["uuid"].clone();
        stories.push(more);
    });
    let done = import(&fixture, fixture.space, folder.path(), false).await;
    assert_eq!((done.status, done.report.failures.total), (Status::Succeeded, 0));
    let clean = fixture.another_space().await;
    import(&fixture, clean.id, folder.path(), false).await;
    let paths = |lines: Vec<String>| -> Vec<String> {
        let path =
            |value: &String| Some(serde_json::from_str::<Value>(value.strip_prefix("story ")?).unwrap()["full_slug"].to_string());
        lines.iter().filter_map(path).collect()
    };
    let here = paths(present(&fixture, fixture.space).await);
    assert_eq!(here, paths(present(&fixture, clean.id).await));
    assert_eq!(here.len(), paths(before).len() + 1);
}

#[tokio::test]
async fn published_content_stays_when_the_source_no_longer_shows_it() {
    let folder = Folder::new();
    let (stand_in, fixture) = world([folder.path().to_owned()], None).await;
    imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    let published = async || {
        let sql = "select content::text as content from editions where space_id = $1 and edition = 'published' and full_slug = 'tools/bench'";
        fixture.row(sql, &[&fixture.space]).await.get::<_, String>("content")
    };
    let before = published().await;
    let refused = || What::Status { code: 403, retry_after: None };
    stand_in.control.fault(Fault::of("/story_versions", refused()));
    stand_in.control.fault(Fault::of("/v2/cdn/", refused()));
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!(done.report.warnings.by_code["publishedCopyMissing"], 1);
    assert_eq!(published().await, before);
}

#[tokio::test]
async fn published_content_in_all_languages_comes_from_the_delivery_api_when_versions_do_not_show_it() {
    let folder = Folder::new();
    folder.story(205, |story| {
        let mut published = story["content"].clone();
        published["body"].as_array_mut().unwrap().truncate(1);
        published["body"][0]["headline__i18n__de"] = json!("Als sie erschien");
        published["body"][0]["headline__i18n__pt_br"] = json!("Quando apareceu");
        story["_published"] = json!({ "content": published });
    });
    let (stand_in, fixture) = world([folder.path().to_owned()], None).await;
    stand_in.control.fault(Fault::of("/story_versions", What::Status { code: 403, retry_after: None }));
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    assert!(!done.report.warnings.by_code.contains_key("publishedCopyMissing"), "{:?}", done.report.warnings);
    let clean = fixture.another_space().await;
    import(&fixture, clean.id, folder.path(), false).await;
    let store = &fixture.database.store;
    assert_same(&dump(store, fixture.space).await, &dump(store, clean.id).await);
}

#[tokio::test]
async fn presets_and_fields_name_stories_and_assets_as_they_are_here_from_the_first_import_on() {
    let folder = Folder::new();
    let url = "https://a.storyblok.com/f/70001/8x6/0a1b2c3d4e/bench.png";
    let gone = "6f1c7bb5-6d5c-4d1e-9e0e-0c9a0d2f7bff";
    folder.change("components", |file| {
        let schema = &mut file["components"][2]["schema"];
        schema["related"]["default_value"] = json!("206");
        schema["copy"]["default_value"] = json!(format!("see {url}"));
    });
    folder.change("presets", |file| {
        file["presets"][0]["component_id"] = json!(13);
        file["presets"][0]["preset"] = json!({ "component": "text", "related": ["206", gone], "kind": url });
    });
    let fixture = SpaceFixture::new().await;
    let (dry, done) = dry_and_done(&fixture, folder.path()).await;
    let broken: Vec<_> = done.report.broken_references.items.iter().map(|item| (item.kind, item.id)).collect();
    assert!(broken.contains(&(Kind::Preset, 31)), "{broken:?}");
    assert_eq!(done.report.urls_in_text, dry.report.urls_in_text);
    assert!(done.report.urls_in_text > 0);

    let sql = "select (select id from stories where space_id = $1 and full_slug = 'tools/vice') as story,
                      (select preset::jsonb from presets where space_id = $1) as preset,
                      (select schema::jsonb from components where space_id = $1 and name = 'text') as schema";
    let row = fixture.row(sql, &[&fixture.space]).await;
    let (story, preset, schema): (i64, Value, Value) = (row.get("story"), row.get("preset"), row.get("schema"));
    assert_eq!(preset["related"], json!([story.to_string(), gone]));
    assert!(preset["kind"].as_str().unwrap().contains(&format!("/f/{}/", fixture.space)), "{preset}");
    assert_eq!(schema["related"]["default_value"], story.to_string());
    assert!(schema["copy"]["default_value"].as_str().unwrap().contains(&format!("/f/{}/", fixture.space)), "{schema}");
    let again = import(&fixture, fixture.space, folder.path(), false).await;
    assert_eq!((again.report.counts[&Kind::Preset].unchanged, again.report.counts[&Kind::Component].unchanged), (1, 3));
}

#[tokio::test]
async fn what_was_published_with_other_data_than_the_draft_has_is_published_so() {
    let folder = Folder::new();
    folder.story(205, |story| {
        (story["path"], story["sort_by_date"]) = (json!("/new"), json!("2026-02-02"));
        let published = story["_published"].as_object_mut().unwrap();
        published.extend([
            ("path".into(), json!(null)),
            ("sort_by_date".into(), json!("2025-01-01")),
            ("meta_data".into(), json!(null)),
        ]);
    });
    let (_stand_in, fixture) = world([folder.path().to_owned()], None).await;
    imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    let local = fixture.another_space().await;
    import(&fixture, local.id, folder.path(), false).await;
    let sql = "select edition::text, path, sort_by_date::text as date, meta_data::text as data from editions
               where space_id = $1 and full_slug = 'tools/bench' order by edition";
    for space in [fixture.space, local.id] {
        let rows = fixture.rows(sql, &[&space]).await;
        let line = |row: &tokio_postgres::Row| {
            ["edition", "path", "date", "data"].map(|value| row.get::<_, Option<String>>(value).unwrap_or_default())
        };
        let lines: Vec<_> = rows.iter().map(line).collect();
        assert_eq!(lines, [["draft", "/new", "2026-02-02", r#"{"note":1}"#], ["published", "", "2025-01-01", ""]]);
    }
}

/// Each story's path, its own schedule and its further schedulings.
async fn plans(fixture: &SpaceFixture, space: i64) -> Vec<String> {
    let sql = "select story.full_slug, story.publish_at::text as publish_at, story.expire_at::text as expire_at,
                      array(select it.publish_at::text from story_schedulings it where it.space_id = story.space_id
                            and it.story_id = story.id and it.status = 'scheduled' order by 1) as planned
               from stories story where story.space_id = $1 and not is_folder order by 1";
    let rows = fixture.rows(sql, &[&space]).await;
    let line = |row: &tokio_postgres::Row| {
        let of = |name| row.get::<_, Option<String>>(name).unwrap_or_default();
        let planned: Vec<String> = row.get("planned");
        let all = [of("publish_at"), of("expire_at"), planned.join(" ")];
        (!all.concat().is_empty()).then(|| format!("{}: {}", row.get::<_, String>("full_slug"), all.join(", ")))
    };
    rows.iter().filter_map(line).collect()
}

#[tokio::test]
async fn schedulings_are_imported() {
    let folder = Folder::new();
    folder.story(206, |story| {
        story["expire_at"] = json!("2027-01-01T00:00:00.000Z");
        story["_schedulings"] = json!([
            {"publish_at": "2026-04-01 10:00", "status": "scheduled"}, {"publish_at": "2026-05-01 10:00", "status": "scheduled"},
            {"publish_at": "2026-02-01 10:00", "status": "scheduled"}, {"publish_at": "2026-06-01 10:00", "status": "deleted"}]);
    });
    // Past schedulings were executed at the source.
    folder.story(203, |story| story["publish_at"] = json!("2026-02-01T00:00:00.000Z"));
    let first = [
        "tools/old/saw: 2030-01-01 08:00:00+00, , ".to_owned(),
        "tools/vice: , 2027-01-01 00:00:00+00, 2026-04-01 10:00:00+00 2026-05-01 10:00:00+00".to_owned(),
    ];
    let (stand_in, fixture) = world([folder.path().to_owned()], None).await;
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    assert_eq!(plans(&fixture, fixture.space).await, first);
    let local = fixture.another_space().await;
    import(&fixture, local.id, folder.path(), false).await;
    assert_eq!(plans(&fixture, local.id).await, first);
    drop(stand_in);

    folder.story(206, |story| {
        story["expire_at"] = json!(null);
        story["_schedulings"] = json!([{"publish_at": "2026-05-01 10:00"}, {"publish_at": "2026-07-01 10:00"}]);
    });
    let done = import(&fixture, local.id, folder.path(), false).await;
    assert_eq!(done.report.counts[&Kind::Story].updated, 1);
    assert_eq!(plans(&fixture, local.id).await[1], "tools/vice: , , 2026-05-01 10:00:00+00 2026-07-01 10:00:00+00");
}

#[tokio::test]
async fn a_plan_for_a_language_that_the_space_lacks_is_left_out_and_named() {
    let folder = Folder::new();
    folder.change("space", |space| space["languages"] = json!([{"code": "pt-br", "name": "Português"}]));
    let plan = |language, publish_at| json!({"publish_at": publish_at, "language": language, "action": "unpublish"});
    folder.story(206, |story| {
        story["_schedulings"] = json!([
            plan("pt-BR", "2026-05-01 10:00"),
            plan("pt_br", "2026-05-01 10:00"),
            plan("fr", "2026-05-02 10:00"),
            plan("[default]", "2026-05-03 10:00"),
            plan("fr", "2026-02-01 10:00")
        ]);
    });
    let fixture = SpaceFixture::new().await;
    let (dry, done) = dry_and_done(&fixture, folder.path()).await;
    for report in [dry.report, done.report] {
        let told = report.warnings.items.iter().filter(|item| item.code == "scheduleLanguageMissing");
        let told: Vec<_> = told.map(|item| (item.label.as_str(), item.message.as_str())).collect();
        let message =
            "was to be taken offline in fr at 2026-05-02T10:00:00Z, a language that this space does not have: that is left out";
        assert_eq!(told, [("tools/vice", message)]);
    }
    let kept = "select language from story_schedulings order by publish_at";
    assert_eq!(fixture.column::<String>(kept).await, ["pt-br", "[default]"]);

    // Once the space has the language, the next import brings its plan.
    let languages = json!({"space": {"languages": [{"code": "pt-br", "name": "Português"}, {"code": "fr", "name": "Français"}]}});
    fixture.admin().put("", languages).await.expect(200);
    import(&fixture, fixture.space, folder.path(), false).await;
    assert_eq!(fixture.column::<String>(kept).await, ["pt-br", "fr", "[default]"]);
}

/// The same values with the keys of each object in the opposite order.
fn turned(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(turned).collect(),
        Value::Object(members) => Value::Object(members.iter().rev().map(|(key, value)| (key.clone(), turned(value))).collect()),
        other => other.clone(),
    }
}

#[tokio::test]
async fn a_published_copy_whose_keys_come_in_another_order_is_no_change() {
    let folder = Folder::new();
    folder.story(205, |story| {
        story["_published"] = json!({ "content": turned(&story["content"]), "meta_data": turned(&story["meta_data"]) });
    });
    let (_stand_in, fixture) = world([folder.path().to_owned()], None).await;
    let local = fixture.another_space().await;
    imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    import(&fixture, local.id, folder.path(), false).await;
    let sql = "select space_id from stories where full_slug = 'tools/bench' and unpublished_changes";
    let changed: Vec<i64> = fixture.column(sql).await;
    assert_eq!(changed, Vec::<i64>::new());
}

#[tokio::test]
async fn records_whose_keys_come_in_another_order_are_unchanged() {
    let (fixture, folder) = (SpaceFixture::new().await, Folder::new());
    folder.change("assets", |file| file["assets"][0]["meta_data"] = json!({ "alt": "A", "title__i18n__de": "B" }));
    let first = import(&fixture, fixture.space, folder.path(), false).await;
    let before = dump(&fixture.database.store, fixture.space).await;
    for name in ["assets", "presets", "stories"] {
        folder.change(name, |file| *file = turned(file));
    }
    let again = import(&fixture, fixture.space, folder.path(), false).await;
    for kind in [Kind::Asset, Kind::Preset, Kind::Story, Kind::Folder] {
        let (first, again) = (first.report.counts[&kind], again.report.counts[&kind]);
        assert_eq!((again.unchanged, again.updated), (first.created, 0), "{kind:?}");
    }
    assert_same(&before, &dump(&fixture.database.store, fixture.space).await);
}
