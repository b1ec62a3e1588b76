//! The client reads exactly what the files contain.

use super::{client, example_spaces, number, reader, sample_space, stand_in, values};
use egress::vendor::{Error, StorySelection, Vendor, VendorPage};
use std::future::Future;
use support::prelude::*;
use vendor_stand_in::{Options, StandIn, TOKEN};

fn file(folder: &Path, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    let Value::Array(items) = serde_json::from_str::<Value>(&text).unwrap()[name].take() else { panic!("{name}") };
    items
}

/// Reads all pages of a list.
async fn all<F: Future<Output = Result<VendorPage, Error>>>(page: impl Fn(u64) -> F) -> Vec<Value> {
    let mut items = Vec::new();
    for number in 1.. {
        let page = page(number).await.unwrap();
        if page.items.is_empty() {
            assert_eq!(page.total, Some(items.len() as u64));
            return items;
        }
        assert!(page.items.len() as u64 <= page.per_page.unwrap());
        items.extend(values(page.items));
    }
    unreachable!("lists end")
}

async fn reads_all(vendor: &Vendor, folder: &Path) {
    let components = vendor.components().await.unwrap();
    assert_eq!(values(components.components), file(folder, "components"));
    assert_eq!(values(components.groups), file(folder, "component_groups"));
    assert_eq!(values(vendor.component_groups().await.unwrap()), file(folder, "component_groups"));
    assert_eq!(values(vendor.presets().await.unwrap()), file(folder, "presets"));
    assert_eq!(all(|page| vendor.internal_tags(page)).await, file(folder, "internal_tags"));
    assert_eq!(values(vendor.asset_folders().await.unwrap()), file(folder, "asset_folders"));
    assert_eq!(all(|page| vendor.assets(page)).await, file(folder, "assets"));
    assert_eq!(values(vendor.api_keys().await.unwrap()), file(folder, "api_keys"));
    let datasources = all(|page| vendor.datasources(page)).await;
    assert_eq!(datasources, file(folder, "datasources"));
    for datasource in &datasources {
        reads_entries(vendor, folder, datasource).await;
    }
}

async fn reads_entries(vendor: &Vendor, folder: &Path, datasource: &Value) {
    let id = datasource["id"].as_i64().unwrap();
    let written: Vec<_> = file(folder, "datasource_entries").into_iter().filter(|f| f["datasource_id"] == id).collect();
    let plain = all(|page| vendor.datasource_entries(id, None, page)).await;
    assert_eq!(plain.len(), written.len());
    for dimension in datasource["dimensions"].as_array().unwrap() {
        let read = all(|page| vendor.datasource_entries(id, dimension["id"].as_i64(), page)).await;
        for (written, read) in written.iter().zip(read) {
            assert_eq!(read["name"], written["name"]);
            let code = dimension["entry_value"].as_str().unwrap();
            assert_eq!(read["dimension_value"], *written.pointer(&format!("/dimension_values/{code}")).unwrap_or(&Value::Null));
        }
    }
}

/// Reads every story: the list, each draft, its versions, and the published stories by page and by UUID.
async fn reads_stories(vendor: &Vendor, folder: &Path) {
    let written = file(folder, "stories");
    let heads = all(|page| vendor.stories(page)).await;
    assert_eq!(heads.len(), written.len());
    for (head, written) in heads.iter().zip(&written) {
        assert_eq!((&head["uuid"], head.get("content")), (&written["uuid"], None));
        let story = values(vec![vendor.story(head["id"].as_i64().unwrap()).await.unwrap()]).remove(0);
        assert_eq!((&story["content"], story.get("_published")), (&written["content"], None));
    }
    let space = values(vec![vendor.space().await.unwrap()]).remove(0);
    let token = space["first_token"].as_str().unwrap().into();
    let is_out = |value: &&Value| value["published"] == true && value["is_folder"] != true;
    let out: BTreeSet<_> = written.iter().filter(is_out).map(|w| w["uuid"].as_str().unwrap().to_owned()).collect();
    let published = all(|page| vendor.published(&token, "default", StorySelection::Page(page))).await;
    assert_eq!(published.iter().map(|p| p["uuid"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>(), out);
    let some: Vec<_> = out.iter().take(7).cloned().collect();
    let by_uuid = vendor.published(&token, "default", StorySelection::Uuids(&some)).await.unwrap();
    assert_eq!(by_uuid.items.len(), some.len());
    for story in published {
        let written = written.iter().find(|w| w["uuid"] == story["uuid"]).unwrap();
        let content = written.pointer("/_published/content").unwrap_or(&written["content"]);
        assert_eq!(story["content"]["_uid"], content["_uid"]);
        assert!(!story.to_string().contains("__i18n__"));
        let versions = values(vendor.story_versions(story["id"].as_i64().unwrap(), 1).await.unwrap().items);
        let version = versions.iter().find(|version| version["status"] == "published").unwrap();
        assert_eq!(version["content"], *content);
    }
}

#[tokio::test]
async fn everything_in_a_space_is_read() {
    let stand_in = stand_in().await;
    let vendor = reader(&stand_in);
    reads_all(&vendor, &sample_space()).await;
    reads_stories(&vendor, &sample_space()).await;
    assert_eq!(vendor.rate(), None, "nothing was refused, so nothing is held back");
    assert_eq!(stand_in.control.counters().limited, 0);
}

#[tokio::test]
#[ignore = "reads the example spaces beside the repository: make shared-tests"]
async fn everything_in_the_example_spaces_is_read() {
    let folders: Vec<_> = example_spaces().into_iter().map(|(_, folder)| folder).collect();
    let stand_in = StandIn::start(Options::of(folders.clone())).await;
    for folder in folders {
        let vendor = client(&stand_in, &format!("Bearer {TOKEN}"), number(&folder));
        reads_all(&vendor, &folder).await;
        reads_stories(&vendor, &folder).await;
    }
}

#[tokio::test]
async fn published_content_is_read_in_each_language() {
    let stand_in = stand_in().await;
    let vendor = reader(&stand_in);
    let space = values(vec![vendor.space().await.unwrap()]).remove(0);
    let token = space["first_token"].as_str().unwrap().into();
    let default = values(vendor.published(&token, "default", StorySelection::Page(1)).await.unwrap().items);
    let languages = space["languages"].as_array().unwrap();
    assert!(!languages.is_empty());
    for language in languages {
        let code = language["code"].as_str().unwrap();
        let translated = values(vendor.published(&token, code, StorySelection::Page(1)).await.unwrap().items);
        assert_eq!(translated.len(), default.len());
        assert!(translated.iter().all(|t| t["lang"] == code));
        assert_ne!(translated, default);
    }
}

#[tokio::test]
async fn asset_bodies_and_their_urls_are_where_the_test_wants_them() {
    let mut options = Options::of([sample_space()]);
    options.assets = Some("self".to_owned());
    let stand_in = StandIn::start(options).await;
    let assets = values(reader(&stand_in).assets(1).await.unwrap().items);
    for asset in &assets {
        let url = asset["filename"].as_str().unwrap();
        assert!(url.starts_with(&format!("{}/f/", stand_in.origin())), "{url}");
        let body = support::browser().get(url).send().await.unwrap();
        assert_eq!(body.status(), 200, "{url}");
        assert_eq!(body.bytes().await.unwrap().len() as u64, asset["content_length"].as_u64().unwrap());
    }
    assert!(!assets.is_empty());
}
