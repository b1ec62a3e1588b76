//! Sources that return less, or something else, than they announce: each problem is reported, and all other
//! records are imported.

use super::{
    folder::Folder,
    vendor::{imported, wanted, world, world_with},
};
use domain::content::import::{Findings, ImportError, Kind, Status};
use support::{
    import::{assert_same, dry_and_done, dump, import},
    prelude::*,
};
use vendor_stand_in::{Fault, What};

/// Id and code of each finding.
fn told(findings: &Findings) -> Vec<(i64, &str)> {
    let mut all: Vec<_> = findings.items.iter().map(|item| (item.id, item.code.as_str())).collect();
    all.sort_unstable();
    all
}

fn message(findings: &Findings, id: i64) -> &str {
    &findings.items.iter().find(|item| item.id == id).unwrap().message
}

/// Adds copies of the first asset with other URLs and attributes.
fn add_assets(folder: &Folder, more: &[(i64, &str, Value)]) {
    folder.change("assets", |file| {
        let assets = file["assets"].as_array_mut().unwrap();
        for (id, url, attributes) in more {
            let mut asset = assets[0].clone();
            asset.as_object_mut().unwrap().extend(attributes.as_object().unwrap().clone());
            (asset["id"], asset["filename"]) = (json!(id), json!(url));
            assets.push(asset);
        }
    });
}

#[tokio::test]
async fn files_that_cannot_be_fetched_are_reported_and_the_rest_is_imported() {
    let folder = Folder::new();
    let there = |name: &str| format!("https://s3.amazonaws.com/a.storyblok.com/f/70001/8x6/0a1b2c3d4e/{name}");
    add_assets(
        &folder,
        &[
            (104, &there("missing.png"), json!({})),
            (105, "http://10.1.2.3/f/1/1x1/a/inside.png", json!({})),
            (106, "http://metadata.invalid/f/1/1x1/a/nowhere.png", json!({})),
            (107, &there("secret.png"), json!({ "is_private": true })),
            (108, "not a url", json!({})),
        ],
    );
    let (stand_in, fixture) = world_with([folder.path().to_owned()], None, &[("APP_ASSET_MAX_MB", "8")]).await;
    let faults = || {
        stand_in.control.set_faults(vec![
            // The first file is returned on the second attempt.
            Fault::of("/bench.png", What::Status { code: 503, retry_after: None }).times(1),
            Fault::of("/price", What::Body { bytes: 30 << 20 }),
            Fault::of("/vice.png", What::Body { bytes: 0 }),
        ]);
    };
    let failed = [
        (102, "assetFailed"),
        (103, "assetFailed"),
        (104, "assetFailed"),
        (105, "assetFailed"),
        (106, "assetFailed"),
        (107, "privateAsset"),
        (108, "assetFailed"),
    ];
    faults();
    let mut body = wanted(folder.path());
    body["dry_run"] = json!(true);
    let dry = imported(&fixture, fixture.space, &fixture.admin, body).await;
    faults();
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    let report = &done.report;
    assert_eq!(told(&report.failures), failed);
    assert_eq!(told(&dry.report.failures), failed, "a dry run asks for the files too");
    assert_eq!((dry.report.files, report.files.count, report.files.bytes), (report.files, 1, 74));
    for (id, says) in [(102, "too large"), (103, "empty"), (104, "status 404"), (107, "private")] {
        assert!(message(&report.failures, id).contains(says), "{}", message(&report.failures, id));
    }
    // The report does not say whether an internal host exists.
    assert_eq!(message(&report.failures, 105), message(&report.failures, 106));

    // All other records are imported, and content keeps the URLs of failed assets.
    assert_eq!(
        (report.counts[&Kind::Asset].created, report.counts[&Kind::Story].created, report.counts[&Kind::Folder].created),
        (1, 5, 2)
    );
    let sql = "select string_agg(content::text, '') as all from editions where space_id = $1";
    let all: String = fixture.row(sql, &[&fixture.space]).await.get("all");
    assert!(all.contains("/vice.png") && all.contains(&format!("/f/{}/", fixture.space)), "{all}");
    let assets: i64 = fixture.value("select count(*) as n from assets").await;
    assert_eq!(assets, 1);

    // The next import fetches the missing files and changes no others.
    stand_in.control.set_faults(Vec::new());
    let again = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!((again.report.counts[&Kind::Asset].created, again.report.counts[&Kind::Asset].unchanged), (2, 1));
}

