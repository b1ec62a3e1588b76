//! The hosted service.
//!
//! Lists are read whole when their phase begins, and given by ascending number: what is added or removed at the source while the import runs
//! moves no page. What was added after its list was read comes with the next import; what was removed is skipped.
//!
//! Published content (facts, section 2.6.1): the draft itself where nothing is unpublished; else from the delivery API, a hundred stories a
//! request, when the space has no languages and so that says everything; else the newest published version of each story.

mod lists;
mod published;

use super::{Head, Overview, Page, Pieces, Source, SourceError};
use crate::runtime::Runtime;
use crypto::digest;
use domain::{
    content::import::{Kind, Phase, Record, record},
    shared::Fault,
};
use futures_util::{FutureExt, StreamExt, TryStreamExt, future::BoxFuture, stream};
use lists::{Listed, Lists};
use outward::{
    fetch::{Fetcher, Limits},
    vendor::{Error, Region, Vendor, patience},
};
use serde_json::Value;
use std::{collections::BTreeMap, future::Future};

/// Records on a page, at most.
const PAGE: usize = 100;
/// Stories that are asked for at the same time. Their pace is the source's.
const AT_ONCE: usize = 16;
/// So many seconds' worth of requests make a page, where the source is slow.
const SECONDS: f64 = 5.0;

/// A space of the hosted service.
pub struct Hosted {
    ask: Ask,
    region: Region,
    space: i64,
    fetcher: Fetcher,
    limits: Limits,
    lists: Lists,
}

/// Asks, as often as is worth it.
#[derive(Clone)]
struct Ask {
    vendor: Vendor,
    runtime: Runtime,
}

impl Ask {
    async fn patiently<T, F: Future<Output = Result<T, Error>>>(&self, mut ask: impl FnMut() -> F) -> Result<T, Error> {
        let mut failures = 0;
        loop {
            let error = match ask().await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            failures += 1;
            let Some(wait) = patience::wait(failures, error, self.runtime.roll()) else { return Err(error) };
            tracing::debug!(code = error.code(), failures, wait.ms = wait.as_millis(), "the source of an import is asked again");
            tokio::time::sleep(wait).await;
        }
    }
}

impl Hosted {
    /// A space, its files fetched within these limits.
    pub fn new(runtime: Runtime, vendor: Vendor, (region, space): (Region, i64), fetcher: Fetcher, limits: Limits) -> Self {
        Self { ask: Ask { vendor, runtime }, region, space, fetcher, limits, lists: Lists::default() }
    }

    async fn overview(&self) -> Result<Overview, SourceError> {
        let space = self.lists.space(&self.ask).await?;
        let read: record::Space = serde_json::from_value(space.clone()).map_err(|_| failure(Error::Unreadable))?;
        let mut overview = Overview { space: record::Space { id: self.space, ..read }, ..Overview::default() };
        for (kind, key) in [(Kind::Story, "stories_count"), (Kind::Asset, "assets_count")] {
            if let Some(count) = space.get(key).and_then(Value::as_u64) {
                overview.announced.insert(kind, count);
            }
        }
        if let Some(other) = Region::of_space(self.space).filter(|it| *it != self.region && self.region != Region::Cn) {
            let (said, other) = (self.region.as_str(), other.as_str());
            overview.warnings.push(("regionDiffers", format!("a space of this number is of the region {other}, not {said}")));
        }
        let tags = self.ask.patiently(|| self.ask.vendor.internal_tags(1)).await.map_err(failure)?;
        if !tags.items.is_empty() {
            overview.warnings.push(("leftBehind", "internal tags are not imported: components keep their numbers".to_owned()));
        }
        Ok(overview)
    }

