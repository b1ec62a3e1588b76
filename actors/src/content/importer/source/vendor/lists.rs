//! The lists of a space. Each is read once after an import is opened.

mod entries;

use super::{
    super::{
        ListedId, MAX_PAGE_WEIGHT, order,
        place::{Place, folder_of_line},
    },
    Error, RetryingClient, SourceError,
    failure::failure_of,
    listing::{Kept, read_list},
    published::Translatable,
};
use domain::content::import::{
    Kind, Phase, Record as ImportRecord, SourceId,
    record::{self, Story},
};
use egress::vendor::{Held, Record, record::number};
use futures_util::TryFutureExt;
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use services::content::import::state::SourceStory;
use std::{collections::HashMap, ops::Range, sync::Arc};
use tokio::sync::{Mutex, OnceCell};

/// The maximum number of entries of a page.
const ENTRIES: usize = 500;
/// A cursor of entries is the index of the datasource times this, plus the index of the entry.
const STRIDE: i64 = 10_000_000;
/// What a story of the list takes in bytes besides its path, here and in the maps from ids and UUIDs that the
/// import makes of the list.
const LISTED_BYTES: usize = 512;
/// How often its path is held.
const PATHS: usize = 4;

/// A story or folder in the list.
pub(super) struct Listed {
    pub(super) id: SourceId<Story>,
    pub(super) is_folder: bool,
    parent: SourceId<Story>,
    /// `None` if its UUID is unreadable, which is reported when the story is read.
    pub(super) header: Option<SourceStory>,
    /// The line of a folder.
    line: Option<Record>,
}

/// A complete record of a list.
pub(super) struct Item {
    /// Its id; `NONE` if it has none.
    pub(super) id: ListedId,
    /// The id of its parent; `NONE` if it has none.
    parent: ListedId,
    /// Whether it stands in itself, directly or through others.
    pub(super) is_in_circle: bool,
    pub(super) record: Record,
}

/// The members by which records are found.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Members<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    story_id: Option<&'a RawValue>,
}

/// The components and their groups.
struct Components {
    components: Vec<Item>,
    groups: Vec<Item>,
}

/// The space.
struct Space {
    /// The object, as a tree.
    object: Value,
    _held: Held,
}

/// The schedulings of each story.
type Schedulings = HashMap<SourceId<Story>, Vec<Record>>;

/// The lists that were read so far.
#[derive(Default)]
pub(super) struct Lists {
    space: OnceCell<Space>,
    components: OnceCell<Components>,
    translatable: OnceCell<Translatable>,
    presets: OnceCell<Vec<Item>>,
    datasources: OnceCell<Vec<Item>>,
    asset_folders: OnceCell<Vec<Item>>,
    assets: OnceCell<Vec<Item>>,
    story_headers: OnceCell<(Vec<Listed>, Held)>,
    stories: OnceCell<Vec<SourceId<Story>>>,
    folders: OnceCell<Vec<SourceId<Story>>>,
    tokens: OnceCell<Vec<Record>>,
    reader: OnceCell<Option<SecretString>>,
    asset_reader: OnceCell<Option<SecretString>>,
    schedulings: OnceCell<Schedulings>,
    /// The entries of the current datasource.
    entries: Mutex<Entries>,
}

/// The entries of the current datasource.
#[derive(Default)]
struct Entries {
    /// The index of the datasource in the list, and its entries.
    current: Option<(usize, Arc<Vec<Item>>)>,
    /// What the names of all entries take that were read so far.
    names: Option<Held>,
}

impl Lists {
    pub(super) async fn space(&self, client: &RetryingClient) -> Result<&Value, SourceError> {
        let read = async {
            let record = client.with_retries(|| client.vendor.space()).await.map_err(|error| failure_of("space", error))?;
            let mut held = client.vendor.memory().nothing();
            let object = record.tree(&mut held).map_err(|error| failure_of("space", error))?;
            Ok::<_, SourceError>(Space { object, _held: held })
        };
        Ok(&self.space.get_or_try_init(|| read).await?.object)
    }

    /// A token for published content; `None` if the source shows none.
    pub(super) async fn reader(&self, client: &RetryingClient) -> Result<Option<&SecretString>, SourceError> {
        let first = self.space(client).await?.get("first_token").and_then(Value::as_str).filter(|s| !s.is_empty());
        let first = first.map(|first| SecretString::from(first.to_owned()));
        let look = async {
            if first.is_some() {
                return Ok(first);
            }
            self.token(client, &["public", "private"]).await
        };
        Ok(self.reader.get_or_try_init(|| look).await?.as_ref())
    }

