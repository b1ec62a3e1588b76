//! A folder of exported JSON as a source: each file holds the list of that name from the management API, with all its pages in one.
//!
//! ```text
//! space.json  components.json  component_groups.json  presets.json  datasources.json  datasource_entries.json
//! stories.json  assets.json  asset_folders.json  assets/<path of each file's URL>
//! ```
//! Three attributes are not in these lists: `_published` of a story (the differences of its published copy from the draft), `_schedulings` (its
//! entries of the list of schedulings), and `dimension_values` of an entry. A missing file counts as an empty list, with a warning, but
//! `space.json` is required.
//!
//! Symbolic links are not followed, so that a folder from elsewhere cannot import other files of this machine.

use super::{Fetched, FileError, MAX_PAGE_BYTES, Page, Source, SourceError, SourceManifest, StoryHeader, order};
use bytes::{Bytes, BytesMut};
use crypto::digest;
use domain::{
    content::import::{Kind, Phase, Record, record},
    shared::Fault,
};
use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::BoxStream};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::{
    collections::{BTreeMap, HashMap},
    io::{self, ErrorKind},
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio::{fs::File, io::AsyncReadExt, sync::OnceCell};
use uuid::Uuid;

/// How many bytes of a file are in memory at a time.
const PIECE: usize = 64 * 1024;

/// A folder.
pub struct Directory {
    path: PathBuf,
    read: OnceCell<Contents>,
}

/// The contents of a folder, with its lists in import order.
struct Contents {
    manifest: SourceManifest,
    story_headers: Vec<StoryHeader>,
    lists: BTreeMap<Phase, List>,
}

/// The text of a file, and the byte ranges of its records.
#[derive(Default)]
struct List {
    text: Arc<String>,
    records: Vec<Range<usize>>,
}

/// The attributes by which records are ordered. They stay empty if a record is unreadable, which is reported when the record is read.
#[derive(Default, Deserialize)]
struct Place {
    id: i64,
    uuid: Option<Uuid>,
    #[serde(default)]
    parent_id: Option<i64>,
    #[serde(default)]
    is_folder: Option<bool>,
    #[serde(default)]
    full_slug: Option<String>,
}

impl Directory {
    /// The folder at a path. It is read on first use.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), read: OnceCell::new() }
    }

    async fn contents(&self) -> Result<&Contents, SourceError> {
        self.read.get_or_try_init(|| self.load()).await
    }

    async fn load(&self) -> Result<Contents, SourceError> {
        let space: record::Space = {
            let text = self.file("space.json").await?.ok_or_else(|| unreadable("space.json", "it is not there"))?;
            let inner: HashMap<String, Box<RawValue>> =
                serde_json::from_str(&text).map_err(|error| unreadable("space.json", &error.to_string()))?;
            // Either the response of the management API or the bare object.
            let text = inner.get("space").map_or(&*text, |inner| inner.get());
            serde_json::from_str(text).map_err(|error| unreadable("space.json", &error.to_string()))?
        };
        let mut lists = BTreeMap::new();
        let mut warnings = Vec::new();
        for (phase, name) in [
            (Phase::AssetFolders, "asset_folders"),
            (Phase::Assets, "assets"),
            (Phase::ComponentGroups, "component_groups"),
            (Phase::Components, "components"),
            (Phase::Presets, "presets"),
            (Phase::Datasources, "datasources"),
            (Phase::DatasourceEntries, "datasource_entries"),
        ] {
            let mut list = self.list(name, &mut warnings).await?;
            list.parents_first();
            lists.insert(phase, list);
        }
        let stories = self.list("stories", &mut warnings).await?;
        let places = stories.places();
        let head = |value: &Place| {
            let is_folder = value.is_folder.unwrap_or(false);
            Some(StoryHeader { id: value.id, uuid: value.uuid?, is_folder, full_slug: value.full_slug.clone() })
        };
        let story_headers = places.iter().filter_map(head).collect();
        let of = |folders: bool| {
            let chosen = stories.records.iter().zip(&places).filter(|(_, record)| record.is_folder.unwrap_or(false) == folders);
            List { text: stories.text.clone(), records: chosen.map(|(range, _)| range.clone()).collect() }
        };
        let (mut folders, only_stories) = (of(true), of(false));
        folders.parents_first();
        lists.insert(Phase::Folders, folders);
        lists.insert(Phase::Stories, only_stories);
        let mut announced: BTreeMap<Kind, u64> =
            lists.iter().filter_map(|(phase, list)| Some((phase.kind()?, list.records.len() as u64))).collect();
        announced.extend(space.stories_count.map(|count| (Kind::Story, count)));
        let fingerprint = Some(digest::of_parts(lists.values().map(|list| list.text.as_bytes())));
        Ok(Contents { manifest: SourceManifest { space, announced, warnings, fingerprint }, story_headers, lists })
    }

    async fn list(&self, name: &str, warnings: &mut Vec<(&'static str, String)>) -> Result<List, SourceError> {
        let file = format!("{name}.json");
        let Some(text) = self.file(&file).await? else {
            warnings.push(("fileMissing", format!("there is no {file} in the folder: nothing of it is imported")));
            return Ok(List::default());
        };
        let text = Arc::new(text);
        let records = {
            let whole: HashMap<&str, &RawValue> =
                serde_json::from_str(&text).map_err(|error| unreadable(&file, &error.to_string()))?;
            let list = whole.get(name).ok_or_else(|| unreadable(&file, &format!("it has no list {name}")))?;
            let records: Vec<&RawValue> =
                serde_json::from_str(list.get()).map_err(|error| unreadable(&file, &error.to_string()))?;
            let base = text.as_ptr() as usize;
            records
                .iter()
                .map(|record| {
                    let begin = record.get().as_ptr() as usize - base;
                    begin..begin + record.get().len()
                })
                .collect()
        };
        Ok(List { text, records })
    }

    async fn file(&self, name: &str) -> Result<Option<String>, SourceError> {
        let read = async {
            let mut text = String::new();
            self.open_file(Path::new(name)).await?.read_to_string(&mut text).await?;
            Ok::<_, io::Error>(text)
        };
        match read.await {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable(name, &error.to_string())),
        }
    }

    /// Opens a file by its path in the folder.
    async fn open_file(&self, path: &Path) -> io::Result<File> {
        let whole = self.path.join(path);
        let real = tokio::fs::canonicalize(&whole).await?;
        if real != tokio::fs::canonicalize(&self.path).await?.join(path) {
            return Err(io::Error::other("it is a link, or lies behind one"));
        }
        // Checked before opening, because opening a pipe blocks.
        if !tokio::fs::metadata(&real).await?.is_file() {
            return Err(io::Error::other("it is no file"));
        }
        File::open(real).await
    }
}

