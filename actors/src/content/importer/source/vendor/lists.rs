//! The lists of a space, read once for each time that an import is taken up.

use super::{super::order, Ask, Error, SourceError, failure};
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

/// Entries on a page of ours.
const ENTRIES: usize = 500;
/// Cursors of entries are the number of the datasource in the list, times this, and how far in it.
const STRIDE: i64 = 10_000_000;
/// How often a list is read that changes meanwhile.
const READS: usize = 3;
/// The most pages that a list is followed for. A source that never ends is no list.
const MAX_PAGES: u64 = 20_000;

/// A story or folder as the list has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) id: i64,
    /// None: it cannot be read, and fails when its content comes.
    pub(super) uuid: Option<Uuid>,
    pub(super) is_folder: bool,
    pub(super) full_slug: Option<String>,
    parent: i64,
}

/// What was read.
#[derive(Default)]
pub(super) struct Lists {
    space: OnceCell<Value>,
    components: OnceCell<Components>,
    presets: OnceCell<Vec<Value>>,
    datasources: OnceCell<Vec<Value>>,
    asset_folders: OnceCell<Vec<Value>>,
    assets: OnceCell<Vec<Value>>,
    heads: OnceCell<Vec<Listed>>,
    stories: OnceCell<Vec<i64>>,
    folders: OnceCell<Vec<i64>>,
    tokens: OnceCell<Vec<Value>>,
    reader: OnceCell<Option<SecretString>>,
    asset_reader: OnceCell<Option<SecretString>>,
    schedulings: OnceCell<HashMap<i64, Vec<Value>>>,
    /// The entries of the datasource that is at hand, by its place in the list.
    entries: Mutex<Option<(usize, Arc<Vec<Value>>)>>,
}

impl Lists {
    pub(super) async fn space(&self, ask: &Ask) -> Result<&Value, SourceError> {
        self.space.get_or_try_init(|| ask.patiently(|| ask.vendor.space()).map_err(failure)).await
    }

    /// A token that reads published content; none when the source shows none.
    pub(super) async fn reader(&self, ask: &Ask) -> Result<Option<&SecretString>, SourceError> {
        let first = self.space(ask).await?.get("first_token").and_then(Value::as_str).filter(|s| !s.is_empty());
        let first = first.map(|first| SecretString::from(first.to_owned()));
        let look = async {
            if first.is_some() {
                return Ok(first);
            }
            self.token(ask, &["public", "private"]).await
        };
        Ok(self.reader.get_or_try_init(|| look).await?.as_ref())
    }

    /// A token that reads the files of private assets; none when the source has or shows none.
    pub(super) async fn asset_reader(&self, ask: &Ask) -> Result<Option<&SecretString>, SourceError> {
        Ok(self.asset_reader.get_or_try_init(|| self.token(ask, &["asset"])).await?.as_ref())
    }

