//! Who reads, and which copy.

use crate::content::Content;
use domain::shared::{Fault, Kind, Parameters};
use secrecy::SecretString;
use storage::{
    Session,
    content::delivery::{
        Copy,
        reader::{self, Reader},
    },
};

/// The parameters that every delivery endpoint takes: hosted clients send them everywhere (facts, section 4.1).
const COMMON: [&str; 3] = ["token", "version", "cv"];

/// A request that may be answered.
pub(super) struct Reading {
    pub(super) session: Session,
    pub(super) reader: Reader,
    pub(super) copy: Copy,
    /// Whether the caller named the current `cv`.
    pub(super) is_current: bool,
}

/// Checks the token and the common parameters, and that no other is given than those known.
///
/// 401 without a valid token, and for a draft with a public one; 422 for a parameter that is unknown or wrong.
pub(super) async fn reading(content: &Content, query: &Parameters, known: &[&str]) -> Result<Reading, Fault> {
    let token = query.get("token").filter(|it| !it.is_empty()).ok_or_else(Fault::unauthorized)?;
    let hash = crypto::token::hash(&content.token_keys.delivery, &SecretString::from(token));
    let session = content.store.read("delivery.reader").await?;
    let reader = reader::find(&session, &hash).await?.ok_or_else(Fault::unauthorized)?;
    query.only(&[&COMMON, known].concat())?;
    let copy = match query.get("version") {
        None | Some("" | "published") => Copy::Published,
        Some("draft") => Copy::Draft,
        Some(_) => return Err(Fault::invalid("version", "invalid", "must be draft or published")),
    };
    if copy == Copy::Draft && !reader.kind.reads_drafts() {
        return Err(Fault::new(Kind::Unauthorized, "unauthorized", "Unauthorized: this token cannot read version=draft"));
    }
    let is_current = query.parsed::<i64>("cv")? == Some(reader.cv);
    Ok(Reading { session, reader, copy, is_current })
}
