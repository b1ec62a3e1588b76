//! Stories at places that are odd here and not at the source: what can be held comes over, and the report
//! says where a path is another one.

use super::{
    folder::Folder,
    vendor::{imported, wanted, world},
};
use domain::content::import::{Import, Kind, Status};
use support::{
    import::{assert_same, dry_and_done, dump, import},
    prelude::*,
};

/// Adds a copy of story 206 with other attributes. Its id is part of its UUID.
pub fn add(folder: &Folder, id: i64, more: Value) {
    folder.change("stories", |file| {
        let stories = file["stories"].as_array_mut().unwrap();
        let mut story = stories.iter().find(|story| story["id"] == 206).unwrap().clone();
        let uuid = uuid_of(id);
        (story["id"], story["uuid"], story["group_id"]) = (json!(id), json!(uuid), json!(uuid));
        story.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        stories.push(story);
    });
    folder.change("space", |space| space["stories_count"] = json!(space["stories_count"].as_i64().unwrap() + 1));
}

pub fn uuid_of(id: i64) -> String {
    uuid::Uuid::from_u128(0x4000_8000_0000_0000_0000 + u128::try_from(id).unwrap()).to_string()
}

/// The path of each added story here, by id.
pub async fn paths(fixture: &SpaceFixture, space: i64, ids: &[i64]) -> Vec<(i64, String)> {
    let session = fixture.connection().await;
    let mut found = Vec::new();
    for id in ids {
        let sql = "select full_slug from stories where space_id = $1 and uuid::text = $2 and deleted_at is null";
        let row = session.row_opt(sql, &[&space, &uuid_of(*id)]).await.unwrap();
        found.extend(row.map(|row| (*id, row.get("full_slug"))));
    }
    found
}

pub fn expected(all: &[(i64, &str)]) -> Vec<(i64, String)> {
    all.iter().map(|(id, path)| (*id, (*path).to_owned())).collect()
}

/// The messages of a code, by id.
pub fn told<'a>(import: &'a Import, code: &str) -> Vec<(i64, &'a str)> {
    let items = import.report.warnings.items.iter().filter(|item| item.code == code);
    let mut told: Vec<_> = items.map(|item| (item.id, item.message.as_str())).collect();
    told.sort_unstable();
    told
}

/// Imports without failures from the stand-in and from the folder, with the same report as a dry run. A
/// second import changes nothing and says the same.
pub async fn comes_over(folder: &Folder) -> (SpaceFixture, Import) {
    let (_stand_in, fixture) = world([folder.path().to_owned()], None).await;
    let mut body = wanted(folder.path());
    body["dry_run"] = json!(true);
    let dry = imported(&fixture, fixture.space, &fixture.admin, body).await;
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    assert_eq!(done.report.failures.items, []);
    assert_eq!(dry.report, done.report);
    let local = fixture.another_space().await;
    assert_eq!(import(&fixture, local.id, folder.path(), false).await.report.counts, done.report.counts);
    let store = &fixture.database.store;
    assert_same(&dump(store, fixture.space).await, &dump(store, local.id).await);

    let again = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    for kind in [Kind::Folder, Kind::Story] {
        assert_eq!(again.report.counts[&kind].unchanged, done.report.counts[&kind].created, "{kind:?}");
    }
    for code in ["pathDiffers", "parentMissing"] {
        assert_eq!(told(&again, code), told(&done, code));
    }
    (fixture, done)
}

