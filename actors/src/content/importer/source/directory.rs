//! A folder of exported JSON as a source: each file holds the list of that name from the management API, with
//! all its pages in one.
//!
//! ```text
//! space.json  components.json  component_groups.json  presets.json  datasources.json  datasource_entries.json
//! stories.json  assets.json  asset_folders.json  assets/<path of each file's URL>
//! ```
//! Three attributes are not in these lists: `_published` of a story (the differences of its published copy
//! from the draft), `_schedulings` (its entries of the list of schedulings), and `dimension_values` of an
//! entry. A missing file counts as an empty list, with a warning, but `space.json` is required.
//!
//! A file is read once to find its records, and then record by record: it may be larger than the memory. Of
//! each record its place is held, and of a story what the list of a Storyblok space says. Stories and folders
//! come by ascending id, whatever their order in the file.
//!
//! Symbolic links are not followed, so that a folder from elsewhere cannot import other files of this
//! machine.

mod list_file;

use super::{
    Fetched, FileError, ListedId, MAX_PAGE_BYTES, MAX_PAGE_WEIGHT, Page, Source, SourceError, SourceManifest, order,
    place::{Place, folder_of_line, line},
    warning,
};
use crate::content::importer::end_code::EndCode;
use bytes::{Bytes, BytesMut};
use crypto::digest;
use domain::{
    content::import::{Finding, Kind, Phase, Record, SourceId, Tree, record},
    shared::Fault,
};
use egress::vendor::{
    Error, Held, ImportMemory, RECORD, STORY,
    splitter::{self, RecordMember},
};
use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::BoxStream};
use list_file::{ListFile, Spot, failure, list_of, unreadable};
use serde_json::value::RawValue;
use services::content::import::state::SourceStory;
use std::{
    collections::{BTreeMap, HashMap},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio::{fs::File, io::AsyncReadExt, sync::OnceCell};

/// How many bytes of an asset's file are in memory at a time.
const PIECE: usize = 64 * 1024;
/// What a story takes in bytes besides its path, here and in the maps from ids and UUIDs that the import
/// makes of the list.
const LISTED_BYTES: usize = 512;
/// How often its path is held.
const PATHS: usize = 4;
/// How often the text of a story is in memory while it waits to be written.
const STORY_COPIES: usize = 4;

/// The lists but that of stories, each with its file.
const LISTS: [(Phase, &str, &[RecordMember]); 7] = [
    (Phase::AssetFolders, "asset_folders", &[list_of("asset_folders")]),
    (Phase::Assets, "assets", &[list_of("assets")]),
    (Phase::ComponentGroups, "component_groups", &[list_of("component_groups")]),
    (Phase::Components, "components", &[list_of("components")]),
    (Phase::Presets, "presets", &[list_of("presets")]),
    (Phase::Datasources, "datasources", &[list_of("datasources")]),
    (Phase::DatasourceEntries, "datasource_entries", &[list_of("datasource_entries")]),
];

/// A folder.
pub struct Directory {
    path: PathBuf,
    memory: ImportMemory,
    read: OnceCell<Contents>,
}

/// The contents of a folder, with its lists in import order.
struct Contents {
    manifest: SourceManifest,
    story_headers: Vec<SourceStory>,
    lists: BTreeMap<Phase, List>,
    _held: Held,
}

/// The records of a file, in import order.
#[derive(Default)]
struct List {
    /// `None` for a file that is missing.
    file: Option<Arc<ListFile>>,
    records: Vec<Spot>,
    /// What stands in what.
    tree: Tree<ListedId>,
}

/// A record with its id and that of its parent, `NONE` where there is none.
#[derive(Clone)]
struct Placed {
    id: ListedId,
    parent: ListedId,
    spot: Spot,
}

impl Directory {
    /// The folder at a path, of which no more than `memory` is held. It is read on first use.
    pub fn new(path: impl Into<PathBuf>, memory: ImportMemory) -> Self {
        Self { path: path.into(), memory, read: OnceCell::new() }
    }

    async fn contents(&self) -> Result<&Contents, SourceError> {
        self.read.get_or_try_init(|| self.load()).await
    }

    async fn load(&self) -> Result<Contents, SourceError> {
        let space = self.space().await?;
        let mut held = self.memory.nothing();
        let (mut lists, mut warnings, mut sums) = (BTreeMap::new(), Vec::new(), Vec::new());
        for (phase, name, wanted) in LISTS {
            let mut placed: Vec<Placed> = Vec::new();
            let keep = |place: Place, spot| {
                placed.push(Placed { id: place.id, parent: place.parent(), spot });
                0
            };
            let Some(kind) = phase.kind() else { continue };
            let (file, sum) = self.scan((name, kind, wanted, RECORD), &mut held, &mut warnings, keep).await?;
            sums.push(sum);
            lists.insert(phase, List::parents_first(file, placed));
        }
        let (mut story_headers, mut folders, mut stories) = (Vec::new(), Vec::new(), Vec::new());
        let keep = |place: Place, spot| {
            let is_folder = place.is_folder.unwrap_or(false);
            let all = if is_folder { &mut folders } else { &mut stories };
            all.push(Placed { id: place.id, parent: place.parent(), spot });
            let bytes = LISTED_BYTES + PATHS * place.text_bytes();
            story_headers.extend(place.into_header());
            bytes
        };
        let wanted = const { &[list_of("stories")] };
        let (file, sum) = self.scan(("stories", Kind::Story, wanted, STORY), &mut held, &mut warnings, keep).await?;
        sums.push(sum);
        story_headers.sort_by_key(|header| header.id);
        folders.sort_by_key(|folder| folder.id);
        stories.sort_by_key(|story| story.id);
        lists.insert(Phase::Folders, List::parents_first(file.clone(), folders));
        let records = stories.into_iter().map(|story| story.spot).collect();
        lists.insert(Phase::Stories, List { file, records, tree: Tree::default() });
        let mut announced: BTreeMap<Kind, u64> =
            lists.iter().filter_map(|(phase, list)| Some((phase.kind()?, list.records.len() as u64))).collect();
        announced.extend(space.stories_count.map(|count| (Kind::Story, count)));
        let fingerprint = Some(digest::of_parts(sums.iter().map(<[u8; 32]>::as_slice)));
        let manifest = SourceManifest { space, announced, warnings, fingerprint };
        Ok(Contents { manifest, story_headers, lists, _held: held })
    }

    /// Reads `space.json`: either the response of the management API or the bare object.
    async fn space(&self) -> Result<record::Space, SourceError> {
        const NAME: &str = "space.json";
        let read = async {
            let mut text = String::new();
            let most = u64::try_from(RECORD.bytes).unwrap_or(u64::MAX);
            self.open_file(Path::new(NAME)).await?.take(most + 1).read_to_string(&mut text).await?;
            Ok::<_, io::Error>(text)
        };
        let text = read.await.map_err(|error| match error.kind() {
            ErrorKind::NotFound => unreadable(NAME, &"it is not there"),
            _ => unreadable(NAME, &error),
        })?;
        let weight = splitter::weight(text.as_bytes()).map_err(|error| failure(NAME, error, None))?;
        if text.len() > RECORD.bytes || weight > RECORD.weight {
            return Err(failure(NAME, Error::RecordTooLarge, None));
        }
        let inner: HashMap<String, Box<RawValue>> = serde_json::from_str(&text).map_err(|error| unreadable(NAME, &error))?;
        let text = inner.get("space").map_or(&*text, |inner| inner.get());
        serde_json::from_str(text).map_err(|error| unreadable(NAME, &error))
    }

    /// Finds the records of a file, and its checksum. A missing file has none.
    async fn scan(
        &self,
        (name, kind, wanted, limits): (&str, Kind, &'static [RecordMember], splitter::Limits),
        held: &mut Held,
        warnings: &mut Vec<Finding>,
        keep: impl FnMut(Place, Spot) -> usize,
    ) -> Result<(Option<Arc<ListFile>>, [u8; 32]), SourceError> {
        let name = format!("{name}.json");
        match self.open_file(Path::new(&name)).await {
            Ok(file) => {
                let (file, sum) = ListFile::scan((name, file), (kind, wanted, limits), held, keep).await?;
                Ok((Some(Arc::new(file)), sum))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                warnings.push(warning("fileMissing", &format!("there is no {name} in the folder: nothing of it is imported")));
                Ok((None, [0; 32]))
            }
            Err(error) => Err(unreadable(&name, &error)),
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
    /// The records of a file, parents before children, otherwise in the given order.
    fn parents_first(file: Option<Arc<ListFile>>, placed: Vec<Placed>) -> Self {
        let (placed, tree) = order::parents_first(placed, |record| (record.id, record.parent));
        Self { file, records: placed.into_iter().map(|record| record.spot).collect(), tree }
    }

    /// The page that starts at a record, at most `max` records and not many more bytes than a page may have.
    fn page(&self, from: usize, max: usize) -> &[Spot] {
        let rest = self.records.get(from..).unwrap_or_default();
        let (mut bytes, mut weight) = (0, 0);
        let page = rest.iter().take(max).take_while(|spot| {
            let fits = bytes < MAX_PAGE_BYTES && weight < MAX_PAGE_WEIGHT;
            bytes += spot.length as usize;
            weight += spot.weight as usize;
            fits
        });
        rest.get(..page.count()).unwrap_or_default()
    }
}

impl Contents {
    /// Reads a record. A folder that cannot be read is made of what is held of it.
    fn record(&self, kind: Kind, list: &List, text: &str) -> Record {
        let mut record = Record::read(kind, text);
        if list.tree.is_in_circle(ListedId::of(record.id())) {
            record.mark_circle();
        }
        match &mut record {
            Record::Story(story) => story.is_by_language = self.manifest.space.is_by_language(),
            Record::Unreadable { id, why } if kind == Kind::Folder => {
                let listed = self.story_headers.binary_search_by_key(&SourceId::of(*id), |listed| listed.id).ok();
                let listed = listed.and_then(|at| self.story_headers.get(at));
                return listed.and_then(|listed| folder_of_line(&line(listed), why)).unwrap_or(record);
            }
            _ => {}
        }
        record
    }
}

impl Source for Directory {
    fn open(&self) -> BoxFuture<'_, Result<SourceManifest, SourceError>> {
        async { Ok(self.contents().await?.manifest.clone()) }.boxed()
    }

    fn story_headers(&self) -> BoxFuture<'_, Result<Vec<SourceStory>, SourceError>> {
        async { Ok(self.contents().await?.story_headers.clone()) }.boxed()
    }

    fn page(&self, phase: Phase, cursor: i64, max: usize) -> BoxFuture<'_, Result<Page, SourceError>> {
        async move {
            let contents = self.contents().await?;
            let (Some(list), Some(kind)) = (contents.lists.get(&phase), phase.kind()) else { return Ok(Page::default()) };
            let from = usize::try_from(cursor).unwrap_or(0).min(list.records.len());
            // All components in one page, as the management API returns them, so that duplicate names are
            // always found.
            let spots = if phase == Phase::Components { list.records.as_slice() } else { list.page(from, max) };
            let weight: usize = spots.iter().map(|spot| spot.weight as usize).sum();
            let over = |error| SourceError::new(EndCode::ImportTooLarge, format!("components.json cannot be imported: {error}"));
            let _held = if phase == Phase::Components { Some(self.memory.hold(weight).map_err(over)?) } else { None };
            let mut page = Page { weight, ..Page::default() };
            if matches!(phase, Phase::Folders | Phase::Stories) {
                page.weight = spots.iter().map(|spot| spot.length as usize * STORY_COPIES).sum();
            }
            let take = |text: &str| {
                page.records.push((contents.record(kind, list, text), digest::of_parts([text.as_bytes()])));
            };
            match &list.file {
                Some(file) => file.read(spots, take).await?,
                None => return Ok(Page::default()),
            }
            let to = from + spots.len();
            page.next = (to < list.records.len()).then(|| i64::try_from(to).unwrap_or(i64::MAX));
            Ok(page)
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

#[cfg(test)]
mod tests {
    use super::{Directory, EndCode, ImportMemory, Kind, Phase, Record, Source};

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
        let source = Directory::new(&path, ImportMemory::new(1 << 20));
        let ids = async |phase| -> Vec<i64> {
            source.page(phase, 0, 100).await.unwrap().records.iter().map(|(record, _)| Record::id(record)).collect()
        };
        assert_eq!(ids(Phase::Folders).await, [3, 2, 1]);
        assert_eq!(ids(Phase::Stories).await, [4]);
        let manifest = source.open().await.unwrap();
        assert_eq!(
            (manifest.space.id.number(), manifest.announced[&Kind::Folder], manifest.announced[&Kind::Component]),
            (5, 3, 0)
        );
        assert_eq!(source.story_headers().await.unwrap().len(), 4);
        std::fs::remove_dir_all(path).unwrap();
    }

    #[tokio::test]
    async fn a_file_that_changes_while_it_is_imported_is_not_read_on() {
        let stories =
            |name: &str| format!(r#"{{"stories":[{{"id":1,"uuid":"00000000-0000-4000-8000-000000000001","name":"{name}"}}]}}"#);
        let path = folder("changed", &[("space.json", r#"{"id":5}"#), ("stories.json", &stories("n"))]);
        let source = Directory::new(&path, ImportMemory::new(1 << 20));
        assert_eq!(source.page(Phase::Stories, 0, 100).await.unwrap().records.len(), 1);
        std::fs::write(path.join("stories.json"), stories("longer")).unwrap();
        let error = source.page(Phase::Stories, 0, 100).await.unwrap_err();
        assert_eq!((error.code, error.message.starts_with("stories.json was changed")), (EndCode::FolderChanged, true));
        std::fs::remove_dir_all(path).unwrap();
    }

    #[tokio::test]
    async fn a_folder_that_is_none_says_which_file_it_lacks() {
        let path = folder("broken", &[("space.json", r#"{"space":{"id":5}}"#), ("stories.json", "{")]);
        for (path, file) in [(path.join("nowhere"), "space.json"), (path.clone(), "stories.json")] {
            let error = Directory::new(path, ImportMemory::new(1 << 20)).open().await.unwrap_err();
            assert!(error.message.starts_with(file), "{error:?}");
        }
        std::fs::remove_dir_all(path).unwrap();
    }
}
