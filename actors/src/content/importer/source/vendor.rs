//! A Storyblok space as a source.
//!
//! Lists are read completely when their phase starts, and returned by ascending id, so that additions and removals at the source do not shift pages.
//! Folders are ordered by depth and entries by position; these two phases start again after an interruption. Records that are added after their list
//! was read come with the next import, and removed ones are skipped.
//!
//! The published content of a story is its draft if there are no unpublished changes. Otherwise it comes from the delivery API, a hundred stories per
//! request, if the space has a single language; else from the newest published version of the story; else from the delivery API's content in each
//! language, combined. Schedulings have a list of their own.

mod client;
mod failure;
mod lists;
mod published;

use super::{FILE_BROKEN, Fetched, FileError, MAX_PAGE_BYTES, Page, Source, SourceError, SourceManifest, StoryHeader};
use crate::runtime::Runtime;
use client::{FailureStreak, RetryingClient};
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
use failure::failure;
use futures_util::{FutureExt, StreamExt, TryStreamExt, future::BoxFuture, stream};
use http::StatusCode;
use lists::{Listed, Lists};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

/// The maximum number of assets or datasources of a page.
const PAGE: usize = 100;
/// How many stories are requested concurrently. The client limits the rate.
const AT_ONCE: usize = 16;
/// A page of stories should not take longer than this many seconds.
const SECONDS: f64 = 5.0;
/// The minimum number of stories of a page.
const LEAST: usize = 10;

/// A Storyblok space.
pub struct VendorSource {
    client: RetryingClient,
    region: Region,
    space: i64,
    fetcher: Fetcher,
    limits: Limits,
    lists: Lists,
    story_streak: FailureStreak,
    copy_streak: FailureStreak,
    /// The average size of a story, in bytes of JSON.
    story_bytes: AtomicUsize,
}

impl VendorSource {
    /// A space, whose files are fetched within these limits.
    pub fn new(runtime: Runtime, vendor: Vendor, (region, space): (Region, i64), fetcher: Fetcher, limits: Limits) -> Self {
        Self {
            client: RetryingClient::new(vendor, runtime),
            region,
            space,
            fetcher,
            limits,
            lists: Lists::default(),
            story_streak: FailureStreak::default(),
            copy_streak: FailureStreak::default(),
            story_bytes: AtomicUsize::new(MAX_PAGE_BYTES / PAGE),
        }
    }

    async fn manifest(&self) -> Result<SourceManifest, SourceError> {
        let hint = self.region.other_of_space(self.space).map(|other| {
            let (said, other) = (self.region.as_str(), other.as_str());
            format!("a space of this number is of the region {other}, not {said}")
        });
        let space = self.lists.space(&self.client).await.map_err(|error| self.located(error, hint.as_deref()))?;
        let mut read: record::Space = serde_json::from_value(space.clone()).map_err(|_| failure(Error::Unreadable))?;
        read.id = self.space;
        let mut manifest = SourceManifest { space: read, ..SourceManifest::default() };
        for (kind, key) in [(Kind::Story, "stories_count"), (Kind::Asset, "assets_count")] {
            if let Some(count) = space.get(key).and_then(Value::as_u64) {
                manifest.announced.insert(kind, count);
            }
        }
        manifest.warnings.extend(hint.map(|hint| ("regionDiffers", hint)));
        // A token that may not read internal tags causes no warning.
        let tags = match self.client.with_retries(|| self.client.vendor.internal_tags(1)).await {
            Ok(tags) => tags.items.len(),
            Err(error) if error.is_transient() || error == Error::Unauthorized => return Err(failure(error)),
            Err(_) => 0,
        };
        if tags > 0 {
            manifest.warnings.push(("leftBehind", "internal tags are not imported: components keep their numbers".to_owned()));
        }
        Ok(manifest)
    }

    /// Adds the region to the error if Storyblok rejects the space or the token: each region knows only its own.
    fn located(&self, error: SourceError, hint: Option<&str>) -> SourceError {
        if !matches!(error.code, "tokenRejected" | "noAccess" | "spaceNotFound") {
            return error;
        }
        let (region, number) = (self.region.as_str(), self.space);
        let why = hint.map_or_else(|| format!("it was asked for space {number} in the region {region}"), str::to_owned);
        SourceError { message: format!("{}: {why}", error.message), ..error }
    }