#[tokio::test]
async fn every_slug_that_storyblok_holds_is_kept_and_found() {
    let folder = Folder::new();
    let long = "x".repeat(300);
    let slugs = ["a b", "100%", "a%20b", " edges ", "who?", "c#", "back\\slash", "under_score", &long];
    for (id, slug) in (300..).zip(slugs) {
        let published = json!({ "slug": slug, "full_slug": format!("tools/{slug}"), "published": true });
        add(&folder, id, published);
    }
    let (fixture, done) = comes_over(&folder).await;
    assert_eq!(told(&done, "pathDiffers"), []);
    let ids: Vec<i64> = (300..).take(slugs.len()).collect();
    let wanted: Vec<(i64, String)> = ids.iter().copied().zip(slugs.iter().map(|slug| format!("tools/{slug}"))).collect();
    assert_eq!(paths(&fixture, fixture.space, &ids).await, wanted);

    let cdn = async |path: &str, query: &str| {
        fixture.get(Caller::Anonymous, &format!("/api/v2/cdn/{path}?token={}{query}", fixture.public)).await.expect(200)
    };
    for (id, path) in &wanted {
        // As `encodeURIComponent` and `encodeURI` write it.
        let whole: String = percent_encoding::utf8_percent_encode(path, percent_encoding::NON_ALPHANUMERIC).to_string();
        let story = cdn(&format!("stories/{whole}"), "").await["story"].clone();
        assert_eq!((story["uuid"].as_str(), story["full_slug"].as_str()), (Some(uuid_of(*id).as_str()), Some(path.as_str())));
        // Blanks around the values of a list do not count.
        for parameter in ["by_slugs", "starts_with"].into_iter().filter(|parameter| path.trim() == path || *parameter != "by_slugs")
        {
            let found = cdn("stories", &format!("&{parameter}={whole}")).await["stories"].clone();
            assert!(found.as_array().unwrap().iter().any(|story| story["full_slug"] == path.as_str()), "{parameter} {path}");
        }
        let managed = fixture.viewer().get(&format!("/stories?with_slug={whole}")).await.expect(200);
        assert_eq!(managed["stories"][0]["full_slug"], path.as_str());
    }
    // Neither % nor _ stands for other characters.
    for (query, count) in
        [("by_slugs=tools%2F100%25*", 1), ("by_slugs=*under_score", 1), ("by_slugs=*under%25", 0), ("starts_with=tools%2Fa%25", 1)]
    {
        assert_eq!(cdn("stories", &format!("&{query}")).await["stories"].as_array().unwrap().len(), count, "{query}");
    }
    let links = cdn("links", "").await;
    assert_eq!(links["links"][uuid_of(300)]["slug"], "tools/a b");
}

#[tokio::test]
async fn a_slug_that_cannot_be_kept_is_replaced_and_reported() {
    let folder = Folder::new();
    for (id, slug, full_slug) in [
        (300, "", "tools/last"),
        (301, "", ""),
        (302, "a/b", "tools/a/b"),
        (303, "..", "tools/.."),
        (304, "line\nbreak", "tools/line\nbreak"),
        // The nearest slug of this one is that of another story.
        (305, "bench/", "tools/bench/"),
    ] {
        add(&folder, id, json!({ "slug": slug, "full_slug": full_slug }));
    }
    let (fixture, done) = comes_over(&folder).await;
    let ids: Vec<i64> = (300..306).collect();
    let [no_slug, dots] = [301, 303].map(|id| format!("tools/{}", uuid_of(id)));
    let places =
        [(300, "tools/last"), (301, &no_slug), (302, "tools/a-b"), (303, &dots), (304, "tools/line-break"), (305, "tools/bench-")];
    assert_eq!(paths(&fixture, fixture.space, &ids).await, expected(&places));
    let reported: Vec<i64> = told(&done, "pathDiffers").iter().map(|(id, _)| *id).collect();
    assert_eq!(reported, [301, 302, 303, 304, 305], "300 has the path of the source");
    assert_eq!(told(&done, "pathDiffers")[1].1, "its path is tools/a/b at the source, and tools/a-b here");
}

#[tokio::test]
async fn content_that_is_null_or_empty_comes_over() {
    let folder = Folder::new();
    for (id, content) in [(300, json!(null)), (301, json!({})), (302, json!({ "title": "x", "body": [{ "component": "teaser" }] }))]
    {
        let path = format!("tools/empty-{id}");
        add(&folder, id, json!({ "slug": format!("empty-{id}"), "full_slug": path, "content": content, "published": true }));
    }
    let (fixture, done) = comes_over(&folder).await;
    assert_eq!(told(&done, "contentEmpty").len(), 3);
    let contents = async |token: &str, query: &str| -> Vec<Value> {
        let path = format!("/api/v2/cdn/stories?token={token}&starts_with=tools%2Fempty-&sort_by=slug:asc{query}");
        let body = fixture.get(Caller::Anonymous, &path).await.expect(200);
        body["stories"].as_array().unwrap().iter().map(|story| story["content"].clone()).collect()
    };
    for (token, query) in [(&fixture.public, ""), (&fixture.preview, "&version=draft"), (&fixture.public, "&language=de")] {
        let found = contents(token, query).await;
        assert_eq!(found[..2], [json!({}), json!({})]);
        assert_eq!((&found[2]["title"], &found[2]["body"][0]["component"]), (&json!("x"), &json!("teaser")));
    }
    // They are stories like others: they can be renamed, published, taken offline and restored.
    let editor = Caller::Token(&fixture.editor);
    let listed = fixture.get(editor, &fixture.path("/stories?with_slug=tools/empty-301")).await.expect(200);
    let path = fixture.path(&format!("/stories/{}", listed["stories"][0]["id"]));
    fixture.put(editor, &path, json!({ "story": { "name": "Renamed" } })).await.expect(200);
    fixture.post(editor, &format!("{path}/publish"), json!({})).await.expect(200);
    let versions = fixture.path(&format!("/story_versions?by_story_id={}", listed["stories"][0]["id"]));
    let version = fixture.get(editor, &versions).await.expect(200)["story_versions"][0]["id"].clone();
    fixture.put(editor, &format!("{path}/restore_with?version={version}"), json!({})).await.expect(200);
    fixture.post(editor, &format!("{path}/unpublish"), json!({})).await.expect(200);
}

