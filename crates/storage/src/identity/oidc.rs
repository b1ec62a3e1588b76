//! The tables of the OpenID provider.

pub mod access_tokens;
pub mod authorization;
pub mod client_assertions;
pub mod client_receivers;
pub mod consents;
pub mod denied_tokens;
pub mod device_codes;
pub mod dpop_proofs;
pub mod grants;
pub mod introspection;
pub mod refresh_tokens;
pub mod refusal_turns;
pub mod remembered_consents;
pub mod signing_keys;

mod person;

use crate::{Executor, Result};
use jiff::Timestamp;

/// Deletes a batch of tokens, codes and remembered consents that expired before a time, and when there are
/// none, of grants. Answers how many rows it deleted.
pub async fn remove_expired(executor: &impl Executor, until: Timestamp, limit: i64) -> Result<u64> {
    let tokens = access_tokens::remove_expired(executor, until, limit).await?
        + refresh_tokens::remove_expired(executor, until, limit).await?
        + denied_tokens::remove_expired(executor, until, limit).await?
        + dpop_proofs::remove_expired(executor, until, limit).await?
        + device_codes::remove_expired(executor, until, limit).await?
        + remembered_consents::remove_expired(executor, until, limit).await?;
    if tokens > 0 { Ok(tokens) } else { grants::remove_expired(executor, until, limit).await }
}