    async fn give(&self, phase: Phase, cursor: i64) -> Result<Page, SourceError> {
        let Some(kind) = phase.kind() else { return Ok(Page::default()) };
        match phase {
            Phase::Folders => {
                let (folders, next) = self.lists.folders(&self.ask, cursor).await?;
                self.details(folders, next).await
            }
            Phase::Stories => {
                let stories = self.lists.stories(&self.ask).await?;
                let from = stories.partition_point(|it| it.id <= cursor);
                let rate = self.ask.vendor.rate();
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate is small and positive")]
                let size = rate.map_or(PAGE, |rate| ((rate * SECONDS) as usize).clamp(10, PAGE));
                let page: Vec<Listed> = stories.iter().skip(from).take(size).copied().collect();
                let next = page.last().filter(|_| from + page.len() < stories.len()).map(|it| it.id);
                self.details(page, next).await
            }
            Phase::DatasourceEntries => {
                let (entries, next) = self.lists.entries(&self.ask, cursor).await?;
                Ok(Page { records: entries.iter().map(|it| recorded(kind, it)).collect(), next })
            }
            _ => {
                let all = self.lists.plain(&self.ask, phase).await?;
                let size = if phase == Phase::Components { all.len() } else { PAGE };
                let from = usize::try_from(cursor).unwrap_or(0);
                let records: Vec<_> = all.iter().skip(from).take(size).map(|it| recorded(kind, it)).collect();
                let end = from + records.len();
                Ok(Page { records, next: (end < all.len()).then(|| i64::try_from(end).unwrap_or(i64::MAX)) })
            }
        }
    }

    /// Whole stories, with what their published copies have instead.
    async fn details(&self, wanted: Vec<Listed>, next: Option<i64>) -> Result<Page, SourceError> {
        let ask = &self.ask;
        let ids: Vec<i64> = wanted.iter().map(|it| it.id).collect();
        let read = stream::iter(ids).map(|id| async move {
            match ask.patiently(|| ask.vendor.story(id)).await {
                Ok(story) => Ok((id, Some(story))),
                Err(Error::NotFound) => Ok((id, None)),
                Err(error) => Err(failure(error)),
            }
        });
        let stories: Vec<(i64, Option<Value>)> = read.buffered(AT_ONCE).try_collect().await?;
        let mut copies = published::copies(ask, &self.lists, &stories).await?;
        let records = stories.into_iter().map(|(id, story)| {
            let Some(mut story) = story else { return (Record::Gone { id }, [0; 16]) };
            let copy = copies.remove(&id);
            if let (Some(published::Copy::Differs(copy)), Some(story)) = (&copy, story.as_object_mut()) {
                story.insert("_published".to_owned(), copy.clone());
            }
            let kind = if story.get("is_folder").and_then(Value::as_bool) == Some(true) { Kind::Folder } else { Kind::Story };
            let (mut record, print) = recorded(kind, &story);
            if let (Some(published::Copy::Missing), Record::Story(story)) = (copy, &mut record) {
                story.published_copy = Some(record::PublishedCopy { is_missing: true, ..record::PublishedCopy::default() });
            }
            (record, print)
        });
        Ok(Page { records: records.collect(), next })
    }
}

impl Source for Hosted {
    fn open(&self) -> BoxFuture<'_, Result<Overview, SourceError>> {
        self.overview().boxed()
    }

    fn heads(&self) -> BoxFuture<'_, Result<Vec<Head>, SourceError>> {
        async { Ok(self.lists.heads(&self.ask).await?.iter().map(|it| Head { id: it.id, uuid: it.uuid }).collect()) }.boxed()
    }

    fn page(&self, phase: Phase, cursor: i64) -> BoxFuture<'_, Result<Page, SourceError>> {
        self.give(phase, cursor).boxed()
    }

    fn file<'a>(&'a self, asset: &'a record::Asset) -> BoxFuture<'a, Result<Pieces, String>> {
        async move {
            let fetched = self.fetcher.get(&asset.url(), self.limits).await.map_err(|error| error.to_string())?;
            if !fetched.status.is_success() {
                return Err(format!("its URL answers with status {}", fetched.status.as_u16()));
            }
            let pieces = fetched.body.map_err(|error| Fault::bad_request("fileBroken", error.to_string()));
            Ok(pieces.boxed())
        }
        .boxed()
    }
}

/// A record and its fingerprint.
fn recorded(kind: Kind, value: &Value) -> (Record, [u8; 16]) {
    let text = value.to_string();
    (Record::read(kind, &text), digest::of_parts([text.as_bytes()]))
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
