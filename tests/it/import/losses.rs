//! An import loses nothing: records that cannot be where they are at the source are somewhere near, and each
//! import puts them at the same paths.

use super::{
    folder::Folder,
    places::{add, comes_over, expected, paths, told, uuid_of},
    vendor::{imported, wanted, world},
};
use domain::content::import::{Kind, Status};
use support::{
    import::{assert_same, dry_and_done, dump, import},
    prelude::*,
};
use vendor_stand_in::{Fault, What};

fn folder_at(slug: &str, full_slug: &str, parent: i64) -> Value {
    json!({ "slug": slug, "full_slug": full_slug, "parent_id": parent, "is_folder": true, "content": {} })
}

fn story_at(slug: &str, full_slug: &str, parent: i64) -> Value {
    json!({ "slug": slug, "full_slug": full_slug, "parent_id": parent })
}

fn ids(told: &[(i64, &str)]) -> Vec<i64> {
    told.iter().map(|(id, _)| *id).collect()
}

#[tokio::test]
async fn records_of_one_path_come_over_beside_each_other_folders_first_then_by_their_ids() {
    let folder = Folder::new();
    for (id, more) in [
        // Two stories, and one whose slug is that which the second gets.
        (302, story_at("vice", "tools/vice", 201)),
        (301, story_at("vice-302", "tools/vice-302", 201)),
        // A story and two folders, with what is in them.
        (303, story_at("blog", "blog", 0)),
        (305, folder_at("blog", "blog", 0)),
        (304, folder_at("blog", "blog", 0)),
        (306, story_at("post", "blog/post", 305)),
        (307, story_at("post", "blog/post", 304)),
        (308, folder_at("deep", "blog/deep", 305)),
        (309, story_at("post", "blog/deep/post", 308)),
        (310, json!({ "slug": "start", "full_slug": "blog/", "parent_id": 305, "is_startpage": true })),
        // A second start page.
        (311, json!({ "slug": "start", "full_slug": "tools/", "parent_id": 201, "is_startpage": true })),
    ] {
        add(&folder, id, more);
    }
    let (fixture, done) = comes_over(&folder).await;
    let places = [
        (301, "tools/vice-302"),
        (302, "tools/vice-302-2"),
        (303, "blog-303"),
        (304, "blog"),
        (305, "blog-305"),
        (306, "blog-305/post"),
        (307, "blog/post"),
        (308, "blog-305/deep"),
        (309, "blog-305/deep/post"),
        (310, "blog-305/"),
        (311, "tools/start-311"),
    ];
    let all: Vec<i64> = (301..312).collect();
    assert_eq!(paths(&fixture, fixture.space, &all).await, expected(&places));
    let differs = told(&done, "pathDiffers");
    assert_eq!(ids(&differs), [302, 303, 305, 311], "what is below 305 has the path that its folder has");
    assert_eq!(differs[2].1, "its path is blog at the source, and blog-305 here");
    assert_eq!(done.report.warnings.by_code.get("parentMissing"), None);

    // The path of one that is gone goes to the next one, with all that is below it.
    let first = fixture.editor().get("/stories?with_slug=blog").await.expect(200);
    let path = fixture.path(&format!("/stories/{}", first["stories"][0]["id"]));
    fixture.delete(Caller::Token(&fixture.editor), &path).await.expect(200);
    let again = import(&fixture, fixture.space, folder.path(), false).await;
    assert_eq!((again.status, &again.report.failures.items), (Status::Succeeded, &vec![]));
    let places = [(303, "blog-303"), (305, "blog"), (306, "blog/post"), (309, "blog/deep/post"), (310, "blog/")];
    assert_eq!(paths(&fixture, fixture.space, &[303, 304, 305, 306, 309, 310]).await, expected(&places));
}

