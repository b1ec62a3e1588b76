//! A second import of a source whose components, presets, groups, datasources or assets have changed updates
//! them without duplicates.

use super::{changes::present, folder::Folder};
use domain::content::import::{Kind, Status};
use support::{
    import::{assert_same, dry_and_done, import},
    prelude::*,
};

/// Imports, changes the source, imports again, and compares with a space into which only the changed source
/// was imported.
async fn becomes(folder: Folder, change: impl FnOnce(&Folder), updated: &[(Kind, u64)]) {
    let fixture = SpaceFixture::new().await;
    assert_eq!(import(&fixture, fixture.space, folder.path(), false).await.report.failures.items, []);
    change(&folder);
    let (dry, done) = dry_and_done(&fixture, folder.path()).await;
    assert_eq!((done.status, &done.report.failures.items), (Status::Succeeded, &vec![]), "{:?}", done.error);
    for (kind, count) in updated {
        let counts = done.report.counts[kind];
        assert_eq!((counts.updated, counts.created), (*count, 0), "{kind:?}");
    }
    assert_eq!(dry.report, done.report);
    let clean = fixture.another_space().await;
    import(&fixture, clean.id, folder.path(), false).await;
    assert_same(&present(&fixture, fixture.space).await, &present(&fixture, clean.id).await);
    let again = import(&fixture, fixture.space, folder.path(), false).await;
    assert!(again.report.counts.values().all(|count| (count.created, count.updated) == (0, 0)), "{:?}", again.report.counts);
}

/// Changes the record with an id in a list.
fn record(folder: &Folder, list: &str, id: i64, change: impl FnOnce(&mut Value)) {
    folder.change(list, |file| {
        let records = file[list].as_array_mut().unwrap();
        change(records.iter_mut().find(|record| record["id"] == id).unwrap());
    });
}

/// Replaces a text in a whole list.
fn replace(folder: &Folder, list: &str, old: &str, new: &str) {
    folder.change(list, |file| *file = serde_json::from_str(&file.to_string().replace(old, new)).unwrap());
}

#[tokio::test]
async fn a_component_that_lost_attributes_and_one_that_has_another_name() {
    let folder = Folder::new();
    record(&folder, "components", 12, |value| {
        (value["description"], value["icon"], value["color"]) = (json!("Draws attention"), json!("block-image"), json!("#f00"));
        value["image"] = json!("https://a.storyblok.com/f/70001/8x6/0a1b2c3d4e/bench.png");
        (value["metadata"], value["internal_tag_ids"]) = (json!({ "a": 1 }), json!([42]));
    });
    let change = |folder: &Folder| {
        record(folder, "components", 12, |value| {
            for key in ["description", "icon", "color", "image", "preset_id"] {
                value[key] = json!(null);
            }
            value.as_object_mut().unwrap().remove("metadata");
            value["internal_tag_ids"] = json!([]);
        });
        record(folder, "components", 13, |value| value["name"] = json!("prose"));
        replace(folder, "stories", "\"component\":\"text\"", "\"component\":\"prose\"");
    };
    becomes(folder, change, &[(Kind::Component, 2), (Kind::Preset, 0)]).await;
}

#[tokio::test]
async fn groups_presets_and_folders_that_were_renamed_moved_or_lost_attributes() {
    let folder = Folder::new();
    record(&folder, "presets", 31, |value| {
        (value["color"], value["icon"], value["description"]) = (json!("#0f0"), json!("star"), json!("Shouts"));
        value["image"] = json!("https://a.storyblok.com/f/70001/8x6/0a1b2c3d4e/bench.png");
    });
    let change = |folder: &Folder| {
        record(folder, "presets", 31, |value| {
            for key in ["color", "icon", "description", "image"] {
                value[key] = json!(null);
            }
            (value["name"], value["preset"]["headline"]) = (json!("Louder"), json!("!!"));
        });
        for (list, id) in [("component_groups", 2), ("asset_folders", 92)] {
            record(folder, list, id, |value| {
                (value["name"], value["parent_id"], value["parent_uuid"]) = (json!("Other"), json!(null), json!(null));
            });
        }
    };
    becomes(folder, change, &[(Kind::Preset, 1), (Kind::ComponentGroup, 1), (Kind::AssetFolder, 1)]).await;
}

#[tokio::test]
async fn groups_and_folders_of_which_the_lower_one_comes_to_stand_above() {
    let change = |folder: &Folder| {
        for (list, above, below) in [("component_groups", 1, 2), ("asset_folders", 91, 92)] {
            record(folder, list, below, |value| (value["parent_id"], value["parent_uuid"]) = (json!(null), json!(null)));
            record(folder, list, above, |value| value["parent_id"] = json!(below));
        }
    };
    becomes(Folder::new(), change, &[(Kind::ComponentGroup, 2), (Kind::AssetFolder, 2)]).await;
}

