//! Rendered responses, bounded in bytes.

use crate::web::coding::{Accepted, Coding};
use crate::web::{ApiResponse, CachedBytes, ErrorFormat, ResponseMemory, headers};
use bytes::Bytes;
use domain::{
    content::story_scope::StoryScope,
    shared::{Fault, SpaceId, TokenId},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter, sync, sync::DefaultLifecycle};
use std::{mem::size_of, sync::Arc};
use storage::{
    TimelineId,
    content::delivery::{ContentVersion, read_access::ReadAccess},
};

/// The least bytes of a body that is compressed: below, the additional headers cost what compression saves.
const MIN_COMPRESSED: usize = 1024;
/// About how many bytes the tables of the cache and of the headers take for each response.
const OVERHEAD: usize = 1024;
/// The least bytes of a shard. A response is kept only when it fits into one.
const SHARD: u64 = 4 << 20;
/// The most shards: as many as there may be threads that contend for them.
const MAX_SHARDS: u64 = 32;
/// About how many bytes a response has. It only gives the tables their first size.
const USUAL: u64 = 16 << 10;

/// The key of a response or of the keys of a list. A change of the space changes it, so that what is older is
/// not found any more and is evicted in time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::content::delivery) struct CacheKey {
    space: SpaceId,
    version: ContentVersion,
    /// The token, when it may not read all stories: its responses are not shared with other tokens.
    scoped_token: Option<TokenId>,
    /// The `cv` of published content, the revision of drafts.
    changed_at: i64,
    /// The timeline on which that was counted. A standby that is promoted without the last writes comes to
    /// the same numbers again with other content, so what was read before the timeline is known has no key.
    timeline: TimelineId,
    /// The one property of the space that published responses show although a change of a draft can change
    /// it.
    has_translated_slugs: bool,
    /// What is asked for: the path and the query of a response, or the list whose keys these are.
    target: String,
    pub(super) coding: Option<Coding>,
}

impl CacheKey {
    /// The key of an uncompressed response.
    pub(in crate::content::delivery) fn new(
        access: &ReadAccess,
        timeline: TimelineId,
        version: ContentVersion,
        target: String,
    ) -> Self {
        let has_translated_slugs = access.has_translated_slugs;
        let scoped_token = (access.stories != StoryScope::All).then_some(access.token);
        let changed_at = access.changed_at(version);
        Self { space: access.space, version, scoped_token, changed_at, timeline, has_translated_slugs, target, coding: None }
    }

    /// How many bytes the text of the key has.
    pub(super) fn target_bytes(&self) -> usize {
        self.target.len()
    }

    /// The path and the query that the key was made of.
    pub(in crate::content::delivery) fn into_target(self) -> String {
        self.target
    }
}

/// A response that is ready to be sent but for its `Cache-Control`.
pub(in crate::content::delivery) struct CachedResponse {
    /// The fingerprint of the uncompressed body, which is the same for all codings.
    fingerprint: String,
    headers: HeaderMap,
    body: Bytes,
    _in_cache: CachedBytes,
}

impl CachedResponse {
    /// The cached form of a response that was rendered; 422 when it is too large.
    pub(super) fn new(response: ApiResponse, max: usize, memory: &ResponseMemory) -> Result<Self, Fault> {
        let (status, mut headers, body) = response.into_parts();
        if body.len() > max {
            return Err(Fault::response_too_large(max));
        }
        if status != StatusCode::OK {
            return Err(Fault::internal(format!("a response of the Delivery API with status {status}")));
        }
        let fingerprint = crypto::digest::fingerprint(&body);
        headers.insert(header::ETAG, tag(&fingerprint, None)?);
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers::add_defaults(&mut headers, ErrorFormat::Delivery);
        Ok(Self::of(fingerprint, headers, body, memory))
    }

    fn of(fingerprint: String, headers: HeaderMap, body: Bytes, memory: &ResponseMemory) -> Self {
        let in_cache = memory.cache(body.len());
        Self { fingerprint, headers, body: memory.hold_body(body), _in_cache: in_cache }
    }

    /// The same response in a coding.
    pub(super) fn encoded(&self, body: Bytes, coding: Coding, memory: &ResponseMemory) -> Result<Self, Fault> {
        let mut headers = self.headers.clone();
        headers.insert(header::ETAG, tag(&self.fingerprint, Some(coding))?);
        headers.insert(header::CONTENT_ENCODING, coding.header());
        Ok(Self::of(self.fingerprint.clone(), headers, body, memory))
    }

    pub(super) fn is_worth_compressing(&self) -> bool {
        self.body.len() >= MIN_COMPRESSED
    }

    pub(super) fn body(&self) -> &Bytes {
        &self.body
    }