#[tokio::test]
async fn a_file_that_differs_from_its_metadata_is_reported() {
    let folder = Folder::new();
    folder.change("assets", |file| {
        file["assets"][0]["content_length"] = json!(75);
        file["assets"][1]["content_type"] = json!("text/markdown; charset=utf-8");
        file["assets"][2]["content_type"] = json!("video/mp4");
    });
    let (_stand_in, fixture) = world([folder.path().to_owned()], None).await;
    let mut body = wanted(folder.path());
    body["dry_run"] = json!(true);
    let dry = imported(&fixture, fixture.space, &fixture.admin, body).await;
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    let differs: Vec<_> = done.report.warnings.items.iter().filter(|item| item.code == "fileDiffers").collect();
    assert_eq!(differs.iter().map(|differ| differ.id).collect::<Vec<_>>(), [101, 103]);
    assert!(differs[0].message.contains("75 bytes, and has 74"), "{}", differs[0].message);
    assert!(differs[1].message.contains("to be video/mp4, and is image/png"), "{}", differs[1].message);
    assert_eq!(
        (dry.report.warnings, dry.report.files),
        (done.report.warnings.clone(), done.report.files),
        "a dry run reads files too"
    );

    // The report equals what is stored.
    let rows = fixture.rows("select id, sha256 from assets where space_id = $1 order by id", &[&fixture.space]).await;
    let hashes: Vec<Vec<u8>> = rows.iter().map(|row| row.get("sha256")).collect();
    let hex = |bytes: &[u8]| bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    assert!(hashes.iter().any(|hash| differs[0].message.contains(&hex(hash))));
    let mut sum = vec![0; 32];
    for hash in &hashes {
        sum.iter_mut().zip(hash).for_each(|(sum, byte)| *sum ^= byte);
    }
    assert_eq!(serde_json::to_value(done.report.files).unwrap()["sha256"], hex(&sum));
}

#[tokio::test]
async fn odd_attributes_fail_no_record() {
    let folder = Folder::new();
    folder.change("components", |file| {
        file["components"][1]["schema"]["shape"] = json!({ "type": "hologram", "depth": 3 });
        file["components"][1]["color"] = json!(["red"]);
    });
    folder.change("assets", |file| {
        file["assets"][0]["alt"] = json!("x".repeat(6_000));
        file["assets"][1]["expire_at"] = json!("some day");
    });
    folder.story(206, |story| (story["name"], story["updated_at"]) = (json!("n".repeat(300)), json!("yesterday")));
    let fixture = SpaceFixture::new().await;
    let (dry, done) = dry_and_done(&fixture, folder.path()).await;
    assert_eq!((done.status, told(&done.report.failures)), (Status::Succeeded, vec![]));
    let odd: Vec<_> = told(&done.report.warnings).into_iter().filter(|t| t.1 == "attributeOdd").map(|t| t.0).collect();
    assert_eq!(odd, [12, 12, 101, 102, 206, 206], "{:#?}", done.report.warnings.items);
    assert_eq!(dry.report.warnings, done.report.warnings);
    let admin = fixture.admin();
    let components = admin.get("/components").await.expect(200)["components"].clone();
    let teaser = components.as_array().unwrap().iter().find(|component| component["name"] == "teaser").unwrap();
    assert_eq!((&teaser["schema"]["shape"], &teaser["color"]), (&json!({ "type": "hologram", "depth": 3 }), &json!(null)));
    assert_eq!(teaser["all_presets"].as_array().unwrap().len(), 1, "its presets came with it");
    let sql = "select max(length(alt)) as alt from assets where space_id = $1";
    assert_eq!(fixture.row(sql, &[&fixture.space]).await.get::<_, Option<i32>>("alt"), Some(5_000));
}

