//! Who reads: a delivery token, and what an answer needs to know of its space.

use crate::{Connection, Executor, Result, row};
use domain::{
    content::{Language, token::DeliveryKind},
    shared::SpaceId,
};

/// A valid delivery token and its space.
#[derive(Debug, Clone)]
pub struct Reader {
    /// The space.
    pub space: SpaceId,
    /// What the token opens.
    pub kind: DeliveryKind,
    /// The space's cache version.
    pub cv: i64,
    /// The number of the space's writes, see [`crate::content::commit_log::SpaceVersion`].
    pub revision: i64,
    /// The space's name.
    pub name: String,
    /// Its preview URL.
    pub domain: Option<String>,
    /// The codes of its languages, the default not among them.
    pub language_codes: Vec<String>,
    /// Whether any story has a translated slug.
    pub has_translated_slugs: bool,
}

/// The reader behind a token's hash, unless the token was revoked or its space is deleted.
pub async fn find(connection: &Connection, token_hash: &[u8; 32]) -> Result<Option<Reader>> {
    let found = connection
        .row_opt(
            "select token.space_id, token.kind, counters.cv, counters.audit_seq, space.name, space.domain, space.languages,
                    exists (select from translated_slugs slug where slug.space_id = space.id) as has_translated_slugs
             from delivery_tokens token
             join spaces space on space.id = token.space_id
             join space_counters counters on counters.space_id = token.space_id
             where token.token_hash = $1 and token.revoked_at is null and space.deleted_at is null",
            &[/* token_hash */ &token_hash.as_slice()],
        )
        .await?;
    let Some(found) = found else { return Ok(None) };
    let languages: Vec<Language> = row::json(&found, "languages")?;
    Ok(Some(Reader {
        space: SpaceId(row::get(&found, "space_id")?),
        kind: row::parsed(&found, "kind", DeliveryKind::of)?,
        cv: row::get(&found, "cv")?,
        revision: row::get(&found, "audit_seq")?,
        name: row::get(&found, "name")?,
        domain: row::get(&found, "domain")?,
        language_codes: languages.into_iter().map(|language| language.code).collect(),
        has_translated_slugs: row::get(&found, "has_translated_slugs")?,
    }))
}