    /// A token for the files of private assets; `None` if the source has or shows none.
    pub(super) async fn asset_reader(&self, client: &RetryingClient) -> Result<Option<&SecretString>, SourceError> {
        Ok(self.asset_reader.get_or_try_init(|| self.token(client, &["asset"])).await?.as_ref())
    }

    /// The first token of one of these kinds; `None` if the management token may not list tokens.
    async fn token(&self, client: &RetryingClient, kinds: &[&str]) -> Result<Option<SecretString>, SourceError> {
        #[derive(Deserialize)]
        struct Token {
            access: String,
            token: String,
        }
        let read = async {
            match client.with_retries(|| client.vendor.api_keys()).await {
                Ok(tokens) => Ok(tokens),
                Err(Error::Unauthorized | Error::Forbidden | Error::NotFound) => Ok(Vec::new()),
                Err(error) => Err(failure_of("list of tokens", error)),
            }
        };
        let tokens = self.tokens.get_or_try_init(|| read).await?;
        let mut of_kind = tokens.iter().filter_map(Record::members::<Token>).filter(|token| kinds.contains(&&*token.access));
        Ok(of_kind.next().map(|token| token.token.into()))
    }

    /// The codes of the languages besides the default one.
    pub(super) async fn languages(&self, client: &RetryingClient) -> Result<Vec<String>, SourceError> {
        let languages = self.space(client).await?.get("languages").and_then(Value::as_array);
        let code = |value: &Value| value.get("code").and_then(Value::as_str).map(str::to_owned);
        Ok(languages.into_iter().flatten().filter_map(code).collect())
    }

    /// Whether the space publishes each translation by itself.
    pub(super) async fn is_by_language(&self, client: &RetryingClient) -> Result<bool, SourceError> {
        Ok(record::Space::deserialize(self.space(client).await?).is_ok_and(|d| d.is_by_language()))
    }

    /// The schedulings by story id; none if the token may not read them.
    pub(super) async fn schedulings(&self, client: &RetryingClient) -> Result<&Schedulings, SourceError> {
        let read = async {
            let mut by_story = Schedulings::new();
            match read_list(client, |page| client.vendor.story_schedulings(page), keep_record).await {
                Ok((all, _)) => {
                    for Item { record, .. } in all {
                        let story = record.members::<Members<'_>>().and_then(|members| source_id(members.story_id));
                        by_story.entry(story.unwrap_or_default()).or_default().push(record);
                    }
                }
                Err(Error::Forbidden | Error::NotFound | Error::Refused(_)) => {}
                Err(error) => return Err(failure_of("list of schedulings", error)),
            }
            Ok(by_story)
        };
        self.schedulings.get_or_try_init(|| read).await
    }

    /// A list whose items are complete records.
    pub(super) async fn plain(&self, client: &RetryingClient, phase: Phase) -> Result<&[Item], SourceError> {
        let list = match phase {
            Phase::ComponentGroups => &self.components(client).await?.groups,
            Phase::Components => &self.components(client).await?.components,
            Phase::Presets => {
                let read = client.with_retries(|| client.vendor.presets()).map_err(|error| failure_of("list of presets", error));
                self.presets.get_or_try_init(|| read.map_ok(items)).await?
            }
            Phase::Datasources => self.datasources(client).await?,
            Phase::AssetFolders => {
                let read = client.with_retries(|| client.vendor.asset_folders());
                let read = read.map_err(|error| failure_of("list of asset folders", error));
                self.asset_folders
                    .get_or_try_init(|| read.map_ok(|records| parents_first(Kind::AssetFolder, items(records))))
                    .await?
            }
            Phase::Assets => {
                let read = read_list(client, |page| client.vendor.assets(page), keep_record);
                let read = read.map_err(|error| failure_of("list of assets", error));
                self.assets.get_or_try_init(|| read.map_ok(|(items, _)| by_number(items))).await?
            }
            _ => return Ok(&[]),
        };
        Ok(list)
    }

