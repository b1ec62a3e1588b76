//! A Storyblok space as a source.
//!
//! Lists are read completely when their phase starts, and returned by ascending id, so that additions and
//! removals at the source do not shift pages. Folders are ordered by depth and entries by position; these two
//! phases start again after an interruption. Records that are added after their list was read come with the
//! next import, and removed ones are skipped.
//!
//! The published content of a story is its draft if there are no unpublished changes. Otherwise it comes from
//! the delivery API, a hundred stories per request, if the space has a single language; else from the newest
//! published version of the story; else from the delivery API's content in each language, combined.
//! Schedulings have a list of their own.
//!
//! All that is read is counted in the memory of the import. A page of stories that would be more than fits is
//! read again with half of the stories.

mod client;
mod failure;
mod listing;
mod lists;
mod published;

use super::{Fetched, FileError, MAX_PAGE_BYTES, MAX_PAGE_WEIGHT, Page, Source, SourceError, SourceManifest, warning};
use crate::content::importer::{end_code::EndCode, retries::RetryHandle};
use client::{FailureStreak, RetryingClient};
use crypto::digest;
use domain::{
    content::import::{
        Kind, Phase, Record, SourceId,
        record::{self, Story},
    },
    shared::{Code, Fault},
};
use egress::{
    client::HttpError,
    fetch::{FetchLimits, Fetcher},
    vendor::{Error, Held, Region, Vendor},
};
use failure::{failure, failure_of};
use futures_util::{FutureExt, StreamExt, TryStreamExt, future::BoxFuture, stream};
use http::StatusCode;
use lists::{Item, Lists, page_end};
use serde::Deserialize;
use serde_json::Value;
use services::content::import::state::SourceStory;
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
/// How often the text of a story is in memory while it waits to be written: as it came, sorted, as words and
/// as fields.
const STORY_COPIES: usize = 4;

/// A Storyblok space.
pub struct VendorSource {
    client: RetryingClient,
    region: Region,
    space: SourceId<record::Space>,
    fetcher: Fetcher,
    limits: FetchLimits,
    lists: Lists,
    story_streak: FailureStreak,
    copy_streak: FailureStreak,
    /// The average size of a story, in bytes of JSON.
    story_bytes: AtomicUsize,
    /// The maximum number of stories of a page, after pages that did not fit into the memory of the import.
    most_stories: AtomicUsize,
}

impl VendorSource {
    /// A space, whose files are fetched within these limits.
    pub(in crate::content::importer) fn new(
        retries: RetryHandle,
        vendor: Vendor,
        (region, space): (Region, SourceId<record::Space>),
        fetcher: Fetcher,
        limits: FetchLimits,
    ) -> Self {
        Self {
            client: RetryingClient::new(vendor, retries),
            region,
            space,
            fetcher,
            limits,
            lists: Lists::default(),
            story_streak: FailureStreak::default(),
            copy_streak: FailureStreak::default(),
            story_bytes: AtomicUsize::new(MAX_PAGE_BYTES / PAGE),
            most_stories: AtomicUsize::new(usize::MAX),
        }
    }

    async fn manifest(&self) -> Result<SourceManifest, SourceError> {
        let hint = self.region.other_of_space(self.space.number()).map(|other| {
            let (said, other) = (self.region.as_str(), other.as_str());
            format!("a space of this number is of the region {other}, not {said}")
        });
        let space = self.lists.space(&self.client).await.map_err(|error| self.located(error, hint.as_deref()))?;
        let mut read = record::Space::deserialize(space).map_err(|_| failure(Error::Unreadable))?;
        read.id = self.space;
        let mut manifest = SourceManifest { space: read, ..SourceManifest::default() };
        for (kind, key) in [(Kind::Story, "stories_count"), (Kind::Asset, "assets_count")] {
            if let Some(count) = space.get(key).and_then(Value::as_u64) {
                manifest.announced.insert(kind, count);
            }
        }
        manifest.warnings.extend(hint.map(|hint| warning("regionDiffers", &hint)));
        // A token that may not read internal tags causes no warning.
        let tags = match self.client.with_retries(|| self.client.vendor.internal_tags(1)).await {
            Ok(tags) => tags.items.len(),
            Err(error) if error.is_transient() || error == Error::Unauthorized => return Err(failure(error)),
            Err(_) => 0,
        };
        if tags > 0 {
            manifest.warnings.push(warning("leftBehind", "internal tags are not imported: components keep their numbers"));
        }
        Ok(manifest)
    }