#[tokio::test]
async fn a_group_that_would_stand_in_itself_comes_to_the_top() {
    let (fixture, folder) = (SpaceFixture::new().await, Folder::new());
    record(&folder, "component_groups", 2, |value| (value["parent_id"], value["parent_uuid"]) = (json!(null), json!(null)));
    import(&fixture, fixture.space, folder.path(), false).await;
    // Here the first group is moved into the second; at the source the second is moved into the first.
    let session = fixture.connection().await;
    let first = "update component_groups own set parent_id = other.id from component_groups other
                 where own.name = 'Layout' and other.name = 'Text'";
    assert_eq!(session.execute(first, &[]).await.unwrap(), 1);
    record(&folder, "component_groups", 2, |value| value["parent_id"] = json!(1));
    let (dry, done) = dry_and_done(&fixture, folder.path()).await;
    assert_eq!(done.report.failures.items.len(), 0);
    let told: Vec<_> = done.report.warnings.items.iter().map(|item| (&*item.code, item.kind, item.id)).collect();
    assert!(told.contains(&("parentMissing", Kind::ComponentGroup, 2)), "{told:?}");
    assert_eq!(dry.report, done.report);
    let circles = session.row("select count(*) from component_groups own join component_groups above on own.parent_id = above.id and above.parent_id = own.id", &[]).await;
    assert_eq!(circles.unwrap().get::<_, i64>(0), 0);
}

#[tokio::test]
async fn datasources_dimensions_and_entries_that_have_other_names() {
    let change = |folder: &Folder| {
        record(folder, "datasources", 61, |value| {
            (value["name"], value["slug"]) = (json!("Sorts"), json!("sorts"));
            value["dimensions"][0]["entry_value"] = json!("de-at");
        });
        replace(folder, "datasource_entries", "\"de\":", "\"de-at\":");
        record(folder, "datasource_entries", 81, |value| (value["name"], value["value"]) = (json!("Silent"), json!("silent")));
        record(folder, "datasource_entries", 83, |value| value["name"] = json!("Simple"));
    };
    becomes(Folder::new(), change, &[(Kind::Datasource, 1), (Kind::DatasourceEntry, 3)]).await;
}

#[tokio::test]
async fn datasources_and_entries_that_exchange_their_names() {
    let change = |folder: &Folder| {
        record(folder, "datasources", 61, |value| (value["name"], value["slug"]) = (json!("Empty"), json!("empty")));
        record(folder, "datasources", 62, |value| (value["name"], value["slug"]) = (json!("Kinds"), json!("kinds")));
        // Each gets the name of the next, and a new one gets the name that becomes free.
        for (id, name) in [(81, "Loud"), (82, "Plain"), (83, "Last")] {
            record(folder, "datasource_entries", id, |value| value["name"] = json!(name));
        }
    };
    becomes(Folder::new(), change, &[(Kind::Datasource, 2), (Kind::DatasourceEntry, 3)]).await;
}

#[tokio::test]
async fn a_dry_run_warns_of_plugins_as_the_import_does() {
    let (fixture, folder) = (SpaceFixture::new().await, Folder::new());
    record(&folder, "components", 12, |value| value["schema"]["gadget"] = json!({ "type": "custom", "field_type": "viewer" }));
    folder.story(203, |story| {
        let url = "https://a.storyblok.com/f/70001/8x6/0a1b2c3d4e/bench.png";
        story["content"]["body"][0]["gadget"] = json!({ "plugin": "viewer", "shown": url });
    });
    for _ in 0..2 {
        let (dry, done) = dry_and_done(&fixture, folder.path()).await;
        assert_eq!(done.report.warnings.by_code.get("pluginRewritten"), Some(&1));
        assert_eq!(dry.report, done.report);
    }
}

#[tokio::test]
async fn an_asset_that_was_deleted_here_stays_in_the_trash_and_is_named_where_it_was() {
    let (fixture, folder) = (SpaceFixture::new().await, Folder::new());
    import(&fixture, fixture.space, folder.path(), false).await;
    let asset = fixture.value::<i64>("select id from assets where name = 'bench.png'").await;
    fixture.editor().delete(&format!("/assets/{asset}")).await.expect(200);
    let before = present(&fixture, fixture.space).await;
    let (dry, done) = dry_and_done(&fixture, folder.path()).await;
    assert_eq!(dry.report, done.report);
    let told: Vec<_> = done.report.warnings.items.iter().filter(|item| item.code == "inTrash").map(|item| item.id).collect();
    assert_eq!(told, [101]);
    let counts = done.report.counts[&Kind::Asset];
    assert_eq!((counts.created, counts.unchanged, counts.skipped), (0, 2, 1));
    assert_same(&before, &present(&fixture, fixture.space).await);
}
