//! Who reads, and which version of the content.

use super::cache::CacheMiss;
use crate::{
    content::Content,
    web::{Access, ApiRequest, access::Security},
};
use domain::shared::{Code, Fault};
use http::{Method, StatusCode};
use std::sync::Arc;
use storage::{
    ReadMark, Reader,
    content::delivery::{ContentVersion, ReadScope, read_access::ReadAccess},
};

/// The context in which a response is rendered.
pub(super) struct ReadContext {
    pub(super) connection: Reader,
    /// How far the space must have come where it is read.
    pub(super) mark: ReadMark,
    pub(super) access: Arc<ReadAccess>,
    pub(super) version: ContentVersion,
}

impl ReadContext {
    /// What the response may show.
    pub(super) fn scope(&self) -> ReadScope<'_> {
        self.access.scope(self.version)
    }
}

/// The caller of an endpoint, with its request as the cache left it.
pub(super) struct DeliveryCaller {
    pub(super) access: Arc<ReadAccess>,
    pub(super) miss: Arc<CacheMiss>,
}

/// An access rule: a delivery token in the query. 401 without a valid one, 429 over its limit.
#[derive(Clone, Copy)]
pub(super) struct ByDeliveryToken;

impl Access<Content, Arc<CacheMiss>> for ByDeliveryToken {
    type Scope = ();
    type Caller = DeliveryCaller;

    fn security(&self, _: &Method) -> Security {
        &[&["deliveryToken"]]
    }

    fn refusals(&self, _: &Method) -> Vec<StatusCode> {
        vec![StatusCode::UNAUTHORIZED, StatusCode::TOO_MANY_REQUESTS]
    }

    async fn authorize(&self, content: &Content, request: &ApiRequest<Arc<CacheMiss>>, (): ()) -> Result<DeliveryCaller, Fault> {
        let miss = match &request.miss {
            Some(miss) => Arc::clone(miss),
            None => Arc::new(CacheMiss::parse(content, request.path(), request.raw_query(), &request.headers)?),
        };
        let access = match &miss.access {
            Some(access) => access.clone(),
            None => content.delivery_cache.find_access(&content.store, miss.token_hash, request.meta.ip).await?,
        };
        content.delivery_cache.count_read(&miss.token_hash)?;
        Ok(DeliveryCaller { access, miss })
    }
}

/// Checks that a token may read a version; 401 for a draft with a public token.
pub(super) fn check_version(version: ContentVersion, access: &ReadAccess) -> Result<(), Fault> {
    if version == ContentVersion::Draft && !access.kind.reads_drafts() {
        return Err(Fault::of(Code::Unauthorized));
    }
    Ok(())
}