    async fn give(&self, phase: Phase, cursor: i64, max: usize) -> Result<Page, SourceError> {
        let Some(kind) = phase.kind() else { return Ok(Page::default()) };
        match phase {
            Phase::Folders => {
                let folders = self.lists.folders(&self.client).await?;
                let from = usize::try_from(cursor).unwrap_or(usize::MAX).min(folders.len());
                let to = (from + self.size(max)).min(folders.len());
                let next = (to < folders.len()).then(|| i64::try_from(to).unwrap_or(i64::MAX));
                self.details(folders.get(from..to).unwrap_or_default(), next).await
            }
            Phase::Stories => {
                let stories = self.lists.stories(&self.client).await?;
                let from = stories.partition_point(|story| *story <= cursor);
                let to = (from + self.size(max)).min(stories.len());
                let page = stories.get(from..to).unwrap_or_default();
                self.details(page, page.last().copied().filter(|_| to < stories.len())).await
            }
            Phase::DatasourceEntries => {
                let (entries, next) = self.lists.entries(&self.client, cursor, max).await?;
                Ok(Page { records: entries.iter().map(|entry| recorded(kind, entry)).collect(), next })
            }
            Phase::Assets | Phase::Datasources => {
                let all = self.lists.plain(&self.client, phase).await?;
                let from = all.partition_point(|value| number(value) <= cursor);
                let page = all.get(from..(from + PAGE.min(max)).min(all.len())).unwrap_or_default();
                let next = page.last().filter(|_| from + page.len() < all.len()).map(number);
                Ok(Page { records: page.iter().map(|p| recorded(kind, p)).collect(), next })
            }
            // These lists are ordered by parents, so no cursor within them would be stable: they come in one page.
            _ => {
                let all = self.lists.plain(&self.client, phase).await?;
                Ok(Page { records: all.iter().map(|value| recorded(kind, value)).collect(), next: None })
            }
        }
    }

    /// The number of stories of a page, limited by the request rate of the source and by the size of the stories.
    fn size(&self, max: usize) -> usize {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate is small and positive")]
        let by_rate = self.client.vendor.rate().map_or(max, |rate| ((rate * SECONDS) as usize).max(LEAST));
        let by_bytes = (MAX_PAGE_BYTES / self.story_bytes.load(Relaxed).max(1)).max(LEAST);
        max.min(by_rate).min(by_bytes)
    }

    /// The signed URL of a private asset's file.
    async fn signed(&self, asset: &record::Asset) -> Result<String, FileError> {
        let token = self.lists.asset_reader(&self.client).await.map_err(|error| FileError::permanent(error.message))?;
        let token = token.ok_or_else(|| {
            FileError::permanent(
                "it is private, and the source shows no token of the kind asset, which alone reads its file: make one there",
            )
        })?;
        let url = asset.url();
        let signed = self.client.with_retries(|| self.client.vendor.signed_url(token, &url)).await;
        signed.map_err(|error| FileError::permanent(format!("it is private, and its file is not shown: {error}")))
    }

    /// Reads stories with their contents, published copies and schedulings.
    async fn details(&self, wanted: &[i64], next: Option<i64>) -> Result<Page, SourceError> {
        let client = &self.client;
        let read = stream::iter(wanted.to_vec()).map(|id| async move {
            match client.for_story(id, |id| client.vendor.story(id)).await {
                Ok(story) => {
                    client.note_success(id);
                    self.story_streak.reset();
                    Ok((id, Ok(story)))
                }
                Err(Error::NotFound) => Ok((id, Err(Record::Gone { id }))),
                Err(error) if self.story_streak.tolerates(error) => {
                    Ok((id, Err(Record::Unreadable { id, why: error.to_string() })))
                }
                Err(error) => Err(failure(error)),
            }
        });
        let stories: Vec<(i64, Result<Value, Record>)> = read.buffered(AT_ONCE).try_collect().await?;
        let mut copies = published::copies(client, &self.lists, &self.copy_streak, &stories).await?;
        let is_by_language = self.lists.is_by_language(client).await?;
        let planned = self.lists.schedulings(client).await?;
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
            let (mut record, fingerprint, length) = measured(kind, &story);
            bytes += length;
            if let Record::Story(story) = &mut record {
                story.is_by_language = is_by_language;
                if copy == Some(published::Copy::Missing) {
                    story.published_copy = Some(record::PublishedCopy { is_missing: true, ..record::PublishedCopy::default() });
                }
            }
            records.push((record, fingerprint));
            // Other tasks, such as reads, get their turn after each story.
            tokio::task::yield_now().await;
        }
        self.story_bytes.store(bytes / records.len().max(1), Relaxed);
        Ok(Page { records, next })
    }
}

