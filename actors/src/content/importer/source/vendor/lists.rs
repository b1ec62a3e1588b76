//! The lists of a space. Each is read once after an import is opened.

use super::{super::order, Error, RetryingClient, SourceError, failure};
use domain::content::import::{Phase, record};
use egress::vendor::{Components, Page};
use futures_util::TryFutureExt;
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::Value;
use std::{
    collections::{HashMap, HashSet},
    future::Future,
    sync::Arc,
};
use tokio::sync::{Mutex, OnceCell};
use uuid::Uuid;

/// The maximum number of entries of a page.
const ENTRIES: usize = 500;
/// A cursor of entries is the index of the datasource times this, plus the index of the entry.
const STRIDE: i64 = 10_000_000;
/// How often a list is read again that changes while it is read.
const READS: usize = 3;
/// The maximum number of pages of a list, against sources that never end.
const MAX_PAGES: u64 = 20_000;

/// A story or folder in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) id: i64,
    /// `None` if it is unreadable, which is reported when the story is read.
    pub(super) uuid: Option<Uuid>,
    pub(super) is_folder: bool,
    pub(super) full_slug: Option<String>,
    parent: i64,
}

/// The lists that were read so far.
#[derive(Default)]
pub(super) struct Lists {
    space: OnceCell<Value>,
    components: OnceCell<Components>,
    presets: OnceCell<Vec<Value>>,
    datasources: OnceCell<Vec<Value>>,
    asset_folders: OnceCell<Vec<Value>>,
    assets: OnceCell<Vec<Value>>,
    story_headers: OnceCell<Vec<Listed>>,
    stories: OnceCell<Vec<i64>>,
    folders: OnceCell<Vec<i64>>,
    tokens: OnceCell<Vec<Value>>,
    reader: OnceCell<Option<SecretString>>,
    asset_reader: OnceCell<Option<SecretString>>,
    schedulings: OnceCell<HashMap<i64, Vec<Value>>>,
    /// The entries of the current datasource, by its index in the list.
    entries: Mutex<Option<(usize, Arc<Vec<Value>>)>>,
}