    /// Adds the region to the error if Storyblok rejects the space or the token: each region knows only its
    /// own.
    fn located(&self, error: SourceError, hint: Option<&str>) -> SourceError {
        if !matches!(error.code, EndCode::TokenRejected | EndCode::NoAccess | EndCode::SpaceNotFound) {
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
                let (page, count) = self.fitting(folders.get(from..).unwrap_or_default(), max).await?;
                let next = (from + count < folders.len()).then(|| i64::try_from(from + count).unwrap_or(i64::MAX));
                Ok(Page { next, ..page })
            }
            Phase::Stories => {
                let stories = self.lists.stories(&self.client).await?;
                let from = stories.partition_point(|story| story.number() <= cursor);
                let rest = stories.get(from..).unwrap_or_default();
                let (page, count) = self.fitting(rest, max).await?;
                let last = count.checked_sub(1).and_then(|last| rest.get(last)).map(|story| story.number());
                Ok(Page { next: last.filter(|_| count < rest.len()), ..page })
            }
            Phase::DatasourceEntries => {
                let (entries, indices, next) = self.lists.entries(&self.client, cursor, max).await?;
                Ok(Page { next, ..page_of(kind, entries.get(indices).unwrap_or_default()) })
            }
            Phase::Assets | Phase::Datasources => {
                let all = self.lists.plain(&self.client, phase).await?;
                let rest = all.get(all.partition_point(|item| item.id.number() <= cursor)..).unwrap_or_default();
                let items = rest.get(..page_end(rest, PAGE.min(max))).unwrap_or_default();
                let next = items.last().filter(|_| items.len() < rest.len()).map(|item| item.id.number());
                Ok(Page { next, ..page_of(kind, items) })
            }
            // These lists are ordered by parents, so no cursor within them would be stable: they come in one
            // page.
            _ => {
                let all = self.lists.plain(&self.client, phase).await?;
                let page: usize = all.iter().map(|item| item.record.weight()).sum();
                let memory = self.client.vendor.memory();
                let _held = memory.hold(page).map_err(|error| failure_of(&format!("list of {}", kind.name()), error))?;
                Ok(page_of(kind, all))
            }
        }
    }

    /// A page of the first of these stories, and how many of them it has. If they do not fit into the memory
    /// of the import, it has fewer.
    async fn fitting(&self, wanted: &[SourceId<Story>], max: usize) -> Result<(Page, usize), SourceError> {
        // What each page needs is read before it, so that a page which does not fit is one of large stories.
        self.lists.schedulings(&self.client).await?;
        let mut size = self.size(max).min(wanted.len());
        loop {
            match self.details(wanted.get(..size).unwrap_or_default()).await {
                Err(error) if error.code == EndCode::ImportTooLarge && size > 1 => {
                    size /= 2;
                    self.most_stories.store(size, Relaxed);
                    tracing::debug!(size, "a page of stories does not fit into the memory of the import: a smaller one is read");
                }
                page => return page,
            }
        }
    }

    /// The number of stories of a page, limited by the request rate of the source and by the size of the
    /// stories.
    fn size(&self, max: usize) -> usize {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate is small and positive")]
        let by_rate = self.client.vendor.rate().map_or(max, |rate| ((rate * SECONDS) as usize).max(LEAST));
        let by_bytes = (MAX_PAGE_BYTES / self.story_bytes.load(Relaxed).max(1)).max(LEAST);
        max.min(by_rate).min(by_bytes).min(self.most_stories.load(Relaxed))
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

    /// Reads stories with their contents, published copies and schedulings: a page without its cursor, and
    /// how many stories it has. It ends with the story that makes it too large.
    async fn details(&self, wanted: &[SourceId<Story>]) -> Result<(Page, usize), SourceError> {
        let client = &self.client;
        let mut held = client.vendor.memory().nothing();
        let stories = self.drafts(wanted, &mut held).await?;
        let mut copies = published::copies(client, &self.lists, &self.copy_streak, &stories, &mut held).await?;
        let is_by_language = self.lists.is_by_language(client).await?;
        let planned = self.lists.schedulings(client).await?;
        let mut bytes = 0;
        let count = stories.len();
        let mut records = Vec::with_capacity(count);
        for (id, story) in stories {
            let mut story = match story {
                Ok(story) => story,
                Err(record) => {
                    records.push((self.of_line(id, record).await?, [0; 16]));
                    continue;
                }
            };
            let copy = copies.remove(&id);
            let is_copy_missing = copy == Some(published::Copy::Missing);
            if let Some(story) = story.as_object_mut() {
                if let Some(published::Copy::Differs(copy)) = copy {
                    story.insert("_published".to_owned(), copy);
                }
                if let Some(planned) = planned.get(&id) {
                    let planned: Result<Vec<Value>, Error> = planned.iter().map(|record| record.tree(&mut held)).collect();
                    let planned = planned.map_err(|error| failure_of("list of schedulings", error))?;
                    story.insert("_schedulings".to_owned(), planned.into());
                }
            }
            let kind = if story.get("is_folder").and_then(Value::as_bool) == Some(true) { Kind::Folder } else { Kind::Story };
            let (mut record, fingerprint, length) = measured(kind, &story);
            bytes += length;
            if let Record::Story(story) = &mut record {
                story.is_by_language = is_by_language;
                if is_copy_missing {
                    story.published_copy = Some(record::PublishedCopy { is_missing: true, ..record::PublishedCopy::default() });
                }
            }
            records.push((self.of_line(id, record).await?, fingerprint));
            // Other tasks, such as reads, get their turn after each story.
            tokio::task::yield_now().await;
        }
        self.story_bytes.store(bytes / records.len().max(1), Relaxed);
        Ok((Page { records, next: None, weight: bytes * STORY_COPIES }, count))
    }

    /// The record itself, or the folder made of its line in the list if its details cannot be read.
    async fn of_line(&self, id: SourceId<Story>, record: Record) -> Result<Record, SourceError> {
        let Record::Unreadable { why, .. } = &record else { return Ok(record) };
        Ok(self.lists.folder_of_line(&self.client, id, why).await?.unwrap_or(record))
    }

    /// Reads the drafts of stories as trees, counted in `held`. It ends with the story that makes the page
    /// too large.
    async fn drafts(&self, wanted: &[SourceId<Story>], held: &mut Held) -> Result<Vec<Draft>, SourceError> {
        let client = &self.client;
        let mut read = stream::iter(wanted.to_vec())
            .map(|id| async move {
                match client.for_story(id, |id| client.vendor.story(id.number())).await {
                    Ok(story) => {
                        client.note_success(id);
                        self.story_streak.reset();
                        Ok((id, Ok(story)))
                    }
                    Err(Error::NotFound) => Ok((id, Err(Record::Gone { id: id.number() }))),
                    Err(error) if self.story_streak.tolerates(error) => {
                        Ok((id, Err(Record::Unreadable { id: id.number(), why: error.to_string() })))
                    }
                    Err(error) => Err(failure_of("story", error)),
                }
            })
            .buffered(AT_ONCE);
        let (mut stories, mut weight) = (Vec::with_capacity(wanted.len()), 0);
        while let Some((id, story)) = read.try_next().await? {
            let story = match story {
                Ok(record) => {
                    weight += record.weight();
                    Ok(record.tree(held).map_err(|error| failure_of("story", error))?)
                }
                Err(record) => Err(record),
            };
            stories.push((id, story));
            if weight > MAX_PAGE_WEIGHT {
                break;
            }
        }
        Ok(stories)
    }
}