impl List {
    fn text(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The end of the page that starts at a record.
    fn page_end(&self, from: usize, max: usize) -> usize {
        let mut bytes = 0;
        let page = self.records.iter().skip(from).take(max).take_while(|record| {
            let fits = bytes < MAX_PAGE_BYTES;
            bytes += record.len();
            fits
        });
        from + page.count()
    }

    fn places(&self) -> Vec<Place> {
        self.records.iter().map(|record| serde_json::from_str(self.text(record)).unwrap_or_default()).collect()
    }

    /// Orders parents before children and otherwise keeps the order.
    fn parents_first(&mut self) {
        let placed: Vec<(Place, Range<usize>)> = self.places().into_iter().zip(std::mem::take(&mut self.records)).collect();
        let ordered = order::parents_first(placed, |(value, _)| (value.id, value.parent_id.unwrap_or(0)));
        self.records = ordered.into_iter().map(|(_, range)| range).collect();
    }
}

impl Source for Directory {
    fn open(&self) -> BoxFuture<'_, Result<SourceManifest, SourceError>> {
        async { Ok(self.contents().await?.manifest.clone()) }.boxed()
    }

    fn story_headers(&self) -> BoxFuture<'_, Result<Vec<StoryHeader>, SourceError>> {
        async { Ok(self.contents().await?.story_headers.clone()) }.boxed()
    }

    fn page(&self, phase: Phase, cursor: i64, max: usize) -> BoxFuture<'_, Result<Page, SourceError>> {
        async move {
            let contents = self.contents().await?;
            let (Some(list), Some(kind)) = (contents.lists.get(&phase), phase.kind()) else { return Ok(Page::default()) };
            let from = usize::try_from(cursor).unwrap_or(0).min(list.records.len());
            // All components in one page, as the management API returns them, so that duplicate names are always found.
            let to = if phase == Phase::Components { list.records.len() } else { list.page_end(from, max) };
            let records = list.records.get(from..to).unwrap_or_default().iter().map(|range| {
                let text = list.text(range);
                let mut record = Record::read(kind, text);
                if let Record::Story(story) = &mut record {
                    story.is_by_language = contents.manifest.space.is_by_language();
                }
                (record, digest::of_parts([text.as_bytes()]))
            });
            let next = (to < list.records.len()).then(|| i64::try_from(to).unwrap_or(i64::MAX));
            Ok(Page { records: records.collect(), next, weight: 0 })
        }
        .boxed()
    }

    /// Cursors are positions in files. A resumed import compares the fingerprint of the files first.
    fn has_stable_cursor(&self, _: Phase) -> bool {
        true
    }

    fn file<'a>(&'a self, asset: &'a record::Asset) -> BoxFuture<'a, Result<Fetched, FileError>> {
        async move {
            let path = asset.path().ok_or_else(|| FileError::permanent("its URL names no file"))?;
            let path = Path::new("assets").join(path);
            let unreadable = |error: std::io::Error| FileError::permanent(format!("its file cannot be read: {error}"));
            let file = self.open_file(&path).await.map_err(|error| match error.kind() {
                ErrorKind::NotFound => FileError::permanent("there is no such file in the folder"),
                _ => unreadable(error),
            })?;
            let length = Some(file.metadata().await.map_err(unreadable)?.len());
            Ok(Fetched { length, chunks: chunks(file) })
        }
        .boxed()
    }
}