#[tokio::test]
async fn the_record_that_stands_at_a_path_keeps_it_whatever_comes_later() {
    let (folder, fixture) = (Folder::new(), SpaceFixture::new().await);
    add(&folder, 305, story_at("blog", "blog", 0));
    import(&fixture, fixture.space, folder.path(), false).await;
    add(&folder, 304, story_at("blog", "blog", 0));
    add(&folder, 306, folder_at("blog", "blog", 0));
    let places = [(304, "blog-304"), (305, "blog"), (306, "blog-306")];
    for round in 0..2 {
        let done = import(&fixture, fixture.space, folder.path(), false).await;
        assert_eq!(done.report.failures.items, [], "{round}");
        assert_eq!(paths(&fixture, fixture.space, &[304, 305, 306]).await, expected(&places), "{round}");
    }
    // It moves at the source: the folder gets the path.
    folder.story(305, |story| (story["slug"], story["full_slug"]) = (json!("news"), json!("news")));
    let (dry, done) = dry_and_done(&fixture, folder.path()).await;
    assert_eq!((&dry.report.counts, &dry.report.warnings), (&done.report.counts, &done.report.warnings));
    assert_eq!(
        paths(&fixture, fixture.space, &[304, 305, 306]).await,
        expected(&[(304, "blog-304"), (305, "news"), (306, "blog")])
    );
}

#[tokio::test]
async fn folders_in_a_circle_stand_at_the_top_with_all_that_is_below_them() {
    let folder = Folder::new();
    for (id, more) in [
        (301, folder_at("one", "two/one", 302)),
        (302, folder_at("two", "one/two", 301)),
        (303, folder_at("self", "self/self", 303)),
        (304, folder_at("below", "two/one/below", 301)),
        (305, story_at("story", "two/one/below/story", 304)),
        (306, story_at("own", "self/own", 303)),
        // The path of one of them belongs to another one, which the source knows there.
        (307, folder_at("two", "two", 0)),
    ] {
        add(&folder, id, more);
    }
    let uuid = |number: u8| format!("3b0a4c1e-6f0d-4c3e-9a53-0f6f2c8f1b{number:02}");
    for (file, ids) in [("asset_folders", [93, 94, 95]), ("component_groups", [503, 504, 505])] {
        folder.change(file, |all| {
            let [one, two, below] = ids;
            for (number, (id, parent)) in (1..).zip([(one, two), (two, one), (below, two)]) {
                all[file]
                    .as_array_mut()
                    .unwrap()
                    .push(json!({ "id": id, "name": format!("n{id}"), "uuid": uuid(number), "parent_id": parent }));
            }
        });
    }
    let (fixture, done) = comes_over(&folder).await;
    let places = [
        (301, "one"),
        (302, "two-302"),
        (303, "self"),
        (304, "one/below"),
        (305, "one/below/story"),
        (306, "self/own"),
        (307, "two"),
    ];
    assert_eq!(paths(&fixture, fixture.space, &(301..308).collect::<Vec<_>>()).await, expected(&places));
    assert_eq!(ids(&told(&done, "parentMissing")), [93, 94, 301, 302, 303, 503, 504]);
    assert_eq!(ids(&told(&done, "pathDiffers")), [301, 302, 303]);
    for (table, name) in [("asset_folders", "n95"), ("component_groups", "n505")] {
        let sql = format!(
            "select above.name, above.parent_id from {table} own join {table} above on above.space_id = own.space_id and above.id = own.parent_id
             where own.space_id = $1 and own.name = $2"
        );
        let above = fixture.row(&sql, &[&fixture.space, &name]).await;
        let expected = if table == "asset_folders" { "n94" } else { "n504" };
        assert_eq!((above.get("name"), above.get::<_, Option<i64>>("parent_id")), (expected, None));
    }
}

