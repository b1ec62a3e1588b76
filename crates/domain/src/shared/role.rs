//! Roles in a space. What they may do there, [`crate::content::access`] says.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The role of a member of a space, and of a management token. Its name is on the wire and in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum Role {
    Admin,
    /// Reads all but tokens, secrets and the audit log; writes stories, datasources and assets.
    Editor,
    /// Reads what an editor reads.
    Viewer,
}

impl Role {
    /// The one of two roles that may do less.
    #[must_use]
    pub fn lesser(self, other: Self) -> Self {
        [Self::Viewer, Self::Editor].into_iter().find(|role| [self, other].contains(role)).unwrap_or(Self::Admin)
    }
}