/// Reads a file in chunks.
fn chunks(file: File) -> BoxStream<'static, Result<Bytes, Fault>> {
    futures_util::stream::try_unfold(file, |mut file| async move {
        let mut piece = BytesMut::with_capacity(PIECE);
        let read = file.read_buf(&mut piece).await.map_err(|error| Fault::unavailable(error.to_string()))?;
        Ok((read > 0).then(|| (piece.freeze(), file)))
    })
    .boxed()
}

fn unreadable(file: &str, why: &str) -> SourceError {
    SourceError::new("sourceUnreadable", format!("{file} cannot be read: {why}"))
}

#[cfg(test)]
mod tests {
    use super::{Directory, Kind, Phase, Record, Source};

    fn folder(name: &str, files: &[(&str, &str)]) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("lectern-directory-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        for (file, text) in files {
            std::fs::write(path.join(file), text).unwrap();
        }
        path
    }

    #[tokio::test]
    async fn folders_come_before_what_stands_in_them_and_stories_by_themselves() {
        let uuid = |n: u8| format!("00000000-0000-4000-8000-0000000000{n:02}");
        let story = |id: u8, parent: u8, is_folder: bool| {
            format!(r#"{{"id":{id},"uuid":"{}","parent_id":{parent},"is_folder":{is_folder},"name":"n"}}"#, uuid(id))
        };
        let stories = [story(1, 2, true), story(2, 3, true), story(4, 1, false), story(3, 0, true)].join(",");
        let stories = format!(r#"{{"stories":[{stories}]}}"#);
        let path = folder("order", &[("space.json", r#"{"id":5,"name":"S"}"#), ("stories.json", &stories)]);
        let source = Directory::new(&path);
        let ids = async |phase| -> Vec<i64> {
            source.page(phase, 0, 100).await.unwrap().records.iter().map(|(record, _)| Record::id(record)).collect()
        };
        assert_eq!(ids(Phase::Folders).await, [3, 2, 1]);
        assert_eq!(ids(Phase::Stories).await, [4]);
        let manifest = source.open().await.unwrap();
        assert_eq!((manifest.space.id, manifest.announced[&Kind::Folder], manifest.announced[&Kind::Component]), (5, 3, 0));
        assert_eq!(source.story_headers().await.unwrap().len(), 4);
        std::fs::remove_dir_all(path).unwrap();
    }

    #[tokio::test]
    async fn a_folder_that_is_none_says_which_file_it_lacks() {
        let path = folder("broken", &[("space.json", r#"{"space":{"id":5}}"#), ("stories.json", "{")]);
        for (path, file) in [(path.join("nowhere"), "space.json"), (path.clone(), "stories.json")] {
            let error = Directory::new(path).open().await.unwrap_err();
            assert!(error.message.starts_with(file), "{error:?}");
        }
        std::fs::remove_dir_all(path).unwrap();
    }
}
