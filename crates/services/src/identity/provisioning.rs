//! Provisioning: making the accounts that another system hands over, alone or up to 500 in a request. A dry
//! run takes the same decisions and writes nothing.

pub mod counters;
pub mod lookup;
pub mod tokens;

mod import;
mod write;

pub use counters::ProvisioningCounters;
pub use import::{Processed, RowOutcome, create, import};
pub use tokens::Tokens;

use super::IdentityContext;
use std::sync::Arc;

/// What provisioning works with. Cheap to clone.
#[derive(Clone)]
pub struct ProvisioningContext {
    /// What the use cases of accounts work with.
    pub identity: IdentityContext,
    /// The tokens of callers.
    pub tokens: Arc<Tokens>,
    pub counters: ProvisioningCounters,
}