    async fn components(&self, client: &RetryingClient) -> Result<&Components, SourceError> {
        let read = async {
            let read = client.with_retries(|| client.vendor.components()).await;
            let read = read.map_err(|error| failure_of("list of components", error))?;
            Ok::<_, SourceError>(Components {
                components: items(read.components),
                groups: parents_first(Kind::ComponentGroup, items(read.groups)),
            })
        };
        self.components.get_or_try_init(|| read).await
    }

    /// The fields that the components say are translatable.
    pub(super) async fn translatable(&self, client: &RetryingClient) -> Result<&Translatable, SourceError> {
        let components = &self.components(client).await?.components;
        let read = async {
            let mut all = Translatable::default();
            for Item { record, .. } in components {
                let mut held = client.vendor.memory().nothing();
                all.add_component(&record.tree(&mut held).map_err(|error| failure_of("list of components", error))?);
            }
            Ok::<_, SourceError>(all)
        };
        self.translatable.get_or_try_init(|| read).await
    }

    async fn datasources(&self, client: &RetryingClient) -> Result<&Vec<Item>, SourceError> {
        let read = read_list(client, |page| client.vendor.datasources(page), keep_record);
        let read = read.map_err(|error| failure_of("list of datasources", error));
        self.datasources.get_or_try_init(|| read.map_ok(|(items, _)| by_number(items))).await
    }

    /// The entries of a datasource with the values of all dimensions, the indices of a page of at most `max`
    /// of them, and the next cursor. Entries keep the source's order, so a cursor is only valid for the list
    /// that was read this time.
    pub(super) async fn entries(
        &self,
        client: &RetryingClient,
        cursor: i64,
        max: usize,
    ) -> Result<(Arc<Vec<Item>>, Range<usize>, Option<i64>), SourceError> {
        let datasources = self.datasources(client).await?;
        let place = usize::try_from(cursor / STRIDE).unwrap_or(usize::MAX);
        let Some(datasource) = datasources.get(place) else { return Ok((Arc::default(), 0..0, None)) };
        let mut at_hand = self.entries.lock().await;
        let entries = match &at_hand.current {
            Some((at, entries)) if *at == place => entries.clone(),
            _ => {
                // Those of the datasource before are not needed any more.
                at_hand.current = None;
                let names = at_hand.names.get_or_insert_with(|| client.vendor.memory().nothing());
                let read = entries::read(client, datasource, names).await;
                let read = Arc::new(read.map_err(|error| failure_of("list of entries of a datasource", error))?);
                at_hand.current = Some((place, read.clone()));
                read
            }
        };
        let from = usize::try_from(cursor % STRIDE).unwrap_or(0).min(entries.len());
        let to = from + page_end(entries.get(from..).unwrap_or_default(), ENTRIES.min(max));
        let next = if to < entries.len() {
            Some(cursor - cursor % STRIDE + i64::try_from(to).unwrap_or(0))
        } else {
            (place + 1 < datasources.len()).then(|| (cursor / STRIDE + 1) * STRIDE)
        };
        Ok((entries, from..to, next))
    }

    /// All stories and folders, by id.
    pub(super) async fn story_headers(&self, client: &RetryingClient) -> Result<&[Listed], SourceError> {
        let read = async {
            let read = read_list(client, |page| client.vendor.stories(page), listed).await;
            let (mut story_headers, held) = read.map_err(|error| failure_of("list of stories", error))?;
            story_headers.sort_by_key(|head| head.id);
            Ok::<_, SourceError>((story_headers, held))
        };
        Ok(self.story_headers.get_or_try_init(|| read).await?.0.as_slice())
    }

    /// A folder made of its line in the list.
    pub(super) async fn folder_of_line(
        &self,
        client: &RetryingClient,
        id: SourceId<Story>,
        why: &str,
    ) -> Result<Option<ImportRecord>, SourceError> {
        let listed = self.story_headers(client).await?;
        let at = listed.binary_search_by_key(&id, |listed| listed.id).ok();
        let line = at.and_then(|at| listed.get(at)).and_then(|listed| listed.line.as_ref());
        Ok(line.and_then(|line| folder_of_line(line.text(), why)))
    }

    /// The ids of all stories without folders, ascending.
    pub(super) async fn stories(&self, client: &RetryingClient) -> Result<&[SourceId<Story>], SourceError> {
        let story_headers = self.story_headers(client).await?;
        let read =
            async { Ok::<_, SourceError>(story_headers.iter().filter(|head| !head.is_folder).map(|head| head.id).collect()) };
        Ok(self.stories.get_or_try_init(|| read).await?.as_slice())
    }