impl Source for VendorSource {
    fn open(&self) -> BoxFuture<'_, Result<SourceManifest, SourceError>> {
        self.manifest().boxed()
    }

    fn story_headers(&self) -> BoxFuture<'_, Result<Vec<StoryHeader>, SourceError>> {
        async {
            let head = |value: &Listed| {
                Some(StoryHeader {
                    id: value.id,
                    uuid: value.uuid?,
                    is_folder: value.is_folder,
                    full_slug: value.full_slug.clone(),
                })
            };
            Ok(self.lists.story_headers(&self.client).await?.iter().filter_map(head).collect())
        }
        .boxed()
    }

    fn page(&self, phase: Phase, cursor: i64, max: usize) -> BoxFuture<'_, Result<Page, SourceError>> {
        self.give(phase, cursor, max).boxed()
    }

    /// The orders of entries and folders can change between two reads of the list.
    fn has_stable_cursor(&self, phase: Phase) -> bool {
        !matches!(phase, Phase::DatasourceEntries | Phase::Folders)
    }

    fn file<'a>(&'a self, asset: &'a record::Asset) -> BoxFuture<'a, Result<Fetched, FileError>> {
        async move {
            let url = if asset.is_private { record::encode_url(&self.signed(asset).await?) } else { asset.fetch_url() };
            let fetched = self.fetcher.get(&url, self.limits).await.map_err(no_file)?;
            let status = fetched.status;
            if !status.is_success() {
                let is_transient = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
                return Err(FileError { message: format!("its URL answers with status {}", status.as_u16()), is_transient });
            }
            let chunks = fetched.body.map_err(|error| Fault::bad_request(FILE_BROKEN, no_file(error).message));
            Ok(Fetched { length: fetched.length, chunks: chunks.boxed() })
        }
        .boxed()
    }
}

fn number(record: &Value) -> i64 {
    record.get("id").and_then(Value::as_i64).unwrap_or(0)
}

/// A record and its fingerprint.
fn recorded(kind: Kind, value: &Value) -> (Record, [u8; 16]) {
    let (record, fingerprint, _) = measured(kind, value);
    (record, fingerprint)
}

/// A record, its fingerprint and its size in bytes of JSON.
fn measured(kind: Kind, value: &Value) -> (Record, [u8; 16], usize) {
    let text = value.to_string();
    (Record::read(kind, &text), digest::of_parts([text.as_bytes()]), text.len())
}

/// The error for the report. It is the same for a host that does not exist and for one that the SSRF guard blocks, so that the report says nothing
/// about the internal network.
fn no_file(error: HttpError) -> FileError {
    let is_transient = matches!(error, HttpError::Unreachable | HttpError::TimedOut | HttpError::Interrupted);
    let message = match error {
        HttpError::Blocked(_) | HttpError::Dns(_) | HttpError::Unreachable | HttpError::Tls => {
            tracing::info!(%error, "the file of an asset cannot be had");
            "its URL leads nowhere that could be asked".to_owned()
        }
        HttpError::TooLarge => "its file is too large (APP_ASSET_MAX_MB says how large one may be)".to_owned(),
        other => other.to_string(),
    };
    FileError { message, is_transient }
}

/// Values by story id.
type ById<T> = BTreeMap<i64, T>;
