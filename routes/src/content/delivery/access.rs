//! Who reads, and which copy.

use super::reads::Asked;
use crate::{
    content::Content,
    web::{Access, ApiRequest, access::Security},
};
use domain::{
    content::token::DeliveryKind,
    shared::{Fault, Kind, Parameters},
};
use http::Method;
use std::sync::Arc;
use storage::{
    Connection,
    content::delivery::{ContentVersion, read_access::ReadAccess},
};

/// The parameters that every delivery endpoint takes: hosted clients send them everywhere (facts, section 4.1).
const COMMON: [&str; 3] = ["token", "version", "cv"];

/// A request that is to be answered.
pub(super) struct Reading {
    pub(super) connection: Connection,
    pub(super) reader: Arc<ReadAccess>,
    pub(super) copy: ContentVersion,
}

/// An access rule: a delivery token in the query. 401 without a valid one, 429 over its limit.
#[derive(Clone, Copy)]
pub(super) struct ByDeliveryToken;

impl Access<Content> for ByDeliveryToken {
    type Scope = ();
    type Caller = Arc<ReadAccess>;

    fn security(&self, _: &Method) -> Security {
        &[&["deliveryToken"]]
    }

    async fn authorize(&self, content: &Content, request: &ApiRequest, (): ()) -> Result<Arc<ReadAccess>, Fault> {
        let asked = Asked::read(request.path(), request.raw_query())?;
        let token = hash(content, &asked)?;
        let reader = content.reads.reader(&content.store, token, request.meta.ip).await?;
        content.reads.count(&token)?;
        Ok(reader)
    }
}

/// What the token is known by; 401 for what can be no token.
pub(super) fn hash(content: &Content, asked: &Asked<'_>) -> Result<[u8; 32], Fault> {
    if !DeliveryKind::is_token(asked.token()) {
        return Err(Fault::unauthorized());
    }
    Ok(content.token_keys.delivery.hash(asked.token()))
}

/// 422 when there is another parameter than those known.
pub(super) fn only(parameters: &Parameters, known: &[&str]) -> Result<(), Fault> {
    parameters.only(&[&COMMON, known].concat())
}

/// Which copy the reader gets; 401 for a draft that the token does not open.
pub(super) fn copy(asked: &Asked<'_>, reader: &ReadAccess) -> Result<ContentVersion, Fault> {
    let copy = asked.copy()?;
    if copy == ContentVersion::Draft && !reader.kind.reads_drafts() {
        return Err(Fault::new(Kind::Unauthorized, "unauthorized", "Unauthorized: this token cannot read version=draft"));
    }
    Ok(copy)
}
