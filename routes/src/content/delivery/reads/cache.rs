//! Rendered answers, bounded in bytes.

use super::coding::{Accepted, Coding};
use crate::web::{ApiResponse, ErrorFormat, headers};
use bytes::Bytes;
use domain::shared::{Fault, SpaceId};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter, sync, sync::DefaultLifecycle};
use std::{mem::size_of, sync::Arc};
use storage::content::delivery::{ContentVersion, read_access::ReadAccess};

/// Below it the headers of a compressed answer cost what it saves.
const SMALLEST_WORTH_COMPRESSING: usize = 1024;
/// What the tables of the cache and of the headers take for each answer, about.
const OVERHEAD: usize = 1024;
/// An answer must fit into one part of the cache, and the parts are as many as this allows.
const SHARD: u64 = 4 << 20;
/// More parts than that serve nobody.
const MOST_SHARDS: u64 = 32;
/// What an answer takes, about: for the first size of the tables only.
const USUAL: u64 = 16 << 10;

/// What an answer is kept under. A change of the space changes it, so that what is older is not found any more and falls out in time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::content::delivery) struct Key {
    space: SpaceId,
    copy: ContentVersion,
    /// Published: `cv`. Draft: the revision.
    version: i64,
    /// What a published answer shows of the space, and a draft can change.
    has_translated_slugs: bool,
    target: String,
    pub(super) coding: Option<Coding>,
}

impl Key {
    /// Of an answer as it is.
    pub(in crate::content::delivery) fn new(reader: &ReadAccess, copy: ContentVersion, target: String) -> Self {
        let version = match copy {
            ContentVersion::Published => reader.cv,
            ContentVersion::Draft => reader.revision,
        };
        Self { space: reader.space, copy, version, has_translated_slugs: reader.has_translated_slugs, target, coding: None }
    }
}

/// An answer, ready to send but for how long it may be kept.
pub(in crate::content::delivery) struct Entry {
    /// The same for all codings.
    fingerprint: String,
    headers: HeaderMap,
    body: Bytes,
}

impl Entry {
    /// Of what was rendered.
    pub(super) fn new(answer: ApiResponse) -> Result<Self, Fault> {
        let (status, mut headers, body) = answer.into_parts();
        if status != StatusCode::OK {
            return Err(Fault::internal(format!("an answer of the Delivery API with status {status}")));
        }
        let fingerprint = crypto::digest::fingerprint(&body);
        headers.insert(header::ETAG, tag(&fingerprint, None)?);
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers::add_defaults(&mut headers, ErrorFormat::Delivery);
        Ok(Self { fingerprint, headers, body })
    }

    /// The same in a coding.
    pub(super) fn encoded(&self, body: Bytes, coding: Coding) -> Result<Self, Fault> {
        let mut headers = self.headers.clone();
        headers.insert(header::ETAG, tag(&self.fingerprint, Some(coding))?);
        headers.insert(header::CONTENT_ENCODING, coding.header());
        Ok(Self { fingerprint: self.fingerprint.clone(), headers, body })
    }

    pub(super) fn is_worth_compressing(&self) -> bool {
        self.body.len() >= SMALLEST_WORTH_COMPRESSING
    }

    pub(super) fn body(&self) -> &Bytes {
        &self.body
    }

    /// The answer; 304 without a body when `If-None-Match` names it in any coding that the caller takes (RFC 9110, section 13.1.2).
    pub(in crate::content::delivery) fn answer(
        &self,
        lifetime: &'static str,
        known: Option<&HeaderValue>,
        accepted: Accepted,
    ) -> Result<ApiResponse, Fault> {
        let mut headers = self.headers.clone();
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static(lifetime));
        if let Some(tag) = known.map(|known| self.named(known, accepted)).transpose()?.flatten() {
            headers.insert(header::ETAG, tag);
            headers.remove(header::CONTENT_TYPE);
            headers.remove(header::CONTENT_ENCODING);
            return Ok(ApiResponse::from_parts(StatusCode::NOT_MODIFIED, headers, Bytes::new()));
        }
        Ok(ApiResponse::from_parts(StatusCode::OK, headers, self.body.clone()))
    }

    /// The tag that the caller knows, if it is one of this answer.
    fn named(&self, known: &HeaderValue, accepted: Accepted) -> Result<Option<HeaderValue>, Fault> {
        let Ok(known) = known.to_str() else { return Ok(None) };
        for coding in accepted.all().map(Some).chain([None]) {
            let tag = tag(&self.fingerprint, coding)?;
            let is = |value: &str| value == "*" || value.strip_prefix("W/").unwrap_or(value).as_bytes() == tag.as_bytes();
            if known.split(',').map(str::trim).any(is) {
                return Ok(Some(tag));
            }
        }
        Ok(None)
    }
}