    /// The ids of all folders, parents first.
    pub(super) async fn folders(&self, client: &RetryingClient) -> Result<&[SourceId<Story>], SourceError> {
        let story_headers = self.story_headers(client).await?;
        let read = async {
            let folders: Vec<&Listed> = story_headers.iter().filter(|head| head.is_folder).collect();
            let (folders, _) = order::parents_first(folders, |head| (head.id, head.parent));
            Ok::<_, SourceError>(folders.into_iter().map(|head| head.id).collect())
        };
        Ok(self.folders.get_or_try_init(|| read).await?.as_slice())
    }
}

/// How many of these items make a page: at most `max`, and not many more bytes than a page may have.
pub(super) fn page_end(items: &[Item], max: usize) -> usize {
    let mut weight = 0;
    let page = items.iter().take(max).take_while(|item| {
        let fits = weight < MAX_PAGE_WEIGHT;
        weight += item.record.weight();
        fits
    });
    page.count()
}

fn items(records: Vec<Record>) -> Vec<Item> {
    records.into_iter().map(item).collect()
}

fn item(record: Record) -> Item {
    let id = source_id(record.members::<Members<'_>>().unwrap_or_default().id).unwrap_or_default();
    Item { id, parent: ListedId::NONE, is_in_circle: false, record }
}

/// An id, where a member is one.
fn source_id<R>(member: Option<&RawValue>) -> Option<SourceId<R>> {
    number(member).map(SourceId::of)
}

/// Keeps a whole record that has an id.
fn keep_record(record: Record) -> Option<Kept<ImportRecord, Item>> {
    let id = source_id(record.members::<Members<'_>>()?.id)?;
    Some(Kept { id, item: item(record), bytes: 0 })
}

/// Sorts records by id, an order that does not change when others are added or removed at the source.
fn by_number(mut items: Vec<Item>) -> Vec<Item> {
    items.sort_by_key(|item| item.id);
    items
}

/// Sorts records of a kind by depth, parents first.
fn parents_first(kind: Kind, mut items: Vec<Item>) -> Vec<Item> {
    for item in &mut items {
        item.parent = Place::read(kind, item.record.text()).map_or(ListedId::NONE, |place| place.parent());
    }
    let (mut items, tree) = order::parents_first(by_number(items), |item| (item.id, item.parent));
    for item in &mut items {
        item.is_in_circle = tree.is_in_circle(item.id);
    }
    items
}

fn listed(record: Record) -> Option<Kept<Story, Listed>> {
    let id = source_id(record.members::<Members<'_>>()?.id)?;
    let place = Place::read(Kind::Story, record.text()).ok()?;
    let bytes = LISTED_BYTES + PATHS * place.text_bytes();
    let (is_folder, parent) = (place.is_folder.unwrap_or(false), SourceId::of(place.parent().number()));
    let item = Listed { id, is_folder, parent, header: place.into_header(), line: is_folder.then_some(record) };
    Some(Kept { id, item, bytes })
}

#[cfg(test)]
mod tests {
    use super::{Kind, items, page_end, parents_first};
    use egress::vendor::{ImportMemory, Record};
    use serde_json::{Value, json};

    fn records(values: &[Value]) -> Vec<Record> {
        let memory = ImportMemory::new(1 << 30);
        values.iter().map(|value| Record::of_value(value, &memory).unwrap()).collect()
    }

    #[test]
    fn parents_come_first() {
        let all =
            [json!({"id": 1, "parent_id": "2"}), json!({"id": 3, "parent_id": 3}), json!({"id": 2, "parent_id": null}), json!([])];
        let all = parents_first(Kind::AssetFolder, items(records(&all)));
        let places: Vec<_> = all.iter().map(|item| (item.id.number(), item.is_in_circle)).collect();
        assert_eq!(places, [(2, false), (3, true), (1, false), (0, false)]);
    }

    #[test]
    fn a_page_ends_with_the_record_that_makes_it_too_large() {
        let large = |id: u32| json!({ "id": id, "text": "x".repeat(9 << 20) });
        let all = items(records(&[json!({"id": 1}), large(2), large(3), json!({"id": 4})]));
        assert_eq!((page_end(&all, 10), page_end(&all[1..], 10), page_end(&all[3..], 10)), (3, 2, 1));
        assert_eq!((page_end(&all, 1), page_end(&[], 10)), (1, 0));
    }
}