#[tokio::test]
async fn the_file_of_a_private_asset_comes_with_a_token_for_assets() {
    let folder = Folder::new();
    folder.change("assets", |file| file["assets"][0]["is_private"] = json!(true));
    let (_without, fixture) = world([folder.path().to_owned()], None).await;
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!(told(&done.report.failures), [(101, "privateAsset")]);
    assert!(message(&done.report.failures, 101).contains("token of the kind asset"));

    folder.change("api_keys", |file| {
        let token = json!({ "id": 53, "access": "asset", "name": "Assets", "token": "assets70001tokenworkshop" });
        file["api_keys"].as_array_mut().unwrap().push(token);
    });
    let (_with, fixture) = world([folder.path().to_owned()], None).await;
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!((done.report.failures.total, done.report.counts[&Kind::Asset].created), (0, 3), "{:?}", done.report.failures);
    let sql = "select is_private, content_length from assets where space_id = $1 and name = 'bench.png'";
    let asset = fixture.row(sql, &[&fixture.space]).await;
    assert_eq!((asset.get::<_, bool>("is_private"), asset.get::<_, i64>("content_length")), (true, 74));
}

#[tokio::test]
async fn a_file_of_30_megabytes_comes_whole() {
    let folder = Folder::new();
    let (stand_in, fixture) = world([folder.path().to_owned()], None).await;
    stand_in.control.fault(Fault::of("/price", What::Body { bytes: 30 << 20 }));
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!(told(&done.report.failures), []);
    let sql = "select max(content_length) as most from assets where space_id = $1";
    let most: i64 = fixture.row(sql, &[&fixture.space]).await.get("most");
    assert_eq!(most, 30 << 20);
}

#[tokio::test]
async fn a_file_that_is_gone_the_next_time_stays_where_it_is_here() {
    let (fixture, folder) = (SpaceFixture::new().await, Folder::new());
    import(&fixture, fixture.space, folder.path(), false).await;
    let before = dump(&fixture.database.store, fixture.space).await;
    // One file is replaced at the source and cannot be fetched; another asset has new attributes and keeps
    // its file and URL.
    folder.change("assets", |file| {
        file["assets"][1]["alt"] = json!("prices");
        file["assets"][0]["filename"] = json!("https://s3.amazonaws.com/a.storyblok.com/f/70001/8x6/0a1b2c3d4e/other.png");
    });
    folder.change("stories", |file| {
        let text = file.to_string().replace("bench.png", "other.png");
        *file = serde_json::from_str(&text).unwrap();
    });
    let done = import(&fixture, fixture.space, folder.path(), false).await;
    assert_eq!(told(&done.report.failures), [(101, "assetFailed")]);
    let counts = done.report.counts[&Kind::Asset];
    assert_eq!((counts.updated, counts.unchanged, counts.failed), (1, 1, 1));
    let kept = |lines: &[String]| -> Vec<String> { lines.iter().filter(|line| line.starts_with("edition")).cloned().collect() };
    assert_same(&kept(&before), &kept(&dump(&fixture.database.store, fixture.space).await));
}

#[tokio::test]
async fn wrong_totals_are_reported_and_lose_no_record() {
    let folder = Folder::new();
    folder.change("space", |space| space["assets_count"] = json!(5000));
    let (stand_in, fixture) = world([folder.path().to_owned()], None).await;
    stand_in.control.fault(Fault::of("/stories?", What::Total { by: -3 }));
    stand_in.control.fault(Fault::of("/assets?", What::Total { by: 1000 }));
    stand_in.control.fault(Fault::of("/datasource_entries", What::NoTotal));
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    let differs: Vec<_> = done.report.warnings.items.iter().filter(|item| item.code == "countDiffers").collect();
    assert_eq!(differs.len(), 1);
    assert_eq!((differs[0].kind, differs[0].message.as_str()), (Kind::Asset, "the source said that it has 5000, and gave 3"));
    let there = fixture.another_space().await;
    import(&fixture, there.id, folder.path(), false).await;
    let store = &fixture.database.store;
    assert_same(&dump(store, fixture.space).await, &dump(store, there.id).await);
}

#[tokio::test]
async fn a_space_of_another_region_is_reported() {
    let folder = Folder::new();
    let (_stand_in, fixture) = world([folder.path().to_owned()], None).await;
    let mut body = wanted(folder.path());
    body["region"] = json!("us");
    let done = imported(&fixture, fixture.space, &fixture.admin, body).await;
    let told: Vec<_> = done.report.warnings.items.iter().filter(|item| item.code == "regionDiffers").collect();
    assert!(told[0].message.contains("of the region eu, not us"), "{told:?}");
}