/// A strong tag: other bytes, another tag (RFC 9110, section 8.8.3).
fn tag(fingerprint: &str, coding: Option<Coding>) -> Result<HeaderValue, Fault> {
    let text = match coding {
        None => format!("\"{fingerprint}\""),
        Some(coding) => format!("\"{fingerprint}-{}\"", coding.name()),
    };
    HeaderValue::try_from(text).map_err(|error| Fault::internal(error.to_string()))
}

#[derive(Clone)]
struct InBytes;

impl Weighter<Key, Arc<Entry>> for InBytes {
    fn weight(&self, key: &Key, entry: &Arc<Entry>) -> u64 {
        let bytes = entry.body.len() + key.target.len() + size_of::<Key>() + size_of::<Entry>() + OVERHEAD;
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }
}

/// The answers that are kept.
pub(super) struct Cache {
    entries: sync::Cache<Key, Arc<Entry>, InBytes>,
}

impl Cache {
    /// An empty one that holds at most so many bytes.
    pub(super) fn new(bytes: u64) -> Self {
        let shards = usize::try_from((bytes / SHARD).clamp(1, MOST_SHARDS)).unwrap_or(1);
        let estimated = usize::try_from(bytes / USUAL).unwrap_or(usize::MAX).max(16);
        let options = OptionsBuilder::new().weight_capacity(bytes).estimated_items_capacity(estimated).shards(shards).build();
        let entries = match options {
            Ok(options) => sync::Cache::with_options(options, InBytes, DefaultHashBuilder::default(), DefaultLifecycle::default()),
            // Only without a capacity, and both are there.
            Err(_) => sync::Cache::with_weighter(estimated, bytes, InBytes),
        };
        Self { entries }
    }

    pub(super) fn get(&self, key: &Key) -> Option<Arc<Entry>> {
        self.entries.get(key)
    }

    pub(super) fn insert(&self, key: Key, entry: Arc<Entry>) {
        self.entries.insert(key, entry);
    }

    pub(super) fn clear(&self) {
        self.entries.clear();
    }

    /// What is held now.
    pub(super) fn bytes(&self) -> u64 {
        self.entries.weight()
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Accepted, ApiResponse, Arc, Cache, ContentVersion, Entry, HeaderMap, HeaderValue, Key, ReadAccess, SpaceId, header,
    };
    use domain::content::token::DeliveryKind;
    use http::StatusCode;

    fn reader(cv: i64, revision: i64) -> ReadAccess {
        let (space, kind, name) = (SpaceId(1), DeliveryKind::Public, "S".to_owned());
        ReadAccess { space, kind, cv, revision, name, domain: None, language_codes: Vec::new(), has_translated_slugs: false }
    }

    fn entry(bytes: usize) -> Arc<Entry> {
        Arc::new(Entry::new(ApiResponse::bytes(StatusCode::OK, "application/json", vec![b'x'; bytes])).unwrap())
    }

    #[test]
    fn the_bound_in_bytes_holds_whatever_is_put_in() {
        const BOUND: u64 = 1 << 20;
        let cache = Cache::new(BOUND);
        for number in 0..2_000 {
            cache.insert(
                Key::new(&reader(number, 1), ContentVersion::Published, format!("/{number}")),
                entry(usize::try_from(number % 97).unwrap() * 200),
            );
            assert!(cache.bytes() <= BOUND, "{}", cache.bytes());
        }
        assert!(cache.bytes() > BOUND / 2, "and it is used: {}", cache.bytes());
        cache.insert(Key::new(&reader(0, 0), ContentVersion::Draft, "/large".into()), entry(2 << 20));
        assert!(cache.bytes() <= BOUND);
    }

    #[test]
    fn published_answers_go_by_cv_and_drafts_by_revision() {
        let key = |cv, revision, copy| Key::new(&reader(cv, revision), copy, "/".into());
        assert_eq!(key(1, 1, ContentVersion::Published), key(1, 2, ContentVersion::Published));
        assert_ne!(key(1, 1, ContentVersion::Published), key(2, 1, ContentVersion::Published));
        assert_ne!(key(1, 1, ContentVersion::Draft), key(1, 2, ContentVersion::Draft));
        assert_ne!(key(1, 1, ContentVersion::Draft), key(1, 1, ContentVersion::Published));
    }

    #[test]
    fn a_tag_is_found_in_a_list_weak_or_strong_and_only_in_codings_the_caller_takes() {
        let entry = entry(1);
        let tag = entry.headers[header::ETAG].to_str().unwrap().to_owned();
        let gzip = tag.trim_end_matches('"').to_owned() + "-gzip\"";
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        let status = |known: &str, accepted| {
            entry.answer("no-store", Some(&HeaderValue::from_str(known).unwrap()), accepted).unwrap().into_parts().0.as_u16()
        };
        for known in [tag.clone(), format!("\"b\", {tag}"), format!("W/{tag}"), "*".into()] {
            assert_eq!(status(&known, Accepted::default()), 304, "{known}");
        }
        assert_eq!(status("\"b\"", Accepted::default()), 200);
        assert_eq!(status(&gzip, Accepted::default()), 200);
        assert_eq!(status(&gzip, Accepted::read(&headers)), 304);
    }
}
