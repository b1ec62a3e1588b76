//! The hosted service.
//!
//! Lists are read whole when their phase begins, and given by ascending number: what is added or removed at the source while the import runs
//! moves no page. Folders, which come behind those that they stand in, and entries, whose order is theirs, begin anew when an import is taken up. What was added after its list was read comes with the next import; what was removed is skipped.
//!
//! Published content (facts, section 2.6.1): the draft itself where nothing is unpublished; else from the delivery API, a hundred stories a
//! request, when the space has no languages and so that says everything; else the newest published version of each story;
//! else what the delivery API shows in each language, put together. What is planned for stories is a list of its own.

mod ask;
mod lists;
mod published;

use super::{BYTES, FILE_BROKEN, Fetched, Head, NoFile, Overview, Page, Source, SourceError};
use crate::runtime::Runtime;
use ask::{Ask, Luck};
use crypto::digest;
use domain::{
    content::import::{Kind, Phase, Record, record},
    shared::Fault,
};
use egress::{
    client::HttpError,
    fetch::{Fetcher, Limits},
    vendor::{Error, Region, Vendor},
};
use futures_util::{FutureExt, StreamExt, TryStreamExt, future::BoxFuture, stream};
use http::StatusCode;
use lists::{Listed, Lists};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

/// Records on a page, at most.
const PAGE: usize = 100;
/// Stories that are asked for at the same time. Their pace is the source's.
const AT_ONCE: usize = 16;
/// So many seconds' worth of requests make a page, where the source is slow.
const SECONDS: f64 = 5.0;
/// The fewest stories on a page, however slow or long they come.
const LEAST: usize = 10;

/// A space of the hosted service.
pub struct Hosted {
    ask: Ask,
    region: Region,
    space: i64,
    fetcher: Fetcher,
    limits: Limits,
    lists: Lists,
    stories: Luck,
    copies: Luck,
    /// About how long a story is.
    story_bytes: AtomicUsize,
}

impl Hosted {
    /// A space, its files fetched within these limits.
    pub fn new(runtime: Runtime, vendor: Vendor, (region, space): (Region, i64), fetcher: Fetcher, limits: Limits) -> Self {
        Self {
            ask: Ask::new(vendor, runtime),
            region,
            space,
            fetcher,
            limits,
            lists: Lists::default(),
            stories: Luck::default(),
            copies: Luck::default(),
            story_bytes: AtomicUsize::new(BYTES / PAGE),
        }
    }

    async fn overview(&self) -> Result<Overview, SourceError> {
        let hint = self.region.other_of_space(self.space).map(|other| {
            let (said, other) = (self.region.as_str(), other.as_str());
            format!("a space of this number is of the region {other}, not {said}")
        });
        let space = self.lists.space(&self.ask).await.map_err(|error| self.located(error, hint.as_deref()))?;
        let mut read: record::Space = serde_json::from_value(space.clone()).map_err(|_| failure(Error::Unreadable))?;
        read.id = self.space;
        let mut overview = Overview { space: read, ..Overview::default() };
        for (kind, key) in [(Kind::Story, "stories_count"), (Kind::Asset, "assets_count")] {
            if let Some(count) = space.get(key).and_then(Value::as_u64) {
                overview.announced.insert(kind, count);
            }
        }
        overview.warnings.extend(hint.map(|hint| ("regionDiffers", hint)));
        // A token that may not read them misses nothing.
        let tags = match self.ask.patiently(|| self.ask.vendor.internal_tags(1)).await {
            Ok(tags) => tags.items.len(),
            Err(error) if error.is_transient() || error == Error::Unauthorized => return Err(failure(error)),
            Err(_) => 0,
        };
        if tags > 0 {
            overview.warnings.push(("leftBehind", "internal tags are not imported: components keep their numbers".to_owned()));
        }
        Ok(overview)
    }

    /// A refusal of the whole space, with where it was asked for: every region knows its own spaces and tokens only.
    fn located(&self, error: SourceError, hint: Option<&str>) -> SourceError {
        if !matches!(error.code, "tokenRejected" | "noAccess" | "spaceNotFound") {
            return error;
        }
        let (region, number) = (self.region.as_str(), self.space);
        let why = hint.map_or_else(|| format!("it was asked for space {number} in the region {region}"), str::to_owned);
        SourceError { message: format!("{}: {why}", error.message), ..error }
    }