    /// The first token of one of these kinds, for a caller who may see them.
    async fn token(&self, ask: &Ask, kinds: &[&str]) -> Result<Option<SecretString>, SourceError> {
        let read = async {
            match ask.patiently(|| ask.vendor.api_keys()).await {
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

    /// The codes of the languages beside the default one.
    pub(super) async fn languages(&self, ask: &Ask) -> Result<Vec<String>, SourceError> {
        let languages = self.space(ask).await?.get("languages").and_then(Value::as_array);
        let code = |value: &Value| value.get("code").and_then(Value::as_str).map(str::to_owned);
        Ok(languages.into_iter().flatten().filter_map(code).collect())
    }

    /// Whether each translation of a story is published by itself.
    pub(super) async fn is_by_language(&self, ask: &Ask) -> Result<bool, SourceError> {
        Ok(record::Space::deserialize(self.space(ask).await?).is_ok_and(|d| d.is_by_language()))
    }

    /// What is planned for stories, by their numbers. A token that may not read it misses no more than that.
    pub(super) async fn schedulings(&self, ask: &Ask) -> Result<&HashMap<i64, Vec<Value>>, SourceError> {
        let read = async {
            let mut by_story: HashMap<i64, Vec<Value>> = HashMap::new();
            match whole(ask, |page| ask.vendor.story_schedulings(page), as_it_is).await {
                Ok(all) => {
                    for it in all {
                        let story = it.get("story_id").and_then(Value::as_i64).unwrap_or(0);
                        by_story.entry(story).or_default().push(it);
                    }
                }
                Err(error) if error.is_transient() || error == Error::Unauthorized => return Err(failure(error)),
                Err(_) => {}
            }
            Ok(by_story)
        };
        self.schedulings.get_or_try_init(|| read).await
    }

    /// A list whose records are whole.
    pub(super) async fn plain(&self, ask: &Ask, phase: Phase) -> Result<&[Value], SourceError> {
        let list = match phase {
            Phase::ComponentGroups => &self.components(ask).await?.groups,
            Phase::Components => &self.components(ask).await?.components,
            Phase::Presets => self.presets.get_or_try_init(|| ask.patiently(|| ask.vendor.presets()).map_err(failure)).await?,
            Phase::Datasources => self.datasources(ask).await?,
            Phase::AssetFolders => {
                let read = async { Ok(parents_first(ask.patiently(|| ask.vendor.asset_folders()).await.map_err(failure)?)) };
                self.asset_folders.get_or_try_init(|| read).await?
            }
            Phase::Assets => {
                let read = async {
                    Ok::<_, SourceError>(by_number(whole(ask, |page| ask.vendor.assets(page), as_it_is).await.map_err(failure)?))
                };
                self.assets.get_or_try_init(|| read).await?
            }
            _ => return Ok(&[]),
        };
        Ok(list)
    }

    async fn components(&self, ask: &Ask) -> Result<&Components, SourceError> {
        let read = async {
            let Components { components, groups } = ask.patiently(|| ask.vendor.components()).await.map_err(failure)?;
            Ok(Components { components, groups: parents_first(groups) })
        };
        self.components.get_or_try_init(|| read).await
    }

    async fn datasources(&self, ask: &Ask) -> Result<&Vec<Value>, SourceError> {
        let read = async { Ok(by_number(whole(ask, |page| ask.vendor.datasources(page), as_it_is).await.map_err(failure)?)) };
        self.datasources.get_or_try_init(|| read).await
    }

    /// Entries from a cursor on, with the values of all dimensions. They come in the source's order, which is theirs here: so a cursor is a place in
    /// what was read this time.
    pub(super) async fn entries(&self, ask: &Ask, cursor: i64) -> Result<(Vec<Value>, Option<i64>), SourceError> {
        let datasources = self.datasources(ask).await?;
        let place = usize::try_from(cursor / STRIDE).unwrap_or(usize::MAX);
        let from = usize::try_from(cursor % STRIDE).unwrap_or(0);
        let Some(datasource) = datasources.get(place) else { return Ok((Vec::new(), None)) };
        let mut at_hand = self.entries.lock().await;
        let entries = match &*at_hand {
            Some((at, entries)) if *at == place => entries.clone(),
            _ => {
                let read = Arc::new(entries_of(ask, datasource).await?);
                *at_hand = Some((place, read.clone()));
                read
            }
        };
        let page: Vec<Value> = entries.iter().skip(from).take(ENTRIES).cloned().collect();
        let to = from + page.len();
        let next = if to < entries.len() {
            Some(cursor - cursor % STRIDE + i64::try_from(to).unwrap_or(0))
        } else {
            (place + 1 < datasources.len()).then(|| (cursor / STRIDE + 1) * STRIDE)
        };
        Ok((page, next))
    }

    /// Every story and folder, by number.
    pub(super) async fn heads(&self, ask: &Ask) -> Result<&[Listed], SourceError> {
        let read = async {
            let mut heads = whole(ask, |page| ask.vendor.stories(page), |value| listed(&value).map(|value| (value.id, value)))
                .await
                .map_err(failure)?;
            heads.sort_by_key(|head| head.id);
            Ok::<_, SourceError>(heads)
        };
        Ok(self.heads.get_or_try_init(|| read).await?.as_slice())
    }

    /// The numbers of those that are no folders, ascending.
    pub(super) async fn stories(&self, ask: &Ask) -> Result<&[i64], SourceError> {
        let heads = self.heads(ask).await?;
        let read = async { Ok::<_, SourceError>(heads.iter().filter(|head| !head.is_folder).map(|head| head.id).collect()) };
        Ok(self.stories.get_or_try_init(|| read).await?.as_slice())
    }

    /// The numbers of the folders, each behind the one that it stands in.
    pub(super) async fn folders(&self, ask: &Ask) -> Result<&[i64], SourceError> {
        let heads = self.heads(ask).await?;
        let read = async {
            let folders: Vec<(i64, i64)> = heads.iter().filter(|head| head.is_folder).map(|head| (head.id, head.parent)).collect();
            Ok::<_, SourceError>(order::parents_first(folders, |value| *value).into_iter().map(|(id, _)| id).collect())
        };
        Ok(self.folders.get_or_try_init(|| read).await?.as_slice())
    }
}

/// All pages of a list, each record once, in the source's order. A list that changed while it was read moved records from page to page: then
/// it is read again, for those that were passed by.
async fn whole<T, F: Future<Output = Result<Page, Error>>>(
    ask: &Ask,
    page: impl Fn(u64) -> F,
    keep: impl Fn(Value) -> Option<(i64, T)>,
) -> Result<Vec<T>, Error> {
    let mut all: Vec<T> = Vec::new();
    let mut seen = HashSet::new();
    for _ in 0..READS {
        let read = pass(ask, &page, &keep).await?;
        let mut came = HashSet::new();
        let mut is_twice = false;
        for (id, it) in read.items {
            is_twice |= !came.insert(id);
            if seen.insert(id) {
                all.push(it);
            }
        }
        if !is_twice && !read.has_changed {
            break;
        }
    }
    Ok(all)
}

/// What the pages of a list gave.
struct Pass<T> {
    items: Vec<(i64, T)>,
    /// Whether the source told different totals.
    has_changed: bool,
}

/// Reads a list to its end: an empty page, or one that is not full when everything has come that was said to.
async fn pass<T, F: Future<Output = Result<Page, Error>>>(
    ask: &Ask,
    page: impl Fn(u64) -> F,
    keep: impl Fn(Value) -> Option<(i64, T)>,
) -> Result<Pass<T>, Error> {
    let mut read = Pass { items: Vec::new(), has_changed: false };
    let mut came = 0;
    let mut said = None;
    for number in 1..=MAX_PAGES {
        let page = ask.patiently(|| page(number)).await?;
        let here = page.items.len() as u64;
        came += here;
        // What is not kept of a record is gone before the next page comes: a list may be long.
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

/// In an order that what is added or removed at the source does not change.
fn by_number(mut records: Vec<Value>) -> Vec<Value> {
    records.sort_by_key(id);
    records
}

/// A record as it is.
fn as_it_is(record: Value) -> Option<(i64, Value)> {
    Some((record.get("id")?.as_i64()?, record))
}

/// All entries of a datasource, each with its place in the list and its values in the dimensions that there are.
async fn entries_of(ask: &Ask, datasource: &Value) -> Result<Vec<Value>, SourceError> {
    let source = id(datasource);
    let entries = whole(ask, |page| ask.vendor.datasource_entries(source, None, page), as_it_is).await;
    let mut entries = entries.map_err(failure)?;
    let mut values: HashMap<i64, serde_json::Map<String, Value>> = HashMap::new();
    for dimension in datasource.get("dimensions").and_then(Value::as_array).into_iter().flatten() {
        let number = id(dimension);
        let Some(code) = dimension.get("entry_value").and_then(Value::as_str) else { continue };
        let in_it = whole(ask, |page| ask.vendor.datasource_entries(source, Some(number), page), as_it_is).await;
        for entry in in_it.map_err(failure)? {
            if let Some(value) = entry.get("dimension_value").filter(|entry| entry.is_string()) {
                values.entry(id(&entry)).or_default().insert(code.to_owned(), value.clone());
            }
        }
    }
    for (place, entry) in (1_u64..).zip(&mut entries) {
        let own = values.remove(&id(entry)).unwrap_or_default();
        if let Some(entry) = entry.as_object_mut() {
            // The hosted service tells the order by the list alone.
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

/// Records that name their parents by number, the parents first.
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