#[tokio::test]
async fn stories_whose_folder_cannot_be_here_stand_at_the_top() {
    let folder = Folder::new();
    // The folder does not exist; it is a story; and what is in a folder without a folder follows that folder.
    add(&folder, 300, json!({ "slug": "lonely", "full_slug": "gone/lonely", "parent_id": 999 }));
    add(&folder, 301, json!({ "slug": "child", "full_slug": "tools/vice/child", "parent_id": 206 }));
    add(&folder, 302, json!({ "slug": "box", "full_slug": "gone/box", "parent_id": 999, "is_folder": true, "content": {} }));
    add(&folder, 303, json!({ "slug": "in", "full_slug": "gone/box/in", "parent_id": 302 }));
    // Their slugs are those of other stories at the top, and of each other.
    add(&folder, 304, json!({ "slug": "home", "full_slug": "gone/home", "parent_id": 999 }));
    add(&folder, 305, json!({ "slug": "lonely", "full_slug": "other/lonely", "parent_id": 998 }));
    let (fixture, done) = comes_over(&folder).await;
    let places = [(300, "lonely"), (301, "child"), (302, "box"), (303, "box/in"), (304, "home-304"), (305, "lonely-305")];
    assert_eq!(paths(&fixture, fixture.space, &(300..306).collect::<Vec<_>>()).await, expected(&places));
    let missing: Vec<_> = told(&done, "parentMissing");
    assert_eq!(missing.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [300, 301, 302, 304, 305]);
    assert!(missing[0].1.contains("does not have its folder") && missing[1].1.contains("is a story"), "{missing:?}");
    let differs = told(&done, "pathDiffers");
    assert_eq!(differs.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [300, 301, 302, 304, 305], "303 is where its folder is");
    assert_eq!(differs[0].1, "its path is gone/lonely at the source, and lonely here");

    // The next import that has the folder moves them there.
    add(&folder, 999, json!({ "slug": "gone", "full_slug": "gone", "parent_id": 0, "is_folder": true, "content": {} }));
    let done = import(&fixture, fixture.space, folder.path(), false).await;
    assert_eq!((done.status, done.report.failures.total), (Status::Succeeded, 0), "{:?}", done.report.failures);
    let places = [(300, "gone/lonely"), (302, "gone/box"), (303, "gone/box/in"), (304, "gone/home")];
    assert_eq!(paths(&fixture, fixture.space, &[300, 302, 303, 304]).await, expected(&places));
}

#[tokio::test]
async fn a_new_story_in_a_folder_that_was_deleted_here_stands_at_the_top() {
    let folder = Folder::new();
    let fixture = SpaceFixture::new().await;
    import(&fixture, fixture.space, folder.path(), false).await;
    let listed = fixture.editor().get("/stories?with_slug=tools/old").await.expect(200);
    let path = fixture.path(&format!("/stories/{}", listed["stories"][0]["id"]));
    fixture.delete(Caller::Token(&fixture.editor), &path).await.expect(200);
    add(&folder, 300, json!({ "slug": "new", "full_slug": "tools/old/new", "parent_id": 202 }));
    let (dry, done) = dry_and_done(&fixture, folder.path()).await;
    assert_eq!((done.status, &done.report.failures.items), (Status::Succeeded, &vec![]));
    assert_eq!(dry.report, done.report);
    assert_eq!(paths(&fixture, fixture.space, &[300]).await, expected(&[(300, "new")]));
    assert_eq!(told(&done, "parentMissing").iter().map(|(id, _)| *id).collect::<Vec<_>>(), [300]);
    assert_eq!(told(&done, "inTrash").iter().map(|(id, _)| *id).collect::<Vec<_>>(), [202, 207]);
}