#[tokio::test]
async fn a_region_without_the_token_or_the_space_is_reported_as_wrong() {
    let folder = Folder::new();
    let (stand_in, fixture) = world([folder.path().to_owned()], None).await;
    let mut body = wanted(folder.path());
    for (region, status, code, says) in [
        ("us", 401, "tokenRejected", "of the region eu, not us"),
        ("us", 404, "spaceNotFound", "of the region eu, not us"),
        ("us", 403, "noAccess", "of the region eu, not us"),
        ("cn", 401, "tokenRejected", "space 70001 in the region cn"),
    ] {
        stand_in.control.set_faults(vec![Fault::of("/v1/", What::Status { code: status, retry_after: None })]);
        body["region"] = json!(region);
        let done = imported(&fixture, fixture.space, &fixture.admin, body.clone()).await;
        let ImportError { code: found, message } = done.error.unwrap();
        assert_eq!((done.status, found.as_str()), (Status::Failed, code));
        assert!(message.contains(says), "{message}");
    }
}

#[tokio::test]
async fn a_story_that_the_source_cannot_return_fails_alone() {
    let folder = Folder::new();
    let (stand_in, fixture) = world([folder.path().to_owned()], None).await;
    let broken = What::Status { code: 500, retry_after: None };
    stand_in.control.fault(Fault::of("/stories/206", What::Cut));
    stand_in.control.fault(Fault::of("by_story_id=205", broken));
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    assert_eq!(told(&done.report.failures), [(206, "unreadable")]);
    // The delivery API returns the content of the failed version.
    assert!(!done.report.warnings.by_code.contains_key("publishedCopyMissing"), "{:?}", done.report.warnings);
    assert_eq!(done.report.counts[&Kind::Story].created, 4);
}

#[tokio::test]
async fn a_story_at_an_occupied_path_stands_beside_the_occupant_until_that_is_gone() {
    let folder = Folder::new();
    // One path is occupied here, and two stories of the source have the same path.
    folder.story(206, |story| story["slug"] = json!("bench"));
    let fixture = SpaceFixture::new().await;
    let ours = json!({ "story": { "name": "Ours", "slug": "home", "content": { "component": "ours" } } });
    let made = fixture.editor().post("/stories", ours).await.expect(201)["story"].clone();
    let done = import(&fixture, fixture.space, folder.path(), false).await;
    assert_eq!(done.status, Status::Succeeded);
    assert_eq!(told(&done.report.failures), []);
    assert_eq!(told(&done.report.warnings), [(203, "pathDiffers"), (206, "pathDiffers")]);
    let slugs = async || {
        let listed = fixture.editor().get("/stories?sort_by=id:asc").await.expect(200);
        let mut paths: Vec<_> =
            listed["stories"].as_array().unwrap().iter().map(|story| story["full_slug"].as_str().unwrap().to_owned()).collect();
        paths.sort_unstable();
        paths
    };
    let all = ["home", "home-203", "tools", "tools/", "tools/bench", "tools/bench-206", "tools/old", "tools/old/saw"];
    assert_eq!(slugs().await, all);
    let story = fixture.path(&format!("/stories/{}", made["id"]));
    assert_eq!(fixture.get(Caller::Token(&fixture.editor), &story).await.expect(200)["story"]["content"]["component"], "ours");

    // Once the path is free, the next import brings the story there.
    fixture.delete(Caller::Token(&fixture.editor), &story).await.expect(200);
    folder.story(206, |story| story["slug"] = json!("vice"));
    let again = import(&fixture, fixture.space, folder.path(), false).await;
    assert_eq!(told(&again.report.failures), []);
    assert_eq!((again.report.counts[&Kind::Story].updated, again.report.counts[&Kind::Story].unchanged), (2, 3));
    assert_eq!(slugs().await, ["home", "tools", "tools/", "tools/bench", "tools/old", "tools/old/saw", "tools/vice"]);
}