impl Source for VendorSource {
    fn open(&self) -> BoxFuture<'_, Result<SourceManifest, SourceError>> {
        self.manifest().boxed()
    }

    fn story_headers(&self) -> BoxFuture<'_, Result<Vec<SourceStory>, SourceError>> {
        async { Ok(self.lists.story_headers(&self.client).await?.iter().filter_map(|listed| listed.header.clone()).collect()) }
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
            let chunks = fetched.body.map_err(|error| Fault::new(Code::BodyBroken, no_file(error).message));
            Ok(Fetched { length: fetched.length, chunks: chunks.boxed() })
        }
        .boxed()
    }
}

/// A page of these items without its cursor.
fn page_of(kind: Kind, items: &[Item]) -> Page {
    let mut weight = 0;
    let recorded = |item: &Item| {
        weight += item.record.weight();
        let text = item.record.text();
        let mut record = Record::read(kind, text);
        if item.is_in_circle {
            record.mark_circle();
        }
        (record, digest::of_parts([text.as_bytes()]))
    };
    Page { records: items.iter().map(recorded).collect(), next: None, weight }
}

/// A record, its fingerprint and its size in bytes of JSON.
fn measured(kind: Kind, value: &Value) -> (Record, [u8; 16], usize) {
    let text = value.to_string();
    (Record::read(kind, &text), digest::of_parts([text.as_bytes()]), text.len())
}

/// The error for the report. It is the same for a host that does not exist and for one that the SSRF guard
/// blocks, so that the report says nothing about the internal network.
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
type ById<T> = BTreeMap<SourceId<Story>, T>;

/// A story as it was read, with its draft; or what is known of one that could not be read.
type Draft = (SourceId<Story>, Result<Value, Record>);