#[tokio::test]
async fn a_path_that_does_not_follow_from_the_folders_is_reported() {
    let folder = Folder::new();
    folder.story(206, |story| story["full_slug"] = json!("tools//vice"));
    folder.story(205, |story| story["full_slug"] = json!("/tools/bench/"));
    let (fixture, done) = comes_over(&folder).await;
    assert_eq!(told(&done, "pathDiffers"), [(206, "its path is tools//vice at the source, and tools/vice here")]);
    let sql = "select count(*) as n from stories where space_id = $1 and full_slug in ('tools/vice', 'tools/bench')";
    assert_eq!(fixture.row(sql, &[&fixture.space]).await.get::<_, i64>("n"), 2);
}

#[tokio::test]
async fn a_translated_path_that_does_not_follow_from_the_folders_is_reported() {
    let folder = Folder::new();
    // The folder `old` has no slug of its own in any language; `tools` is `werkzeug` in German.
    folder.story(207, |story| {
        story["translated_slugs"] = json!([{ "lang": "de", "slug": "saege", "name": null, "published": true }]);
        story["localized_paths"] = json!([
            { "lang": "de", "path": "werkzeug/alt/saege", "name": null, "published": true },
            { "lang": "pt-br", "path": "tools/old/saw", "name": null, "published": null }
        ]);
    });
    folder.story(205, |story| story["localized_paths"] = json!([{ "lang": "de", "path": "werkzeug/bank" }]));
    folder.story(206, |story| story["localized_paths"] = json!([{ "lang": "de", "path": "de/werkzeug/vice" }]));
    let (fixture, done) = comes_over(&folder).await;
    assert_eq!(
        told(&done, "pathDiffers"),
        [(207, "its path in the language de is werkzeug/alt/saege at the source, and werkzeug/old/saege here")]
    );
    let path = format!("/api/v2/cdn/stories/werkzeug/old/saege?language=de&version=draft&token={}", fixture.preview);
    assert_eq!(fixture.get(Caller::Anonymous, &path).await.expect(200)["story"]["full_slug"], "de/werkzeug/old/saege");
}

#[tokio::test]
async fn files_whose_urls_hold_raw_characters_are_fetched_and_found_in_content() {
    let folder = Folder::new();
    let raw = "f/70001/x/3d4e5f6071/my file, [new] 100% #1 ä.txt";
    let file = folder.path().join("assets").join(raw);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "a new file").unwrap();
    folder.change("assets", |file| {
        let assets = file["assets"].as_array_mut().unwrap();
        let mut asset = assets[1].clone();
        (asset["id"], asset["content_length"]) = (json!(104), json!(10));
        asset["filename"] = json!(format!("https://s3.amazonaws.com/a.storyblok.com/{raw}"));
        assets.push(asset);
    });
    folder.change("space", |space| space["assets_count"] = json!(4));
    folder.story(206, |story| {
        story["content"]["file"] = json!({ "id": 104, "fieldtype": "asset", "filename": format!("https://a.storyblok.com/{raw}") });
        story["content"]["text"] = json!(format!("See https://a.storyblok.com/{raw} for more."));
    });
    let (stand_in, fixture) = world([folder.path().to_owned()], None).await;
    let local = fixture.another_space().await;
    let from_folder = import(&fixture, local.id, folder.path(), false).await;
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    for (import, space) in [(done, fixture.space), (from_folder, local.id)] {
        assert_eq!((import.status, &import.report.failures.items), (Status::Succeeded, &vec![]));
        let sql =
            "select content::jsonb as content from editions where space_id = $1 and full_slug = 'tools/vice' and edition = 'draft'";
        let content: Value = fixture.row(sql, &[&space]).await.get("content");
        let url = content["file"]["filename"].as_str().unwrap();
        assert!(url.contains(&format!("/f/{space}/")) && !url.contains(' '), "{url}");
        assert_eq!(content["text"], format!("See {url} for more."));
        let (_, path) = url.split_at(url.find("/f/").unwrap());
        assert_eq!(fixture.get(Caller::Anonymous, path).await.text, "a new file");
    }
    drop(stand_in);
}