#[tokio::test]
async fn a_story_that_the_source_refuses_fails_alone_and_so_does_one_that_cannot_be_read() {
    let folder = Folder::new();
    folder.story(207, |story| story["uuid"] = json!("no uuid"));
    let (stand_in, fixture) = world([folder.path().to_owned()], None).await;
    let refused = |code| What::Status { code, retry_after: None };
    stand_in.control.fault(Fault::of("/stories/206", refused(422)));
    stand_in.control.fault(Fault::of("/internal_tags", refused(403)));
    stand_in.control.fault(Fault::of("/story_schedulings", refused(403)));
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    assert_eq!(told(&done.report.failures), [(206, "unreadable"), (207, "unreadable")]);

    let local = fixture.another_space().await;
    let done = import(&fixture, local.id, folder.path(), false).await;
    assert_eq!((done.status, told(&done.report.failures)), (Status::Succeeded, vec![(207, "unreadable")]));
    assert_eq!(done.report.counts[&Kind::Story].created, 4);
}

#[tokio::test]
async fn invalid_languages_are_left_out_one_by_one() {
    let folder = Folder::new();
    folder.change("space", |space| {
        space["languages"] = json!([
            {"code": "de", "name": ""}, {"code": "PT_BR!", "name": "?"}, {"code": "default", "name": "D"}, {"name": "nothing"},
            {"code": "fr", "name": "Français"}]);
    });
    let fixture = SpaceFixture::new().await;
    let (dry, done) = dry_and_done(&fixture, folder.path()).await;
    assert_eq!((done.status, &done.report.warnings), (Status::Succeeded, &dry.report.warnings));
    let codes: Vec<_> =
        done.report.warnings.items.iter().filter(|item| item.code == "languageInvalid").map(|item| item.label.as_str()).collect();
    assert_eq!(codes, ["PT_BR!", "default"]);
    let space = fixture.admin().get("").await.expect(200)["space"].clone();
    assert_eq!(space["languages"], json!([{"code": "de", "name": "de"}, {"code": "fr", "name": "Français"}]));
    assert_eq!(space["default_lang_name"], "English");
}

#[tokio::test]
async fn an_incomplete_folder_is_reported() {
    let (fixture, folder) = (SpaceFixture::new().await, Folder::new());
    std::fs::remove_file(folder.path().join("stories.json")).unwrap();
    std::fs::remove_file(folder.path().join("presets.json")).unwrap();
    folder.change("components", |file| file["components"][0]["preset_id"] = json!(99));
    let (dry, done) = dry_and_done(&fixture, folder.path()).await;
    let told: Vec<_> = done.report.warnings.items.iter().map(|item| (item.code.as_str(), item.message.as_str())).collect();
    for (code, part) in [
        ("fileMissing", "stories.json"),
        ("fileMissing", "presets.json"),
        ("countDiffers", "5, and gave 0"),
        ("presetMissing", "99"),
    ] {
        assert!(told.iter().any(|t| t.0 == code && t.1.contains(part)), "{code} {part} in {told:?}");
    }
    assert_eq!(dry.report, done.report);
}

/// A folder from elsewhere must not import other files of this machine.
#[tokio::test]
async fn symbolic_links_in_a_folder_are_not_followed() {
    let (fixture, folder, elsewhere) = (SpaceFixture::new().await, Folder::new(), scratch());
    let secret = elsewhere.path().join("secret");
    std::fs::write(&secret, "nobody is to read this").unwrap();
    let path = folder.path().join("assets/f/70001/8x6/0a1b2c3d4e/bench.png");
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink(&secret, &path).unwrap();
    let done = import(&fixture, fixture.space, folder.path(), false).await;
    let failed = &done.report.failures.items;
    assert!(matches!(failed.as_slice(), [it] if it.message.contains("it is a link")), "{failed:?}");

    let list = folder.path().join("presets.json");
    std::fs::rename(&list, elsewhere.path().join("presets.json")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path().join("presets.json"), &list).unwrap();
    let done = import(&fixture, fixture.space, folder.path(), false).await;
    let ImportError { code, message } = done.error.unwrap();
    assert!(code == "sourceUnreadable" && message.contains("presets.json") && message.contains("it is a link"), "{message}");
}
