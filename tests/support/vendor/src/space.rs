//! A space, read once and kept in serialised form.

use bytes::Bytes;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

/// A story in the files.
pub(crate) struct Story {
    pub(crate) id: i64,
    pub(crate) uuid: String,
    pub(crate) source: Map<String, Value>,
}

impl Story {
    pub(crate) fn text(&self, key: &str) -> &str {
        self.source.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    pub(crate) fn is(&self, key: &str) -> bool {
        self.source.get(key).and_then(Value::as_bool).unwrap_or_default()
    }

    pub(crate) fn number(&self, key: &str) -> i64 {
        self.source.get(key).and_then(Value::as_i64).unwrap_or_default()
    }

    /// Whether it is published in a language: by the state of that language, or with the story if there is
    /// none.
    pub(crate) fn is_public_in(&self, lang: &str) -> bool {
        let in_it = |list: &str| self.source.get(list)?.as_array()?.iter().find(|s| s["lang"] == lang);
        match in_it("translated_stories") {
            Some(state) => !state["published_at"].is_null(),
            None => in_it("translated_slugs").is_none_or(|i| i["published"] != false),
        }
    }

    /// An attribute of the draft, or of the published copy.
    pub(crate) fn member(&self, key: &str, is_published: bool) -> Option<&Value> {
        let published = if is_published { self.source.get("_published").and_then(|source| source.get(key)) } else { None };
        published.or_else(|| self.source.get(key))
    }
}

/// Draft or published, and the languages in order of preference.
pub(crate) type Copy = (bool, Vec<String>);

/// The stories of a variant: index and serialised story.
pub(crate) type Delivered = Arc<Vec<(usize, Bytes)>>;

/// A space.
pub(crate) struct Space {
    pub(crate) id: i64,
    pub(crate) about: Value,
    pub(crate) stories: Vec<Story>,
    /// The indexes of stories by id.
    pub(crate) by_id: HashMap<i64, usize>,
    /// The serialised list items and whole stories of the management API, in the order of the files.
    pub(crate) heads: Vec<Bytes>,
    pub(crate) details: Vec<Bytes>,
    /// Whether any story has a translated slug; then all stories include theirs.
    pub(crate) has_translations: bool,
    /// The other lists, serialised.
    pub(crate) lists: BTreeMap<&'static str, Vec<Bytes>>,
    pub(crate) datasources: Vec<Value>,
    pub(crate) entries: Vec<Value>,
    /// The delivery tokens, and whether they may read drafts.
    pub(crate) tokens: HashMap<String, bool>,
    /// The tokens that may only read the files of private assets.
    pub(crate) asset_tokens: HashSet<String>,
    /// The private assets by the path of their URL.
    pub(crate) private: HashMap<String, Value>,
    /// The stories of the delivery API by variant, built on first request.
    pub(crate) delivered: Mutex<HashMap<Copy, Delivered>>,
    folder: PathBuf,
}

/// The lists that are served unchanged, and their files.
const LISTS: [&str; 6] = ["components", "component_groups", "presets", "internal_tags", "assets", "asset_folders"];

impl Space {
    /// Reads a folder. Asset URLs get another origin, if one is given.
    pub(crate) fn read(folder: &Path, assets: Option<&str>) -> Self {
        let file = |name: &str| -> Value {
            let path = folder.join(format!("{name}.json"));
            match fs::read_to_string(&path) {
                Ok(text) => {
                    serde_json::from_str(&moved(text, assets)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
                }
                Err(_) => Value::Null,
            }
        };
        let list = |name: &str| match file(name).get_mut(name).map(Value::take) {
            Some(Value::Array(items)) => items,
            _ => Vec::new(),
        };
        let bytes = |value: &Value| Bytes::from(value.to_string());
        let mut about = file("space");
        assert!(about.is_object(), "{} holds no space", folder.display());
        if about.get("space").is_some() {
            about = about["space"].take();
        }
        let stories: Vec<_> = list("stories").into_iter().map(story).collect();
        about["stories_count"] = stories.iter().filter(|story| !story.is("is_folder")).count().into();
        let keys = list("api_keys");
        let token = |key: &Value| Some((key["token"].as_str()?.to_owned(), key["access"] == "private"));
        let asset_tokens = keys.iter().filter(|key| key["access"] == "asset").filter_map(|key| key["token"].as_str());
        let asset_tokens = asset_tokens.map(str::to_owned).collect();
        let private = list("assets").into_iter().filter(|l| l["is_private"] == true);
        let private = private.map(|private| (path_of(private["filename"].as_str().unwrap()).to_owned(), private)).collect();
        let mut tokens: HashMap<_, _> = keys.iter().filter_map(token).collect();
        if let Some(first) = about["first_token"].as_str() {
            tokens.insert(first.to_owned(), true);
        }
        let mut lists: BTreeMap<_, Vec<_>> = LISTS.map(|name| (name, list(name).iter().map(bytes).collect())).into();
        lists.insert("api_keys", keys.iter().map(bytes).collect());
        Self {
            id: about["id"].as_i64().unwrap(),
            by_id: stories.iter().enumerate().map(|(at, story)| (story.id, at)).collect(),
            heads: stories.iter().map(|story| head(story).into()).collect(),
            details: stories.iter().map(|story| detail(story).into()).collect(),
            has_translations: stories
                .iter()
                .any(|story| story.source.get("translated_slugs").and_then(Value::as_array).is_some_and(|story| !story.is_empty())),
            stories,
            lists,
            datasources: list("datasources"),
            entries: list("datasource_entries"),
            tokens,
            asset_tokens,
            private,
            delivered: Mutex::default(),
            folder: folder.to_owned(),
            about,
        }
    }

    /// The codes of its languages besides the default one.
    pub(crate) fn languages(&self) -> Vec<&str> {
        let list = self.about["languages"].as_array();
        list.into_iter().flatten().filter_map(|l| l["code"].as_str()).collect()
    }

    /// The file of an asset, by the path of its URL.
    pub(crate) fn asset(&self, path: &str) -> Option<Bytes> {
        let path = percent_decode_str(path.trim_start_matches('/')).decode_utf8().ok()?.into_owned();
        let is_inside = path.split('/').all(|part| !part.is_empty() && part != "..");
        if is_inside { fs::read(self.folder.join("assets").join(path)).ok().map(Bytes::from) } else { None }
    }
}

/// The path of a URL as it is, decoded or not.
pub(crate) fn path_of(url: &str) -> &str {
    url.find("/f/").map_or("", |at| &url[at..])
}

/// The text of a file with the origin of assets replaced.
fn moved(text: String, assets: Option<&str>) -> String {
    let Some(origin) = assets else { return text };
    let (_, host) = origin.split_once(':').unwrap();
    text.replace("https://s3.amazonaws.com/a.storyblok.com/", &format!("{origin}/"))
        .replace("https://a.storyblok.com/", &format!("{origin}/"))
        .replace("//a.storyblok.com/", &format!("{host}/"))
}

fn story(source: Value) -> Story {
    let Value::Object(source) = source else { panic!("a story is an object") };
    Story { id: source["id"].as_i64().unwrap(), uuid: source["uuid"].as_str().unwrap().to_owned(), source }
}

/// A story without its content, as in lists.
fn head(story: &Story) -> String {
    let mut head = story.source.clone();
    let kind = head.get("content").and_then(|head| head.get("component")).cloned().unwrap_or(Value::Null);
    for key in [
        "content",
        "_published",
        "_schedulings",
        "meta_data",
        "translated_slugs",
        "localized_paths",
        "user_ids",
        "space_role_ids",
        "ideas",
    ] {
        head.shift_remove(key);
    }
    head.insert("content_type".to_owned(), kind);
    head.insert("content_summary".to_owned(), json!({}));
    Value::Object(head).to_string()
}

/// A whole story with its draft.
fn detail(story: &Story) -> String {
    let mut detail = story.source.clone();
    detail.shift_remove("_published");
    detail.shift_remove("_schedulings");
    Value::Object(detail).to_string()
}
