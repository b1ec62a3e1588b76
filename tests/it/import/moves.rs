//! Stories that exchange their paths between two imports.

use super::{changes::becomes_from, folder::Folder};
use support::prelude::*;

/// Gives stories other slugs and paths.
pub fn exchange(folder: &Folder, places: &[(i64, &str, &str)]) {
    for (id, slug, full_slug) in places {
        folder.story(*id, |story| (story["slug"], story["full_slug"]) = (json!(slug), json!(full_slug)));
    }
}

/// A source with additional stories below `tools`: `story-0` has the id 1000, and so on.
pub fn many(count: i64) -> Folder {
    let folder = Folder::new();
    folder.change("stories", |file| {
        let stories = file["stories"].as_array_mut().unwrap();
        let model = stories.iter().find(|story| story["id"] == 206).unwrap().clone();
        for number in 0..count {
            let mut story = model.clone();
            let uuid = uuid::Uuid::from_u128(0x4000_8000_0000_0000_0000 + u128::try_from(number).unwrap()).to_string();
            (story["id"], story["uuid"], story["group_id"]) = (json!(1000 + number), json!(uuid), json!(uuid));
            story["slug"] = json!(format!("story-{number}"));
            story["full_slug"] = json!(format!("tools/story-{number}"));
            story["translated_slugs"] = json!([]);
            stories.push(story);
        }
    });
    folder
}

#[tokio::test]
async fn two_stories_that_exchange_their_slugs() {
    let places = [(205, "vice", "tools/vice"), (206, "bench", "tools/bench")];
    becomes_from(Folder::new(), |folder| exchange(folder, &places), 2).await;
}

#[tokio::test]
async fn stories_that_move_up_in_a_line_and_in_a_circle() {
    let line = [(1000, "story-1", "tools/story-1"), (1001, "story-2", "tools/story-2"), (1002, "last", "tools/last")];
    becomes_from(many(3), |folder| exchange(folder, &line), 3).await;
    let circle = [(1000, "story-1", "tools/story-1"), (1001, "story-2", "tools/story-2"), (1002, "story-0", "tools/story-0")];
    becomes_from(many(3), |folder| exchange(folder, &circle), 3).await;
}

#[tokio::test]
async fn stories_that_exchange_their_slugs_and_come_on_different_pages() {
    let places = [(1000, "story-299", "tools/story-299"), (1299, "story-0", "tools/story-0")];
    becomes_from(many(300), |folder| exchange(folder, &places), 2).await;
}

#[tokio::test]
async fn a_new_story_at_the_place_of_one_that_moved_on() {
    let change = |folder: &Folder| {
        exchange(folder, &[(1299, "elsewhere", "tools/elsewhere")]);
        folder.change("stories", |file| {
            let stories = file["stories"].as_array_mut().unwrap();
            let mut new = stories.iter().find(|story| story["id"] == 1299).unwrap().clone();
            let uuid = "6f1c7bb5-6d5c-4d1e-9e0e-0c9a0d2f7b33";
            (new["id"], new["uuid"], new["group_id"]) = (json!(999), json!(uuid), json!(uuid));
            (new["slug"], new["full_slug"]) = (json!("story-299"), json!("tools/story-299"));
            stories.push(new);
        });
    };
    becomes_from(many(300), change, 1).await;
}

#[tokio::test]
async fn another_start_page() {
    let change = |folder: &Folder| {
        for (id, is_startpage, slug, full_slug) in [(204, false, "former", "tools/former"), (206, true, "vice", "tools/")] {
            folder.story(id, |story| {
                story["is_startpage"] = json!(is_startpage);
                (story["slug"], story["full_slug"]) = (json!(slug), json!(full_slug));
            });
        }
    };
    becomes_from(Folder::new(), change, 2).await;
}

#[tokio::test]
async fn folders_that_exchange_their_slugs_with_all_that_is_below_them() {
    let folder = Folder::new();
    folder.change("stories", |file| {
        let stories = file["stories"].as_array_mut().unwrap();
        let of = |id: i64| stories.iter().find(|story| story["id"] == id).unwrap().clone();
        let (mut attic, mut lamp) = (of(201), of(207));
        let named = |story: &mut Value, id: i64, slug: &str, full_slug: &str| {
            let uuid = uuid::Uuid::from_u128(0x4000_8000_0000_0000_0000 + u128::try_from(id).unwrap()).to_string();
            (story["id"], story["uuid"], story["group_id"]) = (json!(id), json!(uuid), json!(uuid));
            (story["slug"], story["full_slug"], story["translated_slugs"]) = (json!(slug), json!(full_slug), json!([]));
        };
        named(&mut attic, 301, "attic", "attic");
        named(&mut lamp, 302, "lamp", "attic/lamp");
        lamp["parent_id"] = json!(301);
        stories.extend([attic, lamp]);
    });
    let change = |folder: &Folder| {
        folder.change("stories", |file| {
            for story in file["stories"].as_array_mut().unwrap() {
                let path = story["full_slug"].as_str().unwrap();
                let (first, rest) = path.split_at(path.find('/').unwrap_or(path.len()));
                let other = match first {
                    "tools" => "attic",
                    "attic" => "tools",
                    first => first,
                };
                story["full_slug"] = json!(format!("{other}{rest}"));
            }
        });
        folder.story(201, |story| story["slug"] = json!("attic"));
        folder.story(301, |story| story["slug"] = json!("tools"));
    };
    // What is below moves with its folder, and is as it should be when its turn comes.
    becomes_from(folder, change, 2).await;
}