impl Lists {
    pub(super) async fn space(&self, client: &RetryingClient) -> Result<&Value, SourceError> {
        self.space.get_or_try_init(|| client.with_retries(|| client.vendor.space()).map_err(failure)).await
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
        let read = async {
            match client.with_retries(|| client.vendor.api_keys()).await {
                Ok(tokens) => Ok(tokens),
                Err(Error::Unauthorized | Error::Forbidden | Error::NotFound) => Ok(Vec::new()),
                Err(error) => Err(failure(error)),
            }
        };
        let tokens = self.tokens.get_or_try_init(|| read).await?;
        let mut of_kind =
            tokens.iter().filter(|token| token.get("access").and_then(Value::as_str).is_some_and(|token| kinds.contains(&token)));
        Ok(of_kind.find_map(|of_kind| Some(SecretString::from(of_kind.get("token")?.as_str()?.to_owned()))))
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
    pub(super) async fn schedulings(&self, client: &RetryingClient) -> Result<&HashMap<i64, Vec<Value>>, SourceError> {
        let read = async {
            let mut by_story: HashMap<i64, Vec<Value>> = HashMap::new();
            match read_list(client, |page| client.vendor.story_schedulings(page), keep_record).await {
                Ok(all) => {
                    for scheduling in all {
                        let story = scheduling.get("story_id").and_then(Value::as_i64).unwrap_or(0);
                        by_story.entry(story).or_default().push(scheduling);
                    }
                }
                Err(error) if error.is_transient() || error == Error::Unauthorized => return Err(failure(error)),
                Err(_) => {}
            }
            Ok(by_story)
        };
        self.schedulings.get_or_try_init(|| read).await
    }

    /// A list whose items are complete records.
    pub(super) async fn plain(&self, client: &RetryingClient, phase: Phase) -> Result<&[Value], SourceError> {
        let list = match phase {
            Phase::ComponentGroups => &self.components(client).await?.groups,
            Phase::Components => &self.components(client).await?.components,
            Phase::Presets => {
                self.presets.get_or_try_init(|| client.with_retries(|| client.vendor.presets()).map_err(failure)).await?
            }
            Phase::Datasources => self.datasources(client).await?,
            Phase::AssetFolders => {
                let read =
                    async { Ok(parents_first(client.with_retries(|| client.vendor.asset_folders()).await.map_err(failure)?)) };
                self.asset_folders.get_or_try_init(|| read).await?
            }
            Phase::Assets => {
                let read = async {
                    Ok::<_, SourceError>(by_number(
                        read_list(client, |page| client.vendor.assets(page), keep_record).await.map_err(failure)?,
                    ))
                };
                self.assets.get_or_try_init(|| read).await?
            }
            _ => return Ok(&[]),
        };
        Ok(list)
    }

    async fn components(&self, client: &RetryingClient) -> Result<&Components, SourceError> {
        let read = async {
            let Components { components, groups } = client.with_retries(|| client.vendor.components()).await.map_err(failure)?;
            Ok(Components { components, groups: parents_first(groups) })
        };
        self.components.get_or_try_init(|| read).await
    }

    async fn datasources(&self, client: &RetryingClient) -> Result<&Vec<Value>, SourceError> {
        let read =
            async { Ok(by_number(read_list(client, |page| client.vendor.datasources(page), keep_record).await.map_err(failure)?)) };
        self.datasources.get_or_try_init(|| read).await
    }

    /// A page of at most `max` entries with the values of all dimensions, and the next cursor. Entries keep the source's order, so a cursor is only
    /// valid for the list that was read this time.
    pub(super) async fn entries(
        &self,
        client: &RetryingClient,
        cursor: i64,
        max: usize,
    ) -> Result<(Vec<Value>, Option<i64>), SourceError> {
        let datasources = self.datasources(client).await?;
        let place = usize::try_from(cursor / STRIDE).unwrap_or(usize::MAX);
        let from = usize::try_from(cursor % STRIDE).unwrap_or(0);
        let Some(datasource) = datasources.get(place) else { return Ok((Vec::new(), None)) };
        let mut at_hand = self.entries.lock().await;
        let entries = match &*at_hand {
            Some((at, entries)) if *at == place => entries.clone(),
            _ => {
                let read = Arc::new(entries_of(client, datasource).await?);
                *at_hand = Some((place, read.clone()));
                read
            }
        };
        let page: Vec<Value> = entries.iter().skip(from).take(ENTRIES.min(max)).cloned().collect();
        let to = from + page.len();
        let next = if to < entries.len() {
            Some(cursor - cursor % STRIDE + i64::try_from(to).unwrap_or(0))
        } else {
            (place + 1 < datasources.len()).then(|| (cursor / STRIDE + 1) * STRIDE)
        };
        Ok((page, next))
    }

    /// All stories and folders, by id.
    pub(super) async fn story_headers(&self, client: &RetryingClient) -> Result<&[Listed], SourceError> {
        let read = async {
            let mut story_headers =
                read_list(client, |page| client.vendor.stories(page), |value| listed(&value).map(|value| (value.id, value)))
                    .await
                    .map_err(failure)?;
            story_headers.sort_by_key(|head| head.id);
            Ok::<_, SourceError>(story_headers)
        };
        Ok(self.story_headers.get_or_try_init(|| read).await?.as_slice())
    }

    /// The ids of all stories without folders, ascending.
    pub(super) async fn stories(&self, client: &RetryingClient) -> Result<&[i64], SourceError> {
        let story_headers = self.story_headers(client).await?;
        let read =
            async { Ok::<_, SourceError>(story_headers.iter().filter(|head| !head.is_folder).map(|head| head.id).collect()) };
        Ok(self.stories.get_or_try_init(|| read).await?.as_slice())
    }

    /// The ids of all folders, parents first.
    pub(super) async fn folders(&self, client: &RetryingClient) -> Result<&[i64], SourceError> {
        let story_headers = self.story_headers(client).await?;
        let read = async {
            let folders: Vec<(i64, i64)> =
                story_headers.iter().filter(|head| head.is_folder).map(|head| (head.id, head.parent)).collect();
            Ok::<_, SourceError>(order::parents_first(folders, |value| *value).into_iter().map(|(id, _)| id).collect())
        };
        Ok(self.folders.get_or_try_init(|| read).await?.as_slice())
    }
}

/// Reads all pages of a list, each record once, in the source's order. If the list changed meanwhile, records may have moved to pages that were read
/// already, so it is read again for those that were missed.
async fn read_list<T, F: Future<Output = Result<Page, Error>>>(
    client: &RetryingClient,
    page: impl Fn(u64) -> F,
    keep: impl Fn(Value) -> Option<(i64, T)>,
) -> Result<Vec<T>, Error> {
    let mut all: Vec<T> = Vec::new();
    let mut seen = HashSet::new();
    for _ in 0..READS {
        let read = read_pages(client, &page, &keep).await?;
        let mut came = HashSet::new();
        let mut has_duplicates = false;
        for (id, item) in read.items {
            has_duplicates |= !came.insert(id);
            if seen.insert(id) {
                all.push(item);
            }
        }
        if !has_duplicates && !read.has_changed {
            break;
        }
    }
    Ok(all)
}

/// The result of reading a list once.
struct ListRead<T> {
    items: Vec<(i64, T)>,
    /// Whether the total changed between pages.
    has_changed: bool,
}

/// Reads a list to its end: an empty page, or a short page once the total is reached.
async fn read_pages<T, F: Future<Output = Result<Page, Error>>>(
    client: &RetryingClient,
    page: impl Fn(u64) -> F,
    keep: impl Fn(Value) -> Option<(i64, T)>,
) -> Result<ListRead<T>, Error> {
    let mut read = ListRead { items: Vec::new(), has_changed: false };
    let mut came = 0;
    let mut said = None;
    for number in 1..=MAX_PAGES {
        let page = client.with_retries(|| page(number)).await?;
        let here = page.items.len() as u64;
        came += here;
        // `keep` reduces each record before the next page is read, because lists may be long.
        read.items.extend(page.items.into_iter().filter_map(&keep));
        read.has_changed |= number > 1 && page.total != said;
        said = page.total;
        let is_short = page.per_page.is_some_and(|per_page| here < per_page);
        if here == 0 || page.total.is_none_or(|total| is_short && came >= total) {
            break;
        }
    }
    Ok(read)
}

/// Sorts records by id, an order that does not change when others are added or removed at the source.
fn by_number(mut records: Vec<Value>) -> Vec<Value> {
    records.sort_by_key(id);
    records
}

/// Keeps a whole record.
fn keep_record(record: Value) -> Option<(i64, Value)> {
    Some((record.get("id")?.as_i64()?, record))
}

/// All entries of a datasource with their positions and dimension values.
async fn entries_of(client: &RetryingClient, datasource: &Value) -> Result<Vec<Value>, SourceError> {
    let source = id(datasource);
    let entries = read_list(client, |page| client.vendor.datasource_entries(source, None, page), keep_record).await;
    let mut entries = entries.map_err(failure)?;
    let mut values: HashMap<i64, serde_json::Map<String, Value>> = HashMap::new();
    for dimension in datasource.get("dimensions").and_then(Value::as_array).into_iter().flatten() {
        let number = id(dimension);
        let Some(code) = dimension.get("entry_value").and_then(Value::as_str) else { continue };
        let in_it = read_list(client, |page| client.vendor.datasource_entries(source, Some(number), page), keep_record).await;
        for entry in in_it.map_err(failure)? {
            if let Some(value) = entry.get("dimension_value").filter(|entry| entry.is_string()) {
                values.entry(id(&entry)).or_default().insert(code.to_owned(), value.clone());
            }
        }
    }
    for (place, entry) in (1_u64..).zip(&mut entries) {
        let own = values.remove(&id(entry)).unwrap_or_default();
        if let Some(entry) = entry.as_object_mut() {
            // Storyblok's entries have no position; their order is that of the list.
            if entry.get("position").is_none_or(Value::is_null) {
                entry.insert("position".to_owned(), place.into());
            }
            entry.insert("datasource_id".to_owned(), source.into());
            entry.insert("dimension_values".to_owned(), Value::Object(own));
        }
    }
    Ok(entries)
}

fn listed(story: &Value) -> Option<Listed> {
    Some(Listed {
        id: story.get("id")?.as_i64()?,
        uuid: story.get("uuid").and_then(|story| story.as_str()?.parse().ok()),
        full_slug: story.get("full_slug").and_then(Value::as_str).map(str::to_owned),
        is_folder: story.get("is_folder").and_then(Value::as_bool).unwrap_or(false),
        parent: story.get("parent_id").and_then(Value::as_i64).unwrap_or(0),
    })
}

fn id(value: &Value) -> i64 {
    value.get("id").and_then(Value::as_i64).unwrap_or(0)
}

/// Sorts records with a `parent_id`, parents first.
fn parents_first(mut all: Vec<Value>) -> Vec<Value> {
    all.sort_by_key(id);
    order::parents_first(all, |value| (id(value), value.get("parent_id").and_then(Value::as_i64).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::parents_first;
    use serde_json::json;

    #[test]
    fn parents_come_first() {
        let all = parents_first(vec![json!({"id": 1, "parent_id": 2}), json!({"id": 3}), json!({"id": 2, "parent_id": null})]);
        assert_eq!(all.iter().map(|value| value["id"].as_i64().unwrap()).collect::<Vec<_>>(), [2, 3, 1]);
    }
}