    async fn give(&self, phase: Phase, cursor: i64, most: usize) -> Result<Page, SourceError> {
        let Some(kind) = phase.kind() else { return Ok(Page::default()) };
        match phase {
            Phase::Folders => {
                let folders = self.lists.folders(&self.ask).await?;
                let from = usize::try_from(cursor).unwrap_or(usize::MAX).min(folders.len());
                let to = (from + self.size(most)).min(folders.len());
                let next = (to < folders.len()).then(|| i64::try_from(to).unwrap_or(i64::MAX));
                self.details(folders.get(from..to).unwrap_or_default(), next).await
            }
            Phase::Stories => {
                let stories = self.lists.stories(&self.ask).await?;
                let from = stories.partition_point(|story| *story <= cursor);
                let to = (from + self.size(most)).min(stories.len());
                let page = stories.get(from..to).unwrap_or_default();
                self.details(page, page.last().copied().filter(|_| to < stories.len())).await
            }
            Phase::DatasourceEntries => {
                let (entries, next) = self.lists.entries(&self.ask, cursor).await?;
                Ok(Page { records: entries.iter().map(|entry| recorded(kind, entry)).collect(), next })
            }
            Phase::Assets | Phase::Datasources => {
                let all = self.lists.plain(&self.ask, phase).await?;
                let from = all.partition_point(|value| number(value) <= cursor);
                let page = all.get(from..(from + PAGE).min(all.len())).unwrap_or_default();
                let next = page.last().filter(|_| from + page.len() < all.len()).map(number);
                Ok(Page { records: page.iter().map(|p| recorded(kind, p)).collect(), next })
            }
            // Those that stand in each other's order come whole: there is no place in them that would be the same tomorrow.
            _ => {
                let all = self.lists.plain(&self.ask, phase).await?;
                Ok(Page { records: all.iter().map(|value| recorded(kind, value)).collect(), next: None })
            }
        }
    }

    /// How many stories make a page: so many that a slow source gives them within some seconds, and that they do not become too large together.
    fn size(&self, most: usize) -> usize {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate is small and positive")]
        let by_rate = self.ask.vendor.rate().map_or(most, |rate| ((rate * SECONDS) as usize).max(LEAST));
        let by_bytes = (BYTES / self.story_bytes.load(Relaxed).max(1)).max(LEAST);
        most.min(by_rate).min(by_bytes)
    }

    /// Where the file of a private asset can be had.
    async fn signed(&self, asset: &record::Asset) -> Result<String, NoFile> {
        let token = self.lists.asset_reader(&self.ask).await.map_err(|error| NoFile::lasting(error.message))?;
        let token = token.ok_or_else(|| {
            NoFile::lasting(
                "it is private, and the source shows no token of the kind asset, which alone reads its file: make one there",
            )
        })?;
        let url = asset.url();
        let signed = self.ask.patiently(|| self.ask.vendor.signed_url(token, &url)).await;
        signed.map_err(|error| NoFile::lasting(format!("it is private, and its file is not shown: {error}")))
    }

    /// Whole stories, with what their published copies have instead.
    async fn details(&self, wanted: &[i64], next: Option<i64>) -> Result<Page, SourceError> {
        let ask = &self.ask;
        let read = stream::iter(wanted.to_vec()).map(|id| async move {
            match ask.for_story(id, |id| ask.vendor.story(id)).await {
                Ok(story) => {
                    ask.had(id);
                    self.stories.good();
                    Ok((id, Ok(story)))
                }
                Err(Error::NotFound) => Ok((id, Err(Record::Gone { id }))),
                Err(error) if self.stories.bears(error) => Ok((id, Err(Record::Unreadable { id, why: error.to_string() }))),
                Err(error) => Err(failure(error)),
            }
        });
        let stories: Vec<(i64, Result<Value, Record>)> = read.buffered(AT_ONCE).try_collect().await?;
        let mut copies = published::copies(ask, &self.lists, &self.copies, &stories).await?;
        let is_by_language = self.lists.is_by_language(ask).await?;
        let planned = self.lists.schedulings(ask).await?;
        let mut bytes = 0;
        let mut records = Vec::with_capacity(stories.len());
        for (id, story) in stories {
            let mut story = match story {
                Ok(story) => story,
                Err(record) => {
                    records.push((record, [0; 16]));
                    continue;
                }
            };
            let copy = copies.remove(&id);
            if let Some(story) = story.as_object_mut() {
                if let Some(published::Copy::Differs(copy)) = &copy {
                    story.insert("_published".to_owned(), copy.clone());
                }
                if let Some(planned) = planned.get(&id) {
                    story.insert("_schedulings".to_owned(), planned.clone().into());
                }
            }
            let kind = if story.get("is_folder").and_then(Value::as_bool) == Some(true) { Kind::Folder } else { Kind::Story };
            let (mut record, print, length) = measured(kind, &story);
            bytes += length;
            if let Record::Story(story) = &mut record {
                story.is_by_language = is_by_language;
                if copy == Some(published::Copy::Missing) {
                    story.published_copy = Some(record::PublishedCopy { is_missing: true, ..record::PublishedCopy::default() });
                }
            }
            records.push((record, print));
            // Readers are not to wait for a whole page to be read.
            tokio::task::yield_now().await;
        }
        self.story_bytes.store(bytes / records.len().max(1), Relaxed);
        Ok(Page { records, next })
    }
}