    /// The response; 304 without a body when `If-None-Match` names it in any coding that the client accepts
    /// (RFC 9110, section 13.1.2).
    pub(in crate::content::delivery) fn respond(
        &self,
        cache_control: &'static str,
        if_none_match: Option<&HeaderValue>,
        accepted: Accepted,
    ) -> Result<ApiResponse, Fault> {
        let mut headers = self.headers.clone();
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static(cache_control));
        if let Some(tag) = if_none_match.map(|known| self.matching_tag(known, accepted)).transpose()?.flatten() {
            headers.insert(header::ETAG, tag);
            headers.remove(header::CONTENT_TYPE);
            headers.remove(header::CONTENT_ENCODING);
            return Ok(ApiResponse::from_parts(StatusCode::NOT_MODIFIED, headers, Bytes::new()));
        }
        Ok(ApiResponse::from_parts(StatusCode::OK, headers, self.body.clone()))
    }

    /// The tag of this response that is among the given ones.
    fn matching_tag(&self, known: &HeaderValue, accepted: Accepted) -> Result<Option<HeaderValue>, Fault> {
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

/// A strong entity tag: it differs whenever the bytes differ (RFC 9110, section 8.8.3).
fn tag(fingerprint: &str, coding: Option<Coding>) -> Result<HeaderValue, Fault> {
    let text = match coding {
        None => format!("\"{fingerprint}\""),
        Some(coding) => format!("\"{fingerprint}-{}\"", coding.name()),
    };
    HeaderValue::try_from(text).map_err(|error| Fault::internal(error.to_string()))
}

#[derive(Clone)]
struct InBytes;

impl Weighter<CacheKey, Arc<CachedResponse>> for InBytes {
    fn weight(&self, key: &CacheKey, entry: &Arc<CachedResponse>) -> u64 {
        let bytes = entry.body.len() + key.target.len() + size_of::<CacheKey>() + size_of::<CachedResponse>() + OVERHEAD;
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }
}

/// The responses.
pub(super) struct ResponseCache {
    entries: sync::Cache<CacheKey, Arc<CachedResponse>, InBytes>,
}

impl ResponseCache {
    /// An empty cache that holds at most `bytes` bytes.
    pub(super) fn new(bytes: u64) -> Self {
        let shards = usize::try_from((bytes / SHARD).clamp(1, MAX_SHARDS)).unwrap_or(1);
        let estimated = usize::try_from(bytes / USUAL).unwrap_or(usize::MAX).max(16);
        let options = OptionsBuilder::new().weight_capacity(bytes).estimated_items_capacity(estimated).shards(shards).build();
        let entries = match options {
            Ok(options) => sync::Cache::with_options(options, InBytes, DefaultHashBuilder::default(), DefaultLifecycle::default()),
            // The options are only refused without the capacities, and both are given.
            Err(_) => sync::Cache::with_weighter(estimated, bytes, InBytes),
        };
        Self { entries }
    }

    pub(super) fn get(&self, key: &CacheKey) -> Option<Arc<CachedResponse>> {
        self.entries.get(key)
    }

    pub(super) fn insert(&self, key: CacheKey, entry: Arc<CachedResponse>) {
        self.entries.insert(key, entry);
    }

    pub(super) fn clear(&self) {
        self.entries.clear();
    }

    /// How many bytes are held now.
    pub(super) fn bytes(&self) -> u64 {
        self.entries.weight()
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Accepted, ApiResponse, Arc, CacheKey, CachedResponse, ContentVersion, HeaderMap, HeaderValue, ReadAccess, ResponseCache,
        ResponseMemory, SpaceId, StoryScope, TimelineId, TokenId, header,
    };
    use domain::content::token::DeliveryKind;
    use http::StatusCode;

    const TIMELINE: TimelineId = TimelineId(uuid::Uuid::from_u128(1));

    fn reader(cv: i64, revision: i64) -> ReadAccess {
        ReadAccess {
            token: TokenId(1),
            space: SpaceId(1),
            kind: DeliveryKind::Public,
            stories: StoryScope::All,
            cv,
            revision,
            timeline: Some(TIMELINE),
            name: "S".to_owned(),
            domain: None,
            language_codes: Vec::new(),
            has_translated_slugs: false,
            story_count: 0,
        }
    }

    fn entry(bytes: usize) -> Arc<CachedResponse> {
        Arc::new(
            CachedResponse::new(
                ApiResponse::bytes(StatusCode::OK, "application/json", vec![b'x'; bytes]),
                bytes,
                &ResponseMemory::new(0),
            )
            .unwrap(),
        )
    }

    #[test]
    fn the_bound_in_bytes_holds_whatever_is_put_in() {
        const BOUND: u64 = 1 << 20;
        let cache = ResponseCache::new(BOUND);
        for number in 0..2_000 {
            cache.insert(
                CacheKey::new(&reader(number, 1), TIMELINE, ContentVersion::Published, format!("/{number}")),
                entry(usize::try_from(number % 97).unwrap() * 200),
            );
            assert!(cache.bytes() <= BOUND, "{}", cache.bytes());
        }
        assert!(cache.bytes() > BOUND / 2, "and it is used: {}", cache.bytes());
        cache.insert(CacheKey::new(&reader(0, 0), TIMELINE, ContentVersion::Draft, "/large".into()), entry(2 << 20));
        assert!(cache.bytes() <= BOUND);
    }

    #[test]
    fn published_answers_go_by_cv_and_drafts_by_revision() {
        let key = |cv, revision, copy| CacheKey::new(&reader(cv, revision), TIMELINE, copy, "/".into());
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
            entry.respond("no-store", Some(&HeaderValue::from_str(known).unwrap()), accepted).unwrap().into_parts().0.as_u16()
        };
        for known in [tag.clone(), format!("\"b\", {tag}"), format!("W/{tag}"), "*".into()] {
            assert_eq!(status(&known, Accepted::default()), 304, "{known}");
        }
        assert_eq!(status("\"b\"", Accepted::default()), 200);
        assert_eq!(status(&gzip, Accepted::default()), 200);
        assert_eq!(status(&gzip, Accepted::parse(&headers)), 304);
    }
}