#[tokio::test]
async fn a_folder_whose_details_cannot_be_read_is_made_of_its_line_and_keeps_what_is_below_it() {
    let folder = Folder::new();
    let (stand_in, fixture) = world([folder.path().to_owned()], None).await;
    let refused = || stand_in.control.set_faults(vec![Fault::of("/stories/201", What::Status { code: 422, retry_after: None })]);
    refused();
    let mut body = wanted(folder.path());
    body["dry_run"] = json!(true);
    let dry = imported(&fixture, fixture.space, &fixture.admin, body).await;
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!((done.status, &done.report.failures.items), (Status::Succeeded, &vec![]));
    assert_eq!((&dry.report.counts, &dry.report.warnings), (&done.report.counts, &done.report.warnings));
    assert_eq!(ids(&told(&done, "detailsMissing")), [201]);
    assert_eq!(done.report.counts[&Kind::Story].created, 5);

    // The next import has the details, and one that has not changes nothing.
    stand_in.control.set_faults(Vec::new());
    let whole = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!((whole.report.counts[&Kind::Folder].updated, whole.report.counts[&Kind::Folder].unchanged), (1, 1));
    let store = &fixture.database.store;
    let local = fixture.another_space().await;
    import(&fixture, local.id, folder.path(), false).await;
    assert_same(&dump(store, fixture.space).await, &dump(store, local.id).await);
    refused();
    let again = imported(&fixture, fixture.space, &fixture.admin, wanted(folder.path())).await;
    assert_eq!((again.report.counts[&Kind::Folder].unchanged, ids(&told(&again, "detailsMissing"))), (2, vec![201]));
    assert_same(&dump(store, fixture.space).await, &dump(store, local.id).await);
}

#[tokio::test]
async fn in_an_export_a_folder_that_cannot_be_read_is_made_of_its_place_and_without_a_uuid_its_stories_stand_at_the_top() {
    let folder = Folder::new();
    folder.story(201, |story| story["name"] = json!("a\u{0}b"));
    folder.story(202, |story| story["uuid"] = json!("no uuid"));
    let fixture = SpaceFixture::new().await;
    for kind in ["created", "unchanged"] {
        let (dry, done) = dry_and_done(&fixture, folder.path()).await;
        assert_eq!(dry.report, done.report, "{kind}");
        let failed: Vec<_> = done.report.failures.items.iter().map(|item| (item.id, item.code.as_str())).collect();
        assert_eq!(failed, [(202, "unreadable")]);
        assert_eq!((ids(&told(&done, "detailsMissing")), ids(&told(&done, "parentMissing"))), (vec![201], vec![207]));
        let counts = serde_json::to_value(&done.report.counts).unwrap();
        assert_eq!((&counts["folder"][kind], &counts["story"][kind]), (&json!(1), &json!(5)));
    }
    let sql = "select array_agg(full_slug order by full_slug) as all from stories where space_id = $1";
    let all: Vec<String> = fixture.row(sql, &[&fixture.space]).await.get("all");
    assert_eq!(all, ["home", "saw", "tools", "tools/", "tools/bench", "tools/vice"]);
}

#[tokio::test]
async fn a_folder_below_one_that_moved_holds_its_stories_though_it_cannot_be_read_itself() {
    let (folder, fixture) = (Folder::new(), SpaceFixture::new().await);
    import(&fixture, fixture.space, folder.path(), false).await;
    folder.story(201, |story| (story["slug"], story["full_slug"]) = (json!("gear"), json!("gear")));
    folder.story(202, |story| story["uuid"] = json!("no uuid"));
    add(&folder, 300, story_at("new", "gear/old/new", 202));
    import(&fixture, fixture.space, folder.path(), false).await;
    assert_eq!(paths(&fixture, fixture.space, &[300]).await, expected(&[(300, "gear/old/new")]));
    assert_eq!(uuid_of(300).len(), 36);
}

#[tokio::test]
async fn a_story_whose_parent_is_written_as_text_comes_over() {
    let folder = Folder::new();
    folder.story(205, |story| story["parent_id"] = json!("201"));
    folder.story(202, |story| (story["parent_id"], story["is_folder"]) = (json!("201"), json!("true")));
    let fixture = SpaceFixture::new().await;
    let done = import(&fixture, fixture.space, folder.path(), false).await;
    assert_eq!((done.status, &done.report.failures.items), (Status::Succeeded, &vec![]));
    assert_eq!((done.report.counts[&Kind::Folder].created, done.report.counts[&Kind::Story].created), (2, 5));
    assert_eq!(done.report.warnings.by_code.get("parentMissing"), None);
}