impl Source for Hosted {
    fn open(&self) -> BoxFuture<'_, Result<Overview, SourceError>> {
        self.overview().boxed()
    }

    fn heads(&self) -> BoxFuture<'_, Result<Vec<Head>, SourceError>> {
        async {
            let head = |value: &Listed| Some(Head { id: value.id, uuid: value.uuid?, full_slug: value.full_slug.clone() });
            Ok(self.lists.heads(&self.ask).await?.iter().filter_map(head).collect())
        }
        .boxed()
    }

    fn page(&self, phase: Phase, cursor: i64, most: usize) -> BoxFuture<'_, Result<Page, SourceError>> {
        self.give(phase, cursor, most).boxed()
    }

    /// Entries and folders have an order of their own, in which anything may come or go between two looks.
    fn keeps_place(&self, phase: Phase) -> bool {
        !matches!(phase, Phase::DatasourceEntries | Phase::Folders)
    }

    fn file<'a>(&'a self, asset: &'a record::Asset) -> BoxFuture<'a, Result<Fetched, NoFile>> {
        async move {
            let url = if asset.is_private { self.signed(asset).await? } else { asset.url() };
            let fetched = self.fetcher.get(&url, self.limits).await.map_err(no_file)?;
            let status = fetched.status;
            if !status.is_success() {
                let is_passing = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
                return Err(NoFile { message: format!("its URL answers with status {}", status.as_u16()), is_passing });
            }
            let pieces = fetched.body.map_err(|error| Fault::bad_request(FILE_BROKEN, no_file(error).message));
            Ok(Fetched { length: fetched.length, pieces: pieces.boxed() })
        }
        .boxed()
    }
}

fn number(record: &Value) -> i64 {
    record.get("id").and_then(Value::as_i64).unwrap_or(0)
}

/// A record and its fingerprint.
fn recorded(kind: Kind, value: &Value) -> (Record, [u8; 16]) {
    let (record, print, _) = measured(kind, value);
    (record, print)
}

/// The same with its length.
fn measured(kind: Kind, value: &Value) -> (Record, [u8; 16], usize) {
    let text = value.to_string();
    (Record::read(kind, &text), digest::of_parts([text.as_bytes()]), text.len())
}

/// Why a file could not be had. What is on the other side of the guard is nobody's business: who gave the URL is told the same of a host that
/// is not there and of one that must not be asked.
fn no_file(error: HttpError) -> NoFile {
    let is_passing = matches!(error, HttpError::Unreachable | HttpError::TimedOut | HttpError::Interrupted);
    let message = match error {
        HttpError::Blocked(_) | HttpError::Dns(_) | HttpError::Unreachable | HttpError::Tls => {
            tracing::info!(%error, "the file of an asset cannot be had");
            "its URL leads nowhere that could be asked".to_owned()
        }
        HttpError::TooLarge => "its file is too large (APP_ASSET_MAX_MB says how large one may be)".to_owned(),
        other => other.to_string(),
    };
    NoFile { message, is_passing }
}

/// A failure of the source in words for the one who wanted the import.
fn failure(error: Error) -> SourceError {
    match error {
        Error::Unauthorized => SourceError::new("tokenRejected", "The source does not accept the token"),
        Error::Forbidden => SourceError::new("noAccess", "The token may not read this space at the source"),
        Error::NotFound => SourceError::new("spaceNotFound", "The source has no such space, or the token may not know of it"),
        Error::Throttled { .. } => SourceError::new("sourceThrottled", "The source refused too often: too many requests"),
        other => SourceError::new("sourceFailing", format!("It was tried again and again: {other}")),
    }
}

/// Lists by number, for what is looked up in them.
type ById<T> = BTreeMap<i64, T>;
