//! Attributes that a front end or an editor would miss: the order of entries, the preview URL of a space, the
//! tags of assets.

use super::{
    folder::Folder,
    vendor::{imported, wanted, world_of},
};
use domain::content::import::Status;
use support::{
    import::{import, sample_space},
    prelude::*,
};

/// The only column of a query.
async fn column(fixture: &SpaceFixture, sql: &str) -> Vec<String> {
    fixture.column(sql).await
}

#[tokio::test]
async fn entries_that_changed_their_order_at_the_source_change_it_here() {
    let after = Folder::new();
    after.change("datasource_entries", |file| {
        let entries = file["datasource_entries"].as_array_mut().unwrap();
        entries.rotate_right(1);
        let mut new: Value = entries[0].clone();
        (new["id"], new["name"], new["value"]) = (89.into(), "Loudest".into(), "loudest".into());
        entries.insert(2, new);
    });
    let (_stand_in, fixture) = world_of([after.path().to_owned()], None, Setup::default()).await;
    assert_eq!(import(&fixture, fixture.space, Folder::new().path(), false).await.status, Status::Succeeded);
    let names = "select name from datasource_entries order by position, id";
    assert_eq!(column(&fixture, names).await, ["Quiet", "Loud", "Plain"]);
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(after.path())).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    assert_eq!(column(&fixture, names).await, ["Plain", "Quiet", "Loudest", "Loud"]);
}

#[tokio::test]
async fn where_a_space_is_shown_and_what_its_assets_are_tagged_with_comes_over() {
    let fixture = SpaceFixture::new().await;
    let space = fixture.another_space().await;
    assert_eq!(import(&fixture, space.id, &sample_space(), false).await.status, Status::Succeeded);
    let domain = format!("select domain from spaces where id = {}", space.id);
    assert_eq!(column(&fixture, &domain).await, ["https://sample-space.example.com/"]);
    let tags = format!("select internal_tag_ids::text from assets where space_id = {} and internal_tag_ids <> '{{}}'", space.id);
    assert_eq!(column(&fixture, &tags).await, ["{42}"]);

    // An invalid URL is left out with a warning.
    let odd = Folder::new();
    odd.change("space", |space| {
        space["domain"] = json!("javascript:alert(1)");
        let places = [("Staging", "https://staging.example.org/?path="), ("Odd", "ftp://x"), ("Own", "https://x.example")];
        space["environments"] = places.iter().map(|(name, location)| json!({ "name": name, "location": location })).collect();
    });
    let done = import(&fixture, fixture.space, odd.path(), false).await;
    assert!(done.report.warnings.items.iter().any(|item| item.code == "environmentInvalid"), "{:?}", done.report.warnings);
    let places = format!("select environments ->> 0 || (environments ->> 1) from spaces where id = {}", fixture.space);
    let kept = column(&fixture, &places).await;
    assert!(kept[0].contains("https://staging.example.org/?path=") && kept[0].contains("https://x.example"), "{kept:?}");
    assert!(done.report.warnings.items.iter().any(|item| item.code == "domainInvalid"), "{:?}", done.report.warnings);
    let nothing = format!("select coalesce(domain, '') from spaces where id = {}", fixture.space);
    assert_eq!(column(&fixture, &nothing).await, [""]);

    // A URL that was set here stays.
    fixture.sql("update spaces set domain = 'https://ours.example'").await;
    assert_eq!(import(&fixture, space.id, &sample_space(), false).await.status, Status::Succeeded);
    assert_eq!(column(&fixture, &domain).await, ["https://ours.example"]);
}

#[tokio::test]
async fn where_a_space_is_shown_comes_over_from_one_without_further_languages() {
    let (fixture, folder) = (SpaceFixture::new().await, Folder::new());
    folder.change("space", |space| {
        for name in ["languages", "default_lang_name", "options"] {
            space[name] = Value::Null;
        }
    });
    assert_eq!(import(&fixture, fixture.space, folder.path(), false).await.status, Status::Succeeded);
    assert_eq!(column(&fixture, "select domain from spaces").await, ["https://sample-space.example.com/"]);
}

#[tokio::test]
async fn stories_at_one_position_stay_in_their_order() {
    let (fixture, folder) = (SpaceFixture::new().await, Folder::new());
    let order = "select string_agg(slug, ' ' order by position, id) from stories where not is_folder and space_id = ";
    folder.change("stories", |file| {
        let stories = file["stories"].as_array_mut().unwrap();
        for story in stories.iter_mut() {
            story["position"] = json!(0);
        }
        // The ids decide, not the order of the records.
        stories.rotate_left(4);
    });
    let (stand_in, there) = world_of([folder.path().to_owned()], None, Setup::default()).await;
    import(&fixture, fixture.space, folder.path(), false).await;
    imported(&there, there.space, &there.admin, wanted(folder.path())).await;
    for fixture in [&fixture, &there] {
        assert_eq!(column(fixture, &format!("{order}{}", fixture.space)).await, ["home tools bench vice saw"]);
    }
    drop(stand_in);
}
